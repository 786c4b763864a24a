"""Neurons: unit directions, offsets in the ball, uniform density of hyperplanes (Theorem 1)."""

from __future__ import annotations

import numpy as np
import pytest

from transnet.features.neurons import place, sphere


@pytest.mark.parametrize("placement", ["quasi", "random"])
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_directions_are_unit_and_offsets_in_the_ball(dimension: int, placement: str) -> None:
    a, r = place(500, dimension, 1.7, placement, 3)
    assert a.shape == (500, dimension)
    np.testing.assert_allclose(np.linalg.norm(a, axis=1), 1, atol=1e-12)
    assert r.min() >= 0
    assert r.max() <= 1.7


@pytest.mark.parametrize("placement", ["quasi", "random"])
@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_directions_are_isotropic(dimension: int, placement: str) -> None:
    a, _ = place(4000, dimension, 1.0, placement, 0)
    tolerance = 0.03 if placement == "random" else 0.005
    np.testing.assert_allclose(a.mean(axis=0), 0, atol=3 * tolerance)
    np.testing.assert_allclose(a.T @ a / len(a), np.eye(dimension) / dimension, atol=tolerance)


@pytest.mark.parametrize("placement", ["quasi", "random"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_the_density_of_hyperplanes_is_the_same_everywhere(dimension: int, placement: str) -> None:
    """A ball of radius tau around y meets the part tau/R of all hyperplanes, wherever y is with |y| <= R - tau."""
    a, r = place(20_000, dimension, 1.0, placement, 1)
    rng = np.random.default_rng(0)
    tau = 0.1
    for _ in range(20):
        y = rng.standard_normal(dimension)
        y *= 0.9 * rng.random() / np.linalg.norm(y)
        density = np.mean(np.abs(a @ y - r) < tau)
        assert density == pytest.approx(tau, rel=0.12)


def test_quasi_placement_scatters_less_than_random() -> None:
    def scatter(placement: str) -> float:
        found = []
        for seed in range(6):
            a, r = place(400, 2, 1.0, placement, seed)
            for y in np.random.default_rng(5).uniform(-0.6, 0.6, (20, 2)):
                found.append(np.mean(np.abs(a @ y - r) < 0.1))
        return float(np.std(found))

    assert scatter("quasi") < 0.5 * scatter("random")


def test_the_map_to_the_sphere_keeps_uniform_measure() -> None:
    u = np.random.default_rng(0).random((20_000, 2))
    directions = sphere(u)
    np.testing.assert_allclose(np.linalg.norm(directions, axis=1), 1, atol=1e-12)
    # By Archimedes each coordinate of a uniform point of the sphere in space is uniform in [-1, 1].
    for k in range(3):
        counts = np.histogram(directions[:, k], bins=10, range=(-1, 1))[0]
        np.testing.assert_allclose(counts, 2000, atol=220)


def test_the_seed_decides_everything() -> None:
    for placement in ("quasi", "random"):
        first, second, other = (place(50, 3, 1.0, placement, s)[0] for s in (1, 1, 2))
        np.testing.assert_array_equal(first, second)
        assert not np.allclose(first, other)
    with pytest.raises(ValueError, match="no placement 'grid'"):
        place(5, 2, 1.0, "grid")
