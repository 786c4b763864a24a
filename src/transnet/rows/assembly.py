"""Rows: every block writes its equations into one Fortran-ordered array [A | b], in place.

The columns of the matrix are the constants of the unknowns, then their first neurons, their second, and so on, so that
the leading columns are smaller networks for all of them. Row j of a block
is weight * (sum_k c_k(y_j) D^k phi_m(y_j) = b_j), with the derivatives with respect to the ball's coordinates divided
by the placement's scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import Expansion, Slot
from transnet.geometry.sampling import spread
from transnet.rows.collocation import Block

CONDITION_WEIGHT = {"sin": 1.0, "tanh": 30.0, "gauss": 30.0}
"""How much more a condition counts than an equation when rows of both have the same norm, by activation (measured)."""
AVERAGED = 4_096
"""Points of a mean value whose rows are added up at once."""


class Rows(Protocol):
    """What writing rows needs to know: a `Block`, or a part of one that has left its equation behind."""

    @property
    def slots(self) -> tuple[Slot, ...]: ...
    @property
    def points(self) -> np.ndarray: ...
    @property
    def image(self) -> np.ndarray | None: ...
    @property
    def average(self) -> np.ndarray | None: ...


@dataclass(frozen=True, eq=False)
class Linearisation:
    """The coefficients and the right-hand side of a block: from a linear equation, or from a Newton step.

    `coefficients` has one entry for each slot of the equation, a number or one value a point; `right` is (n,) or
    (n, k) for several right-hand sides.
    """

    coefficients: Sequence[np.ndarray]
    right: np.ndarray


def linear(block: Block, parameters: Sequence[Any] = ()) -> Linearisation:
    """The coefficients and right-hand side of a block whose equation is linear."""
    equation = block.statement.equation
    coefficients = equation.jacobian(block.points, block.normals, parameters)
    right = -equation.residual(block.points, block.normals, parameters)
    if block.values is not None:
        right = right + block.values
    if block.image is not None:
        right = np.zeros(len(block.points))
    return Linearisation(coefficients, right)


def linearised(
    block: Block, basis: Expansion, coefficients: np.ndarray, parameters: Sequence[Any] = ()
) -> Linearisation:
    """The linearisation of a block at an iterate: sum_j dF/ds_j s_j(new) = sum_j dF/ds_j s_j - F."""
    if block.image is not None:
        return linear(block, parameters)
    equation = block.statement.equation
    slots = slot_values(block, basis, coefficients)
    factors = equation.jacobian(block.points, block.normals, parameters, slots)
    right = -equation.residual(block.points, block.normals, parameters, slots)
    right = right + sum(f * s for f, s in zip(factors, slots, strict=True))
    return Linearisation(factors, right if block.values is None else right + block.values)


def write_block(
    out: np.ndarray, block: Rows, basis: Basis, coefficients: Sequence[np.ndarray], factor: float = 1.0
) -> None:
    """Write the rows of a block, times `factor`, into `out`: the transposed rows, (columns, rows)."""
    if block.average is not None:
        out[:, 0] = 0.0
        for start in range(0, len(block.points), AVERAGED):
            here = slice(start, start + AVERAGED)
            points = block.points[here]
            rows = np.empty((basis.columns, len(points)))
            basis.write(rows, points, block.slots, [c if np.ndim(c) == 0 else c[here] for c in coefficients], factor)
            out[:, 0] += rows @ block.average[here]
        return
    basis.write(out, block.points, block.slots, coefficients, factor)
    if block.image is not None:
        rows = np.empty_like(out, order="C")
        basis.write(rows, block.image, block.slots, coefficients, factor)
        out -= rows


def row_norm(block: Block, basis: Basis, coefficients: Sequence[np.ndarray], sample: int = 48) -> float:
    """The root mean square of the norms of a block's rows, from a sample of them."""
    n = len(block.points)
    if block.average is not None:
        rows = np.empty((basis.columns, 1))
        write_block(rows, block, basis, coefficients)
    else:
        chosen = spread(n, sample)
        rows = np.empty((basis.columns, len(chosen)))
        write_block(rows, block.part(chosen), basis, [c if np.ndim(c) == 0 else c[chosen] for c in coefficients])
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
    automatic = {"equation": 1.0, "condition": condition, "data": 1.0}[statement.kind]
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
    rights = max(1 if lin.right.ndim == 1 else lin.right.shape[1] for lin in linearisations)
    transposed = np.empty((basis.columns + rights, sum(b.rows for b in blocks)))
    start = 0
    for block, lin, weight in zip(blocks, linearisations, weights, strict=True):
        rows = slice(start, start + block.rows)
        write_block(transposed[: basis.columns, rows], block, basis, lin.coefficients, weight)
        right = lin.right if lin.right.ndim == 2 else lin.right[:, None]
        if block.average is not None:
            right = (block.average @ right)[None, :]
        transposed[basis.columns :, rows] = weight * right.T
        start += block.rows
    return System(transposed.T, tuple(blocks), tuple(weights), basis)


def slot_values(
    block: Block, basis: Expansion, coefficients: np.ndarray, points: np.ndarray | None = None
) -> list[np.ndarray]:
    """The values of a block's slots for given output weights: D^k u at its points, one array a slot."""
    return basis.derivatives(coefficients, block.points if points is None else points, block.slots)


def residual_of(
    block: Block,
    basis: Expansion,
    coefficients: np.ndarray,
    parameters: Sequence[Any] = (),
    slots: Sequence[np.ndarray] | None = None,
) -> np.ndarray:
    """The residual F of a block's equation at its points for given output weights; `slots` where they are known."""
    equation = block.statement.equation
    now = slot_values(block, basis, coefficients) if slots is None else slots
    value = equation.residual(block.points, block.normals, parameters, now)
    if block.values is not None:
        value = value - block.values
    if block.image is not None:
        image = slot_values(block, basis, coefficients, block.image)
        value = value - equation.residual(block.image, None, parameters, image)
    if block.average is not None:
        value = np.atleast_1d(block.average @ value)
    return value
