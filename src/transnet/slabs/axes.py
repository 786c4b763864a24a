"""Features along one coordinate of space: polynomials on pieces of it, or Fourier modes if it is periodic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.linalg.sizes import rms
from transnet.slabs.stages import legendre_table
from transnet.tolerances import SAME

ROWS = 1.5
"""Gauss points per column along an axis: fewer leave modes free, more cost time and change nothing."""
RICHER = 6
"""A richer space has one in this many more features along an axis, at least three: what is missing is mostly in the
next few."""


def richer(count: int) -> int:
    """The degree, or the number of waves, of a richer space."""
    return count + max(3, count // RICHER)


@dataclass(frozen=True)
class Polynomials:
    """Orthonormal Legendre polynomials up to a degree on each piece between edges; the last may meet the first."""

    edges: tuple[float, ...]
    degree: int
    periodic: bool = False

    @property
    def columns(self) -> int:
        return (len(self.edges) - 1) * (self.degree + 1)

    @cached_property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        """Gauss's points and weights on each piece; the weights add up to one."""
        count = int(np.ceil(ROWS * (self.degree + 1)))
        y, w = np.polynomial.legendre.leggauss(count)
        low, half = np.array(self.edges[:-1]), np.diff(self.edges) / 2
        points = (low + half)[:, None] + half[:, None] * y
        return points.ravel(), (w * half[:, None]).ravel() / (self.edges[-1] - self.edges[0])

    @property
    def joints(self) -> tuple[tuple[float, float], ...]:
        """Where pieces meet: the end of one and the beginning of the other."""
        inner = tuple((e, e) for e in self.edges[1:-1])
        return (*inner, (self.edges[-1], self.edges[0])) if self.periodic else inner

    def matrix(self, x: np.ndarray, order: int, side: int = 0) -> np.ndarray:
        """The derivatives of the features: (n, columns). At an edge the piece on its `side` (-1 or 1) is used."""
        edges = np.array(self.edges)
        inner = edges[1:-1]
        shift = SAME * side * np.diff(edges).min()
        piece = np.searchsorted(inner, x + shift, side="right")
        half = np.diff(edges)[piece] / 2
        local = (x - edges[piece]) / half - 1.0
        n = self.degree + 1
        table = legendre_table(local, self.degree, order) / half[:, None] ** order
        if len(edges) == 2:
            return table
        out = np.zeros((len(x), self.columns))
        out[np.arange(len(x))[:, None], piece[:, None] * n + np.arange(n)] = table
        return out

    @cached_property
    def fit(self) -> np.ndarray:
        """From values at the grid to coefficients: the orthogonal projection."""
        points, weights = self.grid
        masses = np.repeat(np.diff(self.edges), self.degree + 1) / (self.edges[-1] - self.edges[0])
        return (self.matrix(points, 0) * weights[:, None]).T / masses[:, None]

    def tests(self, drop: int) -> np.ndarray:
        """The test functions of rows: all but the last few polynomials of each piece, times the weights: (r, m)."""
        points, weights = self.grid
        kept = np.tile(np.arange(self.degree + 1) <= self.degree - drop, len(self.edges) - 1)
        masses = np.repeat(np.diff(self.edges), self.degree + 1) / (self.edges[-1] - self.edges[0])
        return (self.matrix(points, 0)[:, kept] * weights[:, None] / np.sqrt(masses[kept])).T

    @property
    def count(self) -> int:
        """What there can be more of: the degree."""
        return self.degree

    def by_count(self, line: np.ndarray) -> np.ndarray:
        """The sizes of coefficients by degree, from those of all (columns,)."""
        return line

    def of_count(self, count: int) -> Polynomials:
        """Polynomials of another degree on the same pieces."""
        return Polynomials(self.edges, count, self.periodic)

    def richer(self) -> Polynomials:
        """More polynomials on the same pieces."""
        return self.of_count(richer(self.degree))

    def tails(self, sizes: np.ndarray) -> np.ndarray:
        """The size of the last coefficients of each piece, from the sizes of all (columns,)."""
        by_piece = sizes.reshape(-1, self.degree + 1)
        return rms(by_piece[:, -3:], axis=1)

    def split(self, pieces: np.ndarray) -> Polynomials:
        """The chosen pieces cut in halves."""
        middles = [(a + b) / 2 for a, b, cut in zip(self.edges[:-1], self.edges[1:], pieces, strict=True) if cut]
        return Polynomials(tuple(sorted((*self.edges, *middles))), self.degree, self.periodic)

    def stored(self) -> dict[str, Any]:
        return {"kind": "polynomials", "edges": list(self.edges), "degree": self.degree, "periodic": self.periodic}


@dataclass(frozen=True)
class Fourier:
    """1, sqrt(2) sin and sqrt(2) cos of the multiples of a period up to a number."""

    low: float
    high: float
    modes: int

    @property
    def columns(self) -> int:
        return 2 * self.modes + 1

    @property
    def joints(self) -> tuple[tuple[float, float], ...]:
        return ()

    @cached_property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        """Evenly spaced points, and weights that add up to one."""
        count = int(np.ceil(ROWS * self.columns))
        return self.low + (self.high - self.low) * (np.arange(count) + 0.5) / count, np.full(count, 1.0 / count)

    def matrix(self, x: np.ndarray, order: int, side: int = 0) -> np.ndarray:
        k = 2 * np.pi / (self.high - self.low) * np.arange(1, self.modes + 1)
        z = np.outer(x - self.low, k)
        out = np.empty((len(x), self.columns))
        out[:, 0] = 1.0 if order == 0 else 0.0
        turns = z + 0.5 * np.pi * order
        out[:, 1::2] = np.sqrt(2) * k**order * np.sin(turns)
        out[:, 2::2] = np.sqrt(2) * k**order * np.cos(turns)
        return out

    @cached_property
    def fit(self) -> np.ndarray:
        points, weights = self.grid
        return (self.matrix(points, 0) * weights[:, None]).T

    def tests(self, drop: int) -> np.ndarray:
        return self.fit

    @property
    def count(self) -> int:
        return self.modes

    @property
    def edges(self) -> tuple[float, float]:
        return self.low, self.high

    def by_count(self, line: np.ndarray) -> np.ndarray:
        return np.append(line[0], np.hypot(line[1::2], line[2::2]))

    def of_count(self, count: int) -> Fourier:
        return Fourier(self.low, self.high, count)

    def richer(self) -> Fourier:
        return self.of_count(richer(self.modes))

    def tails(self, sizes: np.ndarray) -> np.ndarray:
        return np.array([rms(sizes[-6:])])

    def stored(self) -> dict[str, Any]:
        return {"kind": "fourier", "low": self.low, "high": self.high, "modes": self.modes}


Axis = Polynomials | Fourier


def axis_from(data: Mapping[str, Any]) -> Axis:
    """The axis that `stored` described."""
    if data["kind"] == "fourier":
        return Fourier(float(data["low"]), float(data["high"]), int(data["modes"]))
    if data["kind"] != "polynomials":
        raise ValueError(f"there are no features of the kind {data['kind']!r}")
    return Polynomials(tuple(map(float, data["edges"])), int(data["degree"]), bool(data["periodic"]))
