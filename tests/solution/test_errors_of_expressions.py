"""Derived quantities come with errors of their own, which hold."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.cos(3 * y) + 1 / (2 + x * y)
DISK = tn.Disk(radius=1)
POINTS = DISK.interior(500, "quasi", 3)


@pytest.fixture(scope="module")
def solution() -> tn.Solution:
    problem = tn.Problem(
        DISK,
        [sp.Eq(tn.laplacian(u) + y * sp.diff(u, x), tn.laplacian(EXACT, x, y) + y * sp.diff(EXACT, x))],
        [tn.on("boundary", sp.Eq(u, EXACT))],
    )
    return tn.solve(problem, neurons=150)


EXPRESSIONS = [u, sp.diff(u, x), sp.diff(u, x, y), u * sp.diff(u, y) ** 2]


def truth(expression: sp.Expr) -> np.ndarray:
    return sp.lambdify((x, y), expression.subs(u, EXACT).doit())(*POINTS.T)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_the_errors_at_points_hold(solution: tn.Solution, expression: sp.Expr) -> None:
    found = solution.evaluate(expression, POINTS, error=True)
    off = np.abs(found.value - truth(expression))
    assert np.mean(off <= found.error) > 0.98
    assert np.sqrt(np.mean(found.error**2)) < 300 * np.sqrt(np.mean(off**2))
    np.testing.assert_array_equal(found.value, solution.evaluate(expression, POINTS))


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_the_relative_error_over_the_domain_is_of_the_right_size(solution: tn.Solution, expression: sp.Expr) -> None:
    exact = truth(expression)
    off = np.linalg.norm(solution.evaluate(expression, POINTS) - exact) / np.linalg.norm(exact)
    assert off / 3 < solution.error_of(expression) < 40 * off


def test_of_the_unknown_it_is_that_of_the_solution(solution: tn.Solution) -> None:
    assert 0.5 < solution.error_of(u) / solution.error < 2


def test_vectors_and_grids_keep_their_shapes(solution: tn.Solution) -> None:
    grid = 0.5 * POINTS[:12].reshape(3, 4, 2)
    found = solution.evaluate(tn.grad(u), grid, error=True)
    assert found.value.shape == found.error.shape == (3, 4, 2)
    one = found[1][2][0]
    assert one.value == found.value[1, 2, 0]
    assert one.error == found.error[1, 2, 0]


def test_fluxes_through_the_boundary_have_them_too(solution: tn.Solution) -> None:
    found = solution.evaluate(tn.normal_derivative(u), on="boundary", error=True)
    points, normals = found.value.points, found.value.normals
    exact = sum(n * sp.lambdify((x, y), sp.diff(EXACT, c))(*points.T) for n, c in zip(normals.T, (x, y), strict=True))
    assert np.mean(np.abs(found.value - exact) <= found.error) > 0.98


def test_without_smaller_networks_the_errors_hold_as_well() -> None:
    w = tn.unknown("w", x, t)
    exact = sp.exp(-(sp.pi**2) * t) * sp.sin(sp.pi * x)
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.1))
    ends = [tn.on("sides", sp.Eq(w, 0)), tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)))]
    cooling = tn.solve(tn.Problem(rod, [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))], ends), tol=1e-4)
    points = rod.interior(300, "quasi", 1)
    found = cooling.evaluate(sp.diff(w, x), points, error=True)
    off = np.abs(found.value - sp.lambdify((x, t), sp.diff(exact, x))(*points.T))
    assert np.mean(off <= found.error) > 0.98


def test_where_a_derivative_is_infinite_so_is_its_error() -> None:
    ell = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])
    bent = tn.solve(tn.Problem(ell, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))]), tol=1e-4)
    found = bent.evaluate(sp.diff(u, x), [(0, 0), (0.5, 0.5)], error=True)
    assert np.isinf(found.error[0])
    assert found.error[1] < 1e-2
