"""Rows in portions: what is written when the whole matrix does not fit, or is written by somebody else.

A slab has points, coefficients and right-hand sides as plain arrays. It knows no equation, so it can be pickled and
sent (functions that SymPy generated cannot), and it becomes a matrix only where and when it is factored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.discretise.assembly import Layout, Linearisation, write_block
from transnet.discretise.collocation import Block
from transnet.discretise.compile import Slot


@dataclass(frozen=True, eq=False)
class Slab:
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


def slabs_of(
    blocks: Sequence[Block], linearisations: Sequence[Linearisation], weights: Sequence[float], size: int
) -> Iterator[Slab]:
    """All rows, in slabs of at most `size` rows."""
    for block, lin, weight in zip(blocks, linearisations, weights, strict=True):
        right = right_of(block, lin)
        if block.average is not None:
            yield Slab(block.slots, block.points, None, block.average, tuple(lin.coefficients), right, weight)
            continue
        for start in range(0, block.rows, size):
            here = slice(start, min(start + size, block.rows))
            image = None if block.image is None else block.image[here]
            coefficients = tuple(c if np.ndim(c) == 0 else c[here] for c in lin.coefficients)
            yield Slab(block.slots, block.points[here], image, None, coefficients, right[here], weight)


def packed(slabs: Iterator[Slab], size: int) -> Iterator[list[Slab]]:
    """Consecutive slabs in groups of at most `size` rows."""
    group: list[Slab] = []
    for slab in slabs:
        if group and sum(s.rows for s in group) + slab.rows > size:
            yield group
            group = []
        group.append(slab)
    if group:
        yield group


def matrix_of(group: Sequence[Slab], layout: Layout, memory: np.ndarray | None = None) -> np.ndarray:
    """[A | b] of a group of slabs, Fortran order; in the given flat memory if there is some."""
    rows = sum(s.rows for s in group)
    columns = layout.columns + max(s.right.shape[1] for s in group)
    transposed = np.empty((columns, rows)) if memory is None else memory[: columns * rows].reshape(columns, rows)
    start = 0
    for slab in group:
        here = slice(start, start + slab.rows)
        write_block(transposed[: layout.columns, here], slab, layout, slab.coefficients, slab.weight)
        transposed[layout.columns :, here] = slab.weight * slab.right.T
        start += slab.rows
    return transposed.T
