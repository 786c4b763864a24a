"""Polynomials of a cell, split so that its equation can be solved for one part of them.

All polynomials of degree p in the plane are (1 - x^2 - y^2) q with q of degree p - 2, and harmonic ones, the real and
imaginary parts of (x + i y)^k. The first vanish on the circle around the cell: an elliptic equation of second order
determines them from its source and from the second, which carry what the cell exchanges with its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np

MultiIndex = tuple[int, ...]
Terms = Sequence[tuple[MultiIndex, np.ndarray]]
"""Derivatives with their coefficients, (cells, points) each."""


def bubbles(degree: int) -> int:
    """The number of polynomials that vanish on the circle."""
    return degree * (degree - 1) // 2


def harmonics(degree: int) -> int:
    """The number of harmonic polynomials."""
    return 2 * degree + 1


@lru_cache(maxsize=64)
def _exponents(degree: int) -> tuple[np.ndarray, np.ndarray]:
    pairs = np.array([(i, d - i) for d in range(degree + 1) for i in range(d + 1)])
    return pairs[:, 0], pairs[:, 1]


@lru_cache(maxsize=64)
def _falling(degree: int, order: int) -> np.ndarray:
    """k (k - 1) ... (k - order + 1) for k = order, ..., degree."""
    k = np.arange(order, degree + 1, dtype=float)
    return np.prod([k - j for j in range(order)], axis=0) if order else np.ones(degree + 1)


def legendre(s: np.ndarray, degree: int, order: int) -> np.ndarray:
    """Normalised Legendre polynomials and their derivatives at s (cells, points): (order + 1, cells, degree + 1,
    points)."""
    v = np.zeros((order + 1, len(s), degree + 1, s.shape[1]))
    v[0, :, 0] = 1.0
    if degree:
        v[0, :, 1] = s
        if order:
            v[1, :, 1] = 1.0
    for k in range(1, degree):
        v[0, :, k + 1] = ((2 * k + 1) * s * v[0, :, k] - k * v[0, :, k - 1]) / (k + 1)
        for o in range(1, order + 1):
            v[o, :, k + 1] = v[o, :, k - 1] + (2 * k + 1) * v[o - 1, :, k]
    v *= np.sqrt(2.0 * np.arange(degree + 1) + 1.0)[:, None]
    return v


class CellPolynomials:
    """The polynomials of a degree at points of cells, in coordinates in which the circle has radius one.

    Parameters
    ----------
    placed : (cells, points, 2) array
    degree : int
    order : int
        The highest derivative that is asked for.
    """

    def __init__(self, placed: np.ndarray, degree: int, order: int) -> None:
        self.degree = degree
        self.x, self.y = placed[..., 0], placed[..., 1]
        self._along_x, self._along_y = (legendre(s, degree - 2, order) for s in (self.x, self.y))
        z = self.x + 1j * self.y
        self._powers = np.empty((len(z), degree + 1, z.shape[1]), dtype=complex)
        self._powers[:, 0] = 1.0
        for k in range(degree):
            np.multiply(self._powers[:, k], z, out=self._powers[:, k + 1])

    def bubbles(self, terms: Terms) -> np.ndarray:
        """sum_k c_k D^k of the polynomials that vanish on the circle: (cells, bubbles, points)."""
        x, y = self.x, self.y
        factor = {(0, 0): 1 - x * x - y * y, (1, 0): -2 * x, (0, 1): -2 * y, (2, 0): -2.0, (0, 2): -2.0}
        inner: dict[MultiIndex, np.ndarray] = {}
        for (a, b), c in terms:  # Leibniz' rule
            for (e, f), value in factor.items():
                if e <= a and f <= b:
                    more = comb(a, e) * comb(b, f) * (c * value)
                    inner[a - e, b - f] = inner.get((a - e, b - f), 0.0) + more
        along_y: dict[int, np.ndarray] = {}
        for (a, b), c in inner.items():
            along_y[a] = along_y.get(a, 0.0) + self._along_y[b] * np.asarray(c)[:, None]
        i, j = _exponents(self.degree - 2)
        total: np.ndarray | None = None
        for a, factors in along_y.items():
            part = self._along_x[a][:, i]
            part *= factors[:, j]
            total = part if total is None else np.add(total, part, out=total)
        assert total is not None
        return total

    def harmonics(self, terms: Terms) -> np.ndarray:
        """The same of the harmonic ones: (cells, harmonics, points)."""
        by_order: dict[int, np.ndarray] = {}
        for (a, b), c in terms:
            by_order[a + b] = by_order.get(a + b, 0.0) + c * 1j**b
        total = np.zeros_like(self._powers)
        p = self.degree
        for order, c in by_order.items():
            if order <= p:
                total[:, order:] += (_falling(p, order)[:, None] * self._powers[:, : p + 1 - order]) * c[:, None]
        return np.concatenate([total.real, total.imag[:, 1:]], axis=1)
