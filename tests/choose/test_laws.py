"""The laws of choosing, with numbers written down beforehand: bandwidths, sizes, singular features."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from types import SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import transnet as tn
from transnet.choose.bandwidth import FLOOR, Choice
from transnet.choose.enrich import FEW, HIGHEST, MOST, Enrichment
from transnet.choose.grow import (
    ALIKE,
    LARGEST_STEP,
    RESOLVED,
    SMALLEST_STEP,
    STALLED,
    _bandwidth_limited,
    _next_size,
    _stalled,
)
from transnet.choose.levels import CAP
from transnet.doors.cutting import cut_if_needed
from transnet.doors.plan import Plan
from transnet.solution.diagnostics import Tried

LAW = Choice(2, (100, 0.2), (200, 0.16), np.zeros(2))


def test_the_fill_falls_by_the_same_factor_with_each_doubling():
    assert [LAW.fill(n) for n in (100, 200)] == [0.16, 0.16]
    assert LAW.fill(400) == pytest.approx(0.16 * 0.8)
    assert LAW.fill(800) == pytest.approx(0.16 * 0.8**2)


@given(first=st.floats(0.02, 0.3), second=st.floats(0.02, 0.3), neurons=st.integers(1, 10**5))
def test_the_fill_never_rises_with_neurons_nor_falls_below_its_floor(first, second, neurons):
    law = replace(LAW, first=(100, first), second=(200, second))
    assert law.fill(2 * neurons) <= max(law.fill(neurons), FLOOR)
    assert law.fill(max(neurons, 1000)) >= min(FLOOR, second)


def test_a_wider_band_ends_at_the_limit():
    assert LAW.widened(1.5).second[1] == pytest.approx(0.24)
    assert LAW.widened(100.0).second[1] == CAP[2]


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_next_size_is_what_the_convergence_of_two_networks_asks_for(dimension):
    def error(n):
        return exp(-0.1 * n ** (1 / dimension) * 100 ** (1 - 1 / dimension))

    steps = [Tried(n, error(n), 0.1) for n in (100, 160)]
    wanted = error(240)
    size = _next_size(steps, 2 * wanted, dimension)
    assert size == pytest.approx(240, abs=2)
    assert size % 2 == 0
    assert _next_size(steps, 1.9 * error(160), dimension) == 160 * SMALLEST_STEP
    assert _next_size(steps, 0.0 + 1e-300, dimension) == 160 * LARGEST_STEP


def test_the_first_step_is_told_by_the_network_itself():
    steps = [Tried(200, 1e-4, 0.1)]
    assert _next_size(steps, 1e-10, 2) == 400
    assert _next_size(steps, 1e-5, 2, nested=((100, 1e-2),)) < 400
    assert _next_size(steps, 1e-5, 2, group=48) % 48 == 0


def test_two_networks_that_bring_little_are_the_last():
    assert not _stalled([Tried(n, e, 0.1) for n, e in ((100, 1e-2), (150, 9e-3), (200, 1e-2 / STALLED / 1.1))])
    assert _stalled([Tried(n, e, 0.1) for n, e in ((100, 1e-2), (150, 9e-3), (200, 1e-2 / STALLED * 1.1))])
    assert not _stalled([Tried(100, 1e-2, 0.1), Tried(150, 1e-2, 0.1)])


@pytest.mark.parametrize(
    ("error", "half", "limited"),
    [(1e-6, 0.5 * ALIKE, True), (1e-6, 2 * ALIKE, False), (2 * RESOLVED, 1.0, False), (1e-15, 1.0, False)],
)
def test_a_band_is_too_narrow_where_half_of_the_network_is_as_good(error, half, limited):
    known = SimpleNamespace(nested=((100, half * 1e-7), (190, 1e-7)))
    assert _bandwidth_limited(SimpleNamespace(error=error, diagnostics=known)) is limited


def test_singular_features_grow_with_the_network_and_are_bounded():
    corner = tn.Polygon([(0, 0), (1, 0), (1, 1), (-1, 1), (-1, -1), (0, -1)])
    made = Enrichment(corner, 1j, False, dict.fromkeys(corner.parts, "value"))
    sizes = [len(made.features(n)) for n in (100, 200, 400, 1600, 6400)]
    assert sizes == sorted(sizes)
    assert all(s <= min(FEW + n // 2, MOST) for s, n in zip(sizes, (100, 200, 400, 1600, 6400), strict=True))
    assert sizes[-1] == sizes[-2]  # the degrees end at HIGHEST
    assert HIGHEST == 9.0


def test_a_convex_polygon_with_values_has_no_use_for_them():
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    smooth = sp.exp(x) * sp.cos(y)
    square = tn.Box(x=(0, 1), y=(0, 1))
    problem = tn.Problem(square, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, smooth))])
    found = cut_if_needed(Plan(problem, pieces=False))
    assert len(found.basis.spaces[0].singular) == 0
