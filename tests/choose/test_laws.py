"""The laws of choosing, with numbers written down beforehand: bandwidths, sizes, singular features."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import transnet as tn
from transnet.choose.bandwidth import FLOOR, Choice
from transnet.choose.enrich import FEW, HIGHEST, MOST, Enrichment
from transnet.drive.driver import UNRESOLVED, drive
from transnet.drive.plan import Plan
from transnet.method.network import Network, size_for

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


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_the_next_size_is_what_the_convergence_of_two_networks_asks_for(dimension):
    def error(n):
        return exp(-0.1 * n ** (1 / dimension) * 100 ** (1 - 1 / dimension))

    sizes = [(n, error(n)) for n in (100, 160)]
    assert sizes[1][1] < UNRESOLVED
    assert size_for(sizes, 2 * error(240), dimension) == pytest.approx(240)
    assert size_for(sizes, 4 * error(160), dimension) == 160
    assert size_for(sizes[::-1], 1e-10, dimension) == 200  # what does not fall is doubled
    assert size_for([(100, 9.0), (160, 3.0)], 1e-10, dimension) == 320  # and so is what resolves nothing


def test_one_network_alone_is_judged_by_its_parts():
    assert size_for([(200, 1e-4)], 1e-10, 2) == 400
    assert 200 < size_for([(200, 1e-4)], 1e-5, 2, nested=((100, 1e-2),)) < 400


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
    found = drive(Plan(problem), (Network(),))
    assert len(found.basis.spaces[0].singular) == 0
