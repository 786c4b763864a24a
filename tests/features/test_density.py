"""Theorem 1: the density of uniformly placed neurons is tau / R all over the ball, in every dimension."""

import numpy as np
import pytest

import transnet as tn
from transnet.features.density import ball_points, density, scatter

CASES = [(d, radius) for d in (1, 2, 3, 5) for radius in (0.5, 1.0, 2.5)]


def space(dimension, radius, placement, seed=0, neurons=2000):
    return tn.FeatureSpace.uniform(dimension, neurons, 1.7, radius, placement=placement, seed=seed)


@pytest.mark.parametrize("placement", ["random", "quasi"])
@pytest.mark.parametrize(("dimension", "radius"), CASES)
def test_theorem_1(dimension, radius, placement):
    """Averaged over draws, D_M(y) is tau / R at the centre, halfway out and at the distance R - tau."""
    tau, draws = 0.2 * radius, 40
    away = np.zeros((3, dimension))
    away[:, -1] = [0.0, 0.5 * (radius - tau), radius - tau]
    mean = np.mean([density(space(dimension, radius, placement, s, 500), away, tau) for s in range(draws)], axis=0)
    # One draw of 500 independent neurons scatters by sqrt(p (1 - p) / 500); five standard deviations.
    assert np.abs(mean - 0.2).max() < 5 * np.sqrt(0.2 * 0.8 / 500 / draws)


@pytest.mark.parametrize(("dimension", "radius"), CASES)
def test_outside_the_uniform_ball_the_density_falls(dimension, radius):
    far = np.zeros((1, dimension))
    far[0, 0] = 1.5 * radius
    assert density(space(dimension, radius, "random"), far, 0.1 * radius)[0] < 0.09


@pytest.mark.parametrize(("dimension", "gain"), [(1, 100.0), (2, 10.0), (3, 6.0), (5, 2.0)])
def test_evenly_spread_neurons_scatter_less(dimension, gain):
    """The variance of the density over the ball, independent over evenly spread (documented in theory/density)."""
    variances = {
        kind: np.mean([scatter(space(dimension, 1.0, kind, s, 1000), 0.2)[1] ** 2 for s in range(4)])
        for kind in ("random", "quasi")
    }
    assert variances["random"] > gain * variances["quasi"]
    # What Theorem 1's proof gives for independent neurons: p (1 - p) / (M p^2) with p = tau / R.
    assert variances["random"] < 2.0 * (1 / 0.2 - 1) / 1000


def test_any_network():
    """Weights and biases of a layer, as a trained network has them, by the definition of the density."""
    rng = np.random.default_rng(3)
    weights, biases = rng.standard_normal((50, 2)), rng.standard_normal(50)
    points = rng.standard_normal((30, 2))
    distance = np.abs(points @ weights.T + biases) / np.linalg.norm(weights, axis=1)
    assert np.allclose(density(weights, points, 0.3, biases), (distance < 0.3).mean(axis=1))
    assert np.allclose(density(7.0 * weights, points, 0.3, 7.0 * biases), density(weights, points, 0.3, biases))
    made = tn.FeatureSpace(weights, biases)
    assert np.array_equal(made.density(points, 0.3), density(weights, points, 0.3, biases))


def test_a_dead_neuron_is_near_nothing():
    assert density(np.zeros((4, 2)), np.zeros((1, 2)), 0.5, np.zeros(4))[0] == 0.0


def test_bad_input_is_named():
    with pytest.raises(ValueError, match=r"weights of a layer have shape"):
        density(np.ones((3, 2)), np.ones((1, 2)), 0.1, np.ones(4))
    with pytest.raises(ValueError, match="tau must be positive"):
        density(np.ones((3, 2)), np.ones((1, 2)), 0.0)
    with pytest.raises(ValueError, match=r"\(n, 2\)"):
        density(np.ones((3, 2)), np.ones((1, 3)), 0.1)
    with pytest.raises(ValueError, match="radius of the ball"):
        scatter(tn.FeatureSpace.spectral(2, 20, 3.0), 0.1)


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
def test_points_of_the_ball_are_uniform(dimension):
    """The second moment of a uniform point of a ball is d / (d + 2) R^2."""
    points = ball_points(4000, dimension, 2.0)
    assert np.mean((points**2).sum(axis=1)) == pytest.approx(4.0 * dimension / (dimension + 2), rel=0.01)
    assert np.abs(points.mean(axis=0)).max() < 0.02
