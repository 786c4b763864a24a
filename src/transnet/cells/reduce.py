"""Cells reduced to what they exchange with their neighbours: one batched factorisation for all of them.

The rows of the equations in a cell, weighted, are factored without a Q: R_1 c_1 + R_2 z = f determines the coefficients
c_1 of the polynomials that vanish on the circle around it; R_3 z = g is what the equations say of the others, z. So the
functions of a cell are an affine space of the dimension of z, two for each degree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import Coefficients, ColumnGroup
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.linalg import lapack
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement

ROWS = 1.3
"""Points of a cell for each polynomial of one unknown."""
MORE_ON_RIMS = 4
"""Points on a piece of the boundary beyond the degree."""
MOST_FOR_CORNERS = 12
"""The most points that are added to a piece of the boundary for the functions of corners."""


@dataclass(frozen=True, eq=False)
class PointSets:
    """Where a statement holds: points and normals (sets, m, 2), the cell of each set, and the weights of a rule
    (sets, m)."""

    cells: np.ndarray
    points: np.ndarray
    normals: np.ndarray | None
    weights: np.ndarray

    def counted(self, factors: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        """Factors by which an operator is measured: at a corner, where points count little, they may be unbounded."""
        if self.normals is not None:
            return factors
        share = self.weights / self.weights.max(axis=1, keepdims=True)
        return [c * share for c in factors]


Rights = Callable[[Statement, np.ndarray, np.ndarray | None, Sequence[np.ndarray]], np.ndarray]
"""Right-hand sides (n, r) of a statement at points, with normals, where its slots have these values."""
CellState = Any
"""The function about which equations are linearised: `values(points, cells, slots)`; None for zero."""


@dataclass(frozen=True, eq=False)
class StatedRow:
    """A statement on sets of points: its weighted coefficients, (sets, m) each, right-hand sides (sets, m, r), and the
    weights (sets, m)."""

    coefficients: Coefficients
    right: np.ndarray
    weights: np.ndarray


def row_of(
    statement: Statement,
    place: PointSets,
    units: CellUnits,
    numbers: Sequence[Any],
    state: CellState = None,
    rights: Rights | None = None,
) -> StatedRow:
    """A statement, linearised about a state, on points of cells, in their units.

    Parameters
    ----------
    rights : optional
        Other right-hand sides than its own.
    """
    equation = statement.equation
    shape = place.points.shape[:2]
    flat = place.points.reshape(-1, 2)
    normals = None if place.normals is None else place.normals.reshape(-1, 2)
    slots: Sequence[Slot] = equation.slots
    here = None
    if state is not None and (rights is not None or not equation.linear):
        here = [v.ravel() for v in state.values(place.points, place.cells, slots)]
    factors, right = linearised(statement, flat, normals, numbers, here, rights)
    wide = [np.broadcast_to(c, flat.shape[:1]).reshape(shape) for c in factors]
    weights = place.weights / units.sizes(slots, place.counted(wide), place.cells)[:, None]
    terms = [(s, c * weights) for s, c in zip(slots, wide, strict=True)]
    return StatedRow(terms, right.reshape(*shape, -1) * weights[..., None], weights)


def linearised(
    statement: Statement,
    points: np.ndarray,
    normals: np.ndarray | None,
    numbers: Sequence[Any],
    here: Sequence[np.ndarray] | None,
    rights: Rights | None,
) -> tuple[list[np.ndarray], np.ndarray]:
    """The factors of a statement's slots where these have values, or are zero, and its right-hand sides (n, r)."""
    equation = statement.equation
    factors = equation.jacobian(points, normals, numbers, here)
    if rights is not None and here is not None:
        return factors, rights(statement, points, normals, here)
    right = -equation.residual(points, normals, numbers, here)
    if here is not None:
        right = right + sum(np.asarray(c) * s for c, s in zip(factors, here, strict=True))
    return factors, right[:, None]


def places_of(
    statement: Statement, tiles: Tiles, count: int, which: np.ndarray, coordinates: Sequence[Any]
) -> PointSets:
    """The points of a condition on some pieces of the boundary, with weights where it holds."""
    points, normals, cells, lengths, weights = tiles.rim_points(count, which)
    share = np.sqrt(weights * (lengths / tiles.size[cells])[:, None])
    if statement.where is not None:
        holds = where_mask(statement.where, coordinates, points.reshape(-1, 2))
        share = share * holds.reshape(share.shape)
    return PointSets(cells, points, normals, share)


def rim_count(group: ColumnGroup) -> int:
    """Points on a piece of the boundary."""
    return group.degree + MORE_ON_RIMS + min(group.sums // (3 * group.unknowns), MOST_FOR_CORNERS)


def cell_insides(tiles: Tiles, group: ColumnGroup, share: float = 1.0, shift: float = 0.0) -> PointSets:
    """The points inside the cells of a group; around corners rows count less the closer they are."""
    count = int(np.ceil(share * ROWS * group.fitted / group.unknowns))
    cells = group.cells
    points = tiles.inside(cells, count, shift)
    weights = tiles.importance(points, cells) / np.sqrt(count)
    return PointSets(cells, points, None, weights)


@dataclass(frozen=True, eq=False)
class ReducedCells:
    """The cells of a group reduced: coefficients = affine [z, I] for each right-hand side, with rows R_3 z = g left
    for z, as [R_3, g]."""

    affine: np.ndarray
    left: np.ndarray

    def coefficients(self, z: np.ndarray) -> np.ndarray:
        """Those of all columns from the free ones."""
        return self.answers(z) + self.affine[..., z.shape[1] :]

    def answers(self, z: np.ndarray) -> np.ndarray:
        """The same without right-hand sides of the equations."""
        return self.affine[..., : z.shape[1]] @ z

    def rows(self, table: np.ndarray, cells: np.ndarray, rights: int, right: np.ndarray | None = None) -> np.ndarray:
        """Rows [B, r] for z from those of all columns (sets, columns + 1, m): (sets, m, free + rights)."""
        found = np.swapaxes(table[:, : self.affine.shape[1]], 1, 2) @ self.affine[cells]
        np.negative(found[..., -rights:], out=found[..., -rights:])
        if right is not None:
            found[..., -rights:] += right
        return found


@dataclass(frozen=True, eq=False)
class FactoredCells:
    """The rows of the equations inside the cells of a group, factored: the triangles (k, rows, columns + rights), with
    held columns in the order of their degrees. Polynomials of a lower degree have a part of the columns, and need no
    other factorisation."""

    group: ColumnGroup
    upper: np.ndarray
    order: np.ndarray
    orthogonal: np.ndarray | None = None

    @classmethod
    def of(cls, group: ColumnGroup, place: PointSets, rows: Sequence[StatedRow], keep: bool = False) -> FactoredCells:
        """Factor the rows of the equations; with `keep` other right-hand sides can be turned by `orthogonal`."""
        n, held, rights = group.fitted, group.held, rows[0].right.shape[2]
        matrix = group.rows(place.points, np.arange(len(group.cells)), [r.coefficients for r in rows], rights)
        matrix[:, n:] = np.swapaxes(np.concatenate([r.right for r in rows], axis=1), 1, 2)
        order = np.argsort(group.degrees[:held], kind="stable")
        matrix[:, :held] = matrix[:, order]
        if keep:
            turns, whole = np.linalg.qr(np.swapaxes(matrix, 1, 2))
            return cls(group, whole, order, turns[..., :n])
        upper: np.ndarray = np.linalg.qr(np.swapaxes(matrix, 1, 2), mode="r")  # type: ignore[assignment]
        return cls(group, upper, order)

    def reduced(self) -> ReducedCells:
        """The cells reduced."""
        group, upper = self.group, self.upper
        held, n = group.held, group.fitted
        affine = np.zeros((len(upper), n, upper.shape[2] - held))
        affine[:, np.arange(held, n), np.arange(n - held)] = 1.0
        affine[:, self.order] = self.divided(upper[:, :held, held:])
        affine[:, :held, : n - held] *= -1.0
        return ReducedCells(affine, upper[:, held:n, held:])

    def divided(self, right: np.ndarray) -> np.ndarray:
        """The polynomials that answer right-hand sides (k, held, r) of the triangles, in the order of their degrees."""
        held, found = self.group.held, np.empty_like(right)
        for out, upper, b in zip(found, self.upper, right, strict=True):
            out[...] = lapack.dtrtrs(upper[:held, :held].T, b, lower=1, trans=1)[0]
        return found

    def beyond(self, z: np.ndarray, lower: int) -> np.ndarray:
        """The polynomials (k, columns, r) that answer what a degree lower by this leaves of the equations, for free
        coefficients; none in cells with functions of corners, which would be others then."""
        group, held, n = self.group, self.group.held, self.group.fitted
        count = int(np.sum(group.degrees[:held] <= group.degree - lower))
        right = self.upper[:, :held, n:] - self.upper[:, :held, held:n] @ z
        right[:, :count] = 0.0
        right[[group.singular.width(k) > 0 for k in group.cells.tolist()]] = 0.0
        found = np.zeros((len(z), n, z.shape[2]))
        found[:, self.order] = self.divided(right)
        return found
