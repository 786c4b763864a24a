"""The glue: what cells exchange, joined by least squares on faces and on the boundary.

The free coefficients of each cell are changed to those in which its own rows are orthonormal; the normal equations of
all cells are so well conditioned then that they lose nothing. They are factored densely, or by nested dissection if
there are many cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.cells.reduce import CellRows
from transnet.errors import TransnetError
from transnet.linalg import lapack
from transnet.linalg.cholesky import lower_factor
from transnet.pieces.dissection import Dissection, Normal, dissected

DENSE = 500
"""Unknowns up to which the normal equations are factored densely."""
STEPS = 2
"""Steps of refinement on the rows."""
UNDETERMINED = 1e-11
"""A pivot below this means that the solution is not determined; those of 200 cells are above 1e-6."""
EMPTY = 1e-13
"""A free direction of a cell that its rows see less than this, relative to the others, is left out."""


@dataclass(frozen=True, eq=False)
class CellGlue:
    """The rows of all cells for their free coefficients, factored.

    Parameters
    ----------
    own : sequence of CellRows
        CellRows of single cells.
    pairs : (f, 2) array
        The two cells of each face.
    faces : (f, 2, rows, free) array
        The rows of its two sides, the second with a minus.
    whiten : (k, free, free) array
        From the coefficients in which a cell's rows are orthonormal to its free ones.
    seen : (k, free) array
        Which of these there are: cells with fewer functions have empty ones.
    pivot : float
        The smallest pivot of the factorisation: how well the rows determine the weakest direction.
    """

    own: Sequence[CellRows]
    pairs: np.ndarray
    faces: tuple[np.ndarray, np.ndarray]
    whiten: np.ndarray
    seen: np.ndarray
    factor: np.ndarray | Dissection
    pivot: float

    def solve(self, rights: Sequence[np.ndarray], jumps: np.ndarray) -> np.ndarray:
        """The free coefficients (k, free) for right-hand sides of the own rows and for jumps on faces."""
        z = np.zeros(self.whiten.shape[:2])
        for _ in range(STEPS + 1):
            z += self._solved(*self._left(z, rights, jumps))
        return np.einsum("kij,kj->ki", self.whiten, z)

    def _left(
        self, z: np.ndarray, rights: Sequence[np.ndarray], jumps: np.ndarray
    ) -> tuple[list[np.ndarray], np.ndarray]:
        first, second = self.pairs.T
        own = [g - np.einsum("kmc,kc->km", r.matrix, z[r.cells]) for g, r in zip(rights, self.own, strict=True)]
        faces = jumps - np.einsum("kmc,kc->km", self.faces[0], z[first])
        return own, faces - np.einsum("kmc,kc->km", self.faces[1], z[second])

    def _solved(self, rights: Sequence[np.ndarray], jumps: np.ndarray) -> np.ndarray:
        total = np.zeros(self.whiten.shape[:2])
        for g, r in zip(rights, self.own, strict=True):
            np.add.at(total, r.cells, np.einsum("kmc,km->kc", r.matrix, g))
        for side, cells in zip(self.faces, self.pairs.T, strict=True):
            np.add.at(total, cells, np.einsum("kmc,km->kc", side, jumps))
        flat = total[self.seen]
        found = np.zeros_like(total)
        if isinstance(self.factor, Dissection):
            found[self.seen] = self.factor.solve(flat)
        else:
            found[self.seen] = lapack.dpotrs(self.factor, flat, lower=1)[0]
        return found


def glued(
    own: Sequence[CellRows], pairs: np.ndarray, faces: tuple[np.ndarray, np.ndarray], centres: np.ndarray
) -> CellGlue:
    """Factor the rows of cells at `centres`."""
    k = len(centres)
    stacked = [*((r.cells, r.matrix) for r in own), *((c, s) for c, s in zip(pairs.T, faces, strict=True))]
    upper = np.linalg.qr(np.concatenate([_by_cell(c, m, k) for c, m in stacked if len(c)], axis=1), mode="r")
    diagonal = np.einsum("kii->ki", upper)
    empty = np.abs(diagonal) <= EMPTY * np.abs(diagonal).max(axis=1, keepdims=True)
    diagonal[...] = np.where(empty, 1.0, diagonal)
    whiten = np.linalg.inv(upper)
    whiten[np.broadcast_to(empty[:, None, :], whiten.shape)] = 0.0
    own = [CellRows(r.cells, r.matrix @ whiten[r.cells], r.right) for r in own]
    first, second = pairs.T
    sides = (faces[0] @ whiten[first], faces[1] @ whiten[second])
    # Identities up to rounding, which in cells with functions of corners is not small.
    blocks = np.zeros((k, *whiten.shape[1:]))
    for cells, rows in [*((r.cells, r.matrix) for r in own), (first, sides[0]), (second, sides[1])]:
        np.add.at(blocks, cells, np.swapaxes(rows, 1, 2) @ rows)
    across = np.swapaxes(sides[0], 1, 2) @ sides[1]
    return CellGlue(own, pairs, sides, whiten, ~empty, *_factored(blocks, ~empty, pairs, across, centres))


def _by_cell(cells: np.ndarray, rows: np.ndarray, count: int) -> np.ndarray:
    """Rows (sets, m, free) stacked for each cell, with zeros where a cell has fewer sets: (count, rows, free)."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    place = np.arange(len(cells)) - np.searchsorted(ordered, ordered)
    out = np.zeros((count, int(place.max()) + 1, *rows.shape[1:]))
    out[ordered, place] = rows[order]
    return out.reshape(count, -1, rows.shape[2])


def _factored(
    blocks: np.ndarray, seen: np.ndarray, pairs: np.ndarray, across: np.ndarray, centres: np.ndarray
) -> tuple[np.ndarray | Dissection, float]:
    """The normal equations of the directions that are seen, and the smallest pivot."""
    k, free = seen.shape
    if k * free <= DENSE:
        whole = np.zeros((k, free, k, free))
        whole[np.arange(k), :, np.arange(k)] = blocks
        for (i, j), block in zip(pairs.tolist(), across, strict=True):
            whole[i, :, j] += block
            whole[j, :, i] += block.T
        which = np.flatnonzero(seen)
        lower = lower_factor(whole.reshape(k * free, k * free)[np.ix_(which, which)])
        return _determined(lower, float(np.diag(lower).min()) ** 2)
    products: dict[tuple[int, int], np.ndarray] = {}
    near: list[set[int]] = [set() for _ in range(k)]
    mine = [np.flatnonzero(s) for s in seen]
    for (i, j), block in zip(pairs.tolist(), across, strict=True):
        trimmed = block[np.ix_(mine[i], mine[j])]
        products[i, j] = products[i, j] + trimmed if (i, j) in products else trimmed
        near[i].add(j)
        near[j].add(i)
    halves = dissected(Normal([b[np.ix_(m, m)] for b, m in zip(blocks, mine, strict=True)], products, near), centres)
    return _determined(halves, halves.pivot)


def _determined(factor: np.ndarray | Dissection, pivot: float) -> tuple[np.ndarray | Dissection, float]:
    if not pivot > UNDETERMINED:
        raise TransnetError("In cells the solution is not determined: a condition may be missing.")
    return factor, pivot
