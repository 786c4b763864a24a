"""One solution on one set of cells: rows, reduction, glue, and how well it satisfies everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.basis import CellBasis
from transnet.cells.columns import CellColumns
from transnet.cells.faces import CellFaces, cell_face_rows, interface_rows
from transnet.cells.glue import CellGlue, Entry, GroupRows, glued
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import CellState, ReducedCells, Rights, cell_insides, reduce_cells, row_of
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.geometry import Domain
from transnet.linalg.sizes import rms as root_mean_square
from transnet.rows.averages import averaging_rule
from transnet.solution.diagnostics import Residual

JUDGED = 16
"""Points of a cell at which two solutions are compared."""
NODES = 6000
"""Nodes of a mean over the domain: nine digits of a logarithm around a hole, seven with 2,000; more around corners."""
FRESH = 0.5
"""Points inside a cell at which it is judge_cells, for each at which it was fitted; between those."""


@dataclass(frozen=True, eq=False)
class CellValues:
    """A function on cells as a state."""

    columns: CellColumns
    coefficients: np.ndarray

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return self.columns.values(self.coefficients, points, cells, slots)


@dataclass(frozen=True, eq=False)
class CellLevel:
    """A solution: its coefficients, what is left of all rows in each cell (k,) and of each statement, the smallest
    pivot of the glue, by how much the last step of the iteration was smaller than the one before, and the places where
    boundary values jump."""

    tiles: Tiles
    columns: CellColumns
    coefficients: np.ndarray
    left: np.ndarray
    residuals: tuple[Residual, ...]
    rows: int
    domain: Domain | None = None
    pivot: float = 1.0
    contraction: float = 1.0
    jumps: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points (sets, m, 2) of cells."""
        return self.columns.values(self.coefficients, points, cells, slots)


def solve_cells(
    stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions, state: CellState = None
) -> CellLevel:
    """Solve the problem, linearised about a state, on cells with polynomials of a degree."""
    columns = CellColumns.of(tiles, degree, stated.orders, singular)
    coefficients, over, count, pivot = fit_cells(stated, tiles, columns, state)
    coefficients = with_means(stated, tiles, columns, coefficients)
    left, residuals = judge_cells(stated, tiles, columns, coefficients[:, 0])
    squares = np.sum(over**2, axis=(1, 2))
    for cells in tiles.pairs.T:
        left += np.bincount(cells, 0.5 * squares, len(tiles))
    domain = stated.problem.domain
    rows = count + over.size
    return CellLevel(
        tiles, columns, coefficients[:, 0], np.sqrt(left), residuals, rows, domain, pivot, jumps=stated.jumps
    )


def fit_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, state: CellState = None, rights: Rights | None = None
) -> tuple[np.ndarray, np.ndarray, int, float]:
    """The coefficients (columns, r) that satisfy all rows best for each right-hand side, what is left on the faces, how
    many rows there are inside and on the boundary, and the smallest pivot of the glue."""
    units = CellUnits.of(stated, tiles, columns, state)
    reduced, entries, count = [], [], 0
    for group in columns.groups:
        place = cell_insides(tiles, group)
        equations = stated.equations[group.material]
        rows = [row_of(s, place, units, stated.numbers, state, rights) for s in equations]
        several = rows[0].right.shape[2]
        reduced.append(reduce_cells(group, place, rows))
        entries.append([(reduced[-1].left, np.arange(len(group.cells)))])
        count += place.weights.size * len(rows)
    for by_material in stated.conditions:
        for number, local, at in stated.places(by_material[0], tiles, columns):
            group = columns.groups[number]
            row = row_of(by_material[group.material], at, units, stated.numbers, state, rights)
            table = group.rows(at.points, local, [row.coefficients])
            entries[number].append((reduced[number].rows(table, local, several, row.right), local))
            count += at.weights.size
    for u in stated.floating:  # at one place, not in a corner; a mean moves it
        cell = int(np.argmin(tiles.open))
        number, place = columns.place[:, cell].tolist()
        value = [((u, (0, 0)), np.full((1, 1), 1.0 / units.unknowns[cell, u]))]
        middle = tiles.ends[cell].mean(axis=0)[None, None]
        table = columns.groups[number].rows(middle, np.array([place]), [value])
        entries[number].append((reduced[number].rows(table, np.array([place]), several), np.array([place])))
    faces = [cell_face_rows(columns, tiles, units), *interface_rows(stated, columns, tiles, units, state, rights)]
    glue = glued_groups(tiles, columns, reduced, entries, several, faces)
    z, over = glue.solve()
    each = zip(columns.groups, reduced, z, strict=True)
    found = [g.expanded(r.coefficients(c)).reshape(-1, several) for g, r, c in each]
    return np.concatenate(found), over, count, glue.pivot


def with_means(stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray) -> np.ndarray:
    """The same with constants added to unknowns whose means are stated."""
    if not stated.means:
        return coefficients
    basis = CellBasis(tiles.seeds, columns, stated.problem.domain)
    nodes, weights = averaging_rule(stated.problem.domain, NODES, basis.foci)
    found = coefficients.copy()
    for s in stated.means:
        values = [v[:, 0] for v in basis.derivatives(coefficients, nodes, s.equation.slots)]
        left = weights @ s.equation.residual(nodes, None, stated.numbers, values)
        factor = np.broadcast_to(s.equation.jacobian(nodes, None, stated.numbers, values)[0], len(nodes))
        found += basis.constant(s.equation.slots[0][0])[:, None] * (-left / (weights @ factor))
    return found


def glued_groups(
    tiles: Tiles,
    columns: CellColumns,
    reduced: Sequence[ReducedCells],
    entries: Sequence[list[Entry]],
    rights: int,
    faces: Sequence[CellFaces],
) -> CellGlue:
    """The glue of reduced cells: their own rows, and those on both sides of faces."""
    f = len(tiles.pairs)
    sides = np.zeros((2, f), dtype=int)
    placed: list[tuple[int, int, np.ndarray]] = []
    for some in faces:
        n = len(some.which)
        for number, mine, local in columns.sets(tiles.pairs[some.which].T.ravel()):
            for side in (0, 1):
                here = np.flatnonzero(mine // n == side)
                if not len(here):
                    continue
                face, cells = mine[here] % n, local[here]
                rows = [[(slot, c[face]) for slot, c in row] for row in some.rows[side]]
                right = some.right[face] if side == 0 and some.right is not None else None
                table = columns.groups[number].rows(some.points[face], cells, rows)
                placed.append((number, len(entries[number]), side * f + some.which[face]))
                entries[number].append((reduced[number].rows(table, cells, rights, right), cells))
    stacked, start = [], 0
    for number, own in enumerate(entries):
        made_rows = GroupRows.of(len(columns.groups[number].cells), own)
        for group, entry, at in placed:
            if group == number:
                sides.ravel()[at] = start + made_rows.starts[entry]
        start += made_rows.rows.shape[0] * made_rows.rows.shape[1]
        stacked.append(made_rows)
    order = np.concatenate([g.cells for g in columns.groups])
    width = faces[0].points.shape[1] * len(faces[0].rows[0])
    return glued(stacked, rights, sides, width, tiles.pairs, order, tiles.seeds)


def judge_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray
) -> tuple[np.ndarray, tuple[Residual, ...]]:
    """The squared weighted residuals of each cell at other points, and those of each statement."""
    total = np.zeros(len(tiles))
    made = []
    tables = columns.tables(coefficients)
    units = CellUnits.of(stated, tiles, columns, None if stated.linear else CellValues(columns, coefficients))
    inside = [(k, np.arange(len(g.cells)), cell_insides(tiles, g, FRESH, 0.5)) for k, g in enumerate(columns.groups)]
    plain = [(u, (0, 0)) for u in range(columns.unknowns)]
    known = [columns.groups[k].values(tables[k], at.points, local, plain) for k, local, at in inside]
    whole = {
        slot: root_mean_square(np.concatenate([v.ravel() for v in some]))
        for slot, *some in zip(plain, *known, strict=True)
    }
    for by_material in (*zip_longest(*stated.equations), *stated.conditions):
        label = next(s for s in by_material if s is not None)
        residuals, terms = [], 0.0
        for number, local, at in inside if label.kind == "equation" else stated.places(label, tiles, columns, 1):
            group = columns.groups[number]
            s = by_material[group.material]
            if s is None:
                continue
            slots = s.equation.slots
            values = [v.ravel() for v in group.values(tables[number], at.points, local, slots)]
            flat = at.points.reshape(-1, 2)
            normals = None if at.normals is None else at.normals.reshape(-1, 2)
            residual = s.equation.residual(flat, normals, stated.numbers, values).reshape(at.weights.shape)
            factors = s.equation.jacobian(flat, normals, stated.numbers, values)
            source = s.equation.residual(flat, normals, stated.numbers)
            wide = [np.broadcast_to(c, len(flat)).reshape(at.weights.shape) for c in factors]
            size = units.sizes(slots, at.counted(wide), at.cells)
            total += np.bincount(at.cells, np.sum((residual * at.weights) ** 2, axis=1) / size**2, len(tiles))
            # A value that is stated to be zero somewhere is compared with the others.
            sizes = (
                max(np.abs(c * v).max(initial=0.0), np.abs(c).max(initial=0.0) * whole.get(slot, 0.0))
                for slot, c, v in zip(slots, factors, values, strict=True)
            )
            terms = max(terms, float(np.abs(source).max(initial=0.0)), *map(float, sizes))
            residuals.append(residual[at.weights > 0])
        holds = np.concatenate(residuals) if residuals else np.zeros(0)
        if residuals:
            rms = float(np.sqrt(np.mean(holds**2))) if holds.size else 0.0
            largest = float(np.abs(holds).max(initial=0.0))
            made.append(Residual(label.label, holds.size, 1.0, rms, largest, rms / terms if terms > 0 else 0.0))
    return total, tuple(made)
