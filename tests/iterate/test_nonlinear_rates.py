"""How fast the iterations converge, on a manufactured problem: quadratic, linear, and by descent."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.sin(2 * x) * sp.exp(y)
POINTS = np.random.default_rng(0).random((400, 2))
VALUES = np.sin(2 * POINTS[:, 0]) * np.exp(POINTS[:, 1])


def cubic():
    """-lap u + u^3 = f on the unit square."""
    source = -tn.laplacian(EXACT, x, y) + EXACT**3
    return tn.Problem(
        domain=tn.Box(x=(0, 1), y=(0, 1)),
        equations=[sp.Eq(-tn.laplacian(u) + u**3, source)],
        conditions=[tn.on("boundary", sp.Eq(u, EXACT))],
    )


def lagged_cubic():
    """The same with two of the three factors held."""
    source = -tn.laplacian(EXACT, x, y) + EXACT**3
    return tn.Problem(
        domain=tn.Box(x=(0, 1), y=(0, 1)),
        equations=[sp.Eq(-tn.laplacian(u) + tn.lagged(u**2) * u, source)],
        conditions=[tn.on("boundary", sp.Eq(u, EXACT))],
    )


def error(solution):
    return np.sqrt(np.mean((solution(POINTS) - VALUES) ** 2) / np.mean(VALUES**2))


def test_newton_converges_quadratically_to_ten_digits():
    solution = tn.solve(cubic(), neurons=300, strategy=tn.Newton(tol=1e-13, cascade=False))
    assert solution.status == "converged"
    assert error(solution) < 1e-9
    changes = np.array([s.change for s in solution.diagnostics.steps])
    # From one step to the next the exponent doubles, until rounding.
    regular = changes[1:][changes[1:] > 1e-10]
    exponents = np.log10(regular)
    assert len(regular) >= 3
    assert np.all(exponents[1:] / exponents[:-1] > 1.8)
    assert all(s.length == 1.0 for s in solution.diagnostics.steps)


def test_picard_converges_linearly_to_the_same_solution():
    solution = tn.solve(lagged_cubic(), neurons=300, strategy=tn.Picard(tol=1e-11, memory=0, cascade=False))
    assert solution.status == "converged"
    assert error(solution) < 1e-9
    changes = np.array([s.change for s in solution.diagnostics.steps])
    rates = (changes[1:] / changes[:-1])[3:-1]
    assert np.all((rates > 0.02) & (rates < 0.9))
    assert rates.std() < 0.2 * rates.mean()


def test_acceleration_spares_picard_steps():
    plain = tn.solve(lagged_cubic(), neurons=150, strategy=tn.Picard(tol=1e-10, memory=0, cascade=False))
    faster = tn.solve(lagged_cubic(), neurons=150, strategy=tn.Picard(tol=1e-10, cascade=False))
    assert faster.status == "converged"
    assert len(faster.diagnostics.steps) < 0.8 * len(plain.diagnostics.steps)
    assert np.abs(faster(POINTS) - plain(POINTS)).max() < 1e-8


def test_descent_reaches_what_newton_reaches():
    solution = tn.solve(cubic(), neurons=300, strategy=tn.Descent())
    assert solution.status == "converged"
    assert error(solution) < 1e-6
    assert error(tn.solve(cubic(), neurons=300)) < 1e-9


def test_the_markers_choose_picard_and_newton_ignores_them():
    chosen = tn.solve(lagged_cubic(), neurons=150)
    newton = tn.solve(lagged_cubic(), neurons=150, strategy=tn.Newton())
    assert len(newton.diagnostics.steps) < len(chosen.diagnostics.steps)
    assert error(chosen) < 1e-6
    assert np.abs(newton(POINTS) - chosen(POINTS)).max() < 1e-6


def test_a_lagged_factor_in_a_linear_problem_is_refused():
    problem = tn.Problem(
        domain=tn.Interval(x=(0, 1)),
        equations=[sp.Eq(sp.diff(tn.unknown("v", x), x, 2) + tn.lagged(tn.unknown("v", x)), 1)],
        conditions=[tn.on("boundary", tn.unknown("v", x))],
    )
    with pytest.raises(tn.errors.ProblemError, match="linear without the marker"):
        tn.solve(problem, neurons=20)


def test_the_tolerance_is_reached_for_a_nonlinear_problem():
    solution = tn.solve(cubic(), tol=1e-8)
    assert solution.error <= 1e-8
    assert error(solution) < 5e-8
