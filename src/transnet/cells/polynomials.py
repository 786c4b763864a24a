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
def _blocks(degree: int) -> tuple[tuple[int, int, int], ...]:
    """For each degree in y of q: the columns from the first to the last, and the number of degrees in x."""
    counts = [degree - 1 - j for j in range(degree - 1)]
    return tuple((sum(counts[:j]), sum(counts[: j + 1]), n) for j, n in enumerate(counts))


@lru_cache(maxsize=64)
def total_degrees(degree: int) -> np.ndarray:
    """The degree of each polynomial, those that vanish on the circle first."""
    inner = [2 + i + j for j in range(degree - 1) for i in range(degree - 1 - j)]
    return np.array([*inner, *range(degree + 1), *range(1, degree + 1)])


@lru_cache(maxsize=64)
def _falling(degree: int, order: int) -> np.ndarray:
    """k (k - 1) ... (k - order + 1) for k = order, ..., degree."""
    k = np.arange(order, degree + 1, dtype=float)
    return np.prod([k - j for j in range(order)], axis=0) if order else np.ones(degree + 1)


def legendre(s: np.ndarray, degree: int, order: int) -> np.ndarray:
    """Normalised Legendre polynomials and their derivatives at s (...): (order + 1, degree + 1, ...)."""
    v = np.zeros((order + 1, degree + 1, *s.shape))
    v[0, 0] = 1.0
    if degree:
        v[0, 1] = s
        if order:
            v[1, 1] = 1.0
    for k in range(1, degree):
        np.multiply(v[0, k], (2 * k + 1) / (k + 1) * s, out=v[0, k + 1])
        v[0, k + 1] -= k / (k + 1) * v[0, k - 1]
        if order:
            np.multiply(v[:order, k], 2 * k + 1, out=v[1:, k + 1])
            v[1:, k + 1] += v[1:, k - 1]
    v *= np.sqrt(2.0 * np.arange(degree + 1) + 1.0).reshape(-1, *(1,) * s.ndim)
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
        self.degree, self.order = degree, order
        self.x, self.y = placed[..., 0], placed[..., 1]
        both = legendre(np.moveaxis(placed, 2, 0), degree - 2, order)
        self._along_x, self._along_y = np.moveaxis(both[:, :, 0], 1, 2), np.moveaxis(both[:, :, 1], 1, 2)
        z = self.x + 1j * self.y
        self._powers = np.empty((len(z), degree + 1, z.shape[1]), dtype=complex)
        self._powers[:, 0] = 1.0
        for k in range(degree):
            np.multiply(self._powers[:, k], z, out=self._powers[:, k + 1])

    def _leibniz(self, index: MultiIndex) -> list[tuple[MultiIndex, np.ndarray | float]]:
        """The derivatives of q in a derivative of (1 - x^2 - y^2) q, with their factors."""
        x, y = self.x, self.y
        a, b = index
        found: list[tuple[MultiIndex, np.ndarray | float]] = [((a, b), 1 - x * x - y * y)]
        for e, f, value in ((1, 0, -2.0 * x), (0, 1, -2.0 * y), (2, 0, -2.0), (0, 2, -2.0)):
            if e <= a and f <= b:
                found.append(((a - e, b - f), comb(a, e) * comb(b, f) * value))
        return found

    def bubbles(self, terms: Terms, out: np.ndarray | None = None, lower: int = 0) -> np.ndarray:
        """sum_k c_k D^k of the polynomials that vanish on the circle: (cells, bubbles, points).

        Parameters
        ----------
        lower : int
            By how much their degree is lower.
        """
        degree = self.degree - lower
        by_x: dict[int, dict[int, np.ndarray]] = {}
        for index, c in terms:
            for (a, b), factor in self._leibniz(index):
                inner = by_x.setdefault(a, {})
                inner[b] = inner[b] + c * factor if b in inner else c * factor
        k, m = self.x.shape
        found = np.empty((k, bubbles(degree), m)) if out is None else out
        spare = np.empty((k, degree - 1, m))
        for number, (a, inner) in enumerate(by_x.items()):
            along_y = sum(self._along_y[b] * c[:, None] for b, c in inner.items())
            along_x = self._along_x[a]
            for j, (first, last, n) in enumerate(_blocks(degree)):
                target = spare[:, :n] if number else found[:, first:last]
                np.multiply(along_x[:, :n], along_y[:, j, None], out=target)
                if number:
                    found[:, first:last] += target
        return found

    def harmonics(self, terms: Terms, out: np.ndarray | None = None, lower: int = 0) -> np.ndarray:
        """The same of the harmonic ones: (cells, harmonics, points)."""
        by_order: dict[int, np.ndarray] = {}
        for (a, b), c in terms:
            by_order[a + b] = by_order.get(a + b, 0.0) + c * 1j**b
        p = self.degree - lower
        total = np.zeros_like(self._powers[:, : p + 1])
        for order, c in by_order.items():
            if order <= p:
                total[:, order:] += self._powers[:, : p + 1 - order] * (_falling(p, order)[:, None] * c[:, None])
        found = np.empty((len(total), harmonics(p), total.shape[2])) if out is None else out
        found[:, : p + 1], found[:, p + 1 :] = total.real, total.imag[:, 1:]
        return found

    def values(self, coefficients: np.ndarray, indices: Sequence[MultiIndex], lower: int = 0) -> list[np.ndarray]:
        """D^k of the sums of all polynomials with coefficients (..., cells, bubbles + harmonics): (..., cells, points)
        each.

        Sums over x and over y are separate, which is faster than the polynomials themselves.
        """
        p = self.degree - lower
        square = np.zeros((*coefficients.shape[:-1], p - 1, p - 1))
        for j, (first, last, n) in enumerate(_blocks(p)):
            square[..., j, :n] = coefficients[..., first:last]
        of_harmonics = coefficients[..., bubbles(p) :]
        factors = of_harmonics[..., : p + 1].astype(complex)
        factors[..., 1:] -= 1j * of_harmonics[..., p + 1 :]
        along_x = [square @ table[:, : p - 1] for table in self._along_x]
        inner: dict[MultiIndex, np.ndarray] = {}
        analytic: dict[int, np.ndarray] = {}
        found = []
        for a, b in indices:
            total: np.ndarray | float = 0.0
            for (c, d), factor in self._leibniz((a, b)):
                if (c, d) not in inner:
                    inner[c, d] = np.einsum("...kjm,kjm->...km", along_x[c], self._along_y[d][:, : p - 1])
                total = total + factor * inner[c, d]
            if a + b not in analytic:
                made = (factors[..., None, a + b :] * _falling(p, a + b)) @ self._powers[:, : p + 1 - a - b]
                analytic[a + b] = made[..., 0, :]
            found.append(total + (1j**b * analytic[a + b]).real)
        return found
