"""The columns of all cells: polynomials of one degree for every unknown, and the functions of corners near a cell.

Those of one cell are ordered as: the polynomials of all unknowns that vanish on the circle around the cell, which the
equations determine; the harmonic ones; the functions of corners, with empty columns where a cell has fewer of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.polynomials import CellPolynomials, bubbles, harmonics
from transnet.cells.tiles import Tiles
from transnet.features.singular import Singular

Term = tuple[tuple[int, ...], np.ndarray]
Coefficients = Sequence[tuple[Slot, np.ndarray]]
"""What multiplies each derivative of each unknown, (sets, points) each, in the coordinates of the problem."""


@dataclass(frozen=True, eq=False)
class CellColumns:
    """The columns of cells.

    Parameters
    ----------
    centre, half : (k, 2) arrays
        The ellipse of each cell.
    degree, unknowns : int
    singular : mapping from int to Singular
        The functions of corners of those cells that have any.
    """

    centre: np.ndarray
    half: np.ndarray
    degree: int
    unknowns: int
    singular: Mapping[int, Singular]

    @classmethod
    def of(cls, tiles: Tiles, degree: int, unknowns: int, singular: Mapping[int, Singular]) -> CellColumns:
        """The columns of tiles."""
        return cls(tiles.centre, tiles.half, degree, unknowns, singular)

    @cached_property
    def held(self) -> int:
        """The columns that the equations determine."""
        return self.unknowns * bubbles(self.degree)

    @cached_property
    def width(self) -> int:
        """The columns for functions of corners."""
        return max((len(s) for s in self.singular.values()), default=0)

    @cached_property
    def free(self) -> int:
        """The others."""
        return self.unknowns * harmonics(self.degree) + self.width

    @property
    def each(self) -> int:
        """All columns of a cell."""
        return self.held + self.free

    def at(self, points: np.ndarray, cells: np.ndarray, coefficients: Coefficients) -> np.ndarray:
        """sum_k c_k D^k of all columns at points (sets, m, 2) of some cells: (sets, columns, m)."""
        return self.several(points, cells, [coefficients])[0]

    def several(self, points: np.ndarray, cells: np.ndarray, rows: Sequence[Coefficients]) -> list[np.ndarray]:
        """The same for several rows of one set of points."""
        half = self.half[cells]
        placed = (points - self.centre[cells][:, None]) / half[:, None]
        order = max((max(index) for row in rows for (_, index), _ in row), default=0)
        known = CellPolynomials(placed, self.degree, order)
        made: list[np.ndarray] = []
        by_row: list[list[list[Term]]] = []
        nb, nh = bubbles(self.degree), harmonics(self.degree)
        for row in rows:
            out = np.zeros((len(cells), self.each, points.shape[1]))
            terms: list[list[Term]] = [[] for _ in range(self.unknowns)]
            for (unknown, index), c in row:
                terms[unknown].append((index, c / np.prod(half ** np.array(index), axis=1)[:, None]))
            for u, mine in enumerate(terms):
                if mine:
                    out[:, u * nb : (u + 1) * nb] = known.bubbles(mine)
                    start = self.held + u * nh
                    out[:, start : start + nh] = known.harmonics(mine)
            made.append(out)
            by_row.append(terms)
        if self.singular:
            self._add_singular(made, placed, cells, by_row)
        return made

    def _add_singular(
        self, made: Sequence[np.ndarray], placed: np.ndarray, cells: np.ndarray, by_row: Sequence[Sequence[list[Term]]]
    ) -> None:
        """Add the functions of corners to the rows, one cell after the other."""
        start, m = self.each - self.width, placed.shape[1]
        for cell, (which, table) in ((c, known) for c in self.singular for known in self.by_unknown[c].items()):
            sets = np.flatnonzero(cells == cell)
            rows = [(out, terms[which]) for out, terms in zip(made, by_row, strict=True) if terms[which]]
            if not len(sets) or not rows:
                continue
            several = [[(index, c[sets].ravel()) for index, c in mine] for _, mine in rows]
            numbers, functions = table
            found = functions.apply_each(placed[sets].reshape(-1, 2), several)
            for (out, _), values in zip(rows, found, strict=True):
                shaped = np.swapaxes(values.reshape(len(functions), len(sets), m), 0, 1)
                out[np.ix_(sets, start + numbers)] = shaped

    @cached_property
    def by_unknown(self) -> dict[int, dict[int, tuple[np.ndarray, Singular]]]:
        """For each cell the functions of each unknown and their numbers."""
        found: dict[int, dict[int, tuple[np.ndarray, Singular]]] = {}
        for cell, table in self.singular.items():
            of = table["unknown"]
            found[cell] = {}
            for u in range(self.unknowns):
                mine = np.flatnonzero((of == u) | ((of == -1) & (self.unknowns == 1)))
                if len(mine):
                    found[cell][u] = (mine, table if len(mine) == len(table) else table.part(mine))
        return found

    def values(
        self, coefficients: np.ndarray, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]
    ) -> list[np.ndarray]:
        """D^k u_i for each slot (i, k) of the function with coefficients (k, columns): (sets, m) each."""
        one = np.ones(points.shape[:2])
        rows = self.several(points, cells, [[(slot, one)] for slot in slots])
        return [np.einsum("kcm,kc->km", row, coefficients[cells]) for row in rows]
