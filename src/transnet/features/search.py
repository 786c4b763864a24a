"""A bracketing search for the minimum of a function of few variables that is expensive to evaluate."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

GOLDEN = (5**0.5 - 1) / 2
"""The part of an interval that each step of the golden section keeps."""


def bracket(
    f: Callable[[float], float], start: float, step: float, limit: int = 12
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Walk downhill with growing steps until the minimum lies between: three (x, f(x)) with the lowest in the middle.

    After `limit` steps it gives up and returns the last three, for instance if the function keeps falling.
    """
    a, b = (start, f(start)), (start + step, f(start + step))
    if b[1] > a[1]:
        a, b, step = b, a, -step
    for _ in range(limit):
        step /= GOLDEN
        c = (b[0] + step, f(b[0] + step))
        if c[1] >= b[1]:
            break
        a, b = b, c
    return a, b, c


def golden(f: Callable[[float], float], start: float, step: float, tolerance: float) -> tuple[float, float]:
    """The minimum of a function of one variable, to `tolerance`: bracket, then golden section. Returns (x, f(x))."""
    a, b, c = bracket(f, start, step)
    while abs(c[0] - a[0]) > 2.0 * tolerance:
        # Into the longer part, at the golden ratio from the lowest point.
        wide = c if abs(c[0] - b[0]) > abs(a[0] - b[0]) else a
        x = b[0] + (1.0 - GOLDEN) * (wide[0] - b[0])
        new = (x, f(x))
        if new[1] < b[1]:
            a, b, c = (b, new, c) if wide is c else (a, new, b)
        elif wide is c:
            c = new
        else:
            a = new
    return b


def lowest(
    f: Callable[[np.ndarray], float], start: np.ndarray, step: np.ndarray, tolerance: float, sweeps: int = 3
) -> tuple[np.ndarray, float]:
    """The minimum of a function of a few variables, by line searches along the axes in turn.

    The first sweep is coarse; the search ends when a sweep moves no variable by more than twice the tolerance.
    """
    x = np.array(start, dtype=float)
    best = np.inf
    sweeps = 1 if len(x) == 1 else sweeps
    for sweep in range(sweeps):
        before = x.copy()
        fine = tolerance if sweep == sweeps - 1 else max(tolerance, float(step.max()) / 4.0**sweep / 4.0)
        for axis in range(len(x)):

            def along(value: float, axis: int = axis) -> float:
                y = x.copy()
                y[axis] = value
                return f(y)

            found, best = golden(along, x[axis], step[axis] / 2.0**sweep, fine)
            x[axis] = found
        if sweep and np.abs(x - before).max() <= 2.0 * tolerance:
            break
    return x, best
