"""One solution on one set of cells: rows, reduction, glue, and how well it satisfies everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import CellColumns
from transnet.cells.faces import CellFaces, cell_face_rows, interface_rows
from transnet.cells.glue import Entry, GroupRows, glued
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import CellState, FactoredCells, Rights, cell_insides, operator_sizes, row_of
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.geometry import Domain
from transnet.linalg.sizes import rms as root_mean_square
from transnet.solution.diagnostics import Residual

JUDGED = 16
"""Points of a cell at which two solutions are compared."""
FRESH = 0.5
"""Points inside a cell at which it is judge_cells, for each at which it was fitted; between those."""


@dataclass(frozen=True, eq=False)
class RowTable:
    """Rows of all columns of some cells of a group (sets, columns + rights, m), their right-hand sides, and for one
    side of faces the numbers of these."""

    group: int
    cells: np.ndarray
    table: np.ndarray
    right: np.ndarray | None = None
    faces: np.ndarray | None = None
    side: int = 0


@dataclass(frozen=True, eq=False)
class Fitted:
    """The coefficients (columns, r) that satisfy all rows best for each right-hand side, what is left on the faces, and
    the smallest pivot of the glue."""

    coefficients: np.ndarray
    over: np.ndarray
    pivot: float


@dataclass(frozen=True, eq=False)
class CellRows:
    """The rows of all cells, those inside factored: `count` of them inside and on the boundary, `width` on a face."""

    tiles: Tiles
    columns: CellColumns
    insides: tuple[FactoredCells, ...]
    others: tuple[RowTable, ...]
    rights: int
    count: int
    width: int

    @classmethod
    def of(
        cls,
        stated: CellProblem,
        tiles: Tiles,
        columns: CellColumns,
        state: CellState = None,
        rights: Rights | None = None,
    ) -> CellRows:
        """The rows of a problem, linearised about a state."""
        degree, numbers = columns.degree, stated.numbers
        insides, others, count = [], [], 0
        for group in columns.groups:
            place = cell_insides(tiles, group)
            equations = stated.equations[group.material]
            rows = [row_of(s, place, tiles.half[group.cells], degree, numbers, state, rights) for s in equations]
            insides.append(FactoredCells.of(group, place, rows))
            count += place.weights.size * len(rows)
        several = rows[0].right.shape[2]
        for by_material in stated.conditions:
            for number, local, at in stated.places(by_material[0], tiles, columns):
                group = columns.groups[number]
                row = row_of(by_material[group.material], at, tiles.half[at.cells], degree, numbers, state, rights)
                others.append(RowTable(number, local, group.rows(at.points, local, [row.coefficients]), row.right))
                count += at.weights.size
        faces = [cell_face_rows(columns, tiles), *interface_rows(stated, columns, tiles, state, rights)]
        others += [table for some in faces for table in _sides(tiles, columns, some)]
        width = faces[0].points.shape[1] * len(faces[0].rows[0])
        return cls(tiles, columns, tuple(insides), tuple(others), several, count, width)

    def fit(self, lower: int = 0) -> Fitted:
        """The best coefficients with polynomials of a degree that is lower by this."""
        tiles, columns, rights = self.tiles, self.columns, self.rights
        reduced = [inside.reduced(lower) for inside in self.insides]
        entries: list[list[Entry]] = [[(r.left, np.arange(len(r.left)))] for r in reduced]
        placed = []
        for t in self.others:
            if t.faces is not None:
                placed.append((t, len(entries[t.group])))
            entries[t.group].append((reduced[t.group].rows(t.table, t.cells, rights, t.right), t.cells))
        sides = np.zeros((2, len(tiles.pairs)), dtype=int)
        stacked, start = [], 0
        for number, own in enumerate(entries):
            made = GroupRows.of(len(columns.groups[number].cells), own)
            for t, entry in placed:
                if t.group == number:
                    sides[t.side, t.faces] = start + made.starts[entry]
            start += made.rows.shape[0] * made.rows.shape[1]
            stacked.append(made)
        order = np.concatenate([g.cells for g in columns.groups])
        glue = glued(stacked, rights, sides, self.width, tiles.pairs, order, tiles.seeds)
        z, over = glue.solve()
        found = [r.coefficients(c).reshape(-1, rights) for r, c in zip(reduced, z, strict=True)]
        return Fitted(np.concatenate(found), over, glue.pivot)


def _sides(tiles: Tiles, columns: CellColumns, some: CellFaces) -> Iterator[RowTable]:
    """The rows of both sides of faces."""
    n = len(some.which)
    for number, mine, local in columns.sets(tiles.pairs[some.which].T.ravel()):
        for side in (0, 1):
            here = np.flatnonzero(mine // n == side)
            if len(here):
                face, cells = mine[here] % n, local[here]
                rows = [[(slot, c[face]) for slot, c in row] for row in some.rows[side]]
                right = some.right[face] if side == 0 and some.right is not None else None
                table = columns.groups[number].rows(some.points[face], cells, rows)
                yield RowTable(number, cells, table, right, some.which[face], side)


@dataclass(frozen=True, eq=False)
class CellLevel:
    """A solution: its coefficients, what is left of all rows in each cell (k,) and of each statement, the smallest
    pivot of the glue, and the rows, from which solutions of lower degrees follow."""

    tiles: Tiles
    columns: CellColumns
    coefficients: np.ndarray
    left: np.ndarray
    residuals: tuple[Residual, ...] = ()
    count: int = 0
    domain: Domain | None = None
    pivot: float = 1.0
    rows: CellRows | None = None

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points (sets, m, 2) of cells."""
        return self.columns.values(self.coefficients, points, cells, slots)


def solve_cells(
    stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions, state: CellState = None
) -> CellLevel:
    """Solve the problem, linearised about a state, on cells with polynomials of a degree."""
    columns = CellColumns.of(tiles, degree, len(stated.problem.unknowns), singular)
    rows = CellRows.of(stated, tiles, columns, state)
    return _fitted(stated, rows, (0,))[0]


def lower_levels(stated: CellProblem, level: CellLevel, lower: Sequence[int]) -> list[CellLevel]:
    """The solutions of the rows of a level with polynomials of lower degrees, in the same columns."""
    assert level.rows is not None
    return _fitted(stated, level.rows, lower)


def _fitted(stated: CellProblem, rows: CellRows, lower: Sequence[int]) -> list[CellLevel]:
    tiles, columns = rows.tiles, rows.columns
    found = [rows.fit(by) for by in lower]
    left, residuals = judge_cells(stated, tiles, columns, np.concatenate([f.coefficients for f in found], axis=1))
    return [
        CellLevel(
            tiles, columns, f.coefficients[:, 0], np.sqrt(a + _on_faces(tiles, f.over)), residuals,
            rows.count + f.over.size, stated.problem.domain, f.pivot, rows,
        )
        for f, a in zip(found, left, strict=True)
    ]  # fmt: skip


def _on_faces(tiles: Tiles, over: np.ndarray) -> np.ndarray:
    """The squares of what is left on faces, half for each of their cells."""
    squares = 0.5 * np.sum(over**2, axis=(1, 2))
    return np.bincount(tiles.pairs.ravel(), np.repeat(squares, 2), len(tiles))


def judge_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray
) -> tuple[np.ndarray, tuple[Residual, ...]]:
    """The squared weighted residuals of each cell at other points for several coefficients (columns, c), (c, k), and
    those of each statement for the first ones."""
    several = coefficients.shape[1]
    total = np.zeros((several, len(tiles)))
    made = []
    tables = [np.moveaxis(t, 2, 0) for t in columns.tables(coefficients)]
    inside = [(k, np.arange(len(g.cells)), cell_insides(tiles, g, FRESH, 0.5)) for k, g in enumerate(columns.groups)]
    plain = [(u, (0, 0)) for u in range(columns.unknowns)]
    known = [columns.groups[k].values(tables[k][0], at.points, local, plain) for k, local, at in inside]
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
            values = [v.reshape(several, -1) for v in group.values(tables[number], at.points, local, slots)]
            flat = at.points.reshape(-1, 2)
            normals = None if at.normals is None else at.normals.reshape(-1, 2)
            mine = [v[0] for v in values]
            factors = s.equation.jacobian(flat, normals, stated.numbers, mine)
            source = s.equation.residual(flat, normals, stated.numbers)
            wide = [np.broadcast_to(c, len(flat)).reshape(at.weights.shape) for c in factors]
            weights = at.weights / operator_sizes(slots, wide, tiles.half[at.cells], columns.degree)[:, None]
            for k in range(several):
                residual = s.equation.residual(flat, normals, stated.numbers, [v[k] for v in values])
                squares = np.sum((residual.reshape(weights.shape) * weights) ** 2, axis=1)
                total[k] += np.bincount(at.cells, squares, len(tiles))
                if k == 0:
                    residuals.append(residual[at.weights.ravel() > 0])
            # A value that is stated to be zero somewhere is compared with the others.
            sizes = (
                max(np.abs(c * v).max(initial=0.0), np.abs(c).max(initial=0.0) * whole.get(slot, 0.0))
                for slot, c, v in zip(slots, factors, mine, strict=True)
            )
            terms = max(terms, float(np.abs(source).max(initial=0.0)), *map(float, sizes))
        holds = np.concatenate(residuals) if residuals else np.zeros(0)
        if residuals:
            rms = float(np.sqrt(np.mean(holds**2))) if holds.size else 0.0
            largest = float(np.abs(holds).max(initial=0.0))
            made.append(Residual(label.label, holds.size, 1.0, rms, largest, rms / terms if terms > 0 else 0.0))
    return total, tuple(made)
