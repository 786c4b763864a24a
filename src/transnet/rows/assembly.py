"""Every block writes its rows into one Fortran-ordered array [A | b], in place.

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
from transnet.measure.sampling import spread
from transnet.rows.blocks import Block, Linearisation

CONDITION_WEIGHT = {"sin": 1.0, "tanh": 30.0, "gauss": 30.0}
"""How much more a condition counts than an equation if rows of both have the same norm, by activation (measured)."""

SAMPLE = 48
"""Rows of a block whose norms are measured."""
IN_CACHE = 400_000
"""Elements of a matrix that is quickly traversed once more; the rows of a larger one are measured beforehand."""

NOISY = 1e-2
"""How much less measured values with noise count than equations, which are exact: the equations hold to a hundredth of
the noise, and the answer is the least-squares fit among their solutions."""


def write_block(
    out: np.ndarray, block: Block, basis: Basis, coefficients: Sequence[np.ndarray], factor: float = 1.0
) -> None:
    """Write the rows of a block, times `factor`, into `out`: the transposed rows, (columns, rows)."""
    block.nodes.write(out, basis.write, block.slots, coefficients, factor)


def row_norm(block: Block, basis: Basis, coefficients: Sequence[np.ndarray]) -> float:
    """The root mean square of the norms of a block's rows, from a sample of them."""
    chosen = spread(block.rows, SAMPLE)
    here = block.nodes.nodes_of(chosen)
    rows = np.empty((basis.columns, len(chosen)))
    write_block(rows, block.part(chosen), basis, [c if np.ndim(c) == 0 else c[here] for c in coefficients])
    return _norm(rows)


def _norm(rows: np.ndarray) -> float:
    """The root mean square of the norms of transposed rows, which are overwritten."""
    # Divided by the largest first: on a very small domain the squares of high derivatives overflow.
    largest = float(np.abs(rows).max(initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    rows /= largest
    return largest * float(np.sqrt(np.mean(np.einsum("ij,ij->j", rows, rows))))


def weight_of(
    block: Block, basis: Basis, coefficients: Sequence[np.ndarray], written: np.ndarray | None = None
) -> float:
    """The factor of a block's rows: unit norm, one over the root of their number, and the weight of its kind.

    If they are `written` already, transposed and without a factor, they are not evaluated again.
    """
    statement = block.statement
    condition = max((CONDITION_WEIGHT.get(s.activation.name, 1.0) for s in basis.spaces if s.neurons), default=1.0)
    data = 1.0 if statement.noise is None else NOISY
    automatic = {"equation": 1.0, "condition": condition, "data": data}[statement.kind]
    wanted = automatic if statement.weight is None else statement.weight
    norm = row_norm(block, basis, coefficients) if written is None else _norm(written[:, spread(block.rows, SAMPLE)])
    return wanted / ((norm or 1.0) * np.sqrt(block.rows))


@dataclass(frozen=True, eq=False)
class Assembled:
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
) -> Assembled:
    """Write all blocks into one Fortran-ordered array of shape (rows, columns + right-hand sides)."""
    rights = max(lin.rights.shape[1] for lin in linearisations)
    transposed = np.empty((basis.columns + rights, sum(b.rows for b in blocks)))
    if weights is None and transposed.size > IN_CACHE:
        weights = [weight_of(b, basis, lin.coefficients) for b, lin in zip(blocks, linearisations, strict=True)]
    start, used = 0, []
    for k, (block, lin) in enumerate(zip(blocks, linearisations, strict=True)):
        rows = slice(start, start + block.rows)
        out = transposed[: basis.columns, rows]
        if weights is None:
            write_block(out, block, basis, lin.coefficients)
            used.append(weight_of(block, basis, lin.coefficients, out))
            out *= used[-1]
        else:
            write_block(out, block, basis, lin.coefficients, weights[k])
            used.append(weights[k])
        transposed[basis.columns :, rows] = used[-1] * lin.rights.T
        start += block.rows
    return Assembled(transposed.T, tuple(blocks), tuple(used), basis)
