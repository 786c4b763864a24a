"""Standard errors of what was found from measured values, from the triangle of the last linearisation.

Where a weighted row of data has the standard deviation s, the output weights have the covariance s^2 (R^T R)^-1: that
of least squares, as the equations weigh much more than the data; if a prior keeps a coefficient smooth it is that of
Bayes' rule, in which what the data do not determine is as uncertain as the prior allows. R is numerically singular,
because features are dependent to rounding; rows of the size of rounding fix what no row determines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.counts import SAMPLE
from transnet.linalg import lapack
from transnet.linalg.least_squares import triangle_of
from transnet.linalg.sizes import rms
from transnet.measure.sampling import spread
from transnet.rows.assembly import write_block
from transnet.rows.blocks import Block
from transnet.tolerances import ROUNDED

AT_ONCE = 10_000
"""Rows of data whose fit is computed at once: of ten million, 1.6 GB for 20 neurons otherwise."""


@dataclass(frozen=True, eq=False)
class Uncertainty:
    """How errors of the data change the solution.

    Parameters
    ----------
    moves : (columns, columns) array
        A root of the covariance of the output weights.
    """

    basis: Basis
    moves: np.ndarray

    def of(self, unknown: int, points: np.ndarray) -> np.ndarray:
        """The standard error of an unknown at points: (n,)."""
        zero = (0,) * points.shape[1]
        changes = self.basis.derivatives(self.moves, points, [(unknown, zero)])[0]
        return np.linalg.norm(changes, axis=1)

    def relative(self, names: Sequence[str], coefficients: np.ndarray, points: np.ndarray) -> dict[str, float]:
        """For each unknown its standard error relative to its size, both as root mean squares."""
        where = points[spread(len(points), SAMPLE)]
        found = {}
        for k, name in enumerate(names):
            size = float(rms(self.basis.derivatives(coefficients, where, [(k, (0,) * where.shape[1])])[0]))
            found[name] = float(rms(self.of(k, where))) / (size or 1.0)
        return found


def uncertainty_of(
    basis: Basis,
    blocks: Sequence[Block],
    weights: Sequence[float],
    triangle: np.ndarray,
    coefficients: np.ndarray,
    parameters: Sequence[Any],
) -> Uncertainty | None:
    """The uncertainty of a solution with the triangle R; None without data.

    If the noise is not known it is estimated from how well the data are fitted.
    """
    data = [(b, w) for b, w in zip(blocks, weights, strict=True) if b.statement.kind == "data"]
    if not data:
        return None
    held = ROUNDED * float(np.abs(np.diag(triangle)).max()) * np.eye(basis.columns)
    r = triangle_of(np.asfortranarray(np.concatenate([triangle, held])))
    total, count = 0.0, 0
    for block, weight in data:
        level = block.statement.noise
        if level is None:
            state = block.state(basis, coefficients)
            rows = np.empty((basis.columns, block.rows))
            write_block(rows, block, basis, block.linearise(parameters, state).coefficients, weight)
            some = range(0, block.rows, AT_ONCE)
            fitted = sum(float(np.sum(lapack.dtrtrs(r, rows[:, a : a + AT_ONCE], trans=1)[0] ** 2)) for a in some)
            left = float(np.linalg.norm(block.residual(state, parameters)))
            level = left / np.sqrt(max(block.rows - fitted, 1.0))
        total, count = total + block.rows * (weight * level) ** 2, count + block.rows
    spread = np.sqrt(total / count)
    return Uncertainty(basis, lapack.dtrtrs(r, np.asfortranarray(spread * np.eye(basis.columns)))[0])
