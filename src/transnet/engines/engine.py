"""Where the rows are factored: in memory, streamed through it in blocks, or on a cluster. The results are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Protocol

import numpy as np

from transnet.basis.basis import Basis
from transnet.calls import explained, shown
from transnet.clock import Clock
from transnet.errors import ProblemError
from transnet.linalg.memory import DOUBLE, available_memory
from transnet.linalg.triangle import Triangle
from transnet.progress import ProgressLine
from transnet.rows.assembly import assemble, weight_of
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.portions import matrix_of, packed, portions_of

IN_MEMORY = 0.4
"""The part of the available memory that the whole matrix may take."""
SMALL = 1 << 25
"""A matrix of this many bytes fits anywhere; asking the system would cost as much as factoring it."""
ROWS_PER_COLUMN = 4
"""Rows of a streamed block per column: enough for the work on the triangle to be small in comparison."""
TRIANGLES = 4
"""Triangles in memory at once: two that are combined, the result, and LAPACK's workspace."""


class Engine(Protocol):
    """Factors weighted rows: returns the triangle of [A | b]."""

    def triangle(
        self,
        blocks: Sequence[Block],
        basis: Basis,
        linearised: Sequence[Linearisation],
        weights: Sequence[float],
    ) -> Triangle: ...


@dataclass(frozen=True)
class InMemory:
    """The whole matrix at once: the fastest while it fits."""

    def triangle(
        self, blocks: Sequence[Block], basis: Basis, linearised: Sequence[Linearisation], weights: Sequence[float]
    ) -> Triangle:
        return Triangle.of(assemble(blocks, basis, linearised, weights).matrix)


def check_rows(rows: int | None) -> None:
    """Refuse a block size that is not a positive whole number."""
    if rows is not None and not (isinstance(rows, Integral) and rows >= 1):
        raise ProblemError(f"A block needs a whole number of rows, at least one, not {shown(rows)}.")


@explained
@dataclass(frozen=True)
class Streamed:
    """Rows in blocks: one block and one triangle are in memory, whatever the number of rows.

    Parameters
    ----------
    rows : int, optional
        Rows of a block; by default four for each column.
    """

    rows: int | None = None

    def __post_init__(self) -> None:
        check_rows(self.rows)

    def triangle(
        self, blocks: Sequence[Block], basis: Basis, linearised: Sequence[Linearisation], weights: Sequence[float]
    ) -> Triangle:
        columns = basis.columns + _rights(blocks, linearised)
        size = min(self.rows or ROWS_PER_COLUMN * columns, sum(b.rows for b in blocks))
        memory = np.empty(columns * size)
        groups = packed(portions_of(blocks, linearised, weights, size), size)
        progress = ProgressLine("rows", sum(b.rows for b in blocks))

        def matrices() -> Any:
            for group in groups:
                yield matrix_of(group, basis, memory)
                progress.advance(sum(s.rows for s in group))

        with progress:
            return Triangle.of_blocks(matrices(), columns)


def factored_rows(
    blocks: Sequence[Block],
    basis: Basis,
    linearised: Sequence[Linearisation],
    engine: Any = None,
    clock: Clock | None = None,
) -> tuple[Triangle, tuple[float, ...]]:
    """The triangle of the weighted rows and the weights of the blocks.

    Parameters
    ----------
    engine : Engine or dask.distributed.Client, optional
        By default in memory, or streamed if the matrix would not fit.
    clock : Clock, optional
        Notified when the rows are written, if that is a separate step.
    """
    chosen = engine_of(engine) or automatic(sum(b.rows for b in blocks), basis.columns + _rights(blocks, linearised))
    if isinstance(chosen, InMemory):
        system = assemble(blocks, basis, linearised)
        if clock is not None:
            clock.lap("assemble")
        return Triangle.of(system.matrix), system.weights
    weights = tuple(weight_of(b, basis, lin.coefficients) for b, lin in zip(blocks, linearised, strict=True))
    return chosen.triangle(blocks, basis, linearised, weights), weights


def automatic(rows: int, columns: int, available: int | None = None) -> Engine:
    """In memory if the matrix takes less than 40 % of what is available, otherwise streamed.

    Raises
    ------
    ProblemError
        If not even the triangles fit; raised before anything is computed.
    """
    if available is None and DOUBLE * rows * columns <= SMALL:
        return InMemory()
    free = available_memory() if available is None else available
    if DOUBLE * rows * columns <= IN_MEMORY * free:
        return InMemory()
    # The solve on the triangle needs a few copies of it.
    triangles, row = TRIANGLES * DOUBLE * columns**2, 2 * DOUBLE * columns
    room = int((IN_MEMORY * free - triangles) // row)
    if room < columns // 4:
        raise ProblemError(
            f"{columns} columns do not fit into memory: their triangles alone take {triangles / 2**30:.2g} GiB of the "
            f"{free / 2**30:.2g} GiB available. Use fewer neurons: about {int((IN_MEMORY * free / 40) ** 0.5)} fit."
        )
    return Streamed(min(ROWS_PER_COLUMN * columns, room))


def engine_of(engine: Any) -> Engine | None:
    """An engine from what the user passed: None, an engine, or a cluster's client."""
    if isinstance(engine, type):
        raise ProblemError(f"engine is the class {engine.__name__} itself. Make one: tn.{engine.__name__}(...).")
    if engine is None or hasattr(engine, "triangle"):
        return engine
    if hasattr(engine, "submit") and hasattr(engine, "scheduler_info"):
        from transnet.engines.distributed import Distributed

        return Distributed(engine)
    raise ProblemError(
        f"engine is a dask.distributed.Client, tn.Streamed(...), tn.Distributed(...) or None, not {shown(engine)}."
    )


def _rights(blocks: Sequence[Block], linearised: Sequence[Linearisation]) -> int:
    return max(lin.rights.shape[1] for lin in linearised)
