"""Fronts in motion: Hele-Shaw cells against Polubarinova and Galin, Stefan's problem against a closed form."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import exp1

import transnet as tn
from transnet.errors import TransnetError

x, y, t = sp.symbols("x y t")
w = tn.unknown("w", x, y, t)
n = tn.normal(x, y)
LAPLACE = sp.diff(w, x, 2) + sp.diff(w, y, 2)


def outflow(p):
    return n[0] * sp.diff(p, x) + n[1] * sp.diff(p, y)


def test_injection_keeps_the_conformal_map():
    a, b, end, s = 1.0, 0.2, 0.2, sp.Symbol("s")
    rim = tn.Curve(
        (a * sp.cos(s) + b * sp.cos(2 * s), a * sp.sin(s) + b * sp.sin(2 * s)), (s, 0, 2 * sp.pi), name="rim"
    )
    source = sp.log(x**2 + y**2) / 2
    front = tn.front("rim", sp.Eq(w, source), speed=-outflow(w - source))
    problem = tn.Problem(tn.Region(rim) * tn.Interval(t=(0, end)), [sp.Eq(LAPLACE, 0)], [front])
    solution = tn.solve(problem, tol=1e-4)
    oil = solution.problem.domain
    assert abs(oil.at(end).volume - np.pi * (a**2 + 2 * b**2) - 2 * np.pi * end) < 1e-4
    grown = brentq(lambda r: r**2 + 2 * (a**2 * b / r**2) ** 2 - (a**2 + 2 * b**2 + 2 * end), a, 5)
    c = a**2 * b / grown**2
    for s, z in ((0.6, grown * 0.6 + c * 0.36), (-0.8, -0.8 * grown + 0.64 * c)):
        assert abs(solution(z, 0.0, end) - np.log(abs(z)) + np.log(abs(s))) < 1e-4
    assert solution.error < 1e-4
    with pytest.raises(TransnetError, match="was followed from"):
        oil.at(2 * end)


def test_a_bubble_grows_by_what_leaves_through_the_wall():
    """p = 0 in a bubble and liquid leaves through the wall: the bubble grows by as much."""
    domain = (tn.Disk(radius=2, name="wall") - tn.Disk(radius=0.5, center=(0.4, 0), name="bubble")) * tn.Interval(
        t=(0, 0.5)
    )
    problem = tn.Problem(
        domain,
        [sp.Eq(LAPLACE, 0)],
        [tn.on("wall", sp.Eq(outflow(w), -0.1)), tn.front("bubble", sp.Eq(w, 0), speed=-outflow(w))],
    )
    liquid = tn.solve(problem, tol=1e-3).problem.domain
    lost = liquid.at(0.0).volume - liquid.at(0.5).volume
    assert lost == pytest.approx(2 * np.pi * 2 * 0.1 * 0.5, abs=1e-3)


def test_a_line_source_melts_a_disk():
    """u = E1(r^2/4t) - E1(k^2) behind r = 2 k sqrt(t), k^2 = exp(-k^2)."""
    k = brentq(lambda q: q * q - np.exp(-q * q), 0.1, 2)

    def exact(px, py, pt):
        return exp1((px**2 + py**2) / (4 * pt)) - exp1(k * k)

    heat = tn.given("heat", exact, x, y, t)
    begin, end = 0.5, 0.56
    ring = tn.Disk(radius=float(2 * k * np.sqrt(begin)), name="rim") - tn.Disk(radius=0.5, name="core")
    problem = tn.Problem(
        ring * tn.Interval(t=(begin, end)),
        [sp.Eq(sp.diff(w, t), LAPLACE)],
        [
            tn.on("t=0.5", sp.Eq(w, heat)),
            tn.on("core", sp.Eq(w, heat)),
            tn.front("rim", sp.Eq(w, 0), speed=-outflow(w)),
        ],
    )
    solution = tn.solve(problem, tol=2e-3)
    water = solution.problem.domain.at(end)
    assert abs(water.volume - np.pi * (4 * k * k * end - 0.25)) < 1e-3
    assert abs(solution(0.6, 0.5, end) - exact(0.6, 0.5, end)) < 5e-4


def test_initial_values_that_do_not_fit_are_refused():
    ring = (tn.Disk(radius=1, name="rim") - tn.Disk(radius=0.5, name="core")) * tn.Interval(t=(0, 1))
    start, wall = tn.on("t=0", sp.Eq(w, 1)), tn.on("core", sp.Eq(w, 1))
    front = tn.front("rim", sp.Eq(w, 0), speed=-outflow(w))
    with pytest.raises(TransnetError, match="infinite speed"):
        tn.solve(tn.Problem(ring, [sp.Eq(sp.diff(w, t), LAPLACE)], [start, wall, front]))
    with pytest.raises(TransnetError, match="no initial values"):
        tn.solve(tn.Problem(ring, [sp.Eq(sp.diff(w, t), LAPLACE)], [wall, front]))
    with pytest.raises(TransnetError, match="First derivatives in time"):
        tn.solve(tn.Problem(ring, [sp.Eq(sp.diff(w, t, 2), LAPLACE)], [start, wall, front]))
