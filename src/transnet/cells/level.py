"""One solution on one set of cells: rows, reduction, glue, and how well it satisfies everything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import CellColumns
from transnet.cells.glue import glued
from transnet.cells.reduce import (
    CellRows,
    CellState,
    PointSets,
    cell_face_rows,
    cell_insides,
    places_of,
    reduce_cells,
    rim_count,
    row_of,
)
from transnet.cells.tiles import Tiles
from transnet.features.singular import Singular
from transnet.problem import Problem
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual

JUDGED = 16
"""Points of a cell at which two solutions are compared."""
FRESH = 0.5
"""Points inside a cell at which it is judge_cells, for each at which it was fitted; between those."""


@dataclass(frozen=True, eq=False)
class CellProblem:
    """A problem as statements: equations inside, conditions on parts of the boundary."""

    problem: Problem
    equations: tuple[Statement, ...]
    conditions: tuple[Statement, ...]
    numbers: tuple[Any, ...]

    @classmethod
    def of(cls, problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any]) -> CellProblem:
        inside = tuple(s for s in statements if s.kind == "equation")
        return cls(problem, inside, tuple(s for s in statements if s.kind == "condition"), tuple(numbers))

    @property
    def linear(self) -> bool:
        """Whether one solve gives the solution."""
        return all(s.equation.linear for s in (*self.equations, *self.conditions))

    def places(self, statement: Statement, tiles: Tiles, count: int) -> PointSets | None:
        """The points of a condition, so many on each piece of the boundary."""
        return places_of(statement, tiles, count, self.problem.domain, self.problem.coordinates)


@dataclass(frozen=True, eq=False)
class CellLevel:
    """A solution: coefficients (k, columns), what is left of all rows in each cell (k,), and of each statement, and the
    smallest pivot of the glue."""

    tiles: Tiles
    columns: CellColumns
    coefficients: np.ndarray
    left: np.ndarray
    residuals: tuple[Residual, ...]
    rows: int
    pivot: float

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points (sets, m, 2) of cells."""
        return self.columns.values(self.coefficients, points, cells, slots)


def solve_cells(
    stated: CellProblem, tiles: Tiles, degree: int, singular: Mapping[int, Singular], state: CellState = None
) -> CellLevel:
    """Solve the problem, linearised about a state, on cells with polynomials of a degree."""
    columns = CellColumns.of(tiles, degree, len(stated.problem.unknowns), singular)
    place = cell_insides(tiles, columns)
    rows = [row_of(s, place, tiles, degree, stated.numbers, state) for s in stated.equations]
    reduced = reduce_cells(columns, place, rows)
    own = [reduced.left]
    for s in stated.conditions:
        at = stated.places(s, tiles, rim_count(columns))
        if at is not None:
            terms, right, weights = row_of(s, at, tiles, degree, stated.numbers, state)
            matrix = np.swapaxes(columns.at(at.points, at.cells, terms) * weights[:, None], 1, 2)
            own.append(CellRows(at.cells, matrix, right * weights).reduced(reduced.null, reduced.particular))
    first, second = cell_face_rows(columns, tiles)
    a, b = tiles.pairs.T
    jumps = np.einsum("kmc,kc->km", second, reduced.particular[b])
    jumps -= np.einsum("kmc,kc->km", first, reduced.particular[a])
    glue = glued(own, tiles.pairs, (first @ reduced.null[a], -(second @ reduced.null[b])), tiles.seeds)
    z = glue.solve([r.right for r in own], jumps)
    coefficients = reduced.particular + np.einsum("kij,kj->ki", reduced.null, z)
    over = jumps - np.einsum("kmc,kc->km", first @ reduced.null[a], z[a])
    over += np.einsum("kmc,kc->km", second @ reduced.null[b], z[b])
    count = sum(r.right.size for r in own) + over.size + place.weights.size * len(rows)
    left, residuals = judge_cells(stated, tiles, columns, coefficients)
    squares = np.sum(over**2, axis=1)
    for cells in (a, b):
        left += np.bincount(cells, 0.5 * squares, len(tiles))
    return CellLevel(tiles, columns, coefficients, np.sqrt(left), residuals, count, glue.pivot)


def judge_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray
) -> tuple[np.ndarray, tuple[Residual, ...]]:
    """The squared weighted residuals of each cell at other points, and those of each statement."""
    degree = columns.degree
    inside = cell_insides(tiles, columns, FRESH, 0.5)
    total = np.zeros(len(tiles))
    made = []
    for s in (*stated.equations, *stated.conditions):
        at = inside if s.kind == "equation" else stated.places(s, tiles, rim_count(columns) + 1)
        if at is None:
            continue
        slots = s.equation.slots
        here = columns.values(coefficients, at.points, at.cells, slots)
        flat = at.points.reshape(-1, 2)
        normals = None if at.normals is None else at.normals.reshape(-1, 2)
        values = [v.ravel() for v in here]
        residual = s.equation.residual(flat, normals, stated.numbers, values).reshape(at.weights.shape)
        factors = s.equation.jacobian(flat, normals, stated.numbers, values)
        source = s.equation.residual(flat, normals, stated.numbers)
        size = np.zeros(len(at.cells))
        half = tiles.half[at.cells]
        for (_, index), c in zip(slots, factors, strict=True):
            wide = np.abs(np.broadcast_to(c, (at.weights.size,)).reshape(at.weights.shape)).max(axis=1)
            size = np.maximum(size, wide / np.prod((2.0 * half / degree) ** np.array(index), axis=1))
        weighted = residual * at.weights / np.where(size > 0, size, 1.0)[:, None]
        np.add.at(total, at.cells, np.sum(weighted**2, axis=1))
        terms = max((float(np.abs(c * v).max(initial=0.0)) for c, v in zip(factors, values, strict=True)), default=0.0)
        terms = max(terms, float(np.abs(source).max(initial=0.0)))
        holds = residual[at.weights > 0]
        rms = float(np.sqrt(np.mean(holds**2))) if holds.size else 0.0
        largest = float(np.abs(holds).max(initial=0.0))
        made.append(Residual(s.label, holds.size, 1.0, rms, largest, rms / terms if terms > 0 else 0.0))
    return total, tuple(made)
