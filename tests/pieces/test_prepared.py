"""Problems in pieces prepared for many right-hand sides: the digits of one solve, estimates that hold, refusals."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import EstimateWarning, ProblemError

x, y, a, c = sp.symbols("x y a c")
u = tn.unknown("u", x, y)
CORE = tn.Disk(radius=0.3)
DOMAIN = tn.Pieces(core=CORE, shell=tn.Box(x=(-0.5, 0.5), y=(-0.5, 0.5)) - CORE)
K = tn.by_piece(core=10, shell=1)
POINTS = DOMAIN.interior(500, "random", 1)


def stated(source: sp.Expr, rim: sp.Expr, k: sp.Expr = K) -> tn.Problem:
    return tn.Problem(DOMAIN, [sp.Eq(-tn.div(k * tn.grad(u)), source)], [tn.on("boundary", sp.Eq(u, rim))])


def far_field() -> dict[str, sp.Expr]:
    """The exact solution without a source that is x far away."""
    contrast = sp.Rational(1 - 10, 1 + 10)
    return {"core": (1 + contrast) * x, "shell": x + contrast * x * sp.Rational(9, 100) / (x**2 + y**2)}


def values_of(exact: dict[str, sp.Expr]) -> np.ndarray:
    which = DOMAIN.which(POINTS)
    both = [np.broadcast_to(sp.lambdify((x, y), exact[n])(*POINTS.T), (len(POINTS),)) for n in ("core", "shell")]
    return np.where(which == 0, *both)


@pytest.fixture(scope="module")
def prepared() -> tn.Prepared:
    return tn.prepare(stated(a * x, sp.cos(y)), tol=1e-6, pieces=True)


def test_a_prepared_problem_in_pieces_has_the_digits_of_a_solve(prepared: tn.Prepared) -> None:
    assert isinstance(prepared, tn.Prepared)
    assert "pieces" in repr(prepared)
    problem = prepared.problem
    once = tn.solve(problem, tol=1e-6, parameters={a: 2}, pieces=True)
    again = prepared.solve({a: 2})
    assert again.basis.pieces == once.basis.pieces
    assert np.allclose(again(POINTS), once(POINTS), rtol=0, atol=1e-10)
    assert again.error < 1e-6
    many = prepared.solve_many({a: np.linspace(-1, 2, 7)})
    assert len(many) == 7
    assert np.allclose(many[6](POINTS), again(POINTS), rtol=0, atol=1e-11)
    # The solution is linear in a.
    values = many(POINTS)
    assert np.allclose(values[0] + values[6], values[2] + values[4], rtol=0, atol=1e-11)
    assert np.array_equal(pickle.loads(pickle.dumps(many[6]))(POINTS), many[6](POINTS))


def test_values_and_other_formulas_take_the_place_of_right_hand_sides(prepared: tn.Prepared) -> None:
    exact = far_field()
    true = values_of(exact)
    by_formula = prepared.solve({a: 0}, problem=stated(a * sp.cos(x), exact["shell"]))
    assert np.linalg.norm(by_formula(POINTS) - true) < by_formula.error * np.linalg.norm(true) < 1e-6 * len(POINTS)
    condition = prepared.problem.conditions[0]
    label = next(n for n in prepared.points if n.startswith("boundary"))
    at = sp.lambdify((x, y), exact["shell"])(*prepared.points[label].T)
    for values in ({condition: sp.lambdify((x, y), exact["shell"])}, {label: at}, {label: np.stack([at, 2 * at])}):
        found = prepared.solve_many({a: 0}, values=values)
        assert np.allclose(found[0](POINTS), by_formula(POINTS), rtol=0, atol=1e-11)
        assert np.allclose(found[-1](POINTS), len(found) * by_formula(POINTS), rtol=0, atol=1e-11)


def test_a_source_that_the_cells_do_not_resolve_is_told(prepared: tn.Prepared) -> None:
    other = stated(a * sp.sin(90 * x) * sp.cos(70 * y), sp.Integer(0))
    with pytest.warns(EstimateWarning, match="1.0e-06 was not reached"):
        found = prepared.solve({a: 1}, problem=other)
    assert found.error > 1e-6


def test_a_parameter_of_the_operator_is_factored_again() -> None:
    problem = tn.Problem(DOMAIN, [sp.Eq(-tn.div(K * tn.grad(u)) + c * u, 1)], [tn.on("boundary", u)])
    prepared = tn.prepare(problem, tol=1e-5)
    assert "factored again for new c" in repr(prepared)
    many = prepared.solve_many({c: [0, 50, 0]})
    assert np.array_equal(many[0].coefficients, many[2].coefficients)
    whole = tn.solve(problem, pieces=tn.Cut(8, refine=False), parameters={c: 50})
    assert np.linalg.norm(many[1](POINTS) - whole(POINTS)) < many[1].error * np.linalg.norm(whole(POINTS))


def test_where_the_solve_cuts_by_itself_so_does_preparing() -> None:
    w = tn.unknown("w", x)
    layer = tn.Problem(
        tn.Interval(x=(0, 1)), [sp.Eq(-sp.diff(w, x, 2) / 10000 + sp.diff(w, x), a)], [tn.on("boundary", w)]
    )
    prepared = tn.prepare(layer)
    assert "pieces" in repr(prepared)
    at = np.linspace(0, 1, 301)
    exact = 2 * (at - (np.exp(10000 * (at - 1)) - np.exp(-10000)) / (1 - np.exp(-10000)))
    assert np.abs(prepared.solve({a: 2})(at[:, None]) - exact).max() < 1e-8


WRONG = {
    "another material": (lambda p: p.solve({a: 1}, problem=stated(a * x, x, 2 * K)), "is not .* another right-hand"),
    "no statement": (lambda p: p.solve({a: 1}, values={"rim": 0}), "not a statement of the problem"),
    "wrong shape": (lambda p: p.solve({a: 1}, values={p.problem.conditions[0]: np.zeros(3)}), r"has shape \(3,\)"),
    "no parameter": (lambda p: p.solve(), "neither a coordinate nor given"),
    "one network": (lambda p: tn.prepare(p.problem, neurons=100), "applies to a single network"),
    "not linear": (lambda p: tn.prepare(stated(u**2, x)), "not linear"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_refused(case: str, prepared: tn.Prepared) -> None:
    wrong, text = WRONG[case]
    with pytest.raises(ProblemError, match=text):
        wrong(prepared)
