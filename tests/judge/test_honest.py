"""No confident wrong answer: problems that used to be solved wrongly, or accused wrongly, without a true word."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, EstimateWarning, ProblemError
from transnet.judge.diagnose import answer_messages
from transnet.judge.stability import Stability

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def error_of(solution: tn.Solution, exact: sp.Expr) -> float:
    points = solution.problem.domain.interior(500, "quasi", 3)
    truth = sp.lambdify(solution.problem.coordinates, exact, "numpy")(*points.T)
    unit = np.abs(truth).max()
    return float(np.linalg.norm((solution(points) - truth) / unit) / np.linalg.norm(truth / unit))


def test_monge_and_ampere_from_no_guess() -> None:
    exact = sp.exp((x**2 + y**2) / 2)
    left = sp.diff(u, x, 2) * sp.diff(u, y, 2) - sp.diff(u, x, y) ** 2
    problem = tn.Problem(
        SQUARE, [sp.Eq(left, (1 + x**2 + y**2) * sp.exp(x**2 + y**2))], [tn.on("boundary", sp.Eq(u, exact))]
    )
    solution = tn.solve(problem)
    assert solution.status == "converged"
    assert error_of(solution, exact) < 1e-9


def p_laplacian(v: sp.Expr) -> sp.Expr:
    square = sp.diff(v, x) ** 2 + sp.diff(v, y) ** 2
    return sp.diff(square * sp.diff(v, x), x) + sp.diff(square * sp.diff(v, y), y)


def test_a_p_laplacian_whose_derivative_vanishes_at_zero() -> None:
    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(-p_laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = tn.solve(problem, neurons=150)
    exact = sp.Rational(3, 4) * 2 ** sp.Rational(-1, 3) * (1 - (x**2 + y**2) ** sp.Rational(2, 3))
    assert error_of(solution, exact) < 10 * solution.error
    assert error_of(solution, exact) < 0.05


def test_a_derivative_that_vanishes_is_named() -> None:
    problem = tn.Problem(SQUARE, [sp.Eq(u**2 * (1 + x), 0)], [])
    with pytest.warns(AccuracyWarning, match="does not depend on the unknowns to first order at the guess"):
        solution = tn.solve(problem, neurons=20)
    assert solution.status == "stalled"


@pytest.mark.parametrize("rate", [10, 30])
def test_exponential_growth_is_not_called_not_unique(rate: int) -> None:
    v, exact = tn.unknown("u", x), sp.sin(3 * x) + 2
    equation = sp.Eq(sp.diff(v, x), rate * v + sp.diff(exact, x) - rate * exact)
    problem = tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("x=0", sp.Eq(v, 2))])
    solution = tn.solve(problem, neurons=40)  # warnings are errors
    assert error_of(solution, exact) < 1e-6


def backward_heat(sign: int, end: str) -> tn.Problem:
    v = tn.unknown("u", x, t)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, sp.Rational(1, 5)))
    start = tn.on(end, sp.Eq(v, sp.sin(sp.pi * x)))
    sides = [tn.on(part, sp.Eq(v, 0)) for part in ("x=0", "x=1")]
    return tn.Problem(domain, [sp.Eq(sp.diff(v, t), sign * sp.diff(v, x, 2))], [start, *sides])


@pytest.mark.parametrize(("sign", "end"), [(-1, "t=0"), (1, "t=1/5")])
def test_a_backward_heat_equation_is_named(sign: int, end: str) -> None:
    problem = backward_heat(sign, end if end == "t=0" else "t=0.2")
    with pytest.warns(AccuracyWarning, match="backward heat equation"):
        tn.solve(problem, neurons=60)


def test_a_forward_heat_equation_is_not() -> None:
    tn.solve(backward_heat(1, "t=0"), tol=1e-5)


@pytest.mark.parametrize("size", [1e-170, 1e-160, 1e-30, 1e100, 1e154, 1e250])
def test_the_units_of_the_data_do_not_matter(size: float) -> None:
    exact = sp.Float(size) * sp.sin(2 * x) * sp.exp(y)
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), -3 * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem)
    truth = error_of(solution, exact)
    assert truth < 1e-8
    assert 0 < solution.error < 1e-7
    assert truth < 10 * solution.error


@pytest.mark.parametrize("radius", [0.003, 0.01])
def test_a_load_on_a_small_spot_is_seen(radius: float) -> None:
    load = 1 + 1e5 * sp.exp(-((x - 0.37) ** 2 + (y - 0.61) ** 2) / radius**2)
    problem = tn.Problem(SQUARE, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, 0))])
    for seed in range(3):
        with pytest.warns(AccuracyWarning):
            assert tn.solve(problem, neurons=150, seed=seed).error > 0.1


@pytest.mark.parametrize("radius", [0.003, 0.01])
def test_a_spike_of_the_solution_is_seen(radius: float) -> None:
    exact = sp.sin(x + y) + sp.exp(-((x - 0.37) ** 2 + (y - 0.61) ** 2) / radius**2)
    equation = sp.Eq(-tn.laplacian(u), -tn.laplacian(exact, x, y))
    problem = tn.Problem(SQUARE, [equation], [tn.on("boundary", sp.Eq(u, exact))])
    with pytest.warns(AccuracyWarning):
        assert tn.solve(problem, neurons=150).error > 0.1


def test_a_spike_of_the_boundary_data_is_seen() -> None:
    spike = tn.on("y=0", sp.Eq(u, sp.exp(-(((x - 0.37) / 0.001) ** 2))))
    walls = [tn.on(part, sp.Eq(u, 0)) for part in ("x=0", "x=1", "y=1")]
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [spike, *walls])
    with pytest.warns(AccuracyWarning):
        assert tn.solve(problem, neurons=150).error > 0.1


@pytest.mark.parametrize("width", [1e-3, 1e-4])
def test_a_pulse_is_not_stepped_over(width: float) -> None:
    v = tn.unknown("u", t)
    pulse = 1 + 1000 * sp.exp(-(((t - sp.Rational(1, 2)) / width) ** 2))
    problem = tn.Problem(tn.Interval(t=(0, 1)), [sp.Eq(sp.diff(v, t), pulse - v)], [tn.on("t=0", sp.Eq(v, 0))])
    solution = tn.solve(problem)
    truth = 1 - np.exp(-0.6) + 1000 * width * np.sqrt(np.pi) * np.exp(-0.1 + width**2 / 4)
    assert float(solution([[0.6]])[0]) == pytest.approx(truth, rel=1e-9)


ELL = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])


def plate(domain: tn.Domain, load: sp.Expr, exact: sp.Expr) -> tn.Problem:
    left = sp.diff(u, x, 4) + 2 * sp.diff(u, x, 2, y, 2) + sp.diff(u, y, 4)
    clamped = [sp.Eq(u, exact), sp.Eq(tn.normal_derivative(u), tn.normal_derivative(exact, x, y))]
    return tn.Problem(domain, [sp.Eq(left, load)], [tn.on("boundary", *clamped)])


def test_a_clamped_plate_with_a_reentrant_corner_is_right() -> None:
    problem = plate(ELL, sp.Integer(1), sp.Integer(0))
    points = ELL.interior(300, "quasi", 3)
    best, found = tn.solve(problem, neurons=800)(points), tn.solve(problem)  # warnings are errors
    truth = np.linalg.norm(found(points) - best) / np.linalg.norm(best)
    assert truth < 1e-7
    assert truth < 10 * found.error


def test_a_plate_whose_corner_is_not_known_is_told() -> None:
    left = sp.diff(u, x, 4) + 2 * sp.diff(u, x, 2, y, 2) + sp.diff(u, y, 4)
    inner = [tn.on(part, sp.Eq(u, 0)) for part in ELL.parts]
    slope = tn.on("boundary", sp.Eq(tn.normal_derivative(u) + 5 * u**2, 0))  # not linear
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tn.solve(tn.Problem(ELL, [sp.Eq(left, 1)], [*inner, slope]), neurons=100)
    assert any("singular at the reentrant corner near (0, 0)" in str(w.message) for w in caught)


def test_a_smooth_plate_on_the_same_domain_is_not() -> None:
    tn.solve(plate(ELL, sp.Integer(4) * sp.exp(x + y), sp.exp(x + y)), neurons=300)


def test_a_convex_plate_is_not() -> None:
    solution = tn.solve(plate(SQUARE, sp.Integer(1), sp.Integer(0)), neurons=300)
    assert not any("corner" in str(m) for m in solution.diagnostics.messages)


A, B = tn.unknown("a", x, y), tn.unknown("b", x, y)
LARGE, SMALL = 1e10 * sp.sin(2 * x + y), 1e-10 * sp.cos(x - 2 * y)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (tn.laplacian(A), tn.laplacian(B)),
        (tn.laplacian(A), tn.laplacian(B) + 1e-20 * A),
        (tn.laplacian(A) + 1e20 * B, tn.laplacian(B) + 1e-20 * A),
        (tn.laplacian(A) + 1e20 * B - 1e-10 * A**2, tn.laplacian(B) + 1e-20 * A),
    ],
    ids=["apart", "one way", "both ways", "nonlinear"],
)
def test_a_small_unknown_is_not_lost_beside_a_large_one(left: sp.Expr, right: sp.Expr) -> None:
    exact = {A: LARGE, B: SMALL}
    equations = [sp.Eq(side, side.subs(exact).doit()) for side in (left, right)]
    problem = tn.Problem(SQUARE, equations, [tn.on("boundary", sp.Eq(A, LARGE), sp.Eq(B, SMALL))])
    solution = tn.solve(problem)  # warnings are errors
    points = SQUARE.interior(200, "quasi", 3)
    for unknown, formula in exact.items():
        truth = sp.lambdify((x, y), formula, "numpy")(*points.T)
        assert np.abs(solution[unknown](points) - truth).max() < 1e-9 * np.abs(truth).max()
    slope = solution.evaluate(sp.diff(B, x), points)
    assert np.abs(slope - sp.lambdify((x, y), sp.diff(SMALL, x))(*points.T)).max() < 1e-8 * np.abs(slope).max()
    assert solution.error < 1e-8
    assert [r.label for r in solution.diagnostics.residuals][2].startswith("boundary: a = 1")
    known = {r.label: r.largest for r in solution.diagnostics.residuals}
    for label, values in solution.residual_values().items():  # in the units of the problem
        assert np.abs(values).max() < 100 * known[label]


def test_values_at_points_under_a_mask_are_refused_in_one_line() -> None:
    solution = tn.solve(tn.Problem(SQUARE, [sp.Eq(u, x)], []), neurons=20)
    with pytest.raises(ProblemError, match=r"^Points got a masked array: 1 of its entries have no value"):
        solution(np.ma.masked_array([[0.1, 0.2], [0.3, 0.4]], mask=[[0, 0], [0, 1]]))


def test_an_iteration_without_conditions_names_what_is_missing_and_ends() -> None:
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 1 + u**2)], [])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert len(tn.solve(problem).history) == 1
    assert any("nothing is stated on" in str(w.message) or "There are no conditions" in str(w.message) for w in caught)


def test_a_derivative_that_vanishes_is_not_called_fine_structure() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tn.solve(tn.Problem(SQUARE, [sp.Eq(u**2 * (1 + x), 0)], []))
    assert len(caught) == 1
    assert "to first order at the guess" in str(caught[0].message)


def test_a_backward_heat_equation_is_not_marched() -> None:
    with pytest.warns(AccuracyWarning, match="backward heat equation"):
        assert tn.solve(backward_heat(-1, "t=0")).neurons == 200


@pytest.mark.parametrize(("power", "degenerate"), [(3, True), (5, True), (5, False), (7, True), (7, False)])
def test_roots_of_the_distance_to_an_end_are_not_underestimated(power: int, degenerate: bool) -> None:
    v, exact = tn.unknown("u", x), x ** sp.Rational(power, 2)

    def left(w: sp.Expr) -> sp.Expr:
        return -sp.diff((x if degenerate else 1) * sp.diff(w, x), x)

    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(left(v), left(exact))], [tn.on("boundary", sp.Eq(v, exact))])
    for solution in (tn.solve(problem), tn.solve(problem, neurons=90)):
        assert error_of(solution, exact) < 10 * solution.error


def test_a_rough_coefficient_counts_everywhere() -> None:
    rng = np.random.default_rng(5)
    waves = [rng.normal() * sp.sin(a * x + b * y + c) for a, b, c in rng.uniform(-9, 9, (6, 3))]
    k, exact = sp.exp(1.3 * sum(waves)), sp.sin(3 * x + y) + x * y

    def left(w: sp.Expr) -> sp.Expr:
        return -sp.diff(k * sp.diff(w, x), x) - sp.diff(k * sp.diff(w, y), y)

    sizes = sp.lambdify((x, y), k)(*SQUARE.interior(500, "quasi", 1).T)
    assert sizes.max() > 100 * sizes.min()
    problem = tn.Problem(SQUARE, [sp.Eq(left(u), left(exact))], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem)
    assert error_of(solution, exact) < min(1e-6, 10 * solution.error)


@pytest.mark.parametrize(("error", "left", "told"), [(0.0, 0.5, 1), (0.0, 0.0, 0), (np.nan, 0.5, 1), (np.inf, 0.5, 1)])
def test_an_estimate_that_is_nothing_or_not_finite_is_told(error: float, left: float, told: int) -> None:
    """Unless the equations hold exactly, as they do where the solution is a constant."""
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, 1))])
    solution = tn.solve(problem)
    residuals = [replace(r, relative=left) for r in solution.diagnostics.residuals]
    stable = Stability(1.0, np.ones(1), np.ones(1), 1.0, 1.0)
    found = answer_messages(problem, stable, error, residuals)
    assert [m.kind for m in found] == told * [EstimateWarning]


def test_a_load_between_the_points_of_products_is_seen() -> None:
    """A Python function that is zero at the few points of low degrees; its width is a hundredth."""
    s = sp.Symbol("s")
    v, b, c = tn.unknown("v", s), 0.01, 0.725
    load = tn.given("load", lambda p: np.exp(-(((p - c) / b) ** 2)) / b, s)
    g = (s - c) / b
    exact = -b / 2 * (sp.sqrt(sp.pi) * g * sp.erf(g) + sp.exp(-(g**2))) + sp.sin(3 * s)
    problem = tn.Problem(
        tn.Interval(s=(0, 1)),
        [sp.Eq(-sp.diff(v, s, 2), load + 9 * sp.sin(3 * s))],
        [tn.on("boundary", sp.Eq(v, exact))],
    )
    solution = tn.solve(problem, tol=1e-5)
    points = np.linspace(0, 1, 501)
    truth = sp.lambdify(s, exact, ["scipy", "numpy"])(points)
    assert np.linalg.norm(solution(points) - truth) < 1e-5 * np.linalg.norm(truth)
