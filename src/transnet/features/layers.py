"""Networks of several hidden layers: their derivatives of any order in closed form, by Taylor coefficients.

Along a direction v the inner layers are functions of one variable, h(y + t v) = h_0 + h_1 t + h_2 t^2 + ..., and a
layer maps the Taylor coefficients of its input to those of its output:

    z_k = W h_k,    [t^n] s(z(t)) = sum_k s^(k)(z_0) / k! [t^n] (z_1 t + z_2 t^2 + ...)^k.

No derivative is approximated, and none is found by automatic differentiation. A mixed derivative of order n is a
combination of n-th derivatives along several directions, because a homogeneous polynomial of degree n is known from its
values on the lattice of all v with whole components that add up to n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import factorial
from typing import Any

import numpy as np

from transnet.arrays import constant
from transnet.calls import shown
from transnet.errors import TransnetError
from transnet.features.activation import Activation
from transnet.tolerances import ROUNDED

MultiIndex = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Layer:
    """A hidden layer: s(W h + b)."""

    weights: np.ndarray
    biases: np.ndarray
    activation: Activation

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", np.ascontiguousarray(self.weights, dtype=float))
        object.__setattr__(self, "biases", np.ascontiguousarray(self.biases, dtype=float))
        if self.weights.ndim != 2 or self.biases.shape != (len(self.weights),):
            raise TransnetError(f"A layer needs weights (m, k) and biases (m,), not {self.weights.shape}.")

    def taylor(self, coefficients: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The Taylor coefficients of its output, (n, m) each, from those of its input, (n, k) each."""
        z = [c @ self.weights.T for c in coefficients]
        z[0] += self.biases
        return composed(self.activation, z)


def checked_layer(weights: Any, biases: Any, inner: Sequence[Layer]) -> tuple[np.ndarray, np.ndarray]:
    """Weights (M, d) and biases (M,) of the last hidden layer as arrays, refused unless they fit the layers below."""
    try:
        weights, biases = constant(np.ascontiguousarray(weights)), constant(biases)
    except (TypeError, ValueError, OverflowError):
        raise TransnetError(
            f"The weights and biases of a feature space are arrays of numbers, not {shown(weights)} and "
            f"{shown(biases)}."
        ) from None
    if weights.ndim != 2 or biases.shape != (weights.shape[0],):
        raise TransnetError(
            f"A feature space needs weights of shape (M, d) and biases of shape (M,), not {weights.shape} and "
            f"{biases.shape}."
        )
    if not (np.isfinite(weights).all() and np.isfinite(biases).all()):
        raise TransnetError("The weights and biases of a feature space must be finite.")
    widths = [len(layer.weights) for layer in inner]
    if inner and widths != [layer.weights.shape[1] for layer in inner[1:]] + [weights.shape[1]]:
        raise TransnetError(f"The hidden layers have {widths} outputs, which is not what the next ones take.")
    return weights, biases


def composed(activation: Activation, z: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The Taylor coefficients of s(z(t))."""
    order = len(z) - 1
    s = activation.derivatives(z[0].copy(), tuple(range(order + 1)))
    found = [np.array(s[0])] + [np.zeros_like(z[0]) for _ in range(order)]
    # power[j] is the coefficient of t^j of (z_1 t + z_2 t^2 + ...)^k.
    power: list[np.ndarray | None] = [None, *z[1:]]
    for k in range(1, order + 1):
        for j in range(k, order + 1):
            term = power[j]
            if term is not None:
                found[j] += s[k] * term / factorial(k)
        following: list[np.ndarray | None] = [None] * (order + 1)
        for j in range(k + 1, order + 1):
            parts = [a * z[j - i] for i in range(k, j) if (a := power[i]) is not None]
            following[j] = sum(parts[1:], parts[0]) if parts else None
        power = following
    return found


@lru_cache(maxsize=256)
def directions(index: MultiIndex) -> tuple[tuple[tuple[float, ...], float], ...]:
    """Directions v and factors with D^k f = sum_v factor_v (d/dt)^n f(y + t v), n = |k|."""
    d, n = len(index), sum(index)
    if n == 0:
        return ()
    lattice = [k for k in product(range(n + 1), repeat=d) if sum(k) == n]
    v = np.array(lattice, dtype=float) / n
    # (d/dt)^n f(y + t v) = sum_k n! / k! v^k D^k f.
    matrix = np.array(
        [
            [factorial(n) / np.prod([factorial(i) for i in k]) * np.prod(row ** np.array(k)) for k in lattice]
            for row in v
        ]
    )
    factors = np.linalg.inv(matrix)[lattice.index(tuple(index))]
    return tuple((tuple(row), float(f)) for row, f in zip(v, factors, strict=True) if abs(f) > ROUNDED)


def deep_derivatives(
    layers: Sequence[Layer], points: np.ndarray, indices: Sequence[MultiIndex]
) -> dict[MultiIndex, np.ndarray]:
    """D^k of the outputs of the last layer at points (n, d): (n, m) for each multi-index k."""
    wanted: dict[tuple[float, ...], int] = {}
    for index in indices:
        for v, _ in directions(tuple(index)):
            wanted[v] = max(wanted.get(v, 0), sum(index))
    made = {v: _along(layers, points, np.array(v), order) for v, order in wanted.items()}
    found: dict[MultiIndex, np.ndarray] = {}
    for index in indices:
        n = sum(index)
        if n == 0:
            some = next(iter(made.values()), None)
            found[index] = some[0] if some is not None else _along(layers, points, np.zeros(points.shape[1]), 0)[0]
        else:
            found[index] = np.sum([factorial(n) * f * made[v][n] for v, f in directions(tuple(index))], axis=0)
    return found


def _along(layers: Sequence[Layer], points: np.ndarray, direction: np.ndarray, order: int) -> list[np.ndarray]:
    """The Taylor coefficients of the outputs of the last layer along a direction, up to an order."""
    flow = [points, np.broadcast_to(direction, points.shape)][: order + 1]
    flow += [np.zeros_like(points)] * (order + 1 - len(flow))
    for layer in layers:
        flow = layer.taylor(flow)
    return flow
