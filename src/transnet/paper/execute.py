"""Run many jobs on all cores, one thread each, and keep every result as soon as it is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from typing import Any

from transnet.basis.basis import Basis
from transnet.basis.expansion import Expansion
from transnet.features.space import FeatureSpace
from transnet.paper.run import Job, run
from transnet.paper.store import Store
from transnet.threads import cores

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
FEW = 40
"""Neurons of the warm-up solve, whose time is not recorded."""
Result = tuple[dict[str, Any], FeatureSpace | None]


def work(job: Job) -> list[Result]:
    """Run a job in a process of its own."""
    if job.trained:
        import torch

        torch.set_num_threads(1)
    else:
        warm_up(job.case, job.method)
    return [({**o.record, "cpu": o.cpu}, _space(o.solution.basis) if job.trained else None) for o in run(job)]


@cache
def warm_up(case: str, method: str) -> None:
    """Solve once with few neurons: the first solve of a process imports and compiles, which no curve should show."""
    for _ in run(Job(case, method, FEW)):
        pass


def _space(basis: Expansion) -> FeatureSpace:
    assert isinstance(basis, Basis)
    return basis.spaces[0]


def execute(
    jobs: Sequence[Job],
    store: Store,
    told: Callable[[dict[str, Any]], None] | None = None,
    processes: int | None = None,
) -> None:
    """Run the jobs that the store does not have yet.

    Parameters
    ----------
    told : callable, optional
        Called with each new record.
    processes : int, optional
        How many at a time; one for each core by default. With one they run in this process.
    """
    missing = without_stages([j for j in jobs if j not in store])

    def keep(results: list[Result]) -> None:
        for record, space in results:
            store.add(record, space)
            if told is not None:
                told(record)

    count = min(processes or cores(), len(missing))
    if count <= 1:
        for job in missing:
            keep(work(job))
        return
    # Processes are started afresh, so that the number of threads can be set before their linear algebra is loaded.
    with single_threaded(), ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(work, job) for job in missing]
        try:
            for future in as_completed(futures):
                keep(future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def without_stages(jobs: Sequence[Job]) -> list[Job]:
    """Leave out Adam alone if the same training continues with L-BFGS, which gives both records."""
    longer = {(j.case, j.neurons, j.seed, j.adam_steps) for j in jobs if j.method == "pinn-adam-lbfgs"}
    return [j for j in jobs if j.method != "pinn-adam" or (j.case, j.neurons, j.seed, j.adam_steps) not in longer]


@contextmanager
def single_threaded() -> Iterator[None]:
    """One thread for the linear algebra of processes started meanwhile."""
    before = {name: os.environ.get(name) for name in THREADS}
    os.environ.update(dict.fromkeys(THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
