"""The functions of corners and holes in the cells near them: each is evaluated once for all cells that have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from transnet.features.powers import Terms
from transnet.features.singular import FIELDS, Chart, Singular

UNKNOWN = FIELDS.index("unknown")


@dataclass(frozen=True, eq=False)
class SharedFunctions:
    """Functions around one point, and the cells that have some of them.

    Parameters
    ----------
    functions : Singular
    numbers : mapping from int to (cells, functions) arrays
        For each unknown (-1 for the only one) the number of each function in each cell, and -1 where it has none.
    """

    functions: Singular
    numbers: Mapping[int, np.ndarray]

    @cached_property
    def cells(self) -> np.ndarray:
        """Whether a cell has some of them."""
        return np.any([(table >= 0).any(axis=1) for table in self.numbers.values()], axis=0)

    def of(self, unknown: int) -> np.ndarray | None:
        """The numbers of the functions of an unknown; None if it has none."""
        return self.numbers.get(unknown, self.numbers.get(-1))

    def at(self, points: np.ndarray, sets: np.ndarray, several: Sequence[Terms]) -> np.ndarray:
        """All functions on sets of points for each operator, whose coefficients are (sets, m): (operators, sets,
        functions, m)."""
        m = points.shape[1]
        here = [[(index, np.asarray(c)[sets].ravel()) for index, c in terms] for terms in several]
        found = self.functions.apply_each(points[sets].reshape(-1, 2), here)
        return np.swapaxes(np.array(found).reshape(len(several), len(self.functions), len(sets), m), 1, 2)


@dataclass(frozen=True, eq=False)
class NearFunctions:
    """The functions of corners and holes of each cell that has any, in the coordinates of the problem."""

    tables: Mapping[int, Singular] = field(default_factory=dict)

    def width(self, cell: int) -> int:
        """How many functions a cell has."""
        return len(self.tables[cell]) if cell in self.tables else 0

    @cached_property
    def shared(self) -> tuple[SharedFunctions, ...]:
        """All of them by the point to which they belong."""
        known: dict[tuple[float, ...], dict[tuple[float, ...], int]] = {}
        places: dict[tuple[float, ...], list[tuple[int, int, int, int]]] = {}
        frame, count = len(Chart._fields), max(self.tables, default=-1) + 1
        for cell, table in self.tables.items():
            for number, row in enumerate(map(tuple, table.table.tolist())):
                functions = known.setdefault(row[:frame], {})
                which = functions.setdefault((*row[:UNKNOWN], -1.0, *row[UNKNOWN + 1 :]), len(functions))
                places.setdefault(row[:frame], []).append((int(row[UNKNOWN]), cell, which, number))
        found = []
        for point, functions in known.items():
            unknown, cell, which, number = np.array(places[point]).T
            numbers = {}
            for u in np.unique(unknown).tolist():
                mine = unknown == u
                numbers[u] = np.full((count, len(functions)), -1)
                numbers[u][cell[mine], which[mine]] = number[mine]
            found.append(SharedFunctions(Singular(np.array(list(functions))), numbers))
        return tuple(found)

    def on(self, cells: np.ndarray) -> Iterator[tuple[SharedFunctions, np.ndarray]]:
        """For sets of points in cells: the functions around each point, and the sets whose cells have some of them."""
        for shared in self.shared:
            known = np.flatnonzero(cells < len(shared.cells))
            sets = known[shared.cells[cells[known]]]
            if len(sets):
                yield shared, sets
