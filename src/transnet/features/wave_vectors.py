"""Weights and biases of sine neurons: spread evenly over a box, or like a Gaussian."""

from __future__ import annotations

import numpy as np

from transnet.arrays import FLOAT, check_room
from transnet.calls import shown
from transnet.errors import TransnetError
from transnet.features.neurons import Placing, Seed, sphere
from transnet.lazy import special
from transnet.measure.sampling import quasi

Weights = tuple[np.ndarray, np.ndarray]
"""Weights (M, d) and biases (M,)."""


def wave_weights(
    dimension: int,
    neurons: int,
    fill: float,
    axes: np.ndarray | tuple[float, ...] | None,
    seed: Seed,
) -> Weights:
    """The weights and biases of `FeatureSpace.waves`."""
    if dimension < 1 or neurons < 0:
        raise TransnetError(
            f"A space of waves needs at least one coordinate and one wave, not {dimension} and {neurons}."
        )
    if not (np.isfinite(fill) and fill > 0):
        raise TransnetError(f"fill is the bandwidth of the waves, a positive number, not {shown(fill)}.")
    check_room(4 * neurons, FLOAT * (dimension + 1), f"A space of {neurons} waves")
    stretch = np.ones(dimension) if axes is None else np.asarray(axes, dtype=float)
    if stretch.shape != (dimension,) or not (stretch > 0).all():
        raise TransnetError(f"axes needs {dimension} positive numbers, one per coordinate, not {shown(axes)}.")
    stretch = stretch / np.prod(stretch) ** (1 / dimension)
    bandwidth = 0.5 * np.pi * (fill * neurons) ** (1 / dimension) * stretch
    pairs = (neurons + 1) // 2
    # All coordinates come from one joint sequence, in its own order: leading neurons fill the box evenly too.
    spread = quasi(pairs, dimension, np.random.default_rng(seed))
    spread[:, 1:] = 2.0 * spread[:, 1:] - 1.0
    weights = np.repeat(spread * bandwidth, 2, axis=0)[:neurons]
    return weights, np.tile([0.0, 0.5 * np.pi], pairs)[:neurons]


def gaussian_weights(dimension: int, neurons: int, scale: float, placement: Placing, seed: Seed) -> Weights:
    """The weights and biases of `FeatureSpace.spectral`."""
    check_room(4 * neurons, FLOAT * (dimension + 1), f"A space of {neurons} waves")
    rng = np.random.default_rng(seed)
    cube = rng.random((neurons, dimension + 1))
    if placement == "quasi":
        # As in `place`: one coordinate runs evenly, so the recurrence is that of the others alone. In the plane the
        # directions then turn by the golden angle; by another step the wave vectors fall on a few spiral arms.
        cube[:, 0] = (np.arange(neurons) + rng.random()) / max(neurons, 1)
        cube[:, 1:dimension] = quasi(neurons, max(dimension - 1, 1), rng)[:, : dimension - 1]
        cube[:, dimension] = quasi(neurons, 1, rng)[:, 0]
        # A phase that advances by a fixed step from one radius to the next only shifts the origin: the features would
        # all be odd about one point. Shuffled, the phases are independent of the radii.
        cube[:, dimension] = cube[rng.permutation(neurons), dimension]
        cube = cube[rng.permutation(neurons)]
    quantiles = -np.log1p(-cube[:, 0]) if dimension == 2 else special.gammaincinv(dimension / 2, cube[:, 0])
    radii = np.sqrt(2.0 * quantiles)
    directions = np.ones((neurons, 1)) if dimension == 1 else sphere(cube[:, 1:dimension])
    return scale * radii[:, None] * directions, 2.0 * np.pi * cube[:, dimension]


def are_pairs(weights: np.ndarray, biases: np.ndarray) -> bool:
    """Whether sine neurons are pairs sin(z), sin(z + pi/2) = cos(z)."""
    even, odd = slice(0, None, 2), slice(1, None, 2)
    return (
        len(weights) > 0
        and len(weights) % 2 == 0
        and np.array_equal(weights[even], weights[odd])
        and np.array_equal(biases[even] + 0.5 * np.pi, biases[odd])
    )
