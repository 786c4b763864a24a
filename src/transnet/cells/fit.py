"""The rows of all cells, those of equations factored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.cells.columns import CellColumns
from transnet.cells.faces import CellFaces, cell_face_rows, interface_rows
from transnet.cells.reduce import CellState, FactoredCells, PointSets, Rights, cell_insides, row_of
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class RowTable:
    """Rows of all columns of some cells of a group (sets, columns + rights, m), their right-hand sides, for sides of
    faces the numbers of these and which side it is, and what is stated, on which points, with which weights (sets, m)
    each."""

    group: int
    cells: np.ndarray
    table: np.ndarray
    right: np.ndarray | None = None
    faces: np.ndarray | None = None
    side: np.ndarray | None = None
    statements: Sequence[Statement] = ()
    at: PointSets | None = None
    weights: Sequence[np.ndarray] = ()


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
        before: CellRows | None = None,
        keep: bool = False,
    ) -> CellRows:
        """The rows of a problem, linearised about a state.

        Parameters
        ----------
        before : optional
            Rows of the same columns about another state: those on faces and on the boundary do not depend on it.
        keep : bool
            Whether other right-hand sides come.
        """
        units, numbers = CellUnits.of(stated, tiles, columns, state), stated.numbers
        insides, others, count = [], [], 0
        for group in columns.groups:
            place = cell_insides(tiles, group)
            equations = stated.equations[group.material]
            rows = [row_of(s, place, units, numbers, state, rights) for s in equations]
            insides.append(FactoredCells.of(group, place, rows, keep))
            count += place.weights.size * len(rows)
        several = rows[0].right.shape[2]
        if before is not None:
            return cls(tiles, columns, tuple(insides), before.others, several, before.count, before.width)
        for by_material in stated.conditions:
            for number, local, at in stated.places(by_material[0], tiles, columns):
                group = columns.groups[number]
                statement = by_material[group.material]
                row = row_of(statement, at, units, numbers, state, rights)
                table = group.rows(at.points, local, [row.coefficients])
                others.append(RowTable(number, local, table, row.right, None, None, (statement,), at, (row.weights,)))
                count += at.weights.size
        for u in stated.floating:  # at one place, not in a corner; a mean moves it
            cell = int(np.argmin(tiles.open))
            number, place = columns.place[:, [cell]]
            value = [((u, (0, 0)), np.full((1, 1), 1.0 / units.unknowns[cell, u]))]
            middle = tiles.ends[cell].mean(axis=0)[None, None]
            others.append(RowTable(int(number[0]), place, columns.groups[int(number[0])].rows(middle, place, [value])))
        faces = [cell_face_rows(columns, tiles, units), *interface_rows(stated, columns, tiles, units, state, rights)]
        others += [table for some in faces for table in _sides(tiles, columns, some)]
        width = faces[0].points.shape[1] * len(faces[0].rows[0])
        return cls(tiles, columns, tuple(insides), tuple(others), several, count, width)

    def serves(self, stated: CellProblem, tiles: Tiles, degree: int) -> bool:
        """Whether those on faces and on the boundary are the same about any state."""
        alike = self.tiles is tiles and self.columns.degree == degree and not stated.across
        return alike and len(stated.orders) == 1 and all(s.equation.linear for some in stated.conditions for s in some)


def _sides(tiles: Tiles, columns: CellColumns, some: CellFaces) -> Iterator[RowTable]:
    """The rows of both sides of faces."""
    n = len(some.which)
    for number, mine, local in columns.sets(tiles.pairs[some.which].T.ravel()):
        group, face, side = columns.groups[number], mine % n, mine // n
        if some.right is None or some.normals is None:  # the same on both sides, but for signs
            both = (zip(*row, strict=True) for row in zip(*some.rows, strict=True))
            rows = [[(slot, np.concatenate([a, b])[mine]) for (slot, a), (_, b) in row] for row in both]
            table = group.rows(some.points[face], local, rows)
            yield RowTable(number, local, table, None, some.which[face], side)
            continue
        for k in np.unique(side).tolist():
            f, cells = face[side == k], local[side == k]
            rows = [[(slot, c[f]) for slot, c in row] for row in some.rows[k]]
            table, right = group.rows(some.points[f], cells, rows), some.right[f] if k == 0 else None
            weights = [w[f] for w in some.weights]
            at = PointSets(cells, some.points[f], some.normals[f], weights[0])
            stated = (some.statements, at, weights) if k == 0 else ()
            yield RowTable(number, cells, table, right, some.which[f], side[side == k], *stated)
