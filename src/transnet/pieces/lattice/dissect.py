"""Nested dissection of a regular grid: equal blocks of cells are eliminated once, however many there are.

A block of cells is cut by a layer of cells into two smaller ones, down to a few cells. What remains of a block after
its elimination is a dense matrix over the cells around it; it depends on the block's shape and on which of its sides
are sides of the grid, not on where it is. At each depth there are two lengths along each axis, so that a grid of
thousands of cells has a few dozen different blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from transnet.lazy import linalg
from transnet.linalg.cholesky import SHIFT, lower_factor
from transnet.pieces.lattice.joined import Joined
from transnet.pieces.lattice.law import Side

LEAF = 2
"""Cells of a block that is not cut further."""
STEPS = 2
"""Steps of refinement on the rows themselves."""

Shape = tuple[int, ...]
Kind = tuple[Shape, frozenset[Side]]
"""A block: its shape, and which of its sides are sides of the grid."""


@dataclass(eq=False)
class Eliminated:
    """One kind of block, eliminated: cells by their place in it, (k, d) arrays."""

    own: np.ndarray
    around: np.ndarray
    lower: np.ndarray
    coupling: np.ndarray
    left: np.ndarray
    """Its contribution to the normal equations of the surrounding cells."""


@dataclass(frozen=True, eq=False)
class Dissected:
    """The normal equations of a grid, factored."""

    joined: Joined
    blocks: dict[Kind, Eliminated]
    levels: list[dict[Kind, list[np.ndarray]]]
    """Where the blocks of each kind are, by depth."""

    @property
    def weakest(self) -> float:
        """The size of the rows for the least determined direction: of the size of rounding if it is undetermined."""
        return min(float(np.diag(b.lower).min()) ** 2 for b in self.blocks.values())

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution of the normal equations."""
        counts, kept = self.joined.counts, right.shape[-1]
        values = right.reshape(-1, kept).copy()

        def flat(cells: np.ndarray, places: Sequence[np.ndarray]) -> np.ndarray:
            index = np.asarray(places)[:, None, :] + cells
            return np.ravel_multi_index(tuple(np.moveaxis(index, 2, 0)), counts)

        for level in reversed(self.levels):
            for kind, places in level.items():
                b = self.blocks[kind]
                own = flat(b.own, places)
                y = linalg.solve_triangular(
                    b.lower, values[own].reshape(len(own), -1).T, lower=True, check_finite=False
                )
                values[own] = y.T.reshape(len(own), -1, kept)
                if len(b.around):
                    np.subtract.at(values, flat(b.around, places), (y.T @ b.coupling).reshape(len(own), -1, kept))
        for level in self.levels:
            for kind, places in level.items():
                b = self.blocks[kind]
                own = flat(b.own, places)
                y = values[own].reshape(len(own), -1).T
                if len(b.around):
                    y = y - b.coupling @ values[flat(b.around, places)].reshape(len(own), -1).T
                y = linalg.solve_triangular(b.lower, y, lower=True, trans=1, check_finite=False)
                values[own] = y.T.reshape(len(own), -1, kept)
        return values.reshape(right.shape)


def factored_grid(joined: Joined) -> Dissected:
    """Factor the normal equations of a grid."""
    made = _Dissection(joined)
    whole = frozenset((axis, end) for axis in range(len(joined.counts)) for end in (0, 1))
    made.eliminate(tuple(joined.counts), whole)
    levels: list[dict[Kind, list[np.ndarray]]] = []
    todo: list[tuple[Kind, np.ndarray]] = [((tuple(joined.counts), whole), np.zeros(len(joined.counts), dtype=int))]
    while todo:
        level: dict[Kind, list[np.ndarray]] = {}
        below = []
        for kind, place in todo:
            level.setdefault(kind, []).append(place)
            below += [(child, place + shift) for child, shift in _children(*kind)]
        levels.append(level)
        todo = below
    for block in made.blocks.values():
        block.left = np.zeros((0, 0))
    return Dissected(joined, made.blocks, levels)


def _cut(shape: Shape) -> tuple[int, int] | None:
    """The axis along which a block is cut and the layer that cuts it; None for a few cells."""
    axis = int(np.argmax(shape))
    return None if np.prod(shape) <= LEAF or shape[axis] < 3 else (axis, shape[axis] // 2)


def _children(shape: Shape, outer: frozenset[Side]) -> list[tuple[Kind, np.ndarray]]:
    """The two blocks on the sides of the layer, with their places."""
    cut = _cut(shape)
    if cut is None:
        return []
    axis, layer = cut
    unit = np.eye(len(shape), dtype=int)[axis]
    before = (*shape[:axis], layer, *shape[axis + 1 :])
    behind = (*shape[:axis], shape[axis] - layer - 1, *shape[axis + 1 :])
    return [((before, outer - {(axis, 1)}), 0 * unit), ((behind, outer - {(axis, 0)}), (layer + 1) * unit)]


@dataclass(eq=False)
class _Dissection:
    joined: Joined
    blocks: dict[Kind, Eliminated] = field(default_factory=dict)
    diagonals: dict[frozenset[Side], np.ndarray] = field(default_factory=dict)

    def eliminate(self, shape: Shape, outer: frozenset[Side]) -> Eliminated:
        kind = (shape, outer)
        if kind in self.blocks:
            return self.blocks[kind]
        cut = _cut(shape)
        children = [(self.eliminate(*child), shift) for child, shift in _children(shape, outer)]
        cells = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape), axis=1)
        own = cells if cut is None else cells[cells[:, cut[0]] == cut[1]]
        around = _around(shape, outer)
        n = self.joined.cube.kept
        number = {tuple(c): k for k, c in enumerate(np.concatenate([own, around]).tolist())}
        k, total = n * len(own), n * len(number)
        matrix = np.zeros((total, total))

        def at(i: int) -> slice:
            return slice(i * n, (i + 1) * n)

        for i, c in enumerate(own.tolist()):
            matrix[at(i), at(i)] += self.diagonal(c, shape, outer)
            for axis, block in enumerate(self.joined.couplings):
                for step in (1, -1):
                    j = number.get((*c[:axis], c[axis] + step, *c[axis + 1 :]))
                    if j is not None and (j >= len(own) or step > 0):
                        towards = block if step > 0 else block.T
                        matrix[at(i), at(j)] += towards
                        matrix[at(j), at(i)] += towards.T
        for child, shift in children:
            if len(child.around):
                where = np.array([number[tuple(c)] for c in (child.around + shift).tolist()])
                spread = (where[:, None] * n + np.arange(n)).ravel()
                matrix[np.ix_(spread, spread)] += child.left
        matrix[range(k), range(k)] += SHIFT * max(float(matrix[range(k), range(k)].max()), 1.0)
        lower = lower_factor(matrix[:k, :k])
        coupling = linalg.solve_triangular(lower, matrix[:k, k:], lower=True, check_finite=False)
        made = Eliminated(own, around, lower, coupling, matrix[k:, k:] - coupling.T @ coupling)
        self.blocks[kind] = made
        return made

    def diagonal(self, cell: Sequence[int], shape: Shape, outer: frozenset[Side]) -> np.ndarray:
        touched = frozenset(s for s in outer if cell[s[0]] == (shape[s[0]] - 1 if s[1] else 0))
        if touched not in self.diagonals:
            self.diagonals[touched] = self.joined.diagonal(touched)
        return self.diagonals[touched]


def _around(shape: Shape, outer: frozenset[Side]) -> np.ndarray:
    """The cells next to a block."""
    found = [np.zeros((0, len(shape)), dtype=int)]
    for axis in range(len(shape)):
        for end in (0, 1):
            if (axis, end) in outer:
                continue
            layer = (*shape[:axis], 1, *shape[axis + 1 :])
            cells = np.stack(np.unravel_index(np.arange(np.prod(layer)), layer), axis=1)
            cells[:, axis] = shape[axis] if end else -1
            found.append(cells)
    return np.concatenate(found)
