"""Verify first, search later: what the usual bandwidth solves is not searched for, and what it does not is."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.doors import solve as door
from transnet.doors.first import first_size, frequency, usual
from transnet.doors.plan import Plan

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
    real = door.features_for
    monkeypatch.setattr(door, "features_for", lambda *a: made.append(1) or real(*a))
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


def test_a_corner_that_waves_do_not_resolve_is_searched_for(searches: list[int]) -> None:
    problem = tn.Problem(SQUARE, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", u)])
    solution = tn.solve(problem, neurons=200)
    assert searches == [1]
    assert solution.error < 1e-8


def test_the_frequency_of_waves_gives_the_first_size(searches: list[int]) -> None:
    assert frequency(Plan(helmholtz(30))) == pytest.approx(15)
    assert frequency(Plan(helmholtz(30, -1))) == 0
    choice, size = usual(Plan(helmholtz(30), tol=1e-6))
    assert size > first_size(2, 1e-6)
    assert choice.space(size).shapes.max() > 15
    solution = tn.solve(helmholtz(30), tol=1e-6)
    points = SQUARE.interior(300, "random", 1)
    values = np.sin(30 * (points[:, 0] * np.cos(1) + points[:, 1] * np.sin(1)))
    assert solution(points) == pytest.approx(values, abs=2e-6)
    assert searches == []
