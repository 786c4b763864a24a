"""The normal equations of the glue eliminated by nested dissection: two halves first, then what separates them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.lazy import linalg
from transnet.linalg import lapack
from transnet.linalg.cholesky import SHIFT, lower_factor
from transnet.tolerances import SAME

LEAF = 3
"""Cells that are factored together without being halved."""


@dataclass(frozen=True, eq=False)
class Normal:
    """The normal equations: the blocks of the cells, those of pairs of neighbours (a < b), and the neighbours of
    each."""

    diagonal: list[np.ndarray]
    products: dict[tuple[int, int], np.ndarray]
    near: list[set[int]]

    @property
    def offsets(self) -> np.ndarray:
        return np.concatenate([[0], np.cumsum([len(d) for d in self.diagonal])])


@dataclass(eq=False)
class _Front:
    own: list[int]
    rest: list[int]
    lower: np.ndarray
    coupling: np.ndarray
    update: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Dissection:
    """Normal equations, factored."""

    fronts: Sequence[_Front]
    offsets: np.ndarray

    @property
    def pivot(self) -> float:
        """The smallest pivot."""
        return min((float(np.diag(f.lower).min()) ** 2 for f in self.fronts if len(f.lower)), default=1.0)

    def solve(self, right: np.ndarray) -> np.ndarray:
        """The solution for right-hand sides (n,) or (n, k)."""
        return np.concatenate(_substituted(self.fronts, np.split(right, self.offsets[1:-1])))


def dissected(normal: Normal, centres: np.ndarray) -> Dissection:
    """Factor normal equations of cells at `centres` (m, d)."""
    diagonal, products, near = normal.diagonal, normal.products, normal.near
    sizes = np.array([len(d) for d in diagonal])
    fronts: list[_Front] = []
    done = np.zeros(len(sizes), dtype=bool)

    def build(cells: list[int]) -> _Front:
        if len(cells) <= LEAF:
            return front(cells, [])
        c = centres[cells]
        axis = int(np.argmax(np.ptp(c, axis=0)))
        order = np.argsort(c[:, axis], kind="stable")
        sorted_ = c[order, axis]
        half = len(cells) // 2
        candidates = range(max(1, len(cells) // 4), max(2, 3 * len(cells) // 4))
        # At a gap of the coordinate near the middle: grids give straight separators.
        cut = min(candidates, key=lambda k: (not sorted_[k] - sorted_[k - 1] > SAME, abs(k - half)))
        left, right = [cells[i] for i in order[:cut]], [cells[i] for i in order[cut:]]
        others = set(right)
        between = [i for i in left if near[i] & others]
        separating = set(between)
        left = [i for i in left if i not in separating]
        return front(between, [build(part) for part in (left, right) if part])

    def front(own: list[int], children: list[_Front]) -> _Front:
        around: set[int] = set()
        for i in own:
            around |= near[i]
        for child in children:
            around |= set(child.rest)
        rest = [i for i in sorted(around - set(own)) if not done[i]]
        done[own] = True
        members = own + rest
        starts = np.cumsum(sizes[members]) - sizes[members]
        start = dict(zip(members, starts.tolist(), strict=True))
        total, k = int(sizes[members].sum()), int(sizes[own].sum()) if own else 0
        matrix = np.zeros((total, total))

        def place(i: int) -> slice:
            return slice(start[i], start[i] + sizes[i])

        for i in own:
            matrix[place(i), place(i)] += diagonal[i]
            for j in near[i]:
                if j in start and (j not in own or j > i):
                    block = products[min(i, j), max(i, j)]
                    block = block if i < j else block.T
                    matrix[place(i), place(j)] += block
                    matrix[place(j), place(i)] += block.T
        for child in children:
            if child.rest:
                where = np.concatenate([np.arange(start[i], start[i] + sizes[i]) for i in child.rest])
                matrix[np.ix_(where, where)] += child.update
            child.update = None
        matrix[range(k), range(k)] += SHIFT * max(float(np.abs(matrix[range(k), range(k)]).max(initial=0.0)), 1.0)
        lower = lower_factor(matrix[:k, :k])
        coupling = (
            linalg.solve_triangular(lower, matrix[:k, k:], lower=True, check_finite=False)
            if k
            else np.zeros((0, total))
        )
        made = _Front(own, rest, lower, coupling, matrix[k:, k:] - coupling.T @ coupling)
        fronts.append(made)
        return made

    build(list(range(len(sizes))))
    return Dissection(fronts, normal.offsets)


def _substituted(fronts: Sequence[_Front], right: list[np.ndarray]) -> list[np.ndarray]:
    values = list(right)

    def gathered(cells: list[int]) -> np.ndarray:
        return np.concatenate([values[i] for i in cells]) if cells else np.zeros(0)

    def scatter(cells: list[int], flat: np.ndarray) -> None:
        start = 0
        for i in cells:
            values[i] = flat[start : start + len(values[i])]
            start += len(values[i])

    for f in fronts:
        if f.own:
            y = _divided(f.lower, gathered(f.own), 0)
            scatter(f.own, y)
            if f.rest:
                scatter(f.rest, gathered(f.rest) - f.coupling.T @ y)
    for f in reversed(fronts):
        if f.own:
            y = gathered(f.own)
            if f.rest:
                y = y - f.coupling @ gathered(f.rest)
            scatter(f.own, _divided(f.lower, y, 1))
    return values


def _divided(lower: np.ndarray, right: np.ndarray, transposed: int) -> np.ndarray:
    """A triangular solve without SciPy's checks, which take longer than the solve."""
    return lapack.dtrtrs(lower, right, lower=1, trans=transposed)[0] if right.size else right
