"""One solution on one set of cells: rows, reduction, glue, and how well it satisfies everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.basis import CellBasis
from transnet.cells.columns import CellColumns
from transnet.cells.joints import glued_groups, rows_of_joints
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import CellState, Rights, cell_insides, reduce_cells, row_of
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
    reduced, count = [], 0
    for group in columns.groups:
        place = cell_insides(tiles, group)
        rows = [row_of(s, place, units, stated.numbers, state, rights) for s in stated.equations[group.material]]
        several = rows[0].right.shape[2]
        reduced.append(reduce_cells(group, place, rows))
        count += place.weights.size * len(rows)
    joints = list(rows_of_joints(stated, tiles, columns, units, state, rights))
    count += sum(j.at.weights.size for j in joints if j.faces is None and j.at is not None)
    glue = glued_groups(tiles, columns, reduced, joints, several)
    z, over = glue.solve()
    each = zip(columns.groups, reduced, z, strict=True)
    found = [g.expanded(r.coefficients(c)).reshape(-1, several) for g, r, c in each]
    return np.concatenate(found), over, count, glue.pivot


def with_means(
    stated: CellProblem,
    tiles: Tiles,
    columns: CellColumns,
    coefficients: np.ndarray,
    rights: Sequence[np.ndarray] | None = None,
) -> np.ndarray:
    """The same with constants added to unknowns whose means are stated; `rights` (nodes, r) are other values of them
    than their own."""
    if not stated.means:
        return coefficients
    basis = CellBasis(tiles.seeds, columns, stated.problem.domain)
    shifts = mean_shifts(stated, basis, coefficients, rights)
    return coefficients + sum(np.outer(basis.constant(u), shift) for u, shift in shifts.items())


def mean_shifts(
    stated: CellProblem, basis: CellBasis, coefficients: np.ndarray, rights: Sequence[np.ndarray] | None = None
) -> dict[int, np.ndarray]:
    """The constants (r,) that are added to unknowns whose means are stated."""
    if not stated.means:
        return {}
    nodes, weights = mean_rule(stated, basis)
    found = {}
    for k, s in enumerate(stated.means):
        value = basis.derivatives(coefficients, nodes, s.equation.slots)[0]
        right = -s.equation.residual(nodes, None, stated.numbers)[:, None] if rights is None else rights[k]
        factor = np.broadcast_to(s.equation.jacobian(nodes, None, stated.numbers)[0], len(nodes))
        found[s.equation.slots[0][0]] = weights @ (right - factor[:, None] * value) / (weights @ factor)
    return found


def mean_rule(stated: CellProblem, basis: CellBasis) -> tuple[np.ndarray, np.ndarray]:
    """The nodes and weights of means over the domain."""
    return averaging_rule(stated.problem.domain, NODES, basis.foci)


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
