"""Directions in which a function varies, polynomials of its place, and the derivative with respect to that function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.polynomial import legendre

from transnet.solution.results.numbers import Number
from transnet.tolerances import SAME

DEGREES = {1: 20, 2: 14, 3: 6}
"""The degree of the polynomials by the dimension of the place: 21, 120 or 84 of them. That of the first eigenvalue of
a square by its potential, u^2, then has five digits (with degree 8 in the plane it had two)."""
AROUND = {2: 8, 3: 4}
"""The same for a part of a boundary by the axes along which it extends: on a circle those of higher degrees are
polynomials of lower ones, which costs digits (2e-9 of a normal speed, 9e-6 with 14)."""
COARSER = 2
"""How many degrees fewer tell what the polynomials miss."""
INDEPENDENT = 1e-7
"""Polynomials that are dependent on a place, such as x^2 + y^2 - 1 on a circle, are left out below this."""


@dataclass(frozen=True, eq=False)
class Directions:
    """Polynomials of a place: products of Legendre's along the axes in which it extends."""

    axes: tuple[int, ...]
    low: np.ndarray
    high: np.ndarray
    exponents: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, points: np.ndarray, around: bool = False) -> Directions:
        low, high = points.min(axis=0), points.max(axis=0)
        wide = high - low > SAME * max(float(np.max(np.abs(points))), float(np.max(high - low)))
        axes = tuple(int(k) for k in np.flatnonzero(wide))
        most = (DEGREES | AROUND if around else DEGREES).get(len(axes), 2)
        found = [e for e in product(range(most + 1), repeat=len(axes)) if sum(e) <= most]
        return cls(axes, low[list(axes)], high[list(axes)], tuple(sorted(found, key=sum)))

    def along(self, axis: int, power: int, x: np.ndarray, slope: bool = False) -> np.ndarray:
        """One of Legendre's polynomials along an axis, or its derivative."""
        k = self.axes.index(axis)
        scale = 2 / (self.high[k] - self.low[k])
        one = np.eye(power + 1)[power]
        made = legendre.legval(scale * (x - self.low[k]) - 1, legendre.legder(one) if slope else one)
        return np.asarray(made * scale if slope else made)

    def __call__(self, points: np.ndarray, slope: int | None = None) -> np.ndarray:
        """Their values at points (n, d), or their derivatives along an axis: (n, polynomials)."""
        values = np.ones((len(points), len(self.exponents)))
        if slope is not None and slope not in self.axes:
            return np.zeros_like(values)
        for k, axis in enumerate(self.axes):
            powers = [e[k] for e in self.exponents]
            table = [self.along(axis, i, points[:, axis], axis == slope) for i in range(max(powers) + 1)]
            values *= np.stack(table, axis=1)[:, powers]
        return values


@dataclass(frozen=True, eq=False)
class FieldDerivative:
    """The derivative with respect to a function: g with dJ = integral of g delta over its place.

    Call it on points (n, d) of the place. `along(direction)` is dJ for a change, a callable of points (n, d).

    Parameters
    ----------
    error : float
        The root mean square of what g may be off, relative to g.
    """

    directions: Directions
    factors: np.ndarray
    slopes: Sequence[Number]
    nodes: np.ndarray
    weights: np.ndarray
    error: float

    def __call__(self, points: Any) -> np.ndarray:
        return np.asarray(self.directions(np.atleast_2d(np.asarray(points, float))) @ self.factors)

    def along(self, direction: Callable[[np.ndarray], Any]) -> Number:
        """The derivative of the result for a change of the function."""
        change = np.asarray(direction(self.nodes), float) * np.ones(len(self.nodes))
        table, root = self.directions(self.nodes), np.sqrt(self.weights)
        share = np.linalg.lstsq(root[:, None] * table, root * change, rcond=INDEPENDENT)[0]
        rest = change - table @ share  # the derivatives along the polynomials are known themselves
        value = sum(float(c) * float(s) for c, s in zip(share, self.slopes, strict=True))
        error = sum(abs(float(c)) * s.error for c, s in zip(share, self.slopes, strict=True))
        size = float(np.sqrt(self.weights @ rest**2)) * self.norm  # the integral of g with what is not a polynomial
        return Number(value + float(self.weights @ (self(self.nodes) * rest)), error + self.error * size)

    @cached_property
    def norm(self) -> float:
        """The root of the integral of g^2."""
        return float(np.sqrt(self.weights @ self(self.nodes) ** 2))

    def __repr__(self) -> str:
        return f"FieldDerivative of norm {self.norm:.6g}, relative error {self.error:.0e}"


def field_derivative(slopes: Sequence[Number], directions: Directions, nodes: Any, weights: Any) -> FieldDerivative:
    """The function whose integrals with the directions are these slopes."""
    values = directions(nodes) * np.sqrt(weights)[:, None]
    right = np.array([float(s) for s in slopes])
    errors = np.array([s.error for s in slopes])
    _, sizes, turned = np.linalg.svd(values, full_matrices=False)
    kept = sizes > INDEPENDENT * sizes[0]
    factors = turned[kept].T @ ((turned[kept] @ right) / sizes[kept] ** 2)
    own = np.sqrt(np.sum(((np.abs(turned[kept]) @ errors) / sizes[kept]) ** 2))
    low = [sum(e) <= max(map(sum, directions.exponents)) - COARSER for e in directions.exponents]
    fewer = np.linalg.lstsq(values[:, low], values @ factors, rcond=None)[0]
    missed = np.linalg.norm(values[:, low] @ fewer - values @ factors)
    size = float(np.linalg.norm(values @ factors)) or 1.0
    return FieldDerivative(directions, factors, slopes, nodes, weights, float(missed + own) / size)
