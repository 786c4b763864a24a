"""Rows in portions, for when the whole matrix does not fit, or is assembled by another process.

A portion has points, coefficients and right-hand sides as plain arrays. It knows no equation, so it can be pickled and
sent (functions that SymPy generated cannot), and it becomes a matrix only where and when it is factored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.expansion import Slot
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.nodes import Nodes


@dataclass(frozen=True, eq=False)
class Portion:
    """Consecutive rows of a block: weight * (sum_k c_k(y_j) D^k u(y_j) = b_j)."""

    slots: tuple[Slot, ...]
    nodes: Nodes
    coefficients: tuple[np.ndarray, ...]
    right: np.ndarray
    weight: float

    @property
    def rows(self) -> int:
        return self.nodes.rows


def portions_of(
    blocks: Sequence[Block], linearisations: Sequence[Linearisation], weights: Sequence[float], size: int
) -> Iterator[Portion]:
    """All rows, in portions of at most `size` rows."""
    for block, lin, weight in zip(blocks, linearisations, weights, strict=True):
        for start in range(0, block.rows, size):
            some = slice(start, min(start + size, block.rows))
            here = block.nodes.nodes_of(some)
            coefficients = tuple(c if np.ndim(c) == 0 else c[here] for c in lin.coefficients)
            yield Portion(block.slots, block.nodes.part(some), coefficients, lin.rights[some], weight)


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
        out = transposed[: basis.columns, here]
        portion.nodes.write(out, basis.write, portion.slots, portion.coefficients, portion.weight)
        transposed[basis.columns :, here] = portion.weight * portion.right.T
        start += portion.rows
    return transposed.T
