"""One linear solve: invariance, options, data, subsets, names, and what is refused before any work."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, ProblemError

x, y, nu = sp.symbols("x y nu")
u = tn.unknown("u", x, y)
Eq = sp.Eq
SPACE = tn.FeatureSpace.spectral(2, 250, 4.0)
square = tn.Box(x=(0, 1), y=(0, 1))
exact = sp.sin(3 * x) * sp.cos(2 * y) + x * y
UNIT = np.random.default_rng(0).random((300, 2))
TRUTH = sp.lambdify((x, y), exact)(*UNIT.T)


def stated(domain: tn.Domain, formula: sp.Expr = exact, unknown: sp.Expr = u, a: sp.Symbol = x, b: sp.Symbol = y):
    right = sp.diff(formula, a, 2) + sp.diff(formula, b, 2)
    return tn.Problem(domain, [Eq(tn.laplacian(unknown), right)], [tn.on("boundary", Eq(unknown, formula))])


def error(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean((values - TRUTH) ** 2) / np.mean(TRUTH**2)))


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_units_and_origin_do_not_matter(size: float, shift: float) -> None:
    """The same problem in other units and at another place has the same digits, up to those its coordinates lost."""
    offset = shift * max(size, 1e-3)
    inner = {x: (x - offset) / size, y: (y + offset) / size}
    domain = tn.Box(x=(offset, offset + size), y=(-offset, -offset + size))
    solution = tn.solve(stated(domain, exact.subs(inner, simultaneous=True)), space=SPACE)
    values = solution(UNIT * size + np.array([offset, -offset]))
    lost = 1e-15 * max(offset / size, 1)
    assert error(values) < 1e-9 + 1e3 * lost
    plain = tn.solve(stated(square), space=SPACE)(UNIT)
    assert np.abs(values - plain).max() < 1e-9 + 1e3 * lost


def test_axes_of_different_units() -> None:
    domain = tn.Box(x=(0, 1e4), y=(0, 1e-3))
    f = exact.subs({x: x / 10_000, y: 1000 * y}, simultaneous=True)
    v = tn.unknown("u", x, y)
    # The operator has the same form in scaled coordinates if each derivative carries its unit.
    scaled = 1e8 * sp.diff(v, x, 2) + 1e-6 * sp.diff(v, y, 2)
    problem = tn.Problem(domain, [Eq(scaled, scaled.subs(v, f).doit())], [tn.on("boundary", Eq(v, f))])
    assert error(tn.solve(problem, space=SPACE)(UNIT * [1e4, 1e-3])) < 1e-9


@pytest.mark.parametrize("solver", [tn.QR(), tn.PivotedQR(), tn.SVD()], ids=lambda s: type(s).__name__)
def test_every_solver_reaches_the_same_digits(solver) -> None:
    solution = tn.solve(stated(square), space=SPACE, solver=solver)
    assert error(solution(UNIT)) < 1e-9
    assert solution.diagnostics.solver == type(solver).__name__


@pytest.mark.parametrize("sampling", ["quasi", "random", "grid"])
def test_every_sampling_works(sampling: str) -> None:
    points = tn.Points(900, 240, sampling)
    assert error(tn.solve(stated(square), space=SPACE, points=points)(UNIT)) < 1e-7


def test_the_seed_decides_everything() -> None:
    one, two = (tn.TransNet(120, seed=4).solve(stated(square)) for _ in range(2))
    np.testing.assert_array_equal(one.coefficients, two.coefficients)
    assert not np.array_equal(one.coefficients, tn.TransNet(120, seed=5).solve(stated(square)).coefficients)


def test_one_space_serves_many_problems_and_each_unknown_may_have_its_own() -> None:
    v = tn.unknown("v", x, y)
    problem = tn.Problem(
        square,
        [Eq(tn.laplacian(u), tn.laplacian(exact, x, y)), Eq(tn.laplacian(v) + u, exact)],
        [tn.on("boundary", Eq(u, exact), Eq(v, 0))],
    )
    for spaces in (SPACE, [SPACE, tn.FeatureSpace.spectral(2, 250, 3.0, seed=8)]):
        found = tn.solve(problem, space=spaces)
        assert error(found["u"](UNIT)) < 1e-8
        assert np.abs(found["v"](UNIT)).max() < 1e-8


def test_parameters_get_their_values_at_the_solve() -> None:
    problem = tn.Problem(
        square, [Eq(nu * tn.laplacian(u), tn.laplacian(exact, x, y))], [tn.on("boundary", Eq(nu * u, exact))]
    )
    for key in (nu, "nu"):
        assert error(2 * tn.solve(problem, space=SPACE, parameters={key: np.float32(2)})(UNIT)) < 1e-9


def test_conditions_restricted_by_where_cover_a_boundary_together() -> None:
    conditions = [
        tn.on("boundary", Eq(u, exact), where=(x > 0.3) & (y < 2)),
        tn.on(
            "boundary", Eq(tn.normal_derivative(u), tn.normal(x, y).dot(tn.grad(exact, x, y))), where=sp.Not(x > 0.3)
        ),
    ]
    problem = tn.Problem(square, [Eq(tn.laplacian(u), tn.laplacian(exact, x, y))], conditions)
    assert error(tn.solve(problem, space=SPACE)(UNIT)) < 1e-8


def test_data_take_the_place_of_a_boundary_condition() -> None:
    """Where nothing is known on one side, measurements inside determine the solution; a weight says how far."""
    rng = np.random.default_rng(1)
    places = rng.random((400, 2)) * [1.0, 0.6]
    values = sp.lambdify((x, y), exact)(*places.T)
    conditions = [tn.on(side, Eq(u, exact)) for side in ("left", "right", "top")]
    conditions.append(tn.data(u, places, values, weight=30))
    problem = tn.Problem(square, [Eq(tn.laplacian(u), tn.laplacian(exact, x, y))], conditions)
    assert error(tn.solve(problem, space=SPACE)(UNIT)) < 1e-7


def test_the_weight_of_data_decides_between_them_and_the_equation() -> None:
    """Data that contradict the equation pull the solution the more, the heavier they are."""
    places = tn.Box(x=(0.2, 0.8), y=(0.2, 0.8)).interior(60)

    def pull(weight: float) -> float:
        conditions = [tn.on("boundary", Eq(u, 0)), tn.data(u, places, np.ones(60), weight=weight)]
        problem = tn.Problem(square, [Eq(tn.laplacian(u), 0)], conditions)
        return float(tn.solve(problem, space=SPACE)(places).mean())

    with pytest.warns(AccuracyWarning, match="estimated relative error"):
        light, heavy = pull(1e-4), pull(1e2)
    assert light < 0.01
    assert heavy > 0.9


def test_data_of_a_derivative() -> None:
    rng = np.random.default_rng(2)
    places = rng.random((300, 2))
    slope = sp.lambdify((x, y), sp.diff(exact, x))(*places.T)
    problem = tn.Problem(
        square, [Eq(sp.diff(u, y), sp.diff(exact, y))],
        [tn.data(sp.diff(u, x), places, slope), tn.at([(0.5, 0.5)], Eq(u, exact.subs({x: 0.5, y: 0.5})))],
    )  # fmt: skip
    assert error(tn.solve(problem, space=SPACE)(UNIT)) < 1e-6


def test_a_mean_may_have_any_value() -> None:
    problem = tn.Problem(
        tn.Disk(), [Eq(tn.laplacian(u), 4)], [tn.on("boundary", Eq(tn.normal_derivative(u), 2)), tn.mean(u, 7)]
    )
    solution = tn.solve(problem, space=SPACE)
    # u = r^2 + c, whose mean over the disk is 1/2 + c.
    np.testing.assert_allclose(solution([(0, 0), (1, 0)]), [6.5, 7.5], atol=1e-8)


@pytest.mark.parametrize("name", ["lambda", "sin", "None", "E", "I", "S", "np", "given_0", "u v", "λ"])
def test_an_unknown_may_have_any_name(name: str) -> None:
    v = tn.unknown(name, x, y)
    solution = tn.solve(stated(square, unknown=v), space=SPACE)
    assert error(solution[name](UNIT)) < 1e-9
    slope = solution.evaluate(sp.diff(v, x) ** 2, UNIT)
    np.testing.assert_allclose(slope, sp.lambdify((x, y), sp.diff(exact, x) ** 2)(*UNIT.T), atol=1e-6)


@pytest.mark.parametrize("name", ["lambda", "sin", "E", "pi", "n_y", "points"])
def test_a_coordinate_may_have_any_name(name: str) -> None:
    a = sp.Symbol(name)
    f = exact.subs(x, a)
    problem = stated(tn.Box(**{name: (0, 1)}, y=(0, 1)), f, tn.unknown("u", a, y), a, y)
    assert error(tn.solve(problem, space=SPACE)(UNIT)) < 1e-9


def test_symbols_may_have_assumptions_and_any_order() -> None:
    a, b = sp.symbols("x y", positive=True)
    f = exact.subs({x: a, y: b})
    assert error(tn.solve(stated(square, f, tn.unknown("u", a, b), a, b), space=SPACE)(UNIT)) < 1e-9
    # Columns are in the order of the domain, however the unknown was written.
    assert error(tn.solve(stated(square, exact, tn.unknown("u", y, x)), space=SPACE)(UNIT)) < 1e-9


def test_coefficients_that_are_not_smooth() -> None:
    for k in (sp.Abs(x - 0.3), sp.Piecewise((1, x < 0.4), (2, True)), sp.Heaviside(y - 0.5), sp.Max(x, y), sp.sign(x)):
        operator = tn.laplacian(u) - k * u
        right = operator.subs(u, exact).doit()
        problem = tn.Problem(square, [Eq(operator, right)], [tn.on("boundary", Eq(u, exact))])
        assert error(tn.solve(problem, space=SPACE)(UNIT)) < 1e-8


def test_numbers_of_every_kind() -> None:
    operator = np.float64(2) * tn.laplacian(u) - np.int64(3) * u + sp.Rational(1, 3) * u - 0.25 * u
    problem = tn.Problem(
        square, [Eq(operator, operator.subs(u, exact).doit())], [tn.on("boundary", Eq(np.int32(2) * u, 2 * exact))]
    )
    assert error(tn.solve(problem, space=SPACE)(UNIT)) < 1e-9


def test_four_coordinates() -> None:
    c = sp.symbols("a b c d")
    v = tn.unknown("v", *c)
    f = sp.sin(c[0] + c[1] / 2) * sp.exp(c[2] / 2 - c[3] / 3)
    problem = tn.Problem(
        tn.Box(a=(0, 1), b=(0, 1), c=(0, 1), d=(0, 1)),
        [Eq(tn.laplacian(v), tn.laplacian(f, *c))],
        [tn.on("boundary", Eq(v, f))],
    )
    solution = tn.solve(problem, space=tn.FeatureSpace.spectral(4, 350, 0.8))
    points = np.random.default_rng(0).random((200, 4))
    truth = sp.lambdify(c, f)(*points.T)
    assert np.sqrt(np.mean((solution(points) - truth) ** 2) / np.mean(truth**2)) < 1e-4


WRONG = {
    "no problem": (lambda: tn.solve(3), "takes a tn.Problem, not int"),
    "no neurons": (lambda: tn.solve(stated(square), neurons=0), "whole number of at least one, not 0"),
    "half a neuron": (lambda: tn.solve(stated(square), neurons=2.5), "whole number"),
    "neurons in words": (lambda: tn.TransNet("many"), "whole number"),
    "no size": (lambda: tn.TransNet().solve(stated(square)), "size of the network is not given"),
    "a tolerance of zero": (lambda: tn.solve(stated(square), tol=0), "between 0 and 1"),
    "no solver": (lambda: tn.solve(stated(square), neurons=9, solver="svd"), "not a solver. Pass tn.QR"),
    "no space": (lambda: tn.solve(stated(square), space=5), "not a feature space"),
    "a space in space": (lambda: tn.solve(stated(square), space=tn.FeatureSpace.spectral(3, 9, 1.0)),
                         "dimension 3, but the problem has 2 coordinates: x, y"),
    "too many spaces": (lambda: tn.solve(stated(square), space=[SPACE, SPACE]), "1 unknowns? .* but 2 spaces"),
    "too few rows": (lambda: tn.solve(stated(square), neurons=100, points=tn.Points(10, 20)),
                     r"fewer rows \(30\) than coefficients \(101\).*at most 15 neurons"),
    "a parameter without a value": (lambda: tn.solve(tn.Problem(square, [tn.laplacian(u) - nu]), space=SPACE),
                                    "symbol nu in the problem is neither a coordinate nor given a value"),
    "a parameter that is not there": (lambda: tn.solve(stated(square), space=SPACE, parameters={"mu": 1}),
                                      "no parameter mu; it has no parameters"),
    "a parameter in words": (lambda: tn.solve(tn.Problem(square, [tn.laplacian(u) - nu]), space=SPACE,
                                              parameters={nu: "two"}), "nu must be a number, not 'two'"),
    "a parameter of NaN": (lambda: tn.solve(tn.Problem(square, [tn.laplacian(u) - nu]), space=SPACE,
                                            parameters={nu: np.nan}), "parameter nu must be finite, not nan"),
    "two parameters in one": (lambda: tn.solve(tn.Problem(square, [tn.laplacian(u) - nu]), space=SPACE,
                                               parameters={nu: [1, 2]}), r"nu must be one number, not \[1, 2\]"),
    "data of NaN": (lambda: tn.solve(tn.Problem(square, [Eq(tn.laplacian(u), tn.given("f", lambda a: a * np.nan, x))]),
                                     space=SPACE), r"u_xx.* not finite at the point"),
    "where nothing is": (lambda: tn.solve(tn.Problem(square, [tn.laplacian(u)], [tn.on("top", u, where=x > 5)]),
                                          space=SPACE), "No point of 'top' satisfies x > 5"),
    "not periodic": (lambda: tn.Problem(tn.Disk(), [tn.laplacian(u)], [tn.periodic(x)]), "no two opposite faces"),
    "a square root of a negative number": (lambda: tn.solve(tn.Problem(square, [tn.laplacian(u) + sp.sqrt(x - 2) * u]),
                                                            space=SPACE), "not finite"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_bad_options_are_refused(name: str) -> None:
    act, message = WRONG[name]
    with pytest.raises(ProblemError, match=message):
        act()
