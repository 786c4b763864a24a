"""Functions of cells at sets of nodes, in a cell or on an edge between two: in blocks, whose products are quick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.lazy import linalg, sparse
from transnet.plane.orthonormal import CellFunctions
from transnet.plane.rules import Edges

Index = tuple[int, ...]
VALUE, BY_X, BY_Y = (0, 0), (1, 0), (0, 1)
FIRST = (VALUE, BY_X, BY_Y)
"""The multi-indices of a value and of slopes."""
SIDES = {"first": (1.0, 0.0), "second": (0.0, 1.0), "jump": (1.0, -1.0), "mean": (0.5, 0.5)}
"""What of the first and of the second side."""
CONSTANT = 1e-10
"""A function with less of the squared slopes of the steepest one is constant."""
Key = tuple[Index, str]
Blocks = dict[tuple[int, int], np.ndarray]
"""Dense blocks of a matrix, by the cells of their rows and columns."""


@dataclass(frozen=True, eq=False)
class CellNodes:
    """Derivatives of functions at nodes.

    Parameters
    ----------
    functions : CellFunctions
    edges : Edges
        The nodes, in sets that have the same cells on both sides; those inside cells have no second one.
    made : dict
        For each derivative and side a block (nodes, own) for each set.
    """

    functions: CellFunctions
    edges: Edges
    bounds: np.ndarray
    made: dict[Index, tuple[list[np.ndarray], ...]]
    _csr: dict[Key, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, functions: CellFunctions, edges: Edges, indices: Sequence[Index] = FIRST) -> CellNodes:
        """Derivatives of functions at the nodes of edges."""
        sides = [c for c in (edges.first, edges.second) if len(c) and c[0] >= 0]
        changed = np.any([np.diff(c) != 0 for c in sides], axis=0) if sides else np.zeros(0, dtype=bool)
        bounds = np.concatenate([[0], 1 + np.flatnonzero(changed), [len(edges.first)]])
        parts: list[dict[Index, list[np.ndarray]]] = []
        for cells in sides:
            blocks: dict[Index, list[Any]] = {k: [None] * (len(bounds) - 1) for k in indices}
            owner = cells[bounds[:-1]]
            for cell in np.unique(owner).tolist():
                sets = np.flatnonzero(owner == cell)
                points = np.concatenate([edges.points[bounds[i] : bounds[i + 1]] for i in sets])
                cuts = np.cumsum(np.diff(bounds)[sets])[:-1]
                for k, found in zip(indices, functions.in_cell(cell, points, indices), strict=True):
                    for i, block in zip(sets.tolist(), np.split(found, cuts), strict=True):
                        blocks[k][i] = block
            parts.append(blocks)
        return cls(functions, edges, bounds, {k: tuple(p[k] for p in parts) for k in indices})

    def __len__(self) -> int:
        return len(self.edges.first)

    def _cells(self, number: int) -> tuple[int, ...]:
        at = self.bounds[number]
        return tuple(int(c[at]) for c in (self.edges.first, self.edges.second)[: len(next(iter(self.made.values())))])

    def matrix(self, key: Key) -> Any:
        """A derivative on a side, or its jump or mean, as a sparse matrix (nodes, count)."""
        if key not in self._csr:
            index, side = key
            starts = self.functions.starts
            data, columns, counts = [], [], []
            for i in range(len(self.bounds) - 1):
                parts, where = [], []
                for cell, block, factor in zip(
                    self._cells(i), (b[i] for b in self.made[index]), SIDES[side], strict=False
                ):
                    if factor:
                        parts.append(factor * block)
                        where.append(np.arange(starts[cell], starts[cell + 1]))
                whole, at = np.concatenate(parts, axis=1), np.concatenate(where)
                data.append(whole.ravel())
                columns.append(np.tile(at, len(whole)))
                counts.append(np.full(len(whole), len(at)))
            ends = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
            self._csr[key] = sparse.csr_array(
                (np.concatenate(data), np.concatenate(columns), ends), shape=(len(self), self.functions.count)
            )
        return self._csr[key]

    def add_product(self, left: Key, rights: Sequence[tuple[np.ndarray, Key]], out: Blocks) -> None:
        """Add left^T (sum of weight right) to the blocks of a matrix."""
        for i, (a, b) in enumerate(zip(self.bounds[:-1].tolist(), self.bounds[1:].tolist(), strict=True)):
            cells = self._cells(i)
            for q, other in enumerate(cells):
                right: Any = 0.0
                for weight, (index, side) in rights:
                    if SIDES[side][q]:
                        right = right + (SIDES[side][q] * weight[a:b, None]) * self.made[index][q][i]
                if isinstance(right, float):
                    continue
                for p, cell in enumerate(cells):
                    if SIDES[left[1]][p]:
                        found = SIDES[left[1]][p] * (self.made[left[0]][p][i].T @ right)
                        if (cell, other) in out:
                            out[cell, other] += found
                        else:
                            out[cell, other] = found


def from_blocks(blocks: Blocks, functions: CellFunctions) -> Any:
    """A sparse matrix of blocks."""
    starts = functions.starts
    rows, columns, data = [], [], []
    for (i, j), block in blocks.items():
        m, n = block.shape
        rows.append(np.repeat(np.arange(starts[i], starts[i] + m), n))
        columns.append(np.tile(np.arange(starts[j], starts[j] + n), m))
        data.append(block.ravel())
    shape = (functions.count, functions.count)
    if not data:
        return sparse.csc_array(shape)
    every = (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.coo_array(every, shape=shape).tocsc()


def steepness(inside: CellNodes, weights: np.ndarray, around: Sequence[CellNodes], cells: int) -> np.ndarray:
    """For each cell the largest integral of squared slopes over its edges, relative to that over the cell.

    With it the penalty of jumps is as large as stability needs, whatever the shape of a cell and its functions.
    """
    volume: list[Any] = [0.0] * cells
    edge: list[Any] = [0.0] * cells
    for nodes, w, out in [(inside, weights, volume), *((n, n.edges.weights, edge) for n in around)]:
        for i, (a, b) in enumerate(zip(nodes.bounds[:-1].tolist(), nodes.bounds[1:].tolist(), strict=True)):
            for q, cell in enumerate(nodes._cells(i)):
                for k in (BY_X, BY_Y):
                    slope = nodes.made[k][q][i]
                    out[cell] = out[cell] + slope.T @ (w[a:b, None] * slope)
    return np.array([_largest(v, e) for v, e in zip(volume, edge, strict=True)])


def _largest(volume: np.ndarray, edge: np.ndarray) -> float:
    values, vectors = np.linalg.eigh(volume)
    kept = values > CONSTANT * values[-1]
    scaled = vectors[:, kept] / np.sqrt(values[kept])
    last = int(kept.sum()) - 1
    return float(linalg.eigh(scaled.T @ edge @ scaled, eigvals_only=True, subset_by_index=[last, last])[0])
