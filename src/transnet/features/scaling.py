"""The shape that a number of neurons needs, as laws fitted to tuned spaces."""

from __future__ import annotations


def tanh_shape(dimension: int, neurons: int, radius: float) -> float:
    return 0.2 * neurons ** (1 / dimension) / radius


def spectral_scale(dimension: int, neurons: int) -> float:
    return 0.5 * neurons ** (1 / dimension)
