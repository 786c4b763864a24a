"""A linear problem on cells of one degree, factored: what takes right-hand sides to solutions.

The rows inside a cell are kept as Q R, those of conditions and faces as they act on the polynomials that the equations
determine, and the glue as it is factored; new right-hand sides cost products with these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.cells.columns import CellColumns, ColumnGroup
from transnet.cells.estimate import compared_points
from transnet.cells.fit import CellRows, RowTable
from transnet.cells.joined import JoinedCells
from transnet.cells.judging import FRESH
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import PointSets, cell_insides, row_of
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.rows.statements import Statement

TERMS = 8
"""Points of a cell at which the terms of a statement are measured."""


@dataclass(frozen=True, eq=False)
class StatedSets:
    """A statement on sets of points of one group, with weights (sets, m)."""

    statement: Statement
    group: int
    cells: np.ndarray
    at: PointSets
    weights: np.ndarray

    def weighted(self, right: np.ndarray) -> np.ndarray:
        """Right-hand sides (sets m, r) as those of rows, (sets, m, r)."""
        return right.reshape(*self.weights.shape, -1) * self.weights[..., None]


@dataclass(frozen=True, eq=False)
class Looked:
    """A statement where it is judged: its rows (sets, columns, m), the terms of it at a few points, and the largest
    factors of the unknowns themselves."""

    place: StatedSets
    rows: np.ndarray
    terms: Sequence[np.ndarray]
    plain: dict[int, float]

    def left(self, fitted: np.ndarray, right: np.ndarray) -> np.ndarray:
        """What is left of the rows, weighted, of functions with coefficients (cells, columns, r): (sets, m, r)."""
        return np.swapaxes(self.rows, 1, 2) @ fitted[self.place.cells] - self.place.weighted(right)

    def size(self, fitted: np.ndarray, right: np.ndarray, whole: np.ndarray) -> np.ndarray:
        """The size of the largest term: (r,). A value that is stated to be zero is compared with the size of the
        unknown, `whole` (unknowns, r)."""
        mine = fitted[self.place.cells]
        found = [np.abs(np.swapaxes(t, 1, 2) @ mine).max(axis=(0, 1), initial=0.0) for t in self.terms]
        found += [c * whole[u] for u, c in self.plain.items()]
        return np.max([np.abs(right).max(axis=0, initial=0.0), *found], axis=0)


@dataclass(frozen=True, eq=False)
class KeptCells:
    """The factorisation.

    Parameters
    ----------
    joined : JoinedCells
        The rows, those inside with their orthogonal factors, and their glue.
    inside : by group
        The equations on the points inside, in the order of the rows.
    looked : sequence of Looked
    values : by group
        The values of the unknowns at points at which solutions are compared, (cells, columns, unknowns m).
    """

    joined: JoinedCells
    inside: Sequence[Sequence[StatedSets]]
    looked: Sequence[Looked]
    values: Sequence[np.ndarray]

    @classmethod
    def of(cls, stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions) -> KeptCells:
        columns = CellColumns.of(tiles, degree, stated.orders, singular)
        units = CellUnits.of(stated, tiles, columns)
        rows = CellRows.of(stated, tiles, columns, keep=True)
        inside, values, compared = [], [], compared_points(tiles)
        for number, group in enumerate(columns.groups):
            place, every = cell_insides(tiles, group), np.arange(len(group.cells))
            equations = stated.equations[group.material]
            weights = [row_of(s, place, units, stated.numbers).weights for s in equations]
            inside.append([StatedSets(s, number, every, place, w) for s, w in zip(equations, weights, strict=True)])
            points = compared[group.cells]
            ones = np.ones(points.shape[:2])
            plain = [[((u, (0, 0)), ones)] for u in range(columns.unknowns)]
            values.append(group.rows(points, every, plain)[:, : group.fitted])
        looked = [_looked(stated, columns.groups[p.group], p, units) for p in _fresh(stated, tiles, columns, units)]
        return cls(JoinedCells.of(rows), inside, looked, values)

    @property
    def tiles(self) -> Tiles:
        return self.joined.rows.tiles

    @property
    def columns(self) -> CellColumns:
        return self.joined.rows.columns

    @property
    def places(self) -> list[StatedSets]:
        """Where right-hand sides are needed: inside, of joints, and where statements are judged."""
        joined = [p for t in self.joined.rows.others for p in _places(t)]
        return [*(p for some in self.inside for p in some), *joined, *(x.place for x in self.looked)]

    def compared(self, fitted: Sequence[np.ndarray]) -> np.ndarray:
        """The values of functions at the points at which solutions are compared: (cells, unknowns, m, r)."""
        n, r = self.columns.unknowns, fitted[0].shape[2]
        made = [np.swapaxes(v, 1, 2) @ c for v, c in zip(self.values, fitted, strict=True)]
        found = np.zeros((len(self.tiles), n, made[0].shape[1] // n, r))
        for group, values in zip(self.columns.groups, made, strict=True):
            found[group.cells] = values.reshape(len(values), n, -1, r)
        return found

    def solve(self, rights: Sequence[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
        """The coefficients (cells, columns, r) of what is fitted in each group, and what is left on the faces, for
        right-hand sides (n, r) at all places but those of judging."""
        at = iter(rights)
        constant, own = [], []
        for placed, factored in zip(self.inside, self.joined.rows.insides, strict=True):
            assert factored.orthogonal is not None
            right = np.concatenate([p.weighted(next(at)) for p in placed], axis=1)
            turned = np.swapaxes(factored.orthogonal, 1, 2) @ right
            held, fitted = factored.group.held, factored.group.fitted
            known = np.zeros((len(turned), fitted, right.shape[2]))
            known[:, factored.order] = factored.divided(turned[:, :held])
            constant.append(known)
            own.append(turned[:, held:])

        def stated(t: RowTable) -> np.ndarray | float:
            found = [p.weighted(next(at)) for p in _places(t)]
            return np.concatenate(found, axis=1) if found else 0.0

        right = self.joined.right(own, constant, stated)
        z, over = replace(self.joined.glue, right=right).solve()
        each = zip(self.joined.reduced, z, constant, strict=True)
        return [r.answers(free) + known for r, free, known in each], over


def _places(rows: RowTable) -> list[StatedSets]:
    if rows.at is None:
        return []
    pairs = zip(rows.statements, rows.weights, strict=True)
    return [StatedSets(s, rows.group, rows.cells, rows.at, w) for s, w in pairs]


def _fresh(stated: CellProblem, tiles: Tiles, columns: CellColumns, units: CellUnits) -> list[StatedSets]:
    """Every equation and condition where it is judged: at points between those that are fitted."""
    found = []

    def add(s: Statement, number: int, local: np.ndarray, at: PointSets) -> None:
        found.append(StatedSets(s, number, local, at, row_of(s, at, units, stated.numbers).weights))

    for number, group in enumerate(columns.groups):
        at = cell_insides(tiles, group, FRESH, 0.5)
        for s in stated.equations[group.material]:
            add(s, number, np.arange(len(group.cells)), at)
    for by_material in stated.conditions:
        for number, local, at in stated.places(by_material[0], tiles, columns, 1):
            add(by_material[columns.groups[number].material], number, local, at)
    return found


def _looked(stated: CellProblem, group: ColumnGroup, place: StatedSets, units: CellUnits) -> Looked:
    at = place.at
    row = row_of(place.statement, at, units, stated.numbers)
    some = slice(None, None, max(at.points.shape[1] // TERMS, 1))
    weights = np.where(place.weights > 0, place.weights, 1.0)
    terms = [
        group.rows(at.points[:, some], place.cells, [[(slot, (c / weights)[:, some])]])[:, : group.fitted]
        for slot, c in row.coefficients
    ]
    plain = {u: float(np.abs(c / weights).max(initial=0.0)) for (u, index), c in row.coefficients if not any(index)}
    rows = group.rows(at.points, place.cells, [row.coefficients])[:, : group.fitted]
    return Looked(place, rows, terms, plain)
