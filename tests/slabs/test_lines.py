"""Evolutions on an interval of space, marched: exact solutions at late times, estimates, stability of a slab."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning
from transnet.slabs.axes import Polynomials
from transnet.slabs.evolution import evolution_of
from transnet.slabs.space import Space
from transnet.slabs.system import SlabSystem

x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
pi, sin, cos, exp, diff, Eq = sp.pi, sp.sin, sp.cos, sp.exp, sp.diff, sp.Eq


def strip(low: float, high: float, end: float) -> tn.geometry.Domain:
    return tn.Interval(x=(low, high)) * tn.Interval(t=(0, end))


def forced(equation, exact: sp.Expr, domain, *sides) -> tn.Problem:
    """A problem that has the exact solution: equation(u) = equation(exact)."""
    orders = 2 if equation(u).has(diff(u, t, 2)) else 1
    start = [
        Eq(diff(u, t, k) if k else u, diff(exact, t, k).subs(t, 0) if k else exact.subs(t, 0)) for k in range(orders)
    ]
    return tn.Problem(domain, [Eq(equation(u), equation(exact).doit())], [tn.on("t=0", *start), *sides])


WAVE = sin(pi * x) * cos(pi * t) + sin(3 * pi * x) * cos(3 * pi * t) / 2
HEAT = sin(pi * x) * cos(5 * t) + x * sin(t)
MIXED = exp(-t) * sin(pi * x) + x * t
ROUND = exp(sin(2 * pi * (x - t)))
CASES = {
    "a wave over twenty periods": (forced(lambda f: diff(f, t, 2) - diff(f, x, 2), WAVE, strip(0, 1, 40),
        tn.on("sides", Eq(u, 0))), WAVE),
    "heat that is forced": (forced(lambda f: diff(f, t) - diff(f, x, 2), HEAT, strip(0, 1, 10),
        tn.on("x=0", Eq(u, 0)), tn.on("x=1", Eq(diff(u, x), diff(HEAT, x).subs(x, 1)))), HEAT),
    "coefficients that change": (forced(lambda f: diff(f, t) - (1 + sin(t) / 2 + x**2) * diff(f, x, 2), MIXED,
        strip(0, 1, 5), tn.on("sides", Eq(u, MIXED))), MIXED),
    "a wave that goes round": (forced(lambda f: diff(f, t) + diff(f, x), ROUND, strip(0, 1, 10),
        tn.periodic(x)), ROUND),
    "Robin's condition": (forced(lambda f: diff(f, t) - diff(f, x, 2) + f, MIXED, strip(0, 1, 4),
        tn.on("x=0", Eq(u - diff(u, x), (MIXED - diff(MIXED, x)).subs(x, 0))), tn.on("x=1", Eq(u, t))), MIXED),
}  # fmt: skip


@pytest.mark.parametrize("tol", [1e-4, 1e-8])
@pytest.mark.parametrize(("problem", "exact"), CASES.values(), ids=CASES)
def test_evolutions_keep_their_digits(problem: tn.Problem, exact: sp.Expr, tol: float) -> None:
    solution = tn.solve(problem, tol=tol)
    end, f = problem.domain.bounds[1, 1], sp.lambdify((x, t), exact)
    places = np.linspace(0, 1, 41)
    for time in (end, 0.731 * end):
        truth = f(places, time) + 0 * places
        error = np.sqrt(np.mean((solution(places, time) - truth) ** 2))
        assert error < 10 * tol
    assert solution.slabs is not None
    final = np.sqrt(np.mean((solution(places, end) - f(places, end)) ** 2))
    assert final < 10 * solution.slabs.estimates[-1] + 1e-12


@pytest.mark.parametrize("edges", [(0.0, 1.0), (0.0, 0.05, 0.2, 1.0)], ids=["one piece", "three pieces"])
@pytest.mark.parametrize("tau", [0.02, 0.3])
def test_the_map_of_a_slab_does_not_grow(edges: tuple[float, ...], tau: float) -> None:
    """The wave has no damping: the largest eigenvalue from start to end is one, and more would blow up."""
    evolution = evolution_of(CASES["a wave over twenty periods"][0])
    assert not isinstance(evolution, str)
    system = SlabSystem(evolution, Space((Polynomials(edges, 12),)), 7, ())
    zero, times = np.zeros((7, 1, system.columns)), system.stages.nodes * tau
    nothing = np.zeros((2, 1, system.columns))
    factors = system.factor(system.derivatives(zero, nothing, tau), times, tau)
    ends = []
    for unit in np.eye(2 * system.columns):
        start = unit.reshape(nothing.shape)
        stages = -factors(system.residual(system.derivatives(zero, start, tau), times)).reshape(zero.shape)
        s = system.derivatives(stages, start, tau)
        ends.append(np.concatenate([s[0][-1, 0], s[1][-1, 0]]))
    assert np.abs(np.linalg.eigvals(np.array(ends).T)).max() < 1 + 1e-8


def test_an_event_at_a_place() -> None:
    problem = CASES["heat that is forced"][0]
    solution = tn.solve(problem, until=u.subs(x, 0.5) - 0.2, tol=1e-8)
    end = solution.slabs.times[-1]
    assert abs(solution(0.5, end) - 0.2) < 1e-8
    assert solution.status == "event"


def test_a_start_that_nearly_fits_or_is_at_rest_needs_no_layers_at_the_walls() -> None:
    """x(1 - x) does not fit cold walls in its second derivative, and a wall may leave rest as t^3 does."""
    small = 1e-3
    heat = tn.Problem(
        strip(0, 1, 0.3),
        [Eq(diff(u, t), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, sin(pi * x) + small * x * (1 - x))), tn.on("sides", Eq(u, 0))],
    )
    solution = tn.solve(heat, tol=1e-6)
    assert len(solution.slabs) < 10
    places, modes = np.linspace(0, 1, 41), np.arange(1, 200, 2)[:, None]
    for moment in (1e-3, 0.3):
        decayed = np.exp(-((modes * np.pi) ** 2) * moment)
        series = np.sum(8 / (np.pi * modes) ** 3 * np.sin(modes * np.pi * places) * decayed, axis=0)
        exact = np.sin(np.pi * places) * np.exp(-(np.pi**2) * moment) + small * series
        assert np.abs(solution(np.column_stack([places, 0 * places + moment])) - exact).max() < 1e-6
    string = tn.Problem(
        strip(0, 1, 0.9),
        [Eq(diff(u, t, 2), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, 0), Eq(diff(u, t), 0)), tn.on("left", Eq(u, 0)), tn.on("right", Eq(u, sin(pi * t) ** 3))],
    )
    found = tn.solve(string, tol=1e-4)  # sin^3(pi (t + x - 1)) where that has arrived
    late = np.clip(0.9 + places - 1, 0, None)
    assert np.abs(found(np.column_stack([places, 0 * places + 0.9])) - np.sin(np.pi * late) ** 3).max() < 1e-3


def test_a_small_gap_between_start_and_walls_is_named_and_does_not_stop_the_march() -> None:
    """A packet is 1.5e-8 at the walls: that many digits are there, and the condition is told."""
    psi = tn.unknown("psi", x, t, complex=True)
    problem = tn.Problem(
        strip(-6, 6, 0.5),
        [Eq(sp.I * diff(psi, t), -diff(psi, x, 2) / 2)],
        [tn.on("t=0", Eq(psi, exp(-(x**2) / 2))), tn.on("sides", Eq(psi, 0))],
    )
    with pytest.warns(AccuracyWarning, match=r"does not fit 'sides: psi = 0.*1\.5e-08 apart"):
        solution = tn.solve(problem, tol=1e-10)
    points = np.column_stack([np.linspace(-4, 4, 101), np.full(101, 0.5)])
    free = np.exp(-(points[:, 0] ** 2) / (2 * (1 + 0.5j))) / np.sqrt(1 + 0.5j)
    assert np.abs(solution(points) - free).max() < 1e-7
    assert len(solution.slabs) < 30
