"""How well solutions in cells satisfy everything, at points between those at which they were fitted, and how far they
are apart there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.columns import CellColumns
from transnet.cells.reduce import PointSets, cell_insides
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.cells.units import CellUnits
from transnet.judge.estimate import distances
from transnet.linalg.sizes import rms as root_mean_square
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual

FRESH = 0.5
"""Points inside a cell at which it is judged, for each at which it was fitted; between those."""


@dataclass(frozen=True, eq=False)
class CellValues:
    """A function on cells as a state."""

    columns: CellColumns
    coefficients: np.ndarray

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return self.columns.values(self.coefficients, points, cells, slots)


@dataclass(frozen=True, eq=False)
class CellJudgement:
    """Of several functions with coefficients (columns, c): what each leaves of the rows in each cell (c, k), and how
    far each is from the first, relative to that (c,); and what the first leaves of each statement.

    It is found when it is first asked for: steps of an iteration are not judged.

    Parameters
    ----------
    over : (c, k) array
        The squares of what is left on the faces of each cell.
    """

    stated: CellProblem
    tiles: Tiles
    columns: CellColumns
    coefficients: np.ndarray
    over: np.ndarray

    @cached_property
    def _found(self) -> tuple[np.ndarray, np.ndarray, tuple[Residual, ...]]:
        return judge_cells(self.stated, self.tiles, self.columns, self.coefficients)

    @cached_property
    def left(self) -> np.ndarray:
        return np.sqrt(self._found[0] + self.over)

    @property
    def apart(self) -> np.ndarray:
        return self._found[1]

    @property
    def residuals(self) -> tuple[Residual, ...]:
        return self._found[2]


@dataclass(frozen=True, eq=False)
class CellSamples:
    """Points of some cells of a group with the derivatives of functions there, (c, sets m) each."""

    number: int
    at: PointSets
    values: dict[Slot, np.ndarray]


def judge_cells(
    stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray
) -> tuple[np.ndarray, np.ndarray, tuple[Residual, ...]]:
    """The squares of what functions with coefficients (columns, c) leave inside and on the boundary of cells, how far
    they are apart, and what the first leaves of each statement."""
    several = coefficients.shape[1]
    total = np.zeros((several, len(tiles)))
    made = []
    tables = [np.moveaxis(t, 2, 0) for t in columns.tables(coefficients)]
    units = CellUnits.of(stated, tiles, columns, None if stated.linear else CellValues(columns, coefficients[:, 0]))

    def sampled(number: int, local: np.ndarray, at: PointSets, slots: Sequence[Slot]) -> CellSamples:
        found = columns.groups[number].values(tables[number], at.points, local, slots)
        return CellSamples(number, at, {s: v.reshape(several, -1) for s, v in zip(slots, found, strict=True)})

    plain: list[Slot] = [(u, (0, 0)) for u in range(columns.unknowns)]
    inside = []
    for number, group in enumerate(columns.groups):
        needed = dict.fromkeys([*plain, *(slot for s in stated.equations[group.material] for slot in s.equation.slots)])
        place = cell_insides(tiles, group, FRESH, 0.5)
        inside.append(sampled(number, np.arange(len(group.cells)), place, tuple(needed)))
    whole = {slot: root_mean_square(np.concatenate([s.values[slot][0] for s in inside])) for slot in plain}

    def places(by_material: Sequence[Statement | None], label: Statement) -> Iterator[tuple[Statement, CellSamples]]:
        if label.kind == "equation":
            found: Iterator[CellSamples] = iter(inside)
        else:
            found = (
                sampled(number, local, at, s.equation.slots)
                for number, local, at in stated.places(label, tiles, columns, 1)
                if (s := by_material[columns.groups[number].material]) is not None
            )
        for each in found:
            statement = by_material[columns.groups[each.number].material]
            if statement is not None:
                yield statement, each

    for by_material in (*zip_longest(*stated.equations), *stated.conditions):
        label = next(s for s in by_material if s is not None)
        residuals, terms = [], 0.0
        for s, each in places(by_material, label):
            at, slots = each.at, s.equation.slots
            values = [each.values[slot] for slot in slots]
            flat = at.points.reshape(-1, 2)
            normals = None if at.normals is None else at.normals.reshape(-1, 2)
            mine = [v[0] for v in values]
            factors = s.equation.jacobian(flat, normals, stated.numbers, mine)
            source = s.equation.residual(flat, normals, stated.numbers)
            wide = [np.broadcast_to(c, len(flat)).reshape(at.weights.shape) for c in factors]
            weights = at.weights / units.sizes(slots, at.counted(wide), at.cells)[:, None]
            for k in range(several):
                if s.equation.linear:
                    residual = source + sum(c * v[k] for c, v in zip(factors, values, strict=True))
                else:
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
    return total, _apart(tiles, inside, plain), tuple(made)


def _apart(tiles: Tiles, inside: Sequence[CellSamples], plain: Sequence[Slot]) -> np.ndarray:
    """The relative L2 distances of functions from the first, the largest over the unknowns."""
    area = np.sqrt(np.prod(tiles.half, axis=1))
    values = []
    for slot in plain:
        found = []
        for s in inside:
            share = np.repeat(area[s.at.cells], s.at.weights.shape[1]) / np.sqrt(s.at.weights.shape[1])
            found.append(s.values[slot] * share)
        values.append(np.concatenate(found, axis=1).T)
    return distances([v[:, :1] for v in values], [[v - v[:, :1]] for v in values])[0]
