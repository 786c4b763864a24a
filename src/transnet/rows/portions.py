"""Rows in portions: what is written when the whole matrix does not fit, or is written by somebody else.

A portion has points, coefficients and right-hand sides as plain arrays. It knows no equation, so it can be pickled and
sent (functions that SymPy generated cannot), and it becomes a matrix only where and when it is factored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.basis.basis import Basis
from transnet.rows.assembly import Linearisation, write_block
from transnet.rows.collocation import Block
from transnet.rows.compile import Slot


@dataclass(frozen=True, eq=False)
class Portion:
    """Consecutive rows of a block: weight * (sum_k c_k(y_j) D^k u(y_j) = b_j)."""

    slots: tuple[Slot, ...]
    points: np.ndarray
    image: np.ndarray | None
    average: np.ndarray | None
    coefficients: tuple[np.ndarray, ...]
    right: np.ndarray
    weight: float

    @property
    def rows(self) -> int:
        return 1 if self.average is not None else len(self.points)


def right_of(block: Block, linearisation: Linearisation) -> np.ndarray:
    """The right-hand sides of a block as (rows, k), a mean value already taken."""
    right = linearisation.right if linearisation.right.ndim == 2 else linearisation.right[:, None]
    return right if block.average is None else (block.average @ right)[None, :]


def portions_of(
    blocks: Sequence[Block], linearisations: Sequence[Linearisation], weights: Sequence[float], size: int
) -> Iterator[Portion]:
    """All rows, in portions of at most `size` rows."""
    for block, lin, weight in zip(blocks, linearisations, weights, strict=True):
        right = right_of(block, lin)
        if block.average is not None:
            yield Portion(block.slots, block.points, None, block.average, tuple(lin.coefficients), right, weight)
            continue
        for start in range(0, block.rows, size):
            here = slice(start, min(start + size, block.rows))
            image = None if block.image is None else block.image[here]
            coefficients = tuple(c if np.ndim(c) == 0 else c[here] for c in lin.coefficients)
            yield Portion(block.slots, block.points[here], image, None, coefficients, right[here], weight)


def packed(portions: Iterator[Portion], size: int) -> Iterator[list[Portion]]:
    """Consecutive portions in groups of at most `size` rows."""
    group: list[Portion] = []
    for portion in portions:
        if group and sum(s.rows for s in group) + portion.rows > size:
            yield group
            group = []
        group.append(portion)
    if group:
        yield group


def matrix_of(group: Sequence[Portion], basis: Basis, memory: np.ndarray | None = None) -> np.ndarray:
    """[A | b] of a group of portions, Fortran order; in the given flat memory if there is some."""
    rows = sum(s.rows for s in group)
    columns = basis.columns + max(s.right.shape[1] for s in group)
    transposed = np.empty((columns, rows)) if memory is None else memory[: columns * rows].reshape(columns, rows)
    start = 0
    for portion in group:
        here = slice(start, start + portion.rows)
        write_block(transposed[: basis.columns, here], portion, basis, portion.coefficients, portion.weight)
        transposed[basis.columns :, here] = portion.weight * portion.right.T
        start += portion.rows
    return transposed.T
