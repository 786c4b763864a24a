"""Problems close to ones without a unique solution: the estimate holds, and nothing is said that is not so."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import jn_zeros

import transnet as tn
from transnet.errors import UniquenessWarning

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.sin(2 * x - y + 1) + sp.exp(x / 2) * y


def off(solution: tn.Solution, exact: sp.Expr = EXACT) -> float:
    points = solution.problem.domain.interior(2000, "quasi", 5)
    truth = sp.lambdify((x, y), exact)(*points.T)
    return float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))


@pytest.mark.parametrize("a", [1e-5, -1e-4, 0.9999, 2.0005])
def test_a_condition_close_to_one_with_solutions_of_its_own(a: float) -> None:
    """du/dn = a u on the unit circle has solutions of its own for a = 0, 1, 2."""
    robin = tn.normal_derivative(u, x, y) - a * u
    right = sum(n * sp.diff(EXACT, c) for n, c in zip(tn.normal(x, y), (x, y), strict=True)) - a * EXACT
    problem = tn.Problem(
        tn.Disk(radius=1),
        [sp.Eq(tn.laplacian(u), sp.diff(EXACT, x, 2) + sp.diff(EXACT, y, 2))],
        [tn.on("boundary", sp.Eq(robin, right))],
    )
    for options in ({"tol": 1e-5}, {"tol": 1e-7}, {}):
        solution = tn.solve(problem, **options)
        assert off(solution) < 10 * solution.error


@pytest.mark.parametrize("away", [1e-3, 1e-5, 1e-7])
def test_close_to_resonance_there_is_an_answer_and_at_resonance_none(away: float) -> None:
    k = jn_zeros(1, 1)[0] ** 2

    def problem(value: float) -> tn.Problem:
        right = sp.diff(EXACT, x, 2) + sp.diff(EXACT, y, 2) + value * EXACT
        return tn.Problem(
            tn.Disk(radius=1), [sp.Eq(tn.laplacian(u) + value * u, right)], [tn.on("boundary", sp.Eq(u, EXACT))]
        )

    solution = tn.solve(problem(k * (1 - away)), neurons=300)
    assert off(solution) < 10 * solution.error < 1e-3
    with pytest.warns(UniquenessWarning, match="does not determine u"):
        assert np.isnan(tn.solve(problem(k), neurons=300).error)


def test_a_thin_strip_is_no_false_alarm() -> None:
    """An elastic strip that is a hundred times longer than wide, free along its sides."""
    p, q = tn.unknown("p", x, y), tn.unknown("q", x, y)
    put = {p: EXACT, q: sp.cos(x + 3 * y)}
    spread, a = sp.diff(p, x) + sp.diff(q, y), 2
    left = [tn.laplacian(w) + (1 + a) * sp.diff(spread, s) for w, s in ((p, x), (q, y))]
    sides = [sp.diff(p, y) + sp.diff(q, x), a * spread + 2 * sp.diff(q, y)]
    domain = tn.Box(x=(0, 1), y=(0, 0.01))
    free = [tn.on(part, *(sp.Eq(e, e.subs(put).doit()) for e in sides)) for part in domain.parts if part[0] == "y"]
    held = [tn.on(part, *(sp.Eq(w, e) for w, e in put.items())) for part in ("x=0", "x=1")]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(e, e.subs(put).doit()) for e in left], [*free, *held]))
    points = domain.interior(500, "quasi", 5)
    truth = sp.lambdify((x, y), EXACT)(*points.T)
    assert np.linalg.norm(solution["p"].at(points) - truth) < 10 * solution.error * np.linalg.norm(truth)
    assert solution.error < 1e-7


def test_a_wave_between_two_times_is_told_whatever_solves_it() -> None:
    t = sp.Symbol("t")
    v = tn.unknown("v", x, t)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.454))
    problem = tn.Problem(
        domain,
        [sp.Eq(sp.diff(v, t, 2), sp.diff(v, x, 2) + sp.exp(x))],
        [tn.on(part, sp.Eq(v, 0)) for part in ("x=0", "x=1", "t=0", "t=0.454")],
    )
    with pytest.warns(UniquenessWarning, match="between values at both ends of time a wave is not well posed"):
        assert np.isnan(tn.solve(problem).error)
