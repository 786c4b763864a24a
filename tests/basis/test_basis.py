"""Columns: each belongs to one feature, leading parts are smaller networks, and spaces of any sizes go together."""

from __future__ import annotations

import numpy as np
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import transnet as tn
from transnet.basis.basis import Basis
from transnet.features.placement import Placement
from transnet.features.singular import Singular
from transnet.iterate.nonlinear import reduced

x, y = sp.symbols("x y")
box = tn.Box(x=(0, 1), y=(0, 2))
PLACE = Placement.of(box)
CORNER = Singular(np.array([[0, 0, 1, 0, 0, 1, 0, 0, 2 / 3 + k, 0, 0, 0, float(k > 1)] for k in range(4)]))


def constant(dimension: int = 2) -> tn.FeatureSpace:
    return tn.FeatureSpace(np.empty((0, dimension)), np.empty(0))


def space_of(neurons: int, singular: bool) -> tn.FeatureSpace:
    made = tn.FeatureSpace.waves(2, neurons, 0.12) if neurons else constant()
    return made.with_singular(CORNER) if singular else made


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 40).map(lambda k: 2 * k), st.booleans()), min_size=1, max_size=4))
def test_columns_are_shared_out_and_leading_parts_are_smaller_networks(kinds):
    basis = Basis(tuple(space_of(*kind) for kind in kinds), PLACE)
    columns = [np.arange(basis.columns)[basis.slice_of(k)] for k in range(basis.unknowns)]
    assert sorted(np.concatenate(columns)) == list(range(basis.columns))
    for fraction in (0.5, 0.7, 0.95):
        _, count = basis.leading(fraction)
        for space, mine in zip(basis.spaces, columns, strict=True):
            assert (np.diff(mine) > 0).all(), "in the order of the space"
            neurons = np.count_nonzero(mine < count) - space.neuron_columns.start
            assert neurons % 2 == 0, "pairs of sine and cosine stay together"
            assert abs(neurons - fraction * space.neurons) <= 2


def test_equal_spaces_are_interleaved():
    basis = Basis((space_of(6, True),) * 3, PLACE)
    assert basis.slice_of(1) == slice(1, None, 3)
    assert basis.leading(0.5) == (2, 3 * (3 + 2))


def test_rows_and_values_agree_where_sizes_differ():
    basis = Basis((space_of(12, False), constant(), space_of(30, True)), PLACE)
    rng = np.random.default_rng(0)
    alpha, points = rng.standard_normal(basis.columns), box.interior(20)
    slots = [(0, (1, 0)), (2, (1, 1)), (1, (0, 0)), (2, (0, 2)), (1, (1, 0))]
    factors = [np.asarray(2.0), points[:, 0], np.asarray(-3.0), np.asarray(0.5), np.asarray(1.0)]
    rows = np.full((basis.columns, len(points)), np.nan)
    basis.write(rows, points, slots, factors, 1.5)
    values = basis.derivatives(alpha, points, slots)
    expected = 1.5 * sum(c * v for c, v in zip(factors, values, strict=True))
    np.testing.assert_allclose(alpha @ rows, expected, rtol=1e-11)
    zero = [(k, (0, 0)) for k in range(3)]
    for k, (features, value) in enumerate(
        zip(basis.features(points), basis.derivatives(alpha, points, zero), strict=True)
    ):
        np.testing.assert_allclose(features @ alpha[basis.slice_of(k)], value, rtol=1e-11)


def test_a_smaller_network_keeps_its_pairs():
    wave = tn.FeatureSpace.waves(2, 250, 0.12)
    for neurons in (100, 99):
        small = reduced(wave, neurons)
        assert small.paired
        assert small.neurons == neurons - neurons % 2
    assert reduced(constant(), 0).size == 1


def test_the_estimate_sees_the_smaller_of_two_networks():
    u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
    first, second = sp.sin(4 * x) * sp.cos(2 * y + 1), sp.exp(x) * sp.sin(y)
    problem = tn.Problem(
        box,
        [sp.Eq(tn.laplacian(w), tn.laplacian(e, x, y)) for w, e in ((u, first), (v, second))],
        [tn.on("boundary", sp.Eq(u, first), sp.Eq(v, second))],
    )
    spaces = [tn.FeatureSpace.waves(2, n, 0.12, seed=n) for n in (60, 240)]
    solution = tn.TransNet(space=spaces).solve(problem)
    points = box.interior(500)
    exact = sp.lambdify((x, y), first)(*points.T)
    error = np.linalg.norm(solution["u"](points) - exact) / np.linalg.norm(exact)
    assert 1e-6 < error < 1e-2
    assert error < solution.error < 100 * error
    assert error < solution.diagnostics.nested[-1][1] < 100 * error


def test_a_number_and_a_function_of_one_coordinate_are_unknowns_too():
    """Unknowns of 1, 60 and 240 columns: a constant c, a function w(x), and u(x, y), in one linear solve."""
    u, w, c = (tn.unknown(n, x, y) for n in ("u", "w", "c"))
    exact = {"u": sp.sin(2 * x) * sp.exp(y / 2), "w": sp.exp(-x) * sp.cos(3 * x), "c": sp.Float(0.7)}
    eu, ew, ec = exact.values()
    problem = tn.Problem(
        box,
        [
            sp.Eq(tn.laplacian(u) + c + w, tn.laplacian(eu, x, y) + ec + ew),
            sp.Eq(sp.diff(w, x, 2), sp.diff(ew, x, 2)),
            sp.Eq(sp.diff(c, x), 0),
        ],
        [
            tn.on("boundary", sp.Eq(u, eu)),
            tn.on("left", sp.Eq(sp.diff(u, x), sp.diff(eu, x)), sp.Eq(w, ew)),
            tn.on("right", sp.Eq(w, ew)),
        ],
    )
    line = tn.FeatureSpace.waves(1, 59, 0.12)
    flat = tn.FeatureSpace(np.column_stack([line.weights, 0 * line.weights]), line.biases, line.activation, line.radius)
    spaces = {"u": tn.FeatureSpace.waves(2, 239, 0.12), "w": flat, "c": constant()}
    solution = tn.TransNet(space=[spaces[n] for n in problem.names]).solve(problem)
    points = box.interior(200)
    for name, e in exact.items():
        values = np.broadcast_to(sp.lambdify((x, y), e)(*points.T), (200,))
        np.testing.assert_allclose(solution[name](points), values, atol=2e-5)
    assert np.ptp(solution["c"](points)) == 0.0
    assert np.abs(solution.evaluate(sp.diff(w, y), points)).max() == 0.0
    assert solution.error < 1e-3
