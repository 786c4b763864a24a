"""The coarsest mesh that reaches an error, found without trying many finer or coarser ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")
ATTEMPTS = 20
"""Enough for doubling up to any mesh that fits into memory, and for a few corrections."""


def coarsest(
    attempt: Callable[[int], Result],
    error_of: Callable[[Result], float],
    wanted: float,
    order: float,
    largest: int,
    start: int = 8,
    slack: float = 1.08,
) -> tuple[int, Result | None]:
    """The smallest n whose error is small enough, within a factor of `slack`, for an error that falls like n^-order.

    Each error predicts the n that is needed; the next attempt is that one, so most of the time goes into the last.
    Returns n with its result; or, where the prediction exceeds `largest`, that prediction and None.
    """
    failed, n = 0, start
    best: tuple[int, Result] | None = None
    for _ in range(ATTEMPTS):
        result = attempt(n)
        error = error_of(result)
        needed = n * (error / wanted) ** (1 / order)
        if error > wanted:
            failed = max(failed, n)
            # Far from the goal the rate is not yet that of the theory: at most double.
            n = max(n + 1, math.ceil(min(max(1.003 * needed - 0.5, 1.01 * n), 2 * n)))
            if best and n >= best[0]:
                return best
            if not best and max(n, needed) > largest and failed > start:
                return math.ceil(needed), None
            n = min(n, largest)
            if n <= failed:
                return math.ceil(needed), None
        else:
            best = (n, result)
            lower = max(failed + 1, math.ceil(1.003 * needed - 0.5))
            if n <= slack * lower:
                return best
            n = lower
    # The error has a floor, of rounding say, or falls far more slowly than foretold.
    return best or (math.ceil(needed), None)
