"""Loads that switch, needles in space, time and state: the march ends its slabs there and its error is as estimated."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import transnet as tn

x, t = sp.symbols("x t")
w, v = tn.unknown("w", t), tn.unknown("v", x, t)
SWITCHED = {
    "sign": (sp.sign(sp.sin(3 * t)), lambda q: np.sign(np.sin(3 * q)), np.pi / 3 * np.arange(1, 5)),
    "Piecewise": (sp.Piecewise((1, t < 1.3), (-2, t < 2.9), (0, True)), lambda q: 1 - 3 * (q >= 1.3) + 2 * (q >= 2.9),
                  [1.3, 2.9]),
    "floor": (sp.floor(1.3 * t), lambda q: np.floor(1.3 * q), np.arange(1, 6) / 1.3),
    "a pulse": (1e3 * sp.exp(-(1000 * (t - 2.3456)) ** 2), lambda q: 1e3 * np.exp(-(1000 * (q - 2.3456)) ** 2),
                2.3456 + 1e-3 * np.linspace(-6, 6, 13)),
}  # fmt: skip


@pytest.mark.parametrize("name", SWITCHED)
def test_a_load_that_switches(name: str) -> None:
    load, values, ends = SWITCHED[name]
    solution = tn.solve(tn.Problem(tn.Interval(t=(0, 4)), [sp.Eq(sp.diff(w, t) + w, load)], [tn.on("t=0", w)]))
    cuts = [0.0, *(e for e in ends if e < 4), 4.0]
    pieces = [quad(lambda q: values(q) * np.exp(q - 4), a, b, epsabs=1e-13)[0] for a, b in pairwise(cuts)]
    assert solution([[4.0]])[0] == pytest.approx(sum(pieces), rel=1e-9, abs=1e-10)


@settings(max_examples=5, deadline=None)
@given(place=st.floats(2, 6), width=st.floats(1e-4, 1e-2))
def test_a_needle_in_the_state_delays(place: float, width: float) -> None:
    """w' = 1/(1 + a exp(-((w - c)/b)^2)): the time to pass is int dw/w' = w + a b sqrt(pi)."""
    slow = 1 + 5 / sp.Float(width) * sp.exp(-(((w - place) / width) ** 2))
    problem = tn.Problem(tn.Interval(t=(0, 16)), [sp.Eq(sp.diff(w, t), 1 / slow)], [tn.on("t=0", w)])
    assert tn.solve(problem)([[16.0]])[0] == pytest.approx(16 - 5 * np.sqrt(np.pi), abs=1e-7)


def test_a_narrow_start() -> None:
    """The needle alone: 0 with an estimate of exactly 0 was the answer."""
    centre, width = 0.3217, 1e-3
    start = sp.exp(-(((x - centre) / width) ** 2))
    sides = [tn.on("x=0", v), tn.on("x=1", v), tn.on("t=0", sp.Eq(v, start))]
    problem = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.05)), [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2))], sides
    )
    k = np.arange(1, 60)
    modes = 2 * width * np.sqrt(np.pi) * np.sin(k * np.pi * centre) * np.exp(-((k * np.pi * width) ** 2) / 4)
    exact = (modes * np.exp(-((k * np.pi) ** 2) * 0.05)) @ np.sin(k * np.pi * 0.6)
    assert tn.solve(problem)([[0.6, 0.05]])[0] == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("level", [0.5, 0.9999, 0.9999999])
def test_an_event_between_two_moments_is_not_missed(level: float) -> None:
    """cos t is below -0.9999999 for a thousandth of a unit of time."""
    problem = tn.Problem(tn.Interval(t=(0, 50)), [sp.diff(w, t, 2) + w], [tn.on("t=0", sp.Eq(w, 1), sp.diff(w, t))])
    found = tn.solve(problem, until=w + level)
    assert found.slabs[-1].end == pytest.approx(np.arccos(-level), abs=1e-5)
