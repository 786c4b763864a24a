"""Solving on a cluster: workers assemble and factor blocks of rows, and their triangles are combined in a tree.

Points, coefficients and the neurons' weights are sent to a worker; triangles of the size of the columns are sent
between workers. The tree is fixed by the blocks, not by which is first, so the result does not depend on the
scheduling; it differs from that of one machine by rounding. A block whose worker dies is given to another one.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from transnet.basis.basis import Basis
from transnet.engines.engine import TRIANGLES, check_rows
from transnet.errors import ClusterError, ProblemError, TransnetError, missing_extra
from transnet.linalg.memory import DOUBLE
from transnet.linalg.triangle import Triangle
from transnet.progress import ProgressLine
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.portions import Portion, matrix_of, packed, portions_of

ROWS_PER_COLUMN = 4
"""The most rows of a block per column: more would only wait for the last block."""
MOST_ITEMS = 16
"""The most items of a block that is mapped: a result of a megabyte each stays small beside a worker's memory."""
USABLE = 0.6
"""The part of a worker's memory that a block may take: above it the worker spills to disk, then pauses."""

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Distributed:
    """The rows are factored by the workers of a `dask.distributed` cluster.

    Parameters
    ----------
    client : dask.distributed.Client
        Connected to the cluster; `tn.solve(problem, engine=client)` is the same as `engine=tn.Distributed(client)`.
    rows : int, optional
        Rows of a block; by default such that every worker gets a few and each fits.
    progress : bool, optional
        Whether a line on standard error shows how many blocks are factored; by default if it is a terminal.
    """

    client: Any
    rows: int | None = None
    progress: bool | None = None

    def __post_init__(self) -> None:
        check_rows(self.rows)

    def triangle(
        self, blocks: Sequence[Block], basis: Basis, linearised: Sequence[Linearisation], weights: Sequence[float]
    ) -> Triangle:
        rights = max(lin.rights.shape[1] for lin in linearised)
        columns, total = basis.columns + rights, sum(b.rows for b in blocks)
        doubled = any(b.nodes.away for b in blocks)
        size = self._rows(columns, total, doubled)
        groups = list(packed(portions_of(blocks, linearised, weights, size), size))
        return self._reduced(groups, basis, columns)

    def mapped(self, function: Callable[[list[Any]], list[Any]], items: Sequence[Any], what: str) -> list[Any]:
        """The results of a function of some items at a time, in their order, each block of items on a worker.

        The result does not depend on which worker computes what: a block whose worker dies is given to another one.
        """
        with _connected(self.client):
            threads = sum(int(w["nthreads"]) for w in self._workers().values())
        size = max(1, min(MOST_ITEMS, -(-len(items) // (4 * threads))))
        blocks = [list(items[k : k + size]) for k in range(0, len(items), size)]

        def computed(as_completed: Any) -> list[Any]:
            futures = [self.client.submit(function, block, pure=False, retries=3) for block in blocks]
            with ProgressLine(what, len(futures), self.progress) as progress:
                for _ in as_completed(futures, loop=self.client.loop):
                    progress.advance()
            return [result for future in futures for result in future.result()]

        return self._watched(computed)

    # -- before starting ---------------------------------------------------------------------------------------------
    def _rows(self, columns: int, total: int, doubled: bool) -> int:
        with _connected(self.client):
            workers = self._workers()
        room = {name: _room(w) for name, w in workers.items()}
        name = min(room, key=lambda k: room[k])
        row = DOUBLE * columns * (2 if doubled else 1)
        fits = int(min((room[name] - TRIANGLES * DOUBLE * columns**2) / row, sys.maxsize))
        least = max(columns // 4, 1)
        if fits < least:
            need = least * row + TRIANGLES * DOUBLE * columns**2
            raise ProblemError(
                f"The worker {name} is too small for one block: {columns} columns need {need / 2**20:.0f} MiB for a "
                f"block of {least} rows and its triangles, but each of its threads may use "
                f"{room[name] / 2**20:.0f} MiB. Use workers with more memory (memory_limit) or fewer threads, or at "
                f"most {_columns_that_fit(room[name])} columns."
            )
        if self.rows is not None:
            if self.rows > fits:
                raise ProblemError(
                    f"A block of {self.rows} rows and {columns} columns does not fit into the memory of the worker "
                    f"{name} ({room[name] / 2**20:.0f} MiB per thread). Blocks of at most {fits} rows do: "
                    f"tn.Distributed(client, rows={fits}), or leave rows out."
                )
            return self.rows
        threads = sum(int(w["nthreads"]) for w in workers.values())
        share = max(-(-total // (2 * threads)), columns)
        return int(min(share, ROWS_PER_COLUMN * columns, fits))

    def _workers(self) -> dict[str, Any]:
        workers = workers_of(self.client)
        if not workers:
            raise ProblemError(
                "The cluster has no workers, so nothing would ever be computed. Start some (for example "
                "cluster.scale(4)) and wait for them with client.wait_for_workers(1)."
            )
        return workers

    # -- the tree ----------------------------------------------------------------------------------------------------
    def _reduced(self, groups: list[list[Portion]], basis: Basis, columns: int) -> Triangle:
        return self._watched(lambda as_completed: self._joined(groups, basis, columns, as_completed))

    def _watched(self, compute: Callable[[Any], Result]) -> Result:
        """Compute with `as_completed`; report a cluster that goes away and blocks that kill workers."""
        try:
            from distributed import KilledWorker, as_completed
        except ImportError:
            raise missing_extra("distributed", "distributed", "Solving on a cluster") from None
        with _connected(self.client):
            try:
                return compute(as_completed)
            except KilledWorker as error:
                raise TransnetError(
                    f"A block was given to several workers and each of them died: {error}. The usual cause is too "
                    f"little memory; use smaller blocks of rows, tn.Distributed(client, rows=...), or larger workers."
                ) from error

    def _joined(self, groups: list[list[Portion]], basis: Basis, columns: int, as_completed: Any) -> Triangle:
        options = {"pure": False, "retries": 3}
        leaves = [self.client.submit(factored, group, basis, columns, **options) for group in groups]
        level = list(leaves)
        while len(level) > 1:
            joined = [
                self.client.submit(Triangle.joined, a, b, **options)
                for a, b in zip(level[::2], level[1::2], strict=False)
            ]
            level = joined + level[2 * len(joined) :]
        with ProgressLine("blocks of rows factored", len(leaves), self.progress, quiet=0.0) as progress:
            for _ in as_completed(leaves, loop=self.client.loop):
                progress.advance()
        return level[0].result()


@contextmanager
def _connected(client: Any) -> Iterator[None]:
    """Raise an error if the scheduler goes away meanwhile: Dask cancels the work, or closes the connection."""
    try:
        yield
    except TransnetError:
        raise
    except (Exception, cancelled()) as error:
        gone = getattr(client, "status", "running") != "running"
        if not gone and not isinstance(error, (CancelledError, cancelled(), OSError)):  # a CommClosedError is one
            raise
        raise ClusterError(
            f"The scheduler of the cluster went away during the solve, or the connection to it was lost "
            f"({type(error).__name__}). Start it again, make another Client, and solve again."
        ) from error


def factored(group: Sequence[Portion], basis: Basis, columns: int) -> Triangle:
    """The work of a worker: write the rows of some portions, and keep only their triangle."""
    return Triangle.of_blocks([matrix_of(group, basis)], columns)


def workers_of(client: Any) -> dict[str, Any]:
    """All workers of a cluster, by address."""
    if getattr(client, "asynchronous", False):
        raise ProblemError("The client is asynchronous. Connect one with dask.distributed.Client(address).")
    accepts = inspect.signature(client.scheduler_info).parameters
    info = client.scheduler_info(n_workers=-1) if "n_workers" in accepts else client.scheduler_info()
    if "workers" not in info:
        raise ClusterError("The client of the cluster is closed, or has lost its scheduler. Make another Client.")
    return dict(info["workers"])


def _room(worker: Any) -> float:
    """Bytes that one thread of a worker may use."""
    limit = worker.get("memory_limit") or 0
    return USABLE * limit / max(int(worker["nthreads"]), 1) if limit else float("inf")


def _columns_that_fit(room: float) -> int:
    # n columns need the triangles and a block of n / 4 rows.
    return max(int((room / (DOUBLE * (TRIANGLES + 0.25))) ** 0.5), 1)


def cancelled() -> type[BaseException]:
    """The exception that asyncio raises; asyncio is imported only if there is a cluster."""
    from asyncio import CancelledError

    return CancelledError
