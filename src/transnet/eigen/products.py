"""Products of polynomials along the axes of an interval or a rectangle, as the features of an eigenvalue problem.

Rows are at Gauss's points, which are dense towards the ends: there polynomials need them. Columns are ordered by
degree, so that the leading ones are the products of a lower degree, with which values are compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.expansion import Slot
from transnet.basis.foci import Focus
from transnet.boxes.basis import BoxBasis
from transnet.boxes.statement import Steady, steady_of
from transnet.errors import AccuracyWarning, Message
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.problem.complex import complex_pairs
from transnet.reading.search import Places
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.sharp import edges_around, sharp_places, sorted_edges
from transnet.rows.statements import statements_of
from transnet.slabs.axes import Axis, Fourier, Polynomials
from transnet.slabs.space import Space
from transnet.tolerances import ROUNDED

PRODUCT_DEGREES = {1: (24, 34, 48, 96, 192), 2: (12, 20, 30, 40)}
"""The degrees along each axis that are tried, by dimension: two wells in a rectangle take 20 to 40."""
SEEN = 0.02
"""A peak narrower than this part of a plane domain may lie between the points: forty polynomials are twice that apart
in the middle."""
SHORTER = 4
"""On a line in pieces degrees are lower by this factor: pieces are as wide as what is narrow in them."""


@dataclass(frozen=True, eq=False)
class Products:
    """Products up to a degree along each axis, the same for every unknown, in the order of their degrees."""

    unknowns: int
    space: Space
    highest: int
    owners: tuple[int, ...] = ()
    """The unknown of each equation."""

    @property
    def columns(self) -> int:
        return self.unknowns * self.space.columns

    @property
    def foci(self) -> list[Focus]:
        """None: polynomials are smooth everywhere."""
        return []

    @cached_property
    def _degrees(self) -> np.ndarray:
        """The degree of each product of the space: the largest of its factors, relative to the highest."""
        along = [_degrees(axis) / max(axis.count, 1) for axis in self.space.axes]
        return np.max(np.meshgrid(*along, indexing="ij"), axis=0).ravel()

    @cached_property
    def _order(self) -> np.ndarray:
        return np.argsort(self._degrees, kind="stable")

    @cached_property
    def _scales(self) -> np.ndarray:
        """Factors that make the derivatives of all products alike: a search cuts off what is small beside others."""
        along = [rms(axis.matrix(axis.grid[0], self.highest), axis=0) for axis in self.space.axes]
        along = [a + np.median(a) for a in along]
        return 1.0 / np.sum(np.meshgrid(*along, indexing="ij"), axis=0).ravel()

    @cached_property
    def norms(self) -> np.ndarray:
        """The root mean square of each column."""
        return np.repeat((self._scales * np.sqrt(self.space.masses))[self._order], self.unknowns)

    def joints(self, columns: int) -> np.ndarray:
        """The jumps of the first columns, and of their derivatives, where pieces of the axes meet: (n, columns)."""
        made = [np.zeros((0, self.space.columns))]
        for k, axis in enumerate(self.space.axes):
            for left, right in axis.joints:
                for order in range(self.highest):
                    index = tuple(order * (j == k) for j in range(len(self.space.axes)))
                    jump = self.space.face_matrix(k, left, index, -1) - self.space.face_matrix(k, right, index, 1)
                    made.append(jump * self._scales)
        rows = np.concatenate(made)[:, self._order]
        return np.asarray(np.kron(rows, np.eye(self.unknowns))[:, :columns])

    def tests(self, unknown: int, columns: int) -> np.ndarray:
        """The first columns of norm one that belong to an unknown, zeros for others, at the points of the axes, times
        the weights of these: (points, columns)."""
        points, weights = self.space.grid
        made = np.zeros((len(points), self.columns))
        values = self.space.matrix(points, (0,) * points.shape[1]) / np.sqrt(self.space.masses)
        made[:, self.slice_of(unknown)] = values[:, self._order]
        return np.asarray(made[:, :columns] * weights[:, None])

    def _values(self, points: np.ndarray, index: Sequence[int]) -> np.ndarray:
        return (self.space.matrix(points, index) * self._scales)[:, self._order]

    def slice_of(self, unknown: int) -> slice:
        return slice(unknown, None, self.unknowns)

    def leading(self, fraction: float) -> tuple[int, int]:
        """How many products there are for each unknown, and how many columns, up to a lower degree: lower by two at
        least, since one more changes nothing for functions of the other parity."""
        part = min(fraction ** (1 / len(self.space.axes)), *(1.0 - 2.0 / axis.count for axis in self.space.axes))
        count = int(np.count_nonzero(self._degrees <= part * (1.0 + ROUNDED)))
        return count, count * self.unknowns

    def features(self, points: np.ndarray) -> list[np.ndarray]:
        """The values of the features of each unknown at points: (n, size) each."""
        return [self._values(points, (0,) * points.shape[1])] * self.unknowns

    def write(
        self,
        out: np.ndarray,
        points: np.ndarray,
        slots: Sequence[Slot],
        coefficients: Sequence[np.ndarray],
        factor: float = 1.0,
    ) -> None:
        """Write sum_k c_k D^k phi_m at points, times the factor, into the transposed rows `out`: (columns, n)."""
        out[:] = 0.0
        for (unknown, index), c in zip(slots, coefficients, strict=True):
            if np.any(c):
                out[self.slice_of(unknown)] += (factor * c) * self._values(points, index).T

    def of_unknowns(self, numbers: Sequence[int]) -> Products:
        """The basis of other unknowns, each with the features of one of these."""
        return replace(self, unknowns=len(numbers))

    def plain(self, coefficients: np.ndarray) -> tuple[BoxBasis, np.ndarray]:
        """The same features in the order of a box, and the coefficients of a function in it."""
        made = np.empty((self.unknowns, self.space.columns))
        for k in range(self.unknowns):
            made[k, self._order] = coefficients[self.slice_of(k)] * self._scales[self._order]
        return BoxBasis(self.unknowns, self.space), made.ravel()

    def summary(self) -> str:
        return BoxBasis(self.unknowns, self.space).summary()

    def blocks(self, problem: Problem) -> list[Block]:
        """The equations at the points of the axes, the conditions at those of the faces."""
        steady = steady_of(problem)
        assert steady is not None
        made = [Block(s, Nodes(self.space.grid[0])) for s in steady.equations]
        for side in steady.sides:
            points = self.space.face_grid(side.axis, side.place)[0]
            normals = np.zeros(points.shape)
            normals[:, side.axis] = side.sign
            made.append(Block(side.statement, Nodes(points), normals))
        return made


def products_of(problem: Problem, edges: Sequence[float], degree: int) -> Products:
    """Products of polynomials up to a degree along each axis, of waves where the problem is periodic; along a line
    with edges, in pieces."""
    steady = steady_of(problem)
    assert steady is not None
    axes = [_axis(steady, k, degree) for k in range(problem.domain.dimension)]
    if edges:
        axes = [Polynomials(tuple(edges), degree // SHORTER, periodic=0 in steady.periodic)]
    return Products(len(problem.unknowns), Space(tuple(axes)), steady.order, steady.owners)


def narrow_places(problem: Problem, values: Mapping[sp.Symbol, Any], lam: sp.Symbol) -> list[Places]:
    """Where the equations are narrow."""
    numbers = [1.0 if p == lam else v for p, v in values.items()]
    equations = [s.equation for s in statements_of(problem, lagged=False) if s.kind == "equation"]
    return [p for e in equations for p in sharp_places(problem, e, numbers, problem.domain.bounds)]


def edges_at(problem: Problem, places: Sequence[Places]) -> tuple[float, ...]:
    """The ends of pieces of a line around what is narrow; none if nothing is."""
    if problem.domain.dimension > 1:
        return ()
    low, high = (float(b) for b in problem.domain.bounds[:, 0])
    return sorted_edges({low, high}.union(*(edges_around(p, 0, low, high) for p in places)))


def too_narrow(problem: Problem, places: Sequence[Places]) -> Message | None:
    """What is too narrow for features everywhere, in words; None if nothing is."""
    sides = np.ptp(problem.domain.bounds, axis=0)
    for found in places:
        width, side = found.widths.min(axis=0), sides[list(found.axes)]
        if found.kind == "peak" and (width < SEEN * side).any():
            at = ", ".join(
                f"{problem.coordinates[a]} = {v:.4g}" for a, v in zip(found.axes, found.centres[0], strict=True)
            )
            return Message(
                AccuracyWarning,
                f"The equations have a peak of width {width.min():.1e} at {at}, which the features do not resolve: "
                f"values may be missing, and the errors are unknown. State the problem on a smaller domain around it "
                f"to see what it binds.",
            )
    return None


def in_products(problem: Problem) -> bool:
    """Whether a problem is one for products of polynomials: the functions of a plate are singular at its corners."""
    d, steady = problem.domain.dimension, None if complex_pairs(problem) else steady_of(problem)
    return d in PRODUCT_DEGREES and steady is not None and (d == 1 or steady.order == 2)


def _axis(steady: Steady, k: int, degree: int) -> Axis:
    low, high = (float(v) for v in steady.bounds[:, k])
    return Fourier(low, high, degree // 2) if k in steady.periodic else Polynomials((low, high), degree)


def _degrees(axis: Axis) -> np.ndarray:
    """The degree, or the number of the wave, of each feature along an axis."""
    count = np.arange(axis.columns)
    return (count + 1) // 2 if isinstance(axis, Fourier) else count % (axis.degree + 1)
