"""Polynomials that are orthonormal on a plane domain: the features of space of a slab where space is not a box.

They are made by Arnoldi's process: the next is one of a degree less times a coordinate, made orthogonal to those before
it. As for Legendre's polynomials, only those of the last two degrees take part, so they are evaluated by a recurrence,
at any degree without loss of digits (Brubeck, Nakatsukasa and Trefethen, "Vandermonde with Arnoldi", SIAM Review 2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from transnet.geometry import Domain
from transnet.linalg.sizes import rms

NODES = (4, 8, 16)
"""Nodes of the rule for each polynomial: a disk needs the first, a pentagon the second, a disk without another the
last. With a rule that is not exact the operator of waves is not symmetric, and they grow."""
EXACT = 1e-6
"""The error of a rule that is exact enough: of the integrals of the slopes of squares, by the divergence theorem."""
ON_AN_ARC = (32, 4)
"""Nodes on each arc of the boundary, and more for each degree: squares are exact on a circle."""
MOST = 600
"""The most polynomials of all unknowns together: degree 33 of one, 38 in the richer space. The factors of a slab then
take a second, and the polynomials are still orthonormal: on a pentagon they overlap by 5e-6 at degree 38."""


def _built_from(degree: int) -> list[tuple[int, int]]:
    """For each polynomial up to a degree, but the first, the number of its parent and the coordinate it is times."""
    found, numbers = [], {(0, 0): 0}
    for d in range(1, degree + 1):
        for j in range(d + 1):
            parent, axis = ((d - j - 1, j), 0) if d - j >= j else ((d - j, j - 1), 1)
            numbers[d - j, j] = len(numbers)
            found.append((numbers[parent], axis))
    return found


def count_of(degree: int) -> int:
    """The polynomials up to a degree."""
    return (degree + 1) * (degree + 2) // 2


def degree_of(number: int) -> int:
    """The degree of the polynomial of a number, from 0."""
    return (isqrt(2 * 4 * number + 1) - 1) // 2


@dataclass(frozen=True, eq=False)
class DomainPolynomials:
    """Polynomials up to a degree on a plane domain, orthonormal in the mean over it up to rounding, which grows with
    the degree.

    Parameters
    ----------
    degree : int
    box : (2, 2) array
        The bounds of the domain; the recurrence has coordinates from -1 to 1 there.
    table : (polynomials, widest) array
        For each polynomial the norm it is divided by, and what is subtracted of the ones before.
    domain : Domain or None
        None if it was read from a file: then it can only be evaluated.
    nodes, weights : arrays or None
        The rule of the domain; the weights add up to one.
    each : int
        Nodes for each polynomial.
    """

    degree: int
    box: np.ndarray
    table: np.ndarray
    domain: Domain | None = None
    nodes: np.ndarray | None = None
    weights: np.ndarray | None = None
    each: int = NODES[0]

    joints: tuple[tuple[float, float], ...] = ()
    edges: tuple[float, float] = (0.0, 1.0)

    @property
    def columns(self) -> int:
        return count_of(self.degree)

    @property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        assert self.nodes is not None
        assert self.weights is not None
        return self.nodes, self.weights

    def matrix(self, points: np.ndarray, index: Sequence[int]) -> np.ndarray:
        """A derivative of all polynomials: (n, columns)."""
        return self._made(points, index)[tuple(index)]

    def _made(self, points: np.ndarray, index: Sequence[int]) -> dict[tuple[int, ...], np.ndarray]:
        """A derivative of all polynomials, and the lower ones that it is made of."""
        scale = 2.0 / np.ptp(self.box, axis=0)
        local = (points - self.box[0]) * scale - 1.0
        below = list(product(*(range(k + 1) for k in index)))
        made = {k: np.zeros((self.columns, len(points))) for k in below}
        made[0, 0][0] = 1.0
        for number, (parent, axis) in enumerate(_built_from(self.degree), start=1):
            begin, row = self._before(number), self.table[number]
            for k, rows in made.items():
                value = local[:, axis] * rows[parent]
                if k[axis]:
                    lower = (k[0] - 1, k[1]) if axis == 0 else (k[0], k[1] - 1)
                    value += k[axis] * scale[axis] * made[lower][parent]
                rows[number] = (value - row[1 : 1 + number - begin] @ rows[begin:number]) / row[0]
        return {k: rows.T for k, rows in made.items()}

    @staticmethod
    def _before(number: int) -> int:
        """The first of the polynomials that take part in the recurrence of one: those of its last two degrees."""
        degree = degree_of(number)
        return count_of(degree - 3) if degree > 2 else 0

    @cached_property
    def _on_grid(self) -> dict[tuple[int, ...], np.ndarray]:
        return {}

    def at_grid(self, index: Sequence[int]) -> np.ndarray:
        """A derivative of all polynomials at the nodes, kept."""
        key = tuple(index)
        if key not in self._on_grid:
            self._on_grid.update(self._made(self.grid[0], key))
        return self._on_grid[key]

    @cached_property
    def fit(self) -> np.ndarray:
        """From values at the nodes to coefficients: the orthogonal projection."""
        overlap = self.tests @ self.at_grid((0, 0)) - np.eye(self.columns)
        return self.tests - overlap @ self.tests  # rounding of 1e-6 is squared

    @cached_property
    def tests(self) -> np.ndarray:
        """The polynomials as test functions: (columns, nodes)."""
        return (self.at_grid((0, 0)) * self.grid[1][:, None]).T

    # -- how many --------------------------------------------------------------------------------------------------
    @property
    def count(self) -> int:
        return self.degree

    def by_count(self, line: np.ndarray) -> np.ndarray:
        """The sizes of coefficients by degree."""
        ends = [count_of(d - 1) for d in range(self.degree + 1)]
        return np.sqrt(np.add.reduceat(line**2, ends))

    def tails(self, sizes: np.ndarray) -> np.ndarray:
        return np.array([rms(self.by_count(sizes)[-3:])])

    def most(self, unknowns: int) -> int:
        """The highest degree for a number of unknowns."""
        return degree_of(MOST // unknowns) - 1

    def of_count(self, count: int) -> DomainPolynomials:
        assert self.domain is not None
        return polynomials_on(self.domain, count, self.each)

    def stored(self) -> dict[str, Any]:
        return {"kind": "region", "degree": self.degree, "box": self.box.tolist(), "table": self.table.tolist()}


def polynomials_on(domain: Domain, degree: int, least: int = NODES[0]) -> DomainPolynomials:
    """The orthonormal polynomials up to a degree on a domain, with a rule that is exact for their products."""
    for each in (n for n in NODES if n >= least):
        nodes, weights = domain.quadrature(each * count_of(degree))
        found = replace(_by_arnoldi(domain, degree, nodes, weights / weights.sum()), each=each)
        if _inexact(found, float(weights.sum())) <= EXACT:
            break
    return found


def boundary_rule(domain: Domain, parts: Sequence[str], degree: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes on parts of the boundary, normals and weights."""
    rules = [arc.quadrature(ON_AN_ARC[0] + ON_AN_ARC[1] * degree) for part in parts for arc in domain.arcs(part)]
    points, normals, weights = (np.concatenate(each) for each in zip(*rules, strict=True))
    return points, normals, weights


def _inexact(region: DomainPolynomials, area: float) -> float:
    """By how much the rule misses the integral of the x-slope of the squares of the last polynomials."""
    assert region.domain is not None
    last = slice(count_of(region.degree - 1), None)
    slopes = region.at_grid((1, 0))[:, last] * region.at_grid((0, 0))[:, last]
    points, normals, weights = boundary_rule(region.domain, region.domain.resolve("boundary"), region.degree)
    outside = (weights * normals[:, 0] / area) @ region.matrix(points, (0, 0))[:, last] ** 2
    inside = 2.0 * region.grid[1] @ slopes
    return float(np.abs(inside - outside).max() / (region.grid[1] @ np.abs(slopes)).max())


def _by_arnoldi(domain: Domain, degree: int, nodes: np.ndarray, weights: np.ndarray) -> DomainPolynomials:
    box = np.asarray(domain.bounds, dtype=float)
    local = 2.0 * (nodes - box[0]) / np.ptp(box, axis=0) - 1.0
    every = _built_from(degree)
    rows = np.empty((len(every) + 1, len(nodes)))
    rows[0] = 1.0
    table = np.zeros((len(rows), 3 * degree + 2))
    for number, (parent, axis) in enumerate(every, start=1):
        begin = DomainPolynomials._before(number)
        value, before = local[:, axis] * rows[parent], rows[begin:number]
        for _ in range(2):  # twice is enough
            part = before @ (weights * value)
            value = value - part @ before
            table[number, 1 : 1 + number - begin] += part
        table[number, 0] = np.sqrt(weights @ value**2)
        rows[number] = value / table[number, 0]
    return DomainPolynomials(degree, box, table, domain, nodes, weights)


def polynomials_from(data: Mapping[str, Any]) -> DomainPolynomials:
    """The polynomials that `stored` described."""
    degree, box, table = int(data["degree"]), np.array(data["box"], dtype=float), np.array(data["table"], dtype=float)
    if degree < 0 or box.shape != (2, 2) or table.shape != (count_of(degree), 3 * degree + 2):
        raise ValueError("the recurrence of its polynomials is incomplete")
    if not np.isfinite(table).all() or np.any(table[1:, 0] <= 0) or not np.all(box[1] > box[0]) or np.isinf(box).any():
        raise ValueError("the recurrence of its polynomials has numbers that cannot be")
    return DomainPolynomials(degree, box, table)
