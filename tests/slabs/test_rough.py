"""Jumps and kinks that are carried along: bounded time, an estimate that holds, and digits elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, t)
diff, Eq = sp.diff, sp.Eq
STRIP = tn.Interval(x=(0, 2)) * tn.Interval(t=(0, 1))
ADVECTION = Eq(diff(u, t) + diff(u, x), 0)


def solved(problem: tn.Problem, words: str) -> tn.Solution:
    with pytest.warns(AccuracyWarning, match=words):
        return tn.solve(problem)


def errors(solution: tn.Solution, exact) -> tuple[float, np.ndarray]:
    places = np.linspace(0.01, 1.99, 600)
    gap = np.asarray(solution(np.column_stack([places, np.ones(600)]))) - exact(places)
    return float(np.sqrt(np.mean(gap**2) / np.mean(exact(places) ** 2))), np.abs(gap)


def test_a_step_is_carried_along() -> None:
    start = sp.Piecewise((1, x < sp.Rational(7, 10)), (0, True))
    problem = tn.Problem(STRIP, [ADVECTION], [tn.on("t=0", Eq(u, start)), tn.on("x=0", Eq(u, 1))])
    solution = solved(problem, "a jump or a kink at x = 0.7")
    error, gap = errors(solution, lambda s: (s < 1.7) * 1.0)
    assert solution.status == "solved"
    assert len(solution.slabs) < 200
    assert error / 3 < solution.slabs.estimates[-1] < 3 * error < 0.1
    assert np.median(gap) < 1e-9


def test_a_wall_that_does_not_fit_sends_a_step() -> None:
    problem = tn.Problem(STRIP, [ADVECTION], [tn.on("t=0", Eq(u, 0)), tn.on("x=0", Eq(u, 1))])
    with pytest.warns(AccuracyWarning, match="prescribe different values"):
        solution = solved(problem, "does not fit 'x=0: u = 1' at x = 0")
    error, gap = errors(solution, lambda s: (s < 1) * 1.0)
    assert error / 3 < solution.slabs.estimates[-1] < 3 * error < 0.5
    assert np.median(gap) < 1e-9


def test_a_plucked_string() -> None:
    """Its kink splits into two, which are reflected: by d'Alembert's formula."""
    string = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    problem = tn.Problem(
        string,
        [Eq(diff(u, t, 2), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, 1 - 2 * sp.Abs(x - sp.Rational(1, 2))), Eq(diff(u, t), 0)), tn.on("sides", Eq(u, 0))],
    )
    solution = solved(problem, "a jump or a kink at x = 0.5")
    places = np.linspace(0.01, 0.99, 300)
    gap = np.asarray(solution(np.column_stack([places, np.ones(300)]))) + 1 - 2 * np.abs(places - 0.5)
    error = np.sqrt(3 * np.mean(gap**2))
    assert error < 10 * solution.slabs.estimates[-1]
    assert error < 2e-3
