"""The rows that join cells: of conditions on the boundary, and of both sides of faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.cells.columns import CellColumns
from transnet.cells.faces import cell_face_rows, interface_rows
from transnet.cells.glue import CellGlue, Entry, GroupRows, glued
from transnet.cells.reduce import CellState, PointSets, ReducedCells, Rights, row_of
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class JointRows:
    """Rows of cells of one group beside those of the equations: of a condition, a fixed value, or a side of faces.

    Parameters
    ----------
    table : (sets, columns + 1, m) array
        Of all columns that are fitted.
    right : (sets, m, r) array, optional
        The weighted right-hand sides.
    faces : optional
        The numbers of the faces; those of second sides come after all first ones.
    statements, at, weights : optional
        What is stated, on which points, with which weights (sets, m) each.
    """

    group: int
    cells: np.ndarray
    table: np.ndarray
    right: np.ndarray | None = None
    faces: np.ndarray | None = None
    statements: Sequence[Statement] = ()
    at: PointSets | None = None
    weights: Sequence[np.ndarray] = ()


def rows_of_joints(
    stated: CellProblem,
    tiles: Tiles,
    columns: CellColumns,
    units: CellUnits,
    state: CellState = None,
    rights: Rights | None = None,
) -> Iterator[JointRows]:
    """The rows of conditions, of values that are fixed where a mean moves them, and of both sides of faces."""
    for by_material in stated.conditions:
        for number, local, at in stated.places(by_material[0], tiles, columns):
            group = columns.groups[number]
            statement = by_material[group.material]
            row = row_of(statement, at, units, stated.numbers, state, rights)
            table = group.rows(at.points, local, [row.coefficients])
            yield JointRows(number, local, table, row.right, None, (statement,), at, (row.weights,))
    for u in stated.floating:  # at one place, not in a corner; a mean moves it
        cell = int(np.argmin(tiles.open))
        number, place = columns.place[:, cell].tolist()
        value = [((u, (0, 0)), np.full((1, 1), 1.0 / units.unknowns[cell, u]))]
        middle = tiles.ends[cell].mean(axis=0)[None, None]
        yield JointRows(number, np.array([place]), columns.groups[number].rows(middle, np.array([place]), [value]))
    for some in (cell_face_rows(columns, tiles, units), *interface_rows(stated, columns, tiles, units, state, rights)):
        n = len(some.which)
        for number, mine, local in columns.sets(tiles.pairs[some.which].T.ravel()):
            for side in (0, 1):
                here = np.flatnonzero(mine // n == side)
                if not len(here):
                    continue
                face, cells = mine[here] % n, local[here]
                rows = [[(slot, c[face]) for slot, c in row] for row in some.rows[side]]
                table = columns.groups[number].rows(some.points[face], cells, rows)
                faces = side * len(tiles.pairs) + some.which[face]
                if side or some.right is None:
                    yield JointRows(number, cells, table, faces=faces)
                    continue
                normals = None if some.normals is None else some.normals[face]
                at = PointSets(cells, some.points[face], normals, some.weights[0][face])
                weights = [w[face] for w in some.weights]
                yield JointRows(number, cells, table, some.right[face], faces, some.statements, at, weights)


def glued_groups(
    tiles: Tiles, columns: CellColumns, reduced: Sequence[ReducedCells], joints: Sequence[JointRows], rights: int
) -> CellGlue:
    """The glue of reduced cells: their own rows, and those on both sides of faces."""
    entries: list[list[Entry]] = [[(r.left, np.arange(len(r.left)))] for r in reduced]
    placed: list[tuple[int, int, np.ndarray]] = []
    for j in joints:
        if j.faces is not None:
            placed.append((j.group, len(entries[j.group]), j.faces))
        entries[j.group].append((reduced[j.group].rows(j.table, j.cells, rights, j.right), j.cells))
    sides = np.zeros((2, len(tiles.pairs)), dtype=int)
    stacked, start = [], 0
    for number, own in enumerate(entries):
        made_rows = GroupRows.of(len(columns.groups[number].cells), own)
        for group, entry, at in placed:
            if group == number:
                sides.ravel()[at] = start + made_rows.starts[entry]
        start += made_rows.rows.shape[0] * made_rows.rows.shape[1]
        stacked.append(made_rows)
    order = np.concatenate([g.cells for g in columns.groups])
    width = next(j.table.shape[2] for j in joints if j.faces is not None) if len(tiles.pairs) else 0
    return glued(stacked, rights, sides, width, tiles.pairs, order, tiles.seeds)
