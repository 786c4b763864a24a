"""The columns of all cells: polynomials of one degree for every unknown, and functions of corners and holes nearby.

Those of one cell are ordered as: the polynomials of all unknowns that vanish on the circle around the cell, which the
equations determine, and those of a pressure but for its constant; the harmonic ones; the functions of corners and
holes. Cells with about as many of these form a group, whose matrices have one size, with empty columns where a cell has
fewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.charts import CellCharts
from transnet.cells.near import NearFunctions
from transnet.cells.polynomials import CellPolynomials, bubbles, harmonics, total_degrees
from transnet.cells.tiles import Tiles

Term = tuple[tuple[int, ...], np.ndarray]
Coefficients = Sequence[tuple[Slot, np.ndarray]]
"""What multiplies each derivative of each unknown, (sets, points) each, in the coordinates of the problem."""
STEP, RANKS = 2, 3
"""By how much the degrees differ that are compared, and how many there are of them."""
FEW, MANY = 0.5, 4.0
"""Cells with more functions of corners and holes than a part of the most are a group of their own, if that saves more
columns than some cells have polynomials: a group costs a millisecond."""


@dataclass(frozen=True, eq=False)
class ColumnGroup:
    """The columns of some cells, as many in each.

    Parameters
    ----------
    cells : (k,) array
        Their numbers.
    charts : CellCharts
        Their coordinates.
    degree : int
    orders : tuple of int
        Two for each unknown whose second derivatives the equations have, one for a pressure, whose degree is lower.
    singular : NearFunctions
        The functions of corners and holes of all cells.
    material : int
    """

    cells: np.ndarray
    charts: CellCharts
    degree: int
    orders: tuple[int, ...]
    singular: NearFunctions
    material: int = 0

    @property
    def unknowns(self) -> int:
        return len(self.orders)

    @cached_property
    def held(self) -> int:
        """The columns that the equations determine."""
        return sum(n for n, _, _ in self._counts)

    @cached_property
    def _counts(self) -> list[tuple[int, int, int]]:
        """The held columns of each unknown, the free ones, and how many of the held are harmonic."""
        found = []
        for lower in (2 - order for order in self.orders):
            p = self.degree - lower
            found.append((bubbles(p), harmonics(p), 0) if not lower else (bubbles(p) + harmonics(p) - 1, 1, 2 * p))
        return found

    @cached_property
    def _numbers(self) -> tuple[np.ndarray, ...]:
        held = np.cumsum([0, *(n for n, _, _ in self._counts)])
        free = self.held + np.cumsum([0, *(n for _, n, _ in self._counts)])
        found = []
        for (n, m, moved), first, start in zip(self._counts, held, free, strict=False):
            # Of a pressure the constant is the first harmonic one.
            inner, outer = first + np.arange(n), start + np.arange(m)
            found.append(np.concatenate([inner[: n - moved], outer, inner[n - moved :]]))
        return tuple(found)

    @cached_property
    def width(self) -> int:
        """The columns for functions of corners and holes."""
        return max(map(self.singular.width, self.cells.tolist()), default=0)

    @cached_property
    def free(self) -> int:
        """The others."""
        return sum(n for _, n, _ in self._counts) + self.sums

    @cached_property
    def sums(self) -> int:
        """The columns for functions of corners and holes that are fitted: sums of them."""
        return max(map(self.singular.sums, self.cells.tolist()), default=0)

    @property
    def fitted(self) -> int:
        """The columns of a cell that are fitted."""
        return self.held + self.free

    @property
    def each(self) -> int:
        """All columns of a cell."""
        return self.fitted - self.sums + self.width

    @cached_property
    def _ties(self) -> np.ndarray | None:
        """The sums of functions of corners of each cell, (cells, functions, sums); None if each is for itself."""
        if not any(k in self.singular.ties for k in self.cells.tolist()):
            return None
        found = np.zeros((len(self.cells), self.width, self.sums))
        for table, k in zip(found, self.cells.tolist(), strict=True):
            tie = self.singular.ties.get(k, np.eye(self.singular.width(k)))
            table[: tie.shape[0], : tie.shape[1]] = tie
        return found

    def expanded(self, coefficients: np.ndarray) -> np.ndarray:
        """Coefficients (cells, columns, r) of all columns from those that were fitted."""
        if self._ties is None:
            return coefficients
        first = self.fitted - self.sums
        return np.concatenate([coefficients[:, :first], self._ties @ coefficients[:, first:]], axis=1)

    def rows(self, points: np.ndarray, cells: np.ndarray, rows: Sequence[Coefficients], rights: int = 1) -> np.ndarray:
        """sum_k c_k D^k of the columns that are fitted for each row at points (sets, m, 2) of cells: (sets, columns +
        rights, rows m).

        The last columns are zero: room for right-hand sides.
        """
        charts = self.charts.take(cells)
        order = max((sum(index) for row in rows for (_, index), _ in row), default=0)
        known = CellPolynomials(charts.placed(points), self.degree, order)
        m = points.shape[1]
        made = np.zeros((len(cells), self.each + rights, m * len(rows)))
        operators: list[tuple[int, int, list[Term]]] = []
        for number, row in enumerate(rows):
            here = slice(number * m, (number + 1) * m)
            for u, order in enumerate(self.orders):
                mine = [(index, c) for (unknown, index), c in row if unknown == u]
                if mine:
                    terms = charts.terms(points, mine)
                    lower, own = 2 - order, self._numbers[u]
                    nb = bubbles(self.degree - lower)
                    known.bubbles(terms, made[:, own[0] : own[0] + nb, here], lower)
                    if lower:
                        made[:, own[nb:], here] = known.harmonics(terms, lower=lower)
                    else:
                        known.harmonics(terms, made[:, own[nb] : own[nb] + len(own) - nb, here])
                    operators.append((number, u, mine))
        if self.width:
            self._add_singular(made, points, cells, operators)
        if self._ties is None:
            return made
        first = self.each - self.width
        joined = np.swapaxes(self._ties[cells], 1, 2) @ made[:, first : self.each]
        return np.concatenate([made[:, :first], joined, made[:, self.each :]], axis=1)

    def _add_singular(
        self, made: np.ndarray, points: np.ndarray, cells: np.ndarray, operators: Sequence[tuple[int, int, list[Term]]]
    ) -> None:
        """Add the functions of corners and holes to the rows of sets of points."""
        start, m = self.each - self.width, points.shape[1]
        own = self.cells[cells]
        sets, corners = self.singular.pairs(own)
        several = [[(index, c[sets]) for index, c in terms] for _, _, terms in operators]
        found = self.singular.slots.at(points[sets], corners, several) if len(sets) else []
        for (row, unknown, _), values in zip(operators, found, strict=False):
            numbers = self.singular.slots.of(unknown, own[sets], corners)
            if numbers is not None:
                column = np.where(numbers < 0, self.each, start + numbers)  # what a cell does not have goes to the last
                made[sets[:, None], column, row * m : (row + 1) * m] = values
        made[:, self.each] = 0.0

    def constant(self, unknown: int) -> int:
        """Which column of a cell is the constant of an unknown."""
        return int(self._numbers[unknown][bubbles(self.degree - 2 + self.orders[unknown])])

    @cached_property
    def degrees(self) -> np.ndarray:
        """The degree of each column that is fitted, one more for a pressure; none for functions of corners."""
        found = np.zeros(self.fitted, dtype=int)
        for u, order in enumerate(self.orders):
            found[self.numbers(u)] = total_degrees(self.degree - 2 + order) + 2 - order
        return found

    @cached_property
    def ranks(self) -> np.ndarray:
        """The rank of each free column: that of the lowest of the compared degrees to which it belongs."""
        above = self.degrees[self.held :] - self.degree + (RANKS - 1) * STEP
        return np.maximum(-(-above // STEP), 0)

    def numbers(self, unknown: int) -> np.ndarray:
        """Which columns of a cell are the polynomials of an unknown."""
        return self._numbers[unknown]

    def values(
        self, coefficients: np.ndarray, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]
    ) -> list[np.ndarray]:
        """D^k u_i for each slot (i, k) of functions with coefficients (..., k, columns): (..., sets, m) each."""
        charts, mine = self.charts.take(cells), coefficients[..., cells, :]
        order = max((sum(index) for _, index in slots), default=0)
        known = CellPolynomials(charts.placed(points), self.degree, order)
        found: list[np.ndarray] = [np.zeros(0)] * len(slots)
        for u in range(self.unknowns):
            asked = [k for k, (unknown, _) in enumerate(slots) if unknown == u]
            lower = 2 - self.orders[u]
            made = charts.values(known, mine[..., self.numbers(u)], points, [slots[k][1] for k in asked], lower)
            for k, value in zip(asked, made, strict=True):
                found[k] = value
        own, start = self.cells[cells], self.each - self.width
        sets, corners = self.singular.pairs(own)
        if len(sets):
            tables = self.singular.slots.at(points[sets], corners, [[(index, 1.0)] for _, index in slots])
            for value, (u, _), table in zip(found, slots, tables, strict=True):
                numbers = self.singular.slots.of(u, own[sets], corners)
                if numbers is not None:
                    alpha = np.where(numbers < 0, 0.0, mine[..., sets[:, None], start + numbers])
                    for pair, cell in enumerate(sets.tolist()):
                        value[..., cell, :] += alpha[..., pair, :] @ table[pair]
        return found


@dataclass(frozen=True, eq=False)
class CellColumns:
    """The columns of all cells in groups; coefficients are ordered by group and cell.

    Parameters
    ----------
    charts : CellCharts
    degree : int
    orders : tuple of int
    singular : NearFunctions
        The functions of corners and holes of those cells that have any.
    material : (k,) array
        The material of each cell; empty if there is one.
    """

    charts: CellCharts
    degree: int
    orders: tuple[int, ...]
    singular: NearFunctions
    material: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))

    @classmethod
    def of(cls, tiles: Tiles, degree: int, orders: tuple[int, ...], singular: NearFunctions) -> CellColumns:
        """The columns of tiles."""
        return cls(tiles.charts, degree, orders, singular, tiles.material)

    @property
    def unknowns(self) -> int:
        return len(self.orders)

    @cached_property
    def groups(self) -> tuple[ColumnGroup, ...]:
        """Cells with few functions of corners and holes, and with many, of each material."""
        width = np.array([self.singular.sums(k) for k in range(len(self.charts.half))])
        most = int(width.max(initial=0))
        many = width > FEW * most
        polynomials = self.unknowns * (self.degree + 1) * (self.degree + 2) / 2
        many &= float(np.sum(most - width[~many])) > MANY * polynomials
        material = self.material if len(self.material) else np.zeros(len(width), dtype=int)
        return tuple(
            ColumnGroup(c, self.charts.take(c), self.degree, self.orders, self.singular, m)
            for m in np.unique(material).tolist()
            for c in (np.flatnonzero(w & (material == m)) for w in (~many, many))
            if len(c)
        )

    @cached_property
    def count(self) -> int:
        """All columns."""
        return sum(len(g.cells) * g.each for g in self.groups)

    @cached_property
    def place(self) -> np.ndarray:
        """The group of each cell and its place there: (2, k)."""
        found = np.zeros((2, len(self.charts.half)), dtype=int)
        for number, g in enumerate(self.groups):
            found[0, g.cells], found[1, g.cells] = number, np.arange(len(g.cells))
        return found

    def sets(self, cells: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """For sets of points in cells: each group, which sets belong to it, and their places in the group."""
        group, place = self.place[:, cells]
        for number in range(len(self.groups)):
            mine = np.arange(len(cells)) if len(self.groups) == 1 else np.flatnonzero(group == number)
            if len(mine):
                yield number, mine, place[mine]

    def tables(self, coefficients: np.ndarray) -> list[np.ndarray]:
        """The coefficients (columns, ...) of each group: (cells, columns of a cell, ...)."""
        stops = np.cumsum([len(g.cells) * g.each for g in self.groups])[:-1]
        parts = np.split(coefficients, stops)
        return [c.reshape(-1, g.each, *c.shape[1:]) for c, g in zip(parts, self.groups, strict=True)]

    def values(
        self, coefficients: np.ndarray, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]
    ) -> list[np.ndarray]:
        """D^k u_i for each slot (i, k) at points (sets, m, 2) of cells, for coefficients (columns, ...): (..., sets, m)
        each."""
        tables = self.tables(coefficients)
        found = [np.empty((*coefficients.shape[1:], *points.shape[:2])) for _ in slots]
        for number, mine, local in self.sets(cells):
            table = np.moveaxis(tables[number], (0, 1), (-2, -1))
            made = self.groups[number].values(table, points[mine], local, slots)
            for out, value in zip(found, made, strict=True):
                out[..., mine, :] = value
        return found
