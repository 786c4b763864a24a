"""Conjugate gradients on the glue of a regular grid: in space they are faster than any elimination.

The reduction of the cells is the preconditioner: directions that a cell determines are fixed beforehand, and the rest
has orthonormal columns, so one or two hundred steps are enough for equations without waves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.pieces.lattice.joined import Joined
from transnet.pieces.lattice.law import Side

MOST = 600
"""Steps after which conjugate gradients have failed: many waves need more, and then elimination is better."""
HELD = 1e-14
"""Added to the diagonal of a block of orthonormal columns, which may be singular."""


@dataclass(frozen=True, eq=False)
class Gradients:
    """The normal equations of a grid as products."""

    joined: Joined

    @cached_property
    def _inverses(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each kind of cell by the sides it is at: which cells, and the inverse of their diagonal block."""
        counts = self.joined.counts
        index = np.stack(np.unravel_index(np.arange(self.joined.cells), counts), axis=1)
        ends = np.stack([index == 0, index == np.array(counts) - 1], axis=2).reshape(len(index), -1)
        kinds, which = np.unique(ends, axis=0, return_inverse=True)
        made = []
        for k, kind in enumerate(kinds):
            block = self.joined.diagonal(frozenset((int(j) // 2, int(j) % 2) for j in np.flatnonzero(kind)))
            made.append((np.flatnonzero(which.ravel() == k), np.linalg.inv(block + HELD * np.eye(len(block)))))
        return made

    @cached_property
    def _inside(self) -> np.ndarray:
        return self.joined.diagonal(frozenset())

    @cached_property
    def _at_sides(self) -> dict[Side, np.ndarray]:
        """The additional terms in the diagonal blocks of cells at each side."""
        sides = ((axis, end) for axis in range(len(self.joined.counts)) for end in (0, 1))
        return {side: self.joined.diagonal(frozenset({side})) - self._inside for side in sides}

    def apply(self, z: np.ndarray) -> np.ndarray:
        """The normal matrix times z; products are those of all cells at once."""
        flat = z.reshape(self.joined.cells, -1)
        out = (flat @ self._inside).reshape(z.shape)
        for (axis, end), block in self._at_sides.items():
            here = np.moveaxis(out, axis, 0)[-end]
            here += (self.joined.side(z, (axis, end)) @ block).reshape(here.shape)
        for axis, coupling in enumerate(self.joined.couplings):
            moved = np.moveaxis(out, axis, 0)
            moved[:-1] += np.moveaxis((flat @ coupling.T).reshape(z.shape), axis, 0)[1:]
            moved[1:] += np.moveaxis((flat @ coupling).reshape(z.shape), axis, 0)[:-1]
        return out

    def _preconditioned(self, r: np.ndarray) -> np.ndarray:
        flat = r.reshape(self.joined.cells, -1)
        out = np.empty_like(flat)
        for cells, inverse in self._inverses:
            out[cells] = flat[cells] @ inverse
        return out.reshape(r.shape)

    def solve(self, right: np.ndarray, tolerance: float) -> np.ndarray | None:
        """The solution of the normal equations; None if it takes too many steps."""
        x = np.zeros_like(right)
        r = right.copy()
        z = self._preconditioned(r)
        p = z.copy()
        size = first = float(np.vdot(r, z))
        for _ in range(MOST):
            if size <= tolerance**2 * first:
                return x
            q = self.apply(p)
            length = size / float(np.vdot(p, q))
            x += length * p
            r -= length * q
            z = self._preconditioned(r)
            last, size = size, float(np.vdot(r, z))
            p *= size / last
            p += z
        return None
