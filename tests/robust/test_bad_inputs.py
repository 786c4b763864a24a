"""What is not a problem is refused with a reason, whatever it is and wherever it stands.

One line of `WRONG` is one kind of bad input; `PLACES` puts each of the odd values in the place of a formula. Bad
problem files are in `tests/files/hostile.py`.
"""

import os
import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import TransnetError

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
HUGE = 10**5000


def problem(equation=None, condition=None, domain=SQUARE):
    equations = [sp.Eq(tn.laplacian(u), 1) if equation is None else equation]
    return tn.Problem(domain, equations, [tn.on("boundary", sp.Eq(u, 0)) if condition is None else condition])


def solved(**parts):
    return tn.solve(problem(**parts), neurons=30)


def equal(left, right):
    """An equation; what SymPy itself refuses is not ours."""
    try:
        return sp.Eq(left, right)
    except Exception:
        raise TransnetError("SymPy refuses it") from None


ODD = {
    "dictionary": {"a": 1},
    "lambda": lambda x: x,
    "text": "laplacian(u) = 1",
    "code": "__import__('os').system('false')",
    "array": np.ones(3),
    "matrix of objects": np.array([[None]]),
    "none": None,
    "a set": {1},
    "an object": object(),
    "bytes": b"u",
    "true": True,
    "infinite": sp.oo,
    "not a number": sp.nan,
    "complex": sp.I * u,
    "a type": int,
    "not a number as a float": float("nan"),
    "a sympy set": sp.Interval(0, 1),
    "a symbol of nobody": sp.Symbol("q") * u,
    "5000 digits": sp.Integer(HUGE) * u,
}
PLACES = {
    "equation": lambda v: solved(equation=v),
    "right-hand side": lambda v: solved(equation=equal(tn.laplacian(u), v)),
    "boundary": lambda v: solved(condition=tn.on("boundary", v)),
    "boundary value": lambda v: solved(condition=tn.on("boundary", equal(u, v))),
    "where": lambda v: solved(condition=tn.on("boundary", u, where=v)) if v is not None else tn.on(None),
    "part": lambda v: solved(condition=tn.on(v, u)),
    "at": lambda v: solved(condition=tn.at(v, sp.Eq(u, 0))),
    "data": lambda v: tn.data(v, [[0.5, 0.5]], [1.0]) and solved(condition=tn.data(v, [[0.5, 0.5]], [1.0])),
    "data values": lambda v: tn.data(u, [[0.5, 0.5]], v),
    "mean": lambda v: solved(condition=tn.mean(v)),
    "weight": lambda v: tn.on("boundary", u, weight=v) if v is not None else tn.on(None),
    "laplacian": lambda v: solved(equation=tn.laplacian(v) + u),
    "lagged": lambda v: solved(equation=tn.lagged(v) * u),
    "unknown": lambda v: tn.unknown(v, x),
    "coordinate": lambda v: tn.unknown("w", v),
    "given": lambda v: solved(equation=tn.laplacian(u) + tn.given("k", v if callable(v) else 3, x, y)),
    "domain": lambda v: tn.Problem(v, [u], []),
    "conditions": lambda v: tn.Problem(SQUARE, [tn.laplacian(u)], v),
    "equations": lambda v: tn.Problem(SQUARE, v, [tn.on("boundary", u)]),
    "radius": lambda v: tn.Disk(radius=v),
    "center": lambda v: tn.Disk(center=v),
    "range": lambda v: tn.Box(x=v, y=(0, 1)),
    "corners": lambda v: tn.Polygon(v),
    "level set": lambda v: tn.LevelSet(v, x=(-2, 2), y=(-2, 2)),
    "curve": lambda v: tn.Region(v),
    "minus": lambda v: SQUARE - v,
    "problem": lambda v: tn.solve(v),
    "tolerance": lambda v: tn.solve(problem(), tol=v) if v is not None else tn.solve(v),
    "neurons": lambda v: tn.solve(problem(), neurons=v) if v is not None else tn.solve(v),
    "guess": lambda v: tn.solve(problem(sp.Eq(tn.laplacian(u), u**3)), neurons=30, guess=v if v is not None else {}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("place", PLACES)
def test_odd_things_in_places_of_formulas(place):
    for name, value in ODD.items():
        try:
            PLACES[place](value)
        except TransnetError:
            pass
        except Exception as error:
            pytest.fail(f"{name} in the place of {place}: {type(error).__name__}: {error}")


WRONG = {
    "an integer of 400 digits": lambda: solved(equation=sp.Eq(tn.laplacian(u), sp.Integer(10**400) * x)),
    "a strategy of 5000 digits": lambda: tn.solve(problem(), neurons=30, strategy=HUGE),
    "pieces of 5000 digits": lambda: tn.solve(problem(), neurons=30, pieces=-HUGE),
    "an integer of 5000 digits": lambda: solved(equation=sp.Eq(tn.laplacian(u), sp.Integer(HUGE))),
    "measurements of 5000 digits": lambda: tn.data(u, [[0.5, 0.5]], [HUGE]),
    "a point of 400 digits": lambda: tn.at([[10**400, 0]], u),
    "a weight of 5000 digits": lambda: tn.on("boundary", u, weight=HUGE),
    "a radius of 5000 digits": lambda: tn.Disk(radius=HUGE),
    "a level set that is a list": lambda: tn.LevelSet([x, y], x=(-2, 2), y=(-2, 2)),
    "an enormous annulus": lambda: tn.Annulus(inner=1e-12, outer=1e308),
    "a microscopic disk": lambda: tn.Disk(radius=1e-200),
    "a derivative in where": lambda: solved(condition=tn.on("boundary", u, where=sp.diff(u, x) > 0)),
    "an infinite formula": lambda: solved(equation=sp.Eq(tn.laplacian(u), sp.coth(0))),
    "an infinite boundary value": lambda: solved(condition=tn.on("boundary", sp.Eq(u, -sp.oo))),
    "a parameter of 400 digits": lambda: tn.solve(
        problem(sp.Eq(tn.laplacian(u), t)), neurons=30, parameters={t: 10**400}
    ),
    "a lambda as a parameter": lambda: tn.solve(problem(sp.Eq(tn.laplacian(u), t)), parameters={t: lambda: 1}),
    "no part": lambda: problem(condition=tn.on("nowhere", u)),
    "a name with a command": lambda: tn.unknown(r"\href{http://a}{u}", x, y),
    "a name with control codes": lambda: tn.unknown("u\x1b[2J", x, y),
    "lagged with two arguments": lambda: tn.lagged(u, x),
    "the gradient of a text": lambda: tn.grad("u", x),
    "the gradient of a function": lambda: tn.grad(lambda x: x, x),
    "the gradient along a text": lambda: tn.grad(u, "x"),
    "the gradient along infinity": lambda: tn.grad([u, u], sp.oo),
    "the divergence of a text": lambda: tn.div("uv", x, y),
    "the divergence of a number": lambda: tn.div(1j, x),
    "the divergence of a domain": lambda: tn.div(SQUARE),
    "the divergence along a number": lambda: tn.div([u, u], 1.0, 2.0),
    "the curl of a dictionary": lambda: tn.curl({"a": u, "b": u}),
    "the Laplacian along a list": lambda: tn.laplacian(u, [x, y]),
    "the Laplacian along nothing": lambda: tn.laplacian(u, None),
    "the Laplacian of nothing": lambda: tn.laplacian(None, x),
    "the Laplacian of bytes": lambda: tn.laplacian(b"u", x),
    "the biharmonic of a text": lambda: tn.biharmonic("u", x),
    "the normal along a text": lambda: tn.normal("x"),
    "the normal derivative of a type": lambda: tn.normal_derivative(int, x),
    "a space without biases": lambda: tn.FeatureSpace(np.ones((3, 2))),
    "a space of less than nothing": lambda: tn.FeatureSpace.uniform(3, -1, 0.5),
    "a space of texts": lambda: tn.FeatureSpace("a", "b"),
    "a space of a dictionary": lambda: tn.FeatureSpace({}, np.ones(3)),
    "a space of sizes that differ": lambda: tn.FeatureSpace(np.ones((3, 2)), np.ones(2)),
    "a space of infinite weights": lambda: tn.FeatureSpace(np.full((3, 2), np.inf), np.ones(3)),
    "a space with no such activation": lambda: tn.FeatureSpace(np.ones((3, 2)), np.ones(3), [1]),
    "waves of no bandwidth": lambda: tn.FeatureSpace.waves(2, 20, fill=-1.0),
    "a file of 500 letters": lambda: tn.load("x" * 500),
    "a problem file of 500 letters": lambda: tn.read_problem("x" * 500),
    "a point of words": lambda: SQUARE.contains("xy"),
    "a point of 400 digits in a domain": lambda: SQUARE.contains(10**400),
    "a complex point": lambda: SQUARE.contains(1j),
    "a dictionary as a point": lambda: SQUARE.contains({}),
    "so many points as a list": lambda: SQUARE.interior([]),
    "so many points as a text": lambda: SQUARE.interior("3"),
    "infinitely many points": lambda: SQUARE.interior(float("inf")),
    "points by the digits": lambda: SQUARE.interior(HUGE),
    "a formula of points": lambda: SQUARE.interior(sp.diff(u, x)),
    "a kind of points that is a list": lambda: SQUARE.interior(3, []),
    "a seed that is a text": lambda: SQUARE.interior(3, seed="a"),
    "a part that is a list": lambda: SQUARE.boundary(["x=0"]),
    "a part that is a dictionary": lambda: SQUARE.boundary({"a": 1}),
    "an interval of 5000 digits": lambda: tn.Interval(float("inf"), HUGE),
    "a given name of 5000 digits": lambda: tn.given(HUGE, abs, x),
    "a name with a line break": lambda: tn.unknown("u\nv", x, y),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WRONG)
def test_refused_with_a_reason(name):
    with pytest.raises(TransnetError) as caught:
        WRONG[name]()
    assert len(str(caught.value)) < 3000


@pytest.mark.parametrize("size", [1e300, 1e200, 1e-170, 1e-300])
def test_data_of_any_size_give_the_same_digits(size):
    points = np.random.default_rng(0).random((20, 2))
    plain, scaled = (
        tn.solve(problem(equation=sp.Eq(tn.laplacian(u), s * x)), neurons=150) for s in (1.0, sp.Float(size))
    )
    assert np.allclose(scaled(points) / size, plain(points), rtol=0, atol=1e-7 * np.abs(plain(points)).max())
    assert 0 < scaled.error < 1e-5


SOLVED = problem()
v = tn.unknown("v", t)
DECAY = tn.Problem(tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(v, t), -v)], [tn.on("t=0", sp.Eq(v, 1))])


@pytest.fixture(scope="module")
def solution():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how good it is does not matter here
        return tn.solve(SOLVED, neurons=20)


CODE = "__import__('os').environ.__setitem__('CODE_RAN', '1')"
METHODS = {
    "code in a jump": lambda s: tn.jump(CODE),
    "code in an integral": lambda s: tn.integral(CODE),
    "code for a piece": lambda s: tn.by_piece(core=CODE),
    "code as an event": lambda s: tn.solve(DECAY, until=CODE),
    "code along a curve": lambda s: tn.Curve((CODE, CODE), (x, 0, 1)),
    "code as the exact solution": lambda s: s.plot(error_against={"u": CODE}),
    "hole that is no list": lambda s: tn.Polygon([(0, 0), (1, 0), (0, 1)], sp.I),
    "names that are no list": lambda s: tn.Polygon([(0, 0), (1, 0), (0, 1)], names=3),
    "grid of texts": lambda s: SQUARE.grid("many"),
    "grid of halves": lambda s: SQUARE.grid(np.ones(2) / 2),
    "points that are none": lambda s: SQUARE.contains(object()),
    "integral of a function": lambda s: s.integral(lambda x: x),
    "integral over a number": lambda s: s.integral(over=3),
    "mean at different numbers of values": lambda s: s.mean(x=(0, 1), y=[]),
    "stretched by a set": lambda s: tn.FeatureSpace.waves(2, 10).stretched({1}),
    "mean over 5000 digits": lambda s: s.mean(over=HUGE),
    "stress that is one function": lambda s: s.force("boundary", stress=u),
    "mean at a text": lambda s: s.mean(x="middle"),
    "flux through a number": lambda s: s.flux(7),
    "stress of numbers": lambda s: s.force("boundary", stress=[1, 2]),
    "largest equation": lambda s: s.maximum(sp.Eq(u, 0)),
    "cut from a set": lambda s: s.along({1}, (1, 1)),
    "probe of texts": lambda s: s.probe("here"),
    "compared with a type": lambda s: s.compare(int),
    "compared with nothing": lambda s: s.compare({}),
    "picture of a type": lambda s: s.plot(int),
    "picture on no axes": lambda s: s.plot(ax=3),
    "field that is none": lambda s: s.plot(streamlines=u),
    "colours at a list": lambda s: s.plot(x=[None]),
    "picture at no value": lambda s: s.plot(x=[]),
    "contours of a dictionary": lambda s: s.plot(contours={}),
    "comparison with a vector": lambda s: s.compare(sp.Matrix([x, y])),
    "comparison of 5000 digits": lambda s: s.compare(sp.oo, HUGE),
    "grid at a point": lambda s: s.to_xarray(x=0.5, y=0.5),
    "grid of a coordinate": lambda s: s.to_xarray(x),
    "grid of less than nothing": lambda s: s.to_xarray(resolution=-1),
    "picture of less than nothing": lambda s: s.plot(resolution=-1),
    "dataset at an interval": lambda s: s.to_xarray(x=tn.Interval(x=(0, 1))),
    "dataset at a stranger": lambda s: s.to_xarray(q=1),
    "residuals by a text": lambda s: s.residual_values(seed="a"),
    "strategy of texts": lambda s: tn.Picard(tol=""),
    "steps that are no number": lambda s: tn.Descent(steps="many"),
    "waves in a dictionary": lambda s: tn.FeatureSpace.waves({1: 2}, 10),
    "deep in no dimension": lambda s: tn.FeatureSpace.deep(sp.zoo, 10),
    "stretched by nothing": lambda s: tn.FeatureSpace.waves(2, 10).stretched([]),
    "mesh from a file and faces": lambda s: tn.Mesh("a.stl", faces=[[0, 1, 2]]),
    "jump of a domain": lambda s: tn.jump(SQUARE),
    "continuation in a number": lambda s: tn.solve(SOLVED, neurons=20, continuation=0.5),
    "prepared for a number": lambda s: tn.prepare(SOLVED, neurons=20).solve(values=3.0),
    "unknown of another name": lambda s: s["v"],
    "derivative by a number": lambda s: s.gradient(s.integral(u), wrt=-1),
    "a model without a name": lambda s: s.to_onnx(""),
    "derivative of a condition": lambda s: s.gradient(tn.on("boundary", u), wrt=x),
    "derivative by nothing": lambda s: s.sensitivity(wrt=float("nan")),
    "derivative by an array": lambda s: s.sensitivity(wrt=np.ones(2)),
    "a size that is a derivative": lambda s: tn.Shell(outer=sp.diff(u, x, 9)),
    "a method of 5000 digits": lambda s: tn.solve(SOLVED, method=HUGE),
    "points of 400 digits": lambda s: tn.Points(interior=10**400),
    "data at a dictionary": lambda s: tn.data(u, {x: [1, 2]}, 1.0),
    "data at a text": lambda s: tn.data(u, "u", 1.0),
    "a piece called by an array": lambda s: tn.Pieces(a=SQUARE, b=tn.Box(x=(1, 2), y=(0, 1))).piece(np.ones(2)),
    "an operator for an array": lambda s: tn.prepare(SOLVED, neurons=20).linear_operator(None, np.ones(2)),
}


@pytest.mark.filterwarnings("ignore::transnet.errors.EstimateWarning")
@pytest.mark.parametrize("name", METHODS)
def test_odd_arguments_of_methods_are_answered_in_words(name, solution):
    with pytest.raises(TransnetError) as told:
        METHODS[name](solution)
    assert str(told.value).strip().endswith(".")
    assert "CODE_RAN" not in os.environ


def test_a_failure_inside_is_not_blamed_on_right_arguments():
    from transnet.calls import explained

    @explained
    def inner(count: int, names: list[str] | None = None) -> int:
        raise ValueError("from inside")

    with pytest.raises(ValueError, match="from inside"):
        inner(3, ["a"])
    with pytest.raises(TransnetError, match="count is a whole number, not 'a'"):
        inner("a")
    with pytest.raises(TransnetError, match="names is a list"):
        inner(3, [1])
