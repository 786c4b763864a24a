"""Cells joined by their glue: the best coefficients, and nearly those of lower degrees, from the same factors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cells.columns import STEP
from transnet.cells.fit import CellRows, RowTable
from transnet.cells.glue import CellGlue, Entry, GroupRows, glued
from transnet.cells.reduce import ReducedCells


@dataclass(frozen=True, eq=False)
class Fitted:
    """The coefficients (columns, r) that satisfy all rows best for each right-hand side, what is left on the faces, and
    the smallest pivot of the glue."""

    coefficients: np.ndarray
    over: np.ndarray
    pivot: float


@dataclass(frozen=True, eq=False)
class JoinedCells:
    """The rows of cells that are reduced: those of each group one below the other, and the first row of each side of a
    face among all of them, (2, faces)."""

    rows: CellRows
    reduced: Sequence[ReducedCells]
    stacked: Sequence[GroupRows]
    sides: np.ndarray

    @classmethod
    def of(cls, rows: CellRows) -> JoinedCells:
        """Reduce cells: their own rows, and those on both sides of faces."""
        reduced = [inside.reduced() for inside in rows.insides]
        entries: list[list[Entry]] = [[(r.left, np.arange(len(r.left)))] for r in reduced]
        placed = []
        for t in rows.others:
            if t.faces is not None:
                placed.append((t, len(entries[t.group])))
            entries[t.group].append((reduced[t.group].rows(t.table, t.cells, rows.rights, t.right), t.cells))
        sides = np.zeros((2, len(rows.tiles.pairs)), dtype=int)
        stacked, start = [], 0
        for number, own in enumerate(entries):
            made = GroupRows.of(len(reduced[number].affine), own)
            for t, entry in placed:
                if t.group == number:
                    sides[t.side, t.faces] = start + made.starts[entry]
            start += made.rows.shape[0] * made.rows.shape[1]
            stacked.append(made)
        return cls(rows, reduced, stacked, sides)

    @cached_property
    def glue(self) -> CellGlue:
        """The glue of all cells."""
        return self._glued(self.stacked, [np.zeros_like(r) if self._cornered else r for r in self._ranks])

    @cached_property
    def _ranks(self) -> list[np.ndarray]:
        return [g.ranks for g in self.rows.columns.groups]

    @property
    def _cornered(self) -> bool:
        """Whether there are functions of corners: they hardly differ from polynomials, so these come first, of all
        degrees, and lower degrees have factors of their own."""
        return any(g.sums for g in self.rows.columns.groups)

    def _glued(self, stacked: Sequence[GroupRows], ranks: Sequence[np.ndarray]) -> CellGlue:
        tiles, groups = self.rows.tiles, self.rows.columns.groups
        order = np.concatenate([g.cells for g in groups])
        sums = [g.sums for g in groups]
        return glued(
            stacked, ranks, sums, self.rows.rights, self.sides, self.rows.width, tiles.pairs, order, tiles.seeds
        )

    @cached_property
    def _best(self) -> tuple[list[np.ndarray], np.ndarray]:
        return self.glue.solve()

    def fit(self) -> Fitted:
        """The best coefficients."""
        z, over = self._best
        return self._fitted([r.coefficients(c) for r, c in zip(self.reduced, z, strict=True)], over)

    def lowered(self, steps: int) -> Fitted:
        """What the solution would be, nearly, with polynomials of degrees that are lower by these steps: what cells
        exchange has lower degrees, and what lower degrees leave of the equations for the solution is missing on their
        right-hand sides."""
        z, over = self._exchanged(steps)
        missing = [r.beyond(c, STEP * steps) for r, c in zip(self.rows.insides, self._best[0], strict=True)]
        right = self.right([np.zeros((*r.left.shape[:2], self.rows.rights)) for r in self.reduced], missing)
        more, over_more = replace(self.glue, right=right).solve()
        each = zip(self.reduced, z, more, missing, strict=True)
        return self._fitted([r.coefficients(a) - r.answers(b) - c for r, a, b, c in each], over - over_more)

    def _exchanged(self, steps: int) -> tuple[list[np.ndarray], np.ndarray]:
        """The best free coefficients of the functions of lower degrees alone, and what is left on the faces."""
        if not self._cornered:
            return self.glue.solve(steps)
        kept = [ranks <= ranks.max() - steps for ranks in self._ranks]
        rights = np.ones(self.rows.rights, dtype=bool)
        some = [replace(s, rows=s.rows[..., np.append(k, rights)]) for s, k in zip(self.stacked, kept, strict=True)]
        few, over = self._glued(some, [np.zeros(k.sum(), dtype=int) for k in kept]).solve()
        z = [np.zeros((len(c), len(k), c.shape[2])) for c, k in zip(few, kept, strict=True)]
        for whole, c, k in zip(z, few, kept, strict=True):
            whole[:, k] = c
        return z, over

    def _fitted(self, fitted: Sequence[np.ndarray], over: np.ndarray) -> Fitted:
        rights = self.rows.rights
        found = [g.expanded(c).reshape(-1, rights) for g, c in zip(self.rows.columns.groups, fitted, strict=True)]
        return Fitted(np.concatenate(found), over, self.glue.pivot)

    def right(
        self, own: Sequence[np.ndarray], known: Sequence[np.ndarray], stated: Callable[[RowTable], Any] = lambda t: 0.0
    ) -> np.ndarray:
        """The right-hand sides of all rows: of the cells' `own` (cells, rows, r), and on faces and on the boundary what
        is `stated` less `known` functions (cells, columns, r)."""
        entries: list[list[Entry]] = [[(rows, np.arange(len(rows)))] for rows in own]
        for t in self.rows.others:
            mine = known[t.group]
            made = stated(t) - np.swapaxes(t.table[:, : mine.shape[1]], 1, 2) @ mine[t.cells]
            entries[t.group].append((made, t.cells))
        rows = [GroupRows.of(len(c), some).rows for c, some in zip(known, entries, strict=True)]
        return np.concatenate([r.reshape(-1, r.shape[2]) for r in rows])
