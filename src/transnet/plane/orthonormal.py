"""Functions of each cell that are orthonormal in it: polynomials by degree, then what corners add to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cells.columns import CellColumns
from transnet.lazy import linalg, sparse
from transnet.plane.rules import CellRule

RANK = 1e-6
"""A function of a corner of which less is left beside polynomials and the others, relative to its size, is dropped."""

Index = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class CellFunctions:
    """Orthonormal functions of cells, for one unknown.

    Parameters
    ----------
    columns : CellColumns
        The functions they are made of.
    tables : tuple of (raw, own) arrays
        For each cell their coefficients.
    """

    columns: CellColumns
    tables: tuple[np.ndarray, ...]

    @cached_property
    def starts(self) -> np.ndarray:
        """Where the functions of each cell begin, and the last ones end."""
        return np.concatenate([[0], np.cumsum([t.shape[1] for t in self.tables])])

    @property
    def count(self) -> int:
        return int(self.starts[-1])

    @property
    def polynomials(self) -> int:
        """How many functions of a cell are polynomials."""
        return (self.columns.degree + 1) * (self.columns.degree + 2) // 2

    def in_cell(self, cell: int, points: np.ndarray, indices: Sequence[Index]) -> list[np.ndarray]:
        """Derivatives of the functions of a cell at points: (n, own) each."""
        made = _raw(self.columns, cell, points, indices)
        return [m @ self.tables[cell] for m in made]

    def matrices(self, points: np.ndarray, cells: np.ndarray, indices: Sequence[Index]) -> dict[Index, Any]:
        """Sparse matrices of derivatives at points of cells: (n, count) each."""
        order = np.argsort(cells, kind="stable")
        ends = np.searchsorted(cells[order], np.arange(len(self.tables) + 1))
        widths = np.diff(self.starts)
        data: dict[Index, list[np.ndarray]] = {k: [] for k in indices}
        for cell in np.flatnonzero(np.diff(ends)).tolist():
            here = order[ends[cell] : ends[cell + 1]]
            for k, made in zip(indices, self.in_cell(cell, points[here], indices), strict=True):
                data[k].append(made.ravel())
        sorted_cells = cells[order]
        columns = np.concatenate([np.arange(self.starts[c], self.starts[c + 1]) for c in sorted_cells.tolist()]
                                 or [np.zeros(0, dtype=int)])  # fmt: skip
        bounds = np.concatenate([[0], np.cumsum(widths[sorted_cells])])
        back = np.empty(len(order), dtype=int)
        back[order] = np.arange(len(order))
        plain = bool(np.all(np.diff(order) == 1)) if len(order) else True
        found = {}
        for k, parts in data.items():
            values = np.concatenate(parts) if parts else np.zeros(0)
            made = sparse.csr_array((values, columns, bounds), shape=(len(points), self.count))
            found[k] = made if plain else made[back]
        return found

    def values(self, coefficients: np.ndarray, points: np.ndarray, cells: np.ndarray, index: Index) -> np.ndarray:
        """A derivative of functions with coefficients (count, c) at points of cells: (n, c)."""
        found = np.zeros((len(points), coefficients.shape[1]))
        order = np.argsort(cells, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(cells[order])) + 1) if len(order) else ():
            cell = int(cells[here[0]])
            made = self.in_cell(cell, points[here], [index])[0]
            found[here] = made @ coefficients[self.starts[cell] : self.starts[cell + 1]]
        return found


def orthonormal(columns: CellColumns, rule: CellRule) -> CellFunctions:
    """The orthonormal functions of cells."""
    tables = []
    for cell in range(len(rule.ends) - 1):
        here = slice(rule.ends[cell], rule.ends[cell + 1])
        weights = rule.weights[here]
        (raw,) = _raw(columns, cell, rule.points[here], [(0, 0)])
        root = np.sqrt(np.abs(weights))
        table = _independent(root[:, None] * raw, columns, cell)
        signed = (raw @ table).T @ (weights[:, None] * (raw @ table))
        tables.append(linalg.solve_triangular(np.linalg.cholesky(signed), table.T, lower=True).T)
    return CellFunctions(columns, tuple(tables))


def _independent(made: np.ndarray, columns: CellColumns, cell: int) -> np.ndarray:
    group = columns.groups[columns.place[0, cell]]
    first = group.numbers(0)[np.argsort(group.degrees[group.numbers(0)], kind="stable")]
    sizes = np.linalg.norm(made, axis=0)
    q, r = np.linalg.qr(made[:, first] / sizes[first])
    kept = np.zeros((made.shape[1], len(first)))
    kept[first] = np.linalg.inv(r) / sizes[first][:, None]
    rest = np.setdiff1d(np.flatnonzero(sizes > 0), first)
    if not len(rest):
        return kept
    scaled = made[:, rest] / sizes[rest]
    part = q.T @ scaled
    left = scaled - q @ part
    again = q.T @ left
    left, part = left - q @ again, part + again
    _, values, v = np.linalg.svd(left, full_matrices=False)
    v = v[values > RANK].T / values[values > RANK]
    more = np.zeros((made.shape[1], v.shape[1]))
    more[rest] = v / sizes[rest][:, None]
    return np.concatenate([kept, more - kept @ (part @ v)], axis=1)


def _raw(columns: CellColumns, cell: int, points: np.ndarray, indices: Sequence[Index]) -> list[np.ndarray]:
    number, place = columns.place[:, cell].tolist()
    ones = np.ones((1, len(points)))
    rows = [[((0, k), ones)] for k in indices]
    made = columns.groups[number].rows(points[None], np.array([place]), rows)[0, :-1]
    return [m.T for m in np.split(made, len(indices), axis=1)]
