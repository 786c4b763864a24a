"""Cells reduced to what they exchange with their neighbours: one batched factorisation for all of them.

The rows of the equations in a cell, weighted, are factored without a Q: R_1 c_1 + R_2 z = f determines the coefficients
c_1 of the polynomials that vanish on the circle around it; R_3 z = g is what the equations say of the others, z. So the
functions of a cell are an affine space of the dimension of z, two for each degree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import CellColumns, Coefficients
from transnet.cells.tiles import Tiles
from transnet.linalg import lapack
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement

ROWS = 1.4
"""Points of a cell for each polynomial of one unknown."""
MORE_ON_FACES, MORE_ON_RIMS = 2, 4
"""Points on a face, and on a piece of the boundary, beyond the degree."""
MOST_FOR_CORNERS = 12
"""The most points that are added to a piece of the boundary for the functions of corners."""
STIFF = 1.0
"""The weight of normal derivatives on faces, times the size of a cell over the degree."""


@dataclass(frozen=True, eq=False)
class CellRows:
    """Weighted rows of a statement on sets of points: matrix (sets, points, columns), right-hand sides (sets,
    points)."""

    cells: np.ndarray
    matrix: np.ndarray
    right: np.ndarray

    def reduced(self, null: np.ndarray, particular: np.ndarray) -> CellRows:
        """The same for the free coefficients."""
        left = self.right - np.einsum("kmc,kc->km", self.matrix, particular[self.cells])
        return CellRows(self.cells, self.matrix @ null[self.cells], left)


@dataclass(frozen=True, eq=False)
class PointSets:
    """Where a statement holds: points and normals (sets, m, 2), the cell of each set, and the weights of a rule
    (sets, m)."""

    cells: np.ndarray
    points: np.ndarray
    normals: np.ndarray | None
    weights: np.ndarray


CellState = Any
"""The function about which equations are linearised: `values(points, cells, slots)`; None for zero."""


def row_of(
    statement: Statement,
    place: PointSets,
    tiles: Tiles,
    degree: int,
    numbers: Sequence[Any],
    state: CellState = None,
) -> tuple[Coefficients, np.ndarray, np.ndarray]:
    """The coefficients of a statement on its points, its right-hand side, and its weights, (sets, m) each.

    A row counts by the size of its operator for functions that oscillate as the polynomials of a cell do.
    """
    equation = statement.equation
    sets, m = place.points.shape[:2]
    flat = place.points.reshape(-1, 2)
    normals = None if place.normals is None else place.normals.reshape(-1, 2)
    slots: Sequence[Slot] = equation.slots
    here = None
    if state is not None and not equation.linear:
        here = [v.ravel() for v in state.values(place.points, place.cells, slots)]
    factors = equation.jacobian(flat, normals, numbers, here)
    right = -equation.residual(flat, normals, numbers, here)
    if here is not None:
        right = right + sum(np.asarray(c) * s for c, s in zip(factors, here, strict=True))
    made, size = [], np.zeros(sets)
    half = tiles.half[place.cells]
    for slot, c in zip(slots, factors, strict=True):
        wide = np.broadcast_to(c, (sets * m,)).reshape(sets, m)
        made.append((slot, wide))
        unit = np.prod((2.0 * half / degree) ** np.array(slot[1]), axis=1)
        size = np.maximum(size, np.abs(wide).max(axis=1) / unit)
    weights = place.weights / np.where(size > 0, size, 1.0)[:, None]
    return made, right.reshape(sets, m), weights


def places_of(
    statement: Statement, tiles: Tiles, count: int, domain: Any, coordinates: Sequence[Any]
) -> PointSets | None:
    """The points of a condition: those of its part of the boundary where it holds; None if there are none."""
    points, normals, cells, lengths, weights = tiles.rim_points(count)
    parts = set(domain.resolve(statement.part))
    mine = np.array([tiles.outline.arcs[arc][0] in parts for _, arc, _, _ in tiles.rims], dtype=bool)
    if not mine.any():
        return None
    share = np.sqrt(weights * (lengths / tiles.size[cells])[:, None])[mine]
    if statement.where is not None:
        holds = where_mask(statement.where, coordinates, points[mine].reshape(-1, 2))
        share = share * holds.reshape(share.shape)
    return PointSets(cells[mine], points[mine], normals[mine], share)


def rim_count(columns: CellColumns) -> int:
    """Points on a piece of the boundary."""
    return columns.degree + MORE_ON_RIMS + min(columns.width // (3 * columns.unknowns), MOST_FOR_CORNERS)


def cell_insides(tiles: Tiles, columns: CellColumns, share: float = 1.0, shift: float = 0.0) -> PointSets:
    """The points inside all cells; around corners rows count less the closer they are."""
    count = int(np.ceil(share * ROWS * columns.each / columns.unknowns))
    points = tiles.inside(count, shift)
    weights = np.full(points.shape[:2], 1.0 / np.sqrt(count))
    corners = np.flatnonzero(tiles.open)
    if len(corners):
        away = np.linalg.norm(points[corners] - tiles.origin[corners][:, None], axis=2)
        weights[corners] *= np.minimum(away / tiles.size[corners][:, None], 1.0)
    return PointSets(np.arange(len(tiles)), points, None, weights)


@dataclass(frozen=True, eq=False)
class ReducedCells:
    """All cells reduced: coefficients = particular + null z, with rows left = R_3 z - g for z."""

    null: np.ndarray
    particular: np.ndarray
    left: CellRows


def reduce_cells(
    columns: CellColumns, place: PointSets, rows: Sequence[tuple[Coefficients, np.ndarray, np.ndarray]]
) -> ReducedCells:
    """Reduce all cells; each row is an equation with its right-hand side and weights."""
    k, m = place.points.shape[:2]
    n, held, free = columns.each, columns.held, columns.free
    matrix = np.empty((k, n + 1, m * len(rows)))
    made = columns.several(place.points, place.cells, [c for c, _, _ in rows])
    for i, (_, right, weights) in enumerate(rows):
        here = slice(i * m, (i + 1) * m)
        np.multiply(made[i], weights[:, None], out=matrix[:, :n, here])
        matrix[:, n, here] = right * weights
    upper: np.ndarray = np.linalg.qr(np.swapaxes(matrix, 1, 2), mode="r")  # type: ignore[assignment]
    null, particular = np.zeros((k, n, free)), np.zeros((k, n))
    null[:, held:] = np.eye(free)
    for j in range(k):
        solved = lapack.dtrtrs(upper[j, :held, :held], upper[j, :held, held:])[0]
        null[j, :held], particular[j, :held] = -solved[:, :-1], solved[:, -1]
    tall = min(n, upper.shape[1])
    return ReducedCells(null, particular, CellRows(place.cells, upper[:, held:tall, held:n], upper[:, held:tall, n]))


def cell_face_rows(columns: CellColumns, tiles: Tiles) -> tuple[np.ndarray, np.ndarray]:
    """The rows of both sides of all faces: values and normal derivatives of every unknown, (f, rows, columns) each."""
    degree = columns.degree
    points, normals, lengths, weights = tiles.face_points(degree + MORE_ON_FACES)
    size = tiles.size[tiles.pairs].mean(axis=1)
    share = np.sqrt(weights[None] * (lengths / size)[:, None])
    one = np.ones(points.shape[:2])
    rows: list[Coefficients] = []
    for u in range(columns.unknowns):
        slope = (STIFF * size / degree)[:, None] * one
        rows.append([((u, (0, 0)), one)])
        rows.append([((u, (1, 0)), normals[:, :1] * slope), ((u, (0, 1)), normals[:, 1:] * slope)])
    sides = []
    for side in (0, 1):
        made = columns.several(points, tiles.pairs[:, side], rows)
        sides.append(np.concatenate([np.swapaxes(r * share[:, None], 1, 2) for r in made], axis=1))
    return sides[0], sides[1]
