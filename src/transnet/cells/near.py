"""The functions of corners in the cells near them: those of all corners are evaluated at once.

Functions of different corners differ by their exponents and by the place and scale of their corner, which are numbers
of a point here; those with and without a logarithm, and with each power of conj(z), have slots of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from transnet.features.powers import Group, Terms
from transnet.features.singular import FIELDS, Chart, Singular

CHUNK = 20_000
"""Points at which functions are summed at once."""


@dataclass(frozen=True, eq=False)
class Slots:
    """The functions of all corners in one table.

    Parameters
    ----------
    frames : (corners, 8) array
        The charts of the corners.
    logs, bars : (s,) arrays
        Whether the functions of a slot have a logarithm, and their powers of conj(z).
    alpha : (corners, s) array
        Their exponents at each corner.
    numbers : mapping from int to (cells, corners, 2 s) arrays
        For each unknown (-1 for the only one) the numbers of their real and imaginary parts among the functions of a
        cell, -1 where it has none.
    """

    frames: np.ndarray
    logs: np.ndarray
    bars: np.ndarray
    alpha: np.ndarray
    numbers: Mapping[int, np.ndarray]

    @cached_property
    def near(self) -> np.ndarray:
        """Whether a cell has functions of a corner: (cells, corners)."""
        return np.any([(table >= 0).any(axis=2) for table in self.numbers.values()], axis=0)

    def of(self, unknown: int, cells: np.ndarray, corners: np.ndarray) -> np.ndarray | None:
        """The numbers of the functions of an unknown for pairs of a cell and a corner; None if it has none."""
        table = self.numbers.get(unknown, self.numbers.get(-1))
        return None if table is None else table[cells, corners]

    def at(self, points: np.ndarray, corners: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The functions of a corner on each set of points (sets, m, 2) for each operator: (sets, 2 s, m) each."""
        sets, m = points.shape[:2]
        frames = np.repeat(self.frames[corners], m, axis=0)
        placed = points.reshape(-1, 2) - frames[:, :2]
        alpha = np.repeat(self.alpha[corners], m, axis=0).T
        group = Group.of_points(frames, alpha, self.logs, self.bars)
        flat = [[(index, np.broadcast_to(c, (sets, m)).ravel()) for index, c in terms] for terms in several]
        found = group.apply(placed, flat)
        return [np.moveaxis(f.reshape(-1, sets, m), 0, 1) for f in found]


@dataclass(frozen=True, eq=False)
class NearFunctions:
    """The functions of corners of each cell that has any, in the coordinates of the problem, and the sums of them that
    are sought (functions, sums); a cell without has each for itself."""

    tables: Mapping[int, Singular] = field(default_factory=dict)
    ties: Mapping[int, np.ndarray] = field(default_factory=dict)

    def sums(self, cell: int) -> int:
        """How many sums of functions a cell has."""
        return self.ties[cell].shape[1] if cell in self.ties else self.width(cell)

    def width(self, cell: int) -> int:
        """How many functions a cell has."""
        return len(self.tables[cell]) if cell in self.tables else 0

    @cached_property
    def slots(self) -> Slots:
        """All of them in one table."""
        frame = len(Chart._fields)
        kind, unknown, imaginary, exponent, beta = (
            [FIELDS.index(n) for n in ("log", "bars")], *map(FIELDS.index, ("unknown", "imaginary", "alpha", "beta"))
        )  # fmt: skip
        corners: dict[tuple[float, ...], int] = {}
        slots: dict[tuple[float, float, int], int] = {}
        of_corner: dict[tuple[int, complex, float, float], int] = {}
        counts: dict[tuple[int, float, float], int] = {}
        placed: list[tuple[int, int, int, int, int]] = []
        for cell, table in self.tables.items():
            for number, row in enumerate(map(tuple, table.table.tolist())):
                corner = corners.setdefault(row[:frame], len(corners))
                log, bars = row[kind[0]], row[kind[1]]
                key = (corner, complex(row[exponent], row[beta]), log, bars)
                if key not in of_corner:
                    place = counts.get((corner, log, bars), 0)
                    counts[corner, log, bars] = place + 1
                    of_corner[key] = slots.setdefault((log, bars, place), len(slots))
                placed.append((int(row[unknown]), cell, corner, 2 * of_corner[key] + int(row[imaginary]), number))
        alpha = np.ones((len(corners), len(slots)), dtype=complex)
        for (corner, value, _, _), slot in of_corner.items():
            alpha[corner, slot] = value
        which, cells, at, column, numbers = (np.array(v, dtype=int) for v in zip(*placed, strict=True))
        found = {}
        for u in np.unique(which).tolist():
            mine = which == u
            found[u] = np.full((max(self.tables, default=-1) + 1, len(corners), 2 * len(slots)), -1)
            found[u][cells[mine], at[mine], column[mine]] = numbers[mine]
        log, bars, _ = np.array(list(slots)).reshape(-1, 3).T
        real = alpha if alpha.imag.any() else alpha.real
        return Slots(np.array(list(corners)).reshape(-1, frame), log > 0, bars.astype(int), real, found)

    def pairs(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For sets of points in cells: each set with each corner whose functions its cell has."""
        if not self.tables:
            return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
        near = self.slots.near
        known = cells < len(near)
        sets, corners = np.nonzero(near[np.where(known, cells, 0)] & known[:, None])
        return sets, corners

    def summed(
        self, cell: int, points: np.ndarray, index: tuple[int, ...], unknown: int, alpha: np.ndarray
    ) -> np.ndarray:
        """The sums of the functions of one cell with factors (functions, c) at its points: (n, c)."""
        total = np.zeros((len(points), alpha.shape[1]))
        _, corners = self.pairs(np.array([cell]))
        for corner in corners:
            numbers = self.slots.of(unknown, np.array(cell), corner)
            if numbers is not None:
                factors = np.where(numbers[:, None] < 0, 0.0, alpha[numbers])
                for start in range(0, len(points), CHUNK):
                    here = slice(start, start + CHUNK)
                    found = self.slots.at(points[None, here], np.array([corner]), [[(index, 1.0)]])
                    total[here] += found[0][0].T @ factors
        return total
