"""Feature spaces: how they are made, and the two kernels that evaluate them."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import transnet as tn
from transnet.features.evaluate import evaluate, write_rows

SPACES = {
    "tanh": tn.FeatureSpace.uniform(2, 30, 1.5),
    "gauss": tn.FeatureSpace.uniform(2, 30, 1.5, activation="gauss"),
    "sin": tn.FeatureSpace.spectral(2, 30, 3.0),
    "many": tn.FeatureSpace.spectral(2, 700, 3.0),
}
POINTS = np.random.default_rng(0).uniform(-1, 1, (40, 2))
INDICES = [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 1), (2, 2)]


def test_weights_follow_from_location_and_shape() -> None:
    space = tn.FeatureSpace.uniform(3, 40, 2.5, radius=1.2)
    np.testing.assert_allclose(space.shapes, 2.5)
    np.testing.assert_allclose(np.linalg.norm(space.directions, axis=1), 1)
    assert (space.offsets >= 0).all()
    assert (space.offsets <= 1.2).all()
    np.testing.assert_allclose(space.weights, 2.5 * space.directions)
    np.testing.assert_allclose(space.biases, -2.5 * space.offsets)
    # On its hyperplane a.y = r a neuron is at its steepest: tanh is zero there.
    on_plane = space.offsets[:, None] * space.directions
    np.testing.assert_allclose(np.diag(space(on_plane)[:, 1:]), 0, atol=1e-13)


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_spectral_weights_have_the_spread_of_a_gaussian(dimension: int) -> None:
    w = tn.FeatureSpace.spectral(dimension, 3000, 4.0).weights
    np.testing.assert_allclose(np.sqrt(np.mean(w**2)), 4.0, rtol=0.02)


def test_spectral_phases_do_not_follow_the_shapes() -> None:
    """Phases that advance evenly with the radii make all features odd about one point; see the one-dimensional rank."""
    for seed in range(5):
        space = tn.FeatureSpace.spectral(1, 40, 6.0, seed=seed)
        points = np.linspace(-1, 1, 200)[:, None]
        values = np.linalg.svd(space(points), compute_uv=False)
        even = np.cos(5 * points[:, 0])
        odd = np.sin(5 * points[:, 0])
        for f in (even, odd):
            alpha = np.linalg.lstsq(space(points), f, rcond=1e-14)[0]
            assert np.abs(space(points) @ alpha - f).max() < 1e-8
        assert values[20] > 1e-12 * values[0]


@pytest.mark.parametrize("name", SPACES)
@pytest.mark.parametrize("index", INDICES)
def test_both_kernels_give_the_derivative_of_every_feature(name: str, index: tuple[int, ...]) -> None:
    space = SPACES[name]
    rows = np.empty((space.size, len(POINTS)))
    write_rows(space, POINTS, [(rows, [(index, np.float64(1.0))])])
    if sum(index) == 0:
        np.testing.assert_allclose(rows.T, space(POINTS), atol=1e-14)
    m, j = 7, 3

    def feature(a: float, b: float) -> mpmath.mpf:
        argument = space.weights[m, 0] * a + space.weights[m, 1] * b + space.biases[m]
        kind = space.activation.name
        return {"tanh": mpmath.tanh, "sin": mpmath.sin, "gauss": lambda v: mpmath.exp(-v * v / 2)}[kind](argument)

    with mpmath.workdps(40):
        exact = float(mpmath.diff(feature, tuple(map(float, POINTS[j])), index))
    scale = max(space.shapes.max() ** sum(index), 1.0)
    assert rows[1 + m, j] == pytest.approx(exact, abs=1e-13 * scale * 4 ** sum(index))
    alpha = np.random.default_rng(1).standard_normal(space.size)
    summed = evaluate(space, alpha, POINTS, [index])[0]
    np.testing.assert_allclose(summed, alpha @ rows, atol=1e-12 * scale * np.sqrt(space.size))


def test_rows_add_terms_with_coefficients_that_vary() -> None:
    space = SPACES["many"]
    c, e = np.sin(POINTS[:, 0]), POINTS[:, 1] ** 2
    terms = [((2, 0), c), ((0, 2), np.float64(3.0)), ((1, 0), e), ((0, 0), np.float64(-2.0))]
    rows = np.empty((space.size, len(POINTS)))
    write_rows(space, POINTS, [(rows, terms)])
    expected = np.zeros_like(rows)
    for index, coefficient in terms:
        one = np.empty_like(rows)
        write_rows(space, POINTS, [(one, [(index, np.float64(1.0))])])
        expected += coefficient * one
    np.testing.assert_allclose(rows, expected, atol=1e-11 * np.abs(expected).max())
    np.testing.assert_array_equal(rows[0], -2.0)


def test_several_functions_are_summed_at_once() -> None:
    space = SPACES["tanh"]
    alpha = np.random.default_rng(2).standard_normal((space.size, 3))
    together = evaluate(space, alpha, POINTS, INDICES)
    assert together.shape == (len(INDICES), len(POINTS), 3)
    for k in range(3):
        np.testing.assert_allclose(together[:, :, k], evaluate(space, alpha[:, k], POINTS, INDICES), atol=1e-13)


def test_stretching_multiplies_the_shape_along_each_axis() -> None:
    space = SPACES["sin"]
    np.testing.assert_allclose(space.stretched((1.0, 0.5))(POINTS), space(POINTS * [1.0, 0.5]), atol=1e-13)


def test_bad_spaces_are_refused() -> None:
    with pytest.raises(ValueError, match=r"weights of shape \(M, d\)"):
        tn.FeatureSpace(np.ones(3), np.ones(3))
    with pytest.raises(ValueError, match="finite"):
        tn.FeatureSpace(np.full((3, 2), np.nan), np.ones(3))
