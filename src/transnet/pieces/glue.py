"""The glue: the kept columns of all cells, joined by the rows of their faces.

The least-squares problem of the kept columns is so well conditioned that its normal equations lose nothing. They are
factored by Cholesky with whole cells as blocks, ordered by nested dissection: two halves first, then what separates
them. Two steps of refinement on the rows themselves remove what rounding is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.lazy import linalg
from transnet.linalg import lapack
from transnet.linalg.cholesky import SHIFT, lower_factor
from transnet.tolerances import SAME

LEAF = 3
"""Cells that are factored together without being halved."""
STEPS = 2
"""Steps of refinement."""
SUSPECT = 1e-8
"""A smaller pivot has the least determined direction looked at: contrasts of 10^4 leave 1e-10, and so may rounding."""
INVERSE_STEPS = 3
"""Steps of inverse iteration: a direction that nothing holds stands out after the first."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The rows of a face: first z_a + second z_b = right."""

    a: int
    b: int
    first: np.ndarray
    second: np.ndarray


@dataclass(eq=False)
class _Front:
    own: list[int]
    rest: list[int]
    lower: np.ndarray
    coupling: np.ndarray
    update: np.ndarray | None


@dataclass(frozen=True, eq=False)
class Glue:
    """Triangles of the cells and joints of the faces, factored."""

    triangles: Sequence[np.ndarray]
    joints: Sequence[Joint]
    fronts: Sequence[_Front]
    means: np.ndarray
    offsets: np.ndarray
    update: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def weakest(self) -> float:
        """How firmly the least determined direction is held, squared: of the size of rounding if it is not at all.

        Pivots of the normal equations tell that to a millionth at best; below `SUSPECT` the direction itself is found
        by inverse iteration, and applied to the rows.
        """
        pivot = min((float(np.diag(f.lower).min()) ** 2 for f in self.fronts if len(f.lower)), default=1.0)
        return pivot if pivot > SUSPECT else self._applied_to_weakest() ** 2

    def _applied_to_weakest(self) -> float:
        z = np.random.default_rng(0).standard_normal(int(self.offsets[-1]))
        for _ in range(INVERSE_STEPS):
            z = self._inverse(z)
            z /= np.linalg.norm(z)
        parts = np.split(z, self.offsets[1:-1])
        rows = [t @ x for t, x in zip(self.triangles, parts, strict=True)]
        rows += [j.first @ parts[j.a] + j.second @ parts[j.b] for j in self.joints]
        return float(np.linalg.norm(np.concatenate([*rows, self.means @ z])))

    def solve(
        self, rights: Sequence[np.ndarray], jumps: Sequence[np.ndarray], means: np.ndarray, steps: int = STEPS
    ) -> list[np.ndarray]:
        """The kept coefficients of every cell for right-hand sides of the triangles, the joints and the means."""
        z = self._solved(rights, jumps, means)
        for _ in range(steps):
            local = [r - t @ x for r, t, x in zip(rights, self.triangles, z, strict=True)]
            joints = [g - j.first @ z[j.a] - j.second @ z[j.b] for g, j in zip(jumps, self.joints, strict=True)]
            more = self._solved(local, joints, means - self.means @ np.concatenate(z))
            z = [x + y for x, y in zip(z, more, strict=True)]
        return z

    def _solved(self, rights: Sequence[np.ndarray], jumps: Sequence[np.ndarray], means: np.ndarray) -> list[np.ndarray]:
        right = np.concatenate(self._transposed(rights, jumps))
        return np.split(self._inverse(right + self.means.T @ means), self.offsets[1:-1])

    def _inverse(self, right: np.ndarray) -> np.ndarray:
        """The normal equations solved; rows over all cells are added to the factors by Woodbury's formula."""
        z = np.concatenate(_substituted(self.fronts, np.split(right, self.offsets[1:-1])))
        if self.update is None:
            return z
        wide, inverse = self.update
        return z - wide @ (inverse @ (self._wide() @ z))

    def _wide(self) -> np.ndarray:
        return np.concatenate([self.means, self._pin()])

    def _pin(self) -> np.ndarray:
        """What each mean sees of the first cell that it sees anything of: it holds that direction while factoring."""
        pins = np.zeros_like(self.means)
        for k, row in enumerate(self.means):
            first = int(np.searchsorted(self.offsets, np.argmax(np.abs(row)), side="right")) - 1
            here = slice(self.offsets[first], self.offsets[first + 1])
            pins[k, here] = row[here] / (np.linalg.norm(row[here]) or 1.0)
        return pins

    def _transposed(self, rights: Sequence[np.ndarray], jumps: Sequence[np.ndarray]) -> list[np.ndarray]:
        total = [t.T @ r for t, r in zip(self.triangles, rights, strict=True)]
        for joint, g in zip(self.joints, jumps, strict=True):
            total[joint.a] = total[joint.a] + joint.first.T @ g
            total[joint.b] = total[joint.b] + joint.second.T @ g
        return total


def factor(
    triangles: Sequence[np.ndarray], joints: Sequence[Joint], centres: np.ndarray, means: np.ndarray | None = None
) -> Glue:
    """Factor the normal equations of cells at `centres` (m, d); `means` are rows over all kept columns."""
    diagonal = [t.T @ t for t in triangles]
    offsets = np.concatenate([[0], np.cumsum([len(d) for d in diagonal])])
    means = np.zeros((0, offsets[-1])) if means is None else means
    plain = Glue(triangles, joints, (), means, offsets)
    if len(means):
        for pin in plain._pin():
            for k in np.flatnonzero(np.add.reduceat(np.abs(pin), offsets[:-1]) > 0):
                here = pin[offsets[k] : offsets[k + 1]]
                diagonal[k] = diagonal[k] + np.outer(here, here)
    products: dict[tuple[int, int], np.ndarray] = {}
    near: list[set[int]] = [set() for _ in triangles]
    for j in joints:
        if j.a == j.b:
            both = j.first + j.second
            diagonal[j.a] = diagonal[j.a] + both.T @ both
            continue
        diagonal[j.a] = diagonal[j.a] + j.first.T @ j.first
        diagonal[j.b] = diagonal[j.b] + j.second.T @ j.second
        near[j.a].add(j.b)
        near[j.b].add(j.a)
        low, high = (j.first, j.second) if j.a < j.b else (j.second, j.first)
        pair = (min(j.a, j.b), max(j.a, j.b))
        product = low.T @ high
        products[pair] = products[pair] + product if pair in products else product
    fronts = _dissected(diagonal, products, near, centres)
    if not len(means):
        return replace(plain, fronts=fronts)
    rows = plain._wide()
    signs = np.concatenate([np.ones(len(means)), -np.ones(len(means))])
    wide = np.stack([np.concatenate(_substituted(fronts, np.split(row, offsets[1:-1]))) for row in rows], axis=1)
    inverse = np.linalg.inv(np.diag(signs) + rows @ wide)
    return replace(plain, fronts=fronts, update=(wide, inverse))


def _dissected(
    diagonal: list[np.ndarray],
    products: dict[tuple[int, int], np.ndarray],
    near: list[set[int]],
    centres: np.ndarray,
) -> list[_Front]:
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
    return fronts


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
    """A triangular solve without the checks of SciPy, which take longer than the solve."""
    return lapack.dtrtrs(lower, right, lower=1, trans=transposed)[0] if right.size else right
