"""The glue: the kept columns of all cells, joined by the rows of their faces.

The least-squares problem of the kept columns is so well conditioned that its normal equations lose nothing. They are
factored by Cholesky with whole cells as blocks, ordered by nested dissection: two halves first, then what separates
them. Two steps of refinement on the rows themselves remove the remaining rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.pieces.dissection import Dissection, Normal, dissected

REFINED = 2
"""Steps of refinement."""
SUSPECT = 1e-8
"""Below this pivot the least determined direction is examined: contrasts of 10^4 leave 1e-10, and so may rounding."""
INVERSE_STEPS = 3
"""Steps of inverse iteration: an undetermined direction stands out after the first."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The rows of a face: first z_a + second z_b = right."""

    a: int
    b: int
    first: np.ndarray
    second: np.ndarray


@dataclass(frozen=True, eq=False)
class Glue:
    """Triangles of the cells and joints of the faces, factored."""

    triangles: Sequence[np.ndarray]
    joints: Sequence[Joint]
    inverse: Dissection
    means: np.ndarray
    offsets: np.ndarray
    update: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    @property
    def weakest(self) -> float:
        """The squared size of the rows for the least determined direction: of the size of rounding if it is
        undetermined.

        Pivots of the normal equations show that to a millionth at best; below `SUSPECT` the direction itself is found
        by inverse iteration, and applied to the rows.
        """
        pivot = self.inverse.pivot
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
        self, rights: Sequence[np.ndarray], jumps: Sequence[np.ndarray], means: np.ndarray, steps: int = REFINED
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
        z = self.inverse.solve(right)
        if self.update is None:
            return z
        wide, small, rows = self.update
        return z - wide @ (small @ (rows @ z))

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
    normal = _normal(triangles, joints)
    offsets = normal.offsets
    means = np.zeros((0, offsets[-1])) if means is None else means
    pins = _pins(means, offsets)
    for pin in pins:
        for k in np.flatnonzero(np.add.reduceat(np.abs(pin), offsets[:-1]) > 0):
            here = pin[offsets[k] : offsets[k + 1]]
            normal.diagonal[k] = normal.diagonal[k] + np.outer(here, here)
    inverse = dissected(normal, centres)
    if not len(means):
        return Glue(triangles, joints, inverse, means, offsets)
    rows = np.concatenate([means, pins])
    signs = np.concatenate([np.ones(len(means)), -np.ones(len(means))])
    wide = np.stack([inverse.solve(row) for row in rows], axis=1)
    small = np.linalg.inv(np.diag(signs) + rows @ wide)
    return Glue(triangles, joints, inverse, means, offsets, (wide, small, rows))


def _pins(means: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """For each mean its row in the first cell on which it depends, which pins that direction during the
    factorisation."""
    pins = np.zeros_like(means)
    for k, row in enumerate(means):
        first = int(np.searchsorted(offsets, np.argmax(np.abs(row)), side="right")) - 1
        here = slice(offsets[first], offsets[first + 1])
        pins[k, here] = row[here] / (np.linalg.norm(row[here]) or 1.0)
    return pins


def _normal(triangles: Sequence[np.ndarray], joints: Sequence[Joint]) -> Normal:
    diagonal = [t.T @ t for t in triangles]
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
    return Normal(diagonal, products, near)
