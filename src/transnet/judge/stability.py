"""How well the rows determine the unknowns: the factor between a residual and the error that it can hide.

With R the triangle of the weighted rows and Phi the features' values at points of the domain, the largest singular
value of Phi R^-1 is the largest |u| over |rows u| = 1, both in the root mean square. If it is huge there is a function
that satisfies every homogeneous equation and condition: the problem has no unique solution, and that function shows
what is missing. A few steps of power iteration find it, at the cost of a few matrix-vector products.

Two effects are removed before a problem is called ill-posed. Rows have unit norm, and the norm of the row of a
differential operator grows with the steepness of the features, so the amplification is compared with what a feature of
unit steepness would have (`natural`). And dependent features make R singular to rounding although the rows determine
every function: |R a|^2 + (noise |a|)^2 replaces |R a|^2 where the plain number looks bad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.basis.basis import Basis
from transnet.linalg import lapack
from transnet.linalg.sizes import rms
from transnet.linalg.triangle import PANEL
from transnet.rows.blocks import Block
from transnet.tolerances import EPS

STEPS = 6
UNSEEN = 3e4
"""Above this amplification, relative to the natural one, the rows do not determine a function. Well-posed problems of
many kinds, orders and sizes are below 1e2; a level that is fixed by a thousandth of a term, at 1e3 to 1e4."""
GROWING = 1e-3
"""The ratio of the median of a function to its maximum below which it counts as growing. Modes in up to four
dimensions, and constants, are above 1e-1."""
EARLIER, SETTLED = 0.8, 1.5
"""A problem that is determined has an amplification of its own, however large: with this part of the features it is
nearly the same, at most this factor less (thin plates, tiny coefficients and equations close to resonance: 1.0 to 1.3).
At a resonance it grows with the features, three hundred times here, until it is rounding."""
ROUNDING_OFF = 1e8
"""Above this amplification, relative to the natural one, rounding is what determines a function."""
NOISE = 10.0
"""The rounding of R, in units of eps times its longest column."""

CONSTANT, TAKES_PART = 0.99, 0.1
"""For a function that the rows do not determine: an unknown takes part in it if it has at least this much of the
largest one, and is undetermined up to a constant if its mean is nearly all of it."""

Columns = Sequence[slice | np.ndarray]
"""The columns of each unknown."""


@dataclass(frozen=True, eq=False)
class Stability:
    """How well the rows determine functions.

    Parameters
    ----------
    amplification : float
        The largest |u| over |rows u| = 1; an error is at most the weighted residual times this.
    size : (unknowns,) array
        The root mean square in each unknown of the function that the rows determine least.
    level : (unknowns,) array
        Its mean in each unknown; where it equals the size, the function is a constant.
    natural : float
        The amplification of a feature of unit steepness.
    middle : float
        The ratio of the median of that function to its maximum.
    settled : bool
        Whether the amplification is nearly the same with fewer features.
    """

    amplification: float
    size: np.ndarray
    level: np.ndarray
    natural: float = 1.0
    middle: float = 1.0
    settled: bool = False

    @property
    def grows(self) -> bool:
        """Whether that function is negligible over most of the domain, like one that grows exponentially."""
        return self.middle < GROWING

    @property
    def relative(self) -> float:
        """The amplification in units of the natural one: about the stability constant of the problem."""
        return self.amplification / self.natural

    @property
    def unique(self) -> bool:
        """Whether the rows determine every function."""
        return self.relative < (ROUNDING_OFF if self.settled else UNSEEN)

    def undetermined(self, names: tuple[str, ...]) -> tuple[str, str]:
        """What is not determined, in words; and the first unknown of which only the level is undetermined, if any."""
        unseen = [
            (name, level > CONSTANT * size)
            for name, size, level in zip(names, self.size, self.level, strict=True)
            if size > TAKES_PART * self.size.max()
        ]
        words = " and ".join(f"{name} up to a constant" if constant else name for name, constant in unseen)
        return words, next((name for name, constant in unseen if constant), "")


def natural_amplification(
    basis: Basis, blocks: Sequence[Block], weights: Sequence[float], coefficients: Sequence[Sequence[np.ndarray]]
) -> float:
    """The largest |u| over |rows u| of one block for a feature of unit steepness: one over the size of its terms.

    Parameters
    ----------
    coefficients : sequence
        For each block the coefficients of its slots.
    """
    found = []
    for block, weight, factors in zip(blocks, weights, coefficients, strict=True):
        slots = block.statement.equation.slots
        sizes = [rms(c) / basis.placement.unit(index) for (_, index), c in zip(slots, factors, strict=True)]
        if max(sizes, default=0.0) > 0:
            found.append(1.0 / (weight * np.sqrt(block.rows) * max(sizes)))
    return float(max(found, default=1.0))


def stability_of(
    triangle: np.ndarray, values: Sequence[np.ndarray], columns: Columns, natural: float = 1.0, seed: int = 0
) -> Stability:
    """Measure stability on the triangle R of the weighted rows.

    Parameters
    ----------
    values : sequence of arrays
        For each unknown the values of its features at points, divided by the root of their number.
    natural : float
        The amplification to compare with, from `natural_amplification`.
    """
    found = None
    if np.abs(np.diag(triangle)).min(initial=np.inf) > 0:
        found = _least_seen(triangle, columns, values, natural, seed)
    # Not (<) rather than >=: a sum of infinities is not a number.
    if found is not None and found.relative < UNSEEN:
        return found
    found = _least_seen(with_noise(triangle), columns, values, natural, seed)
    if not found.relative < ROUNDING_OFF:
        return found
    n, m = len(triangle), int(EARLIER * len(triangle))
    first = [np.arange(n)[c] for c in columns]
    fewer = [v[:, : int((c < m).sum())] for v, c in zip(values, first, strict=True)]
    before = _least_seen(with_noise(triangle[:m, :m]), [c[c < m] for c in first], fewer, natural, seed)
    return replace(found, settled=found.amplification <= SETTLED * before.amplification)


def with_noise(triangle: np.ndarray) -> np.ndarray:
    """The triangle of R with noise times the identity below it: |R a|^2 + (noise |a|)^2 without squaring anything."""
    n = len(triangle)
    noise = NOISE * EPS * max(float(np.linalg.norm(triangle, axis=0).max(initial=0.0)), np.finfo(float).tiny / EPS)
    below = np.asfortranarray(noise * np.eye(n))
    return np.triu(lapack.dtpqrt(n, min(PANEL, n), np.asfortranarray(triangle), below, overwrite_b=1)[0])


def _least_seen(
    triangle: np.ndarray, columns: Columns, values: Sequence[np.ndarray], natural: float, seed: int
) -> Stability:
    """Power iteration for the largest singular value of Phi R^-1."""
    rng = np.random.default_rng(seed)
    functions = [rng.standard_normal(len(v)) + 1.0 for v in values]
    amplification = 0.0
    for _ in range(STEPS):
        norm = np.sqrt(sum(f @ f for f in functions))
        right = np.empty((len(triangle), 1))
        for k, (v, f) in enumerate(zip(values, functions, strict=True)):
            right[columns[k], 0] = v.T @ (f / norm)
        forward, _ = lapack.dtrtrs(triangle, right, trans=1)
        amplification = float(np.linalg.norm(forward))
        back, _ = lapack.dtrtrs(triangle, forward / max(amplification, np.finfo(float).tiny))
        functions = [v @ back[columns[k], 0] for k, v in enumerate(values)]
    return _seen_as(functions, amplification, natural)


def _seen_as(functions: Sequence[np.ndarray], amplification: float, natural: float) -> Stability:
    size = np.array([np.linalg.norm(f) for f in functions])
    level = np.array([abs(f.mean()) * np.sqrt(len(f)) for f in functions])
    together = np.sqrt(sum(f**2 for f in functions))
    ordered = np.sort(together)  # np.median would import numpy.ma
    median = 0.5 * (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2])
    middle = float(median / max(together.max(initial=0.0), np.finfo(float).tiny))
    return Stability(amplification, size, level, natural, middle)
