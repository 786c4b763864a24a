"""Rows: every block writes its equations into one Fortran-ordered array [A | b], in place.

The columns of the matrix are the constants of the unknowns, then their first neurons, their second, and so on, so that
the leading columns are smaller networks for all of them. Row j of a block
is weight * (sum_k c_k(y_j) D^k phi_m(y_j) = b_j), with the derivatives with respect to the ball's coordinates divided
by the placement's scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.basis.basis import Basis
from transnet.geometry.sampling import spread
from transnet.rows.blocks import Block, Linearisation

CONDITION_WEIGHT = {"sin": 1.0, "tanh": 30.0, "gauss": 30.0}
"""How much more a condition counts than an equation when rows of both have the same norm, by activation (measured)."""

NOISY = 1e-3
"""How much less measured values with noise count than equations, which are exact: those hold to the noise's thousandth,
and the answer is that of least squares among the solutions of the equations."""


def write_block(
    out: np.ndarray, block: Block, basis: Basis, coefficients: Sequence[np.ndarray], factor: float = 1.0
) -> None:
    """Write the rows of a block, times `factor`, into `out`: the transposed rows, (columns, rows)."""
    block.nodes.write(out, basis.write, block.slots, coefficients, factor)


def row_norm(block: Block, basis: Basis, coefficients: Sequence[np.ndarray], sample: int = 48) -> float:
    """The root mean square of the norms of a block's rows, from a sample of them."""
    chosen = spread(block.rows, sample)
    here = block.nodes.nodes_of(chosen)
    rows = np.empty((basis.columns, len(chosen)))
    write_block(rows, block.part(chosen), basis, [c if np.ndim(c) == 0 else c[here] for c in coefficients])
    # Divided by the largest first: on a very small domain the squares of high derivatives overflow.
    largest = float(np.abs(rows).max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    rows /= largest
    return largest * float(np.sqrt(np.mean(np.einsum("ij,ij->j", rows, rows))))


def weight_of(block: Block, basis: Basis, coefficients: Sequence[np.ndarray]) -> float:
    """The factor of a block's rows: unit norm, one over the root of their number, and the weight of its kind."""
    statement = block.statement
    condition = max((CONDITION_WEIGHT.get(s.activation.name, 1.0) for s in basis.spaces if s.neurons), default=1.0)
    data = 1.0 if statement.noise is None else NOISY
    automatic = {"equation": 1.0, "condition": condition, "data": data}[statement.kind]
    wanted = automatic if statement.weight is None else statement.weight
    return wanted / ((row_norm(block, basis, coefficients) or 1.0) * np.sqrt(block.rows))


@dataclass(frozen=True, eq=False)
class System:
    """The weighted least-squares problem [A | b] of a list of blocks, and where each block's rows are."""

    matrix: np.ndarray
    blocks: tuple[Block, ...]
    weights: tuple[float, ...]
    basis: Basis


def assemble(
    blocks: Sequence[Block],
    basis: Basis,
    linearisations: Sequence[Linearisation],
    weights: Sequence[float] | None = None,
) -> System:
    """Write all blocks into one Fortran-ordered array of shape (rows, columns + right-hand sides)."""
    if weights is None:
        weights = [weight_of(b, basis, lin.coefficients) for b, lin in zip(blocks, linearisations, strict=True)]
    rights = max(lin.rights.shape[1] for lin in linearisations)
    transposed = np.empty((basis.columns + rights, sum(b.rows for b in blocks)))
    start = 0
    for block, lin, weight in zip(blocks, linearisations, weights, strict=True):
        rows = slice(start, start + block.rows)
        write_block(transposed[: basis.columns, rows], block, basis, lin.coefficients, weight)
        transposed[basis.columns :, rows] = weight * lin.rights.T
        start += block.rows
    return System(transposed.T, tuple(blocks), tuple(weights), basis)
