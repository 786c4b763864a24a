"""The shape that a number of neurons needs, as a law instead of a search."""

from __future__ import annotations

from transnet.features.neurons import Seed
from transnet.features.space import FeatureSpace


def law(dimension: int, neurons: int) -> float:
    """The shape for tanh neurons in a ball around [-1, 1]^d."""
    return 0.07 * neurons**0.5 if dimension == 2 else 0.15 * neurons ** (1 / dimension)


def default_space(dimension: int, neurons: int, seed: Seed = 0) -> FeatureSpace:
    """The space for a solve about which nothing is known."""
    return FeatureSpace.uniform(dimension, neurons, law(dimension, neurons), 1.35 * dimension**0.5, seed=seed)
