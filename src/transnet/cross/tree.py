"""Products of functions of one coordinate each, with shared factors multiplied once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Tree:
    """Degrees in lexicographic order: each product is that of all coordinates but the last, times one factor.

    Parameters
    ----------
    order : (n,) array
        The numbers of the degrees in that order.
    levels : list of (parents, digits, starts)
        For each coordinate the distinct beginnings of degrees: which shorter one each continues, by which degree, and
        where those that continue one of the shorter ones start.
    """

    order: np.ndarray
    levels: list[tuple[np.ndarray, np.ndarray, np.ndarray]]

    @classmethod
    def of(cls, degrees: np.ndarray) -> Tree:
        order = np.lexsort(degrees.T[::-1])
        rows = degrees[order].astype(np.intp)
        levels = []
        before = np.zeros(len(rows), dtype=np.intp)
        new = np.r_[True, np.zeros(max(len(rows) - 1, 0), dtype=bool)]
        for axis in range(rows.shape[1]):
            new = new | np.r_[True, rows[1:, axis] != rows[:-1, axis]]
            first = np.flatnonzero(new)
            parents = before[first]
            starts = np.flatnonzero(np.r_[True, parents[1:] != parents[:-1]])
            levels.append((parents, rows[first, axis], starts))
            before = np.cumsum(new) - 1
        return cls(order, levels)

    def products(self, tables: Sequence[np.ndarray]) -> np.ndarray:
        """All products at points: (n, points), from the factors of each coordinate by degree, (degrees, points)."""
        found = np.ones((1, tables[0].shape[1]))
        for (parents, digits, _), table in zip(self.levels, tables, strict=True):
            found = found[parents] * table[digits]
        result = np.empty_like(found)
        result[self.order] = found
        return result

    def total(self, tables: Sequence[np.ndarray], coefficients: np.ndarray) -> np.ndarray:
        """The sum of all products, each with a coefficient: (points,)."""
        found = coefficients[self.order][:, None]
        for (_, digits, starts), table in zip(reversed(self.levels), reversed(list(tables)), strict=True):
            found = np.add.reduceat(found * table[digits], starts, axis=0)
        return found[0]
