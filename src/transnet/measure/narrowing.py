"""Find where a test that is true at one end of an interval and false at the other changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.tolerances import HALVINGS

Test = Callable[[np.ndarray], np.ndarray]
FINER = 16
"""Parts of an interval in each round of `narrowed`, which narrows it as much as four halvings."""


def halved(test: Test, yes: np.ndarray, no: np.ndarray, halvings: int = HALVINGS) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of intervals, between numbers (n,) or points (n, d), after a number of halvings."""
    for _ in range(halvings if len(yes) else 0):
        middle = (yes + no) / 2
        holds = test(middle).reshape(-1, *[1] * (yes.ndim - 1))
        yes, no = np.where(holds, middle, yes), np.where(holds, no, middle)
    return yes, no


def bisect(test: Test, yes: np.ndarray, no: np.ndarray, halvings: int = HALVINGS) -> np.ndarray:
    """The midpoints of these intervals."""
    yes, no = halved(test, yes, no, halvings)
    return (yes + no) / 2


def secant(value: Callable[[np.ndarray], np.ndarray], yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    """A root of smooth functions between numbers where they are negative and where not, after two steps of the secant.

    Where a function jumps, or is undefined at one end, the middle is returned.
    """
    below, above = value(yes), value(no)
    where = (yes + no) / 2
    for _ in range(2):
        with np.errstate(all="ignore"):
            met = yes + (no - yes) * (below / (below - above))
        where = np.where(np.isfinite(met) & ((met - yes) * (met - no) <= 0), met, where)
        here = value(where)
        low = here < 0
        yes, below = np.where(low, where, yes), np.where(low, here, below)
        no, above = np.where(low, no, where), np.where(low, above, here)
    return where


def narrowed(test: Test, yes: np.ndarray, no: np.ndarray, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    """The same between numbers, with fewer calls of the test: each round makes intervals `FINER` times narrower."""
    steps = np.arange(1, FINER) / FINER
    for _ in range(rounds):
        inner = yes[:, None] + (no - yes)[:, None] * steps
        holds = test(inner.ravel()).reshape(inner.shape)
        ladder = np.hstack([yes[:, None], inner, no[:, None]])
        # The first at which it does not hold, which is the far end if there is none.
        first = 1 + np.argmin(np.hstack([holds, np.zeros((len(yes), 1), bool)]), axis=1)
        rows = np.arange(len(yes))
        yes, no = ladder[rows, first - 1], ladder[rows, first]
    return yes, no
