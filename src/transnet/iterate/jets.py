"""The features' derivatives at fixed points, computed once and used in every step of an iteration.

A row of a step is sum_k c_k(y_j) D^k phi_m(y_j) with coefficients c_k that change and features that do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import MultiIndex, Slot
from transnet.features.evaluate import POINTS, write_rows


class Jet:
    """The derivatives of all features of a basis at one set of points.

    Parameters
    ----------
    basis : Basis
        The features of each unknown.
    points : (n, d) array
        Points of the domain.
    slots : sequence of (unknown, multi-index)
        Which derivatives will be asked for.
    keep : bool
        Whether to keep them; if memory is short they are computed whenever they are needed.
    """

    def __init__(self, basis: Basis, points: np.ndarray, slots: Sequence[Slot], keep: bool = True) -> None:
        self.basis, self.points, self.kept = basis, points, keep
        self.values: dict[tuple[int, MultiIndex], np.ndarray] = {}
        for unknown, index in slots if keep else ():
            space = basis.spaces[unknown]
            self.values[id(space), index] = np.empty((space.size, len(points)))
        placed = basis.placement(points)
        for space in basis.distinct:
            mine = {index: rows for (number, index), rows in self.values.items() if number == id(space)}
            units = {index: np.asarray(1.0 / basis.placement.unit(index)) for index in mine}
            if mine:
                write_rows(space, placed, [(rows, [(index, units[index])]) for index, rows in mine.items()])

    @staticmethod
    def elements(basis: Basis, points: np.ndarray, slots: Sequence[Slot]) -> int:
        """The number of values that will be kept."""
        kept = {(id(basis.spaces[u]), index): basis.spaces[u].size for u, index in slots}
        return len(points) * sum(kept.values())

    def _of(self, slot: Slot) -> np.ndarray:
        return self.values[id(self.basis.spaces[slot[0]]), slot[1]]

    def write(self, out: np.ndarray, slots: Sequence[Slot], coefficients: Sequence[np.ndarray], factor: float) -> None:
        """Write sum_k c_k D^k phi, times the factor, into the transposed rows `out`: (columns, n)."""
        if not self.kept:
            self.basis.write(out, self.points, slots, coefficients, factor)
            return
        for unknown in range(self.basis.unknowns):
            terms = [(s, factor * c) for s, c in zip(slots, coefficients, strict=True) if s[0] == unknown and np.any(c)]
            out[self.basis.slice_of(unknown)] = sum((self._of(s) * c for s, c in terms), np.zeros(()))

    def derivatives(self, coefficients: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at the points, for each slot (i, k), for given output weights."""
        if not self.kept:
            return self.basis.derivatives(coefficients, self.points, slots)
        return [coefficients[self.basis.slice_of(slot[0])] @ self._of(slot) for slot in slots]

    def pull_back(self, slots: Sequence[Slot], parts: Sequence[np.ndarray]) -> np.ndarray:
        """The transposed map: sum over slots and points of g_k(y_j) D^k phi_m(y_j), one number per column."""
        total = np.zeros(self.basis.columns)
        if not self.kept:
            for start in range(0, len(self.points), POINTS):
                here = slice(start, start + POINTS)
                piece = Jet(self.basis, self.points[here], slots)
                total += piece.pull_back(slots, [p if np.ndim(p) == 0 else p[here] for p in parts])
            return total
        for slot, part in zip(slots, parts, strict=True):
            total[self.basis.slice_of(slot[0])] += self._of(slot) @ np.broadcast_to(part, (len(self.points),))
        return total
