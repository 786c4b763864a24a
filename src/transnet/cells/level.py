"""One solution on one set of cells: rows, reduction, glue, and how well it satisfies everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import CellColumns
from transnet.cells.glue import CellGlue, Entry, GroupRows, glued
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import (
    CellState,
    PointSets,
    ReducedCells,
    Rights,
    cell_face_rows,
    cell_insides,
    operator_sizes,
    places_of,
    reduce_cells,
    rim_count,
    row_of,
)
from transnet.cells.tiles import Tiles
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

    def places(
        self, statement: Statement, tiles: Tiles, columns: CellColumns, more: int = 0
    ) -> Iterator[tuple[int, np.ndarray, PointSets]]:
        """The points of a condition: each group, the places of the cells in it, and the points there."""
        assert statement.part is not None
        which = tiles.rims_of(self.problem.domain.resolve(statement.part))
        for number, mine, local in columns.sets(tiles.rims_cells[which]):
            count = rim_count(columns.groups[number]) + more
            yield number, local, places_of(statement, tiles, count, which[mine], self.problem.coordinates)


@dataclass(frozen=True, eq=False)
class CellLevel:
    """A solution: its coefficients, what is left of all rows in each cell (k,) and of each statement, and the smallest
    pivot of the glue."""

    tiles: Tiles
    columns: CellColumns
    coefficients: np.ndarray
    left: np.ndarray
    residuals: tuple[Residual, ...]
    rows: int
    pivot: float = 1.0

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points (sets, m, 2) of cells."""
        return self.columns.values(self.coefficients, points, cells, slots)


def solve_cells(
    stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions, state: CellState = None
) -> CellLevel:
    """Solve the problem, linearised about a state, on cells with polynomials of a degree."""
    columns = CellColumns.of(tiles, degree, len(stated.problem.unknowns), singular)
    coefficients, over, count, pivot = fit_cells(stated, tiles, columns, state)
    left, residuals = judge_cells(stated, tiles, columns, coefficients[:, 0])
    squares = np.sum(over**2, axis=(1, 2))
    for cells in tiles.pairs.T:
        left += np.bincount(cells, 0.5 * squares, len(tiles))
    return CellLevel(tiles, columns, coefficients[:, 0], np.sqrt(left), residuals, count + over.size, pivot)


def fit_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, state: CellState = None, rights: Rights | None = None
) -> tuple[np.ndarray, np.ndarray, int, float]:
    """The coefficients (columns, r) that satisfy all rows best for each right-hand side, what is left on the faces, how
    many rows there are inside and on the boundary, and the smallest pivot of the glue."""
    degree = columns.degree
    reduced, entries, count = [], [], 0
    for group in columns.groups:
        place = cell_insides(tiles, group)
        rows = [row_of(s, place, group.half, degree, stated.numbers, state, rights) for s in stated.equations]
        several = rows[0].right.shape[2]
        reduced.append(reduce_cells(group, place, rows))
        entries.append([(reduced[-1].left, np.arange(len(group.cells)))])
        count += place.weights.size * len(rows)
    for s in stated.conditions:
        for number, local, at in stated.places(s, tiles, columns):
            group = columns.groups[number]
            row = row_of(s, at, group.half[local], degree, stated.numbers, state, rights)
            table = group.rows(at.points, local, [row.coefficients])
            entries[number].append((reduced[number].rows(table, local, several, row.right), local))
            count += at.weights.size
    glue = glued_groups(tiles, columns, reduced, entries, several)
    z, over = glue.solve()
    found = [r.coefficients(c).reshape(-1, several) for r, c in zip(reduced, z, strict=True)]
    return np.concatenate(found), over, count, glue.pivot


def glued_groups(
    tiles: Tiles, columns: CellColumns, reduced: Sequence[ReducedCells], entries: Sequence[list[Entry]], rights: int
) -> CellGlue:
    """The glue of reduced cells: their own rows, and those on both sides of faces."""
    points, rows = cell_face_rows(columns, tiles)
    f, width = len(points), len(rows) * points.shape[1]
    sides, group = np.zeros(2 * f, dtype=int), np.zeros(2 * f, dtype=int)
    with_faces = [-1] * len(columns.groups)
    for number, mine, local in columns.sets(tiles.pairs.T.ravel()):
        face = mine % f
        here = [[(slot, c[face]) for slot, c in row] for row in rows]
        made = reduced[number].rows(columns.groups[number].rows(points[face], local, here), local, rights)
        made[mine >= f] *= -1.0
        with_faces[number] = len(entries[number])
        entries[number].append((made, local))
        group[mine] = number
    stacked, start = [], 0
    for number, own in enumerate(entries):
        made_rows = GroupRows.of(len(columns.groups[number].cells), own)
        if with_faces[number] >= 0:
            sides[group == number] = start + made_rows.starts[with_faces[number]]
        start += made_rows.rows.shape[0] * made_rows.rows.shape[1]
        stacked.append(made_rows)
    order = np.concatenate([g.cells for g in columns.groups])
    return glued(stacked, rights, sides.reshape(2, f), width, tiles.pairs, order, tiles.seeds)


def judge_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray
) -> tuple[np.ndarray, tuple[Residual, ...]]:
    """The squared weighted residuals of each cell at other points, and those of each statement."""
    total = np.zeros(len(tiles))
    made = []
    tables = columns.tables(coefficients)
    inside = [(k, np.arange(len(g.cells)), cell_insides(tiles, g, FRESH, 0.5)) for k, g in enumerate(columns.groups)]
    for s in (*stated.equations, *stated.conditions):
        slots = s.equation.slots
        residuals, terms = [], 0.0
        for number, local, at in inside if s.kind == "equation" else stated.places(s, tiles, columns, 1):
            group = columns.groups[number]
            values = [v.ravel() for v in group.values(tables[number], at.points, local, slots)]
            flat = at.points.reshape(-1, 2)
            normals = None if at.normals is None else at.normals.reshape(-1, 2)
            residual = s.equation.residual(flat, normals, stated.numbers, values).reshape(at.weights.shape)
            factors = s.equation.jacobian(flat, normals, stated.numbers, values)
            source = s.equation.residual(flat, normals, stated.numbers)
            wide = [np.broadcast_to(c, len(flat)).reshape(at.weights.shape) for c in factors]
            size = operator_sizes(slots, wide, group.half[local], columns.degree)
            total += np.bincount(at.cells, np.sum((residual * at.weights) ** 2, axis=1) / size**2, len(tiles))
            sizes = (np.abs(c * v).max(initial=0.0) for c, v in zip(factors, values, strict=True))
            terms = max(terms, float(np.abs(source).max(initial=0.0)), *map(float, sizes))
            residuals.append(residual[at.weights > 0])
        holds = np.concatenate(residuals) if residuals else np.zeros(0)
        if residuals:
            rms = float(np.sqrt(np.mean(holds**2))) if holds.size else 0.0
            largest = float(np.abs(holds).max(initial=0.0))
            made.append(Residual(s.label, holds.size, 1.0, rms, largest, rms / terms if terms > 0 else 0.0))
    return total, tuple(made)
