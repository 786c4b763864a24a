"""Fields sought from noisy data are as smooth as the data allow: how small their second derivatives should be.

The data are y = S a + e with errors of the size s, and the field with the output weights a is assumed to have second
derivatives of the size t: rows l P a = 0 with l = s / t, where |P a| is the root mean square of all second derivatives.
In the coordinates b = P a, with S P^-1 = U D V^T, the components U^T y are independent, with the variances s^2 (1 + D^2
/ l^2); so one singular value decomposition gives the likelihood of the data for every l. If s is unknown it is
estimated along with l. Data that say little would be explained best by no second derivatives at all, and would then
seem to determine everything; so t is assumed to be of about the size of the field, with a density that falls as 1 / (t
/ size + size / t), and the most probable l is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.basis.basis import Basis
from transnet.linalg import lapack
from transnet.linalg.least_squares import triangle_of
from transnet.measure.sampling import spread
from transnet.rows.blocks import Block
from transnet.rows.statements import Statement

FACTORS = 10.0 ** np.arange(-9.0, 9.01, 0.1)
"""The weights l that are compared, relative to the median of D."""
LEVEL = 1e-8
"""The weight of the output weights themselves, relative to that of the largest second derivative: functions without
second derivatives, and features that are dependent to rounding, would be free otherwise."""
TWICE = 2
"""How often the size of the field and the weight are found in turn."""
POINTS = 2
"""Points per output weight at which second derivatives are evaluated."""
FLOOR = 1e-9
"""The weight of a prior for all output weights if there is noise: without it undetermined ones grow until the rounding
of the rows is as large as the noise."""


def sought(blocks: Sequence[Block], basis: Basis) -> list[int]:
    """The unknowns that data are to determine, for the blocks of a problem and a basis."""
    extents = [int(np.any(space.weights, axis=0).sum()) if space.neurons else 0 for space in basis.spaces]
    return sought_by([b.statement for b in blocks], extents)


def sought_by(statements: Sequence[Statement], extents: Sequence[int]) -> list[int]:
    """The unknowns that data are to determine: as many as equations are missing, the simplest first.

    Those of the fewest coordinates, and among these of the lowest derivatives, are the coefficients, sources and
    initial states beside the unknowns that the equations are for.

    Parameters
    ----------
    extents : sequence of int
        The number of coordinates of each unknown.
    """
    if not any(s.kind == "data" for s in statements):
        return []
    equations = [s.equation for s in statements if s.kind == "equation"]
    orders = [-1] * len(extents)
    for equation in equations:
        for unknown, index in equation.slots:
            orders[unknown] = max(orders[unknown], sum(index))
    ranked = sorted(range(len(extents)), key=lambda k: (extents[k], orders[k]))
    return sorted(ranked[: max(len(extents) - len(equations), 0)])


def noise_of(blocks: Sequence[Block], weights: Sequence[float]) -> tuple[int, float] | None:
    """The number of rows of data, and the size of their weighted noise; None if there is none."""
    data = [(b, w) for b, w in zip(blocks, weights, strict=True) if b.statement.kind == "data"]
    if not data or any(b.statement.noise is None for b, _ in data):
        return None
    rows = sum(b.rows for b, _ in data)
    return rows, float(np.sqrt(sum(b.rows * (w * (b.statement.noise or 0.0)) ** 2 for b, w in data) / rows))


@dataclass(frozen=True, eq=False)
class Roughness:
    """The second derivatives of some unknowns.

    Parameters
    ----------
    columns : array of int
        The output weights of these unknowns.
    triangle : (k, k) array
        P for them, which can be inverted.
    values : (points, k) array
        The values of their features, for the size of what is found.
    free : int
        How many functions have no second derivatives.
    """

    columns: np.ndarray
    triangle: np.ndarray
    values: np.ndarray
    free: int

    @classmethod
    def of(cls, basis: Basis, blocks: Sequence[Block]) -> Roughness | None:
        """The roughness of the fields among the sought unknowns; None if there are none."""
        fields = [k for k in sought(blocks, basis) if basis.spaces[k].neurons]
        if not fields:
            return None
        columns = np.concatenate([np.arange(basis.columns)[basis.slice_of(k)] for k in fields])
        inside, n, free = blocks[0].points, basis.columns, 0
        d = inside.shape[1]
        parts, values = [], []
        for k in fields:
            points = inside[spread(len(inside), POINTS * basis.spaces[k].size)]
            own = np.flatnonzero(np.any(basis.spaces[k].weights, axis=0))
            free += 1 + len(own)
            level = np.zeros((n, len(points)))
            basis.write(level, points, [(k, (0,) * d)], [np.full((), 1.0 / np.sqrt(len(points)))])
            values.append(level[columns])
            for i in own:
                for j in own[own >= i]:
                    rows = np.zeros((n, len(points)))
                    index = tuple(int(c == i) + int(c == j) for c in range(d))
                    both = (1.0 + (i != j)) * (basis.placement.scale[i] * basis.placement.scale[j]) ** 2
                    basis.write(rows, points, [(k, index)], [np.full((), np.sqrt(both / len(points)))])
                    parts.append(rows[columns])
        rows = np.concatenate(parts, axis=1).T
        smallest = LEVEL * float(np.linalg.norm(rows, axis=0).max())
        held = triangle_of(np.asfortranarray(np.vstack([rows, smallest * np.eye(len(columns))])))
        return cls(columns, held, np.concatenate(values, axis=1).T, free)

    def rows(self, weight: float, columns: int) -> np.ndarray:
        """l P as rows of all output weights."""
        found = np.zeros((len(self.columns), columns), order="F")
        found[:, self.columns] = weight * self.triangle
        return found

    def chosen(self, triangle: np.ndarray, rows: int, level: float | None = None) -> tuple[float, float]:
        """The weight l for rows of data whose triangle [R | c] is given, and the size of their errors.

        The other unknowns are eliminated first: with these columns last, the end of the triangle belongs to them alone,
        and the others are free to follow.

        Parameters
        ----------
        rows : int
            Of data.
        level : float, optional
            The size of their errors, as the rows are weighted.
        """
        n = triangle.shape[1] - 1
        others = np.setdiff1d(np.arange(n), self.columns)
        r = triangle_of(np.asfortranarray(triangle[:, [*others, *self.columns, n]]))
        own, unfit = r[len(others) : n, len(others) :], float(np.sum(r[n:, -1] ** 2))
        mapped = lapack.dtrtrs(self.triangle, np.asfortranarray(own[:, :-1].T), trans=1)[0].T
        u, d, vt = np.linalg.svd(mapped)
        right = u.T @ own[:, -1]
        weights = FACTORS * float(np.median(np.sort(d)[::-1][: max(rows, 1)]))
        ratios = (d / weights[:, None]) ** 2
        # Functions without second derivatives cost nothing, whatever the weight.
        larger = np.log1p(ratios).sum(axis=1) + 2.0 * self.free * np.log(weights)
        left = unfit + (right**2 / (1.0 + ratios)).sum(axis=1)
        freedom = max(rows - self.free, 1)
        levels = np.full(len(weights), level) if level is not None else np.sqrt(left / freedom)
        unlikely = larger + (left / level**2 if level is not None else freedom * np.log(left))
        best = int(np.argmin(unlikely))
        for _ in range(TWICE):
            found = lapack.dtrtrs(self.triangle, vt.T @ (right * d / (d**2 + weights[best] ** 2)))[0]
            size = float(np.linalg.norm(self.values @ found))
            if size > 0:
                ratio = levels / (weights * size)
                best = int(np.argmin(unlikely + 2.0 * np.log(ratio + 1.0 / ratio)))
        return float(weights[best]), float(levels[best])
