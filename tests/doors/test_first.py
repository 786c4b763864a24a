"""Verify first, search later: what the usual bandwidth solves is not searched for, and what it does not is."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.choose.free_waves import free_waves
from transnet.drive.plan import Plan
from transnet.method import network as door
from transnet.method.defaults import default_choice, first_size

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def helmholtz(k: float, sign: int = 1) -> tn.Problem:
    exact = sp.sin(k * (x * sp.cos(1) + y * sp.sin(1)))
    f = tn.laplacian(exact, x, y) + sign * k**2 * exact
    return tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) + sign * k**2 * u, f)], [tn.on("boundary", sp.Eq(u, exact))])


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    made: list[int] = []
    real = door.search_band
    monkeypatch.setattr(door, "search_band", lambda *a, **k: made.append(1) or real(*a, **k))
    return made


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_smooth_problems_of_symmetric_domains_are_not_searched(tol: float, searches: list[int]) -> None:
    exact = sp.exp(x) * sp.sin(3 * y)
    problem = tn.Problem(
        tn.Disk(radius=1), [sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))], [tn.on("boundary", sp.Eq(u, exact))]
    )
    solution = tn.solve(problem, tol=tol)
    points = problem.domain.interior(300, "random", 1)
    values = np.exp(points[:, 0]) * np.sin(3 * points[:, 1])
    assert np.linalg.norm(solution(points) - values) < tol * np.linalg.norm(values)
    assert searches == []


def test_a_size_that_is_given_has_the_functions_of_its_corners() -> None:
    problem = tn.Problem(SQUARE, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", u)])
    assert tn.solve(problem, neurons=200).error < 1e-8


def test_the_frequency_of_waves_gives_the_first_size(searches: list[int]) -> None:
    assert free_waves(helmholtz(30), ()).max() == pytest.approx(30)
    assert free_waves(helmholtz(30, -1), ()).max() == 0
    choice, size = default_choice(Plan(helmholtz(30), tol=1e-6))
    assert size > first_size(2, 1e-6)
    assert choice.space(size).shapes.max() > 15
    solution = tn.solve(helmholtz(30), tol=1e-6)
    points = SQUARE.interior(300, "random", 1)
    values = np.sin(30 * (points[:, 0] * np.cos(1) + points[:, 1] * np.sin(1)))
    assert solution(points) == pytest.approx(values, abs=2e-6)
    assert searches == []


@pytest.mark.parametrize("tol", [1e-3, 1e-6])
def test_around_holes_and_corners_singular_functions_come_first(searches: list[int], tol: float) -> None:
    away = sp.log((x - 1) ** 2 + y**2) + (x - 1) / ((x - 1) ** 2 + y**2)
    plate = tn.Box(x=(0, 3), y=(-1, 1)) - tn.Disk(center=(1, 0), radius=0.5)
    ell = tn.Polygon([(0, 0), (0, -1), (-1, -1), (-1, 1), (1, 1), (1, 0)])
    angle = sp.atan2(y, x)
    power = (x**2 + y**2) ** sp.Rational(1, 3) * sp.sin(
        2 * sp.Piecewise((angle, y >= 0), (angle + 2 * sp.pi, True)) / 3
    )
    for domain, exact in ((plate, away), (ell, power)):
        smooth = sp.exp(x) * sp.cos(2 * y)
        source = tn.laplacian(smooth, x, y)
        problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u), source)], [tn.on("boundary", sp.Eq(u, exact + smooth))])
        solution = tn.solve(problem, tol=tol)
        points = domain.interior(300, "random", 1)
        values = sp.lambdify((x, y), exact + smooth)(*points.T)
        error = np.linalg.norm(solution(points) - values) / np.linalg.norm(values)
        assert len(solution.basis.spaces[0].singular) > 0
        assert solution.error < tol
        assert error < 3 * solution.error + 1e-14
    assert searches == []


def test_a_problem_without_symmetry_is_verified_first(searches: list[int]) -> None:
    exact = sp.sin(3 * x + y) * sp.exp(y)
    domain = tn.Polygon([(0, 0), (2, 0), (0.5, 1.5)])
    left, right = tn.laplacian(u) + 3 * sp.diff(u, x), tn.laplacian(exact, x, y) + 3 * sp.diff(exact, x)
    solution = tn.solve(tn.Problem(domain, [sp.Eq(left, right)], [tn.on("boundary", sp.Eq(u, exact))]), tol=1e-6)
    points = domain.interior(300, "random", 1)
    assert solution(points) == pytest.approx(sp.lambdify((x, y), exact)(*points.T), abs=1e-6)
    assert searches == []
