"""Hidden layers above the first, whose neurons are placed according to their inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.errors import TransnetError
from transnet.features.layers import Layer
from transnet.measure.sampling import quasi

SAMPLE = 1000
"""Points of the ball at which the signals in a deep network are measured: enough for their deviation to a few per
cent."""


def check_layers(layers: int, width: int) -> None:
    """Refuse a network without layers or without neurons in them."""
    if layers < 1 or width < 1:
        raise TransnetError(f"A network needs at least one hidden layer and one neuron in each, not {layers}, {width}.")


def layers_above(
    first: Any, neurons: int, layers: int, width: int, gain: float, rng: np.random.Generator
) -> tuple[tuple[Layer, ...], np.ndarray, np.ndarray]:
    """For `FeatureSpace.deep`: the layers below the last, and the weights and biases of the last."""
    d = first.dimension
    sample = first.radius * np.sqrt(d) / 1.5 * (2.0 * quasi(SAMPLE, d, rng) - 1.0)
    inner: list[Layer] = []
    weights, biases = first.weights, first.biases
    for number in range(1, layers):
        inner.append(Layer(weights, biases, first.activation))
        values = sample
        for layer in inner:
            values = layer.taylor([values])[0]
        count = neurons if number == layers - 1 else width
        weights = rng.standard_normal((count, values.shape[1]))
        weights *= gain / np.maximum(np.std(values @ weights.T, axis=0), np.finfo(float).tiny)[:, None]
        biases = -np.sum(weights * values[rng.integers(SAMPLE, size=count)], axis=1)
    return tuple(inner), weights, biases
