"""Timing, errors and the search for the smallest network that reaches one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

import transnet as tn
from transnet.paper.case import Case

LADDER = {
    2: (40, 60, 80, 100, 130, 160, 200, 250, 300, 350, 400, 500, 600, 700, 800, 1000),
    3: (100, 150, 200, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000, 3000),
}
"""Sizes to try one after the other, by dimension."""
REPEATS = 5
"""Number of calls; the smallest time counts."""


clock = time.perf_counter
"""Wall time; `bench.py --cpu` makes it the processor time of this process, for a machine that is busy otherwise."""


def now() -> float:
    return clock()


def seconds(function: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    """The smallest time of a few calls (other load on the machine only adds to it), and the last result."""
    times = []
    result = None
    for _ in range(repeats):
        begun = now()
        result = function()
        times.append(now() - begun)
    return min(times), result


def fairly(function: Callable[[], Any]) -> tuple[float, Any]:
    """A peer's time: the smallest of as many calls as ours gets, or of the only one where that takes seconds."""
    spent, result = seconds(function, 1)
    if spent > 2:
        return spent, result
    again, result = seconds(function, REPEATS - 1)
    return min(spent, again), result


@dataclass(frozen=True)
class Reached:
    """The smallest size that reached an error, or the tolerance that did, and the time of its solve."""

    size: int | str
    seconds: float
    error: float


def relative_error(what: Case, solution: tn.Solution) -> float:
    return what.errors_of(solution(what.test_points)).relative_l2


def ours(what: Case, wanted: float, sizes: Iterable[int] | None = None, seeds: int = 3) -> Reached | None:
    """The smallest network of `tn.solve(problem, neurons=...)` whose median relative error over seeds is small enough.

    Its time is that of the whole call: choosing the features, points, rows, solve and checks.
    """
    for size in sizes or LADDER[what.problem.domain.dimension]:
        first = tn.solve(what.problem, neurons=size)
        if relative_error(what, first) > 30 * wanted:
            continue
        errors = [relative_error(what, tn.solve(what.problem, neurons=size, seed=s)) for s in range(seeds)]
        if median(errors) <= wanted:
            spent, _ = seconds(lambda n=size: tn.solve(what.problem, neurons=n), REPEATS)
            return Reached(size, spent, median(errors))
    return None


def by_tolerance(what: Case, wanted: float) -> Reached | None:
    """`tn.solve(problem, tol=...)` with the wanted error as tolerance, which chooses what it takes: slabs, a march."""
    solution = tn.solve(what.problem, tol=wanted)
    error = relative_error(what, solution)
    if error > wanted:
        return None
    spent, _ = seconds(lambda: tn.solve(what.problem, tol=wanted), REPEATS)
    return Reached(f"tol={wanted:.0e}", spent, error)
