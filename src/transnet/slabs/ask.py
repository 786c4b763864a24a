"""What a user may ask of a march: slabs by hand, a solution to continue from, an event to stop at, slabs to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import numpy as np

from transnet.arrays import check_room
from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.solution.solution import Solution
from transnet.tolerances import SAME

SLAB = 1000
"""Bytes that a slab takes at least."""
SHOWN = 8
"""The most times in a message."""


@dataclass(frozen=True, eq=False)
class Ask:
    """The arguments of `tn.solve` about time slabs, as given."""

    slabs: int | Sequence[float] | None = None
    start: Solution | None = None
    until: Any = None
    keep: int | Sequence[float] | None = None
    to: str | Path | None = None

    @property
    def something(self) -> bool:
        """Whether any was given, so that slabs are wanted."""
        return any(value is not None for value in (self.slabs, self.start, self.until, self.keep, self.to))


def slab_ends(ask: Ask, begin: float, stop: float) -> tuple[float, ...]:
    """The ends of the slabs that the user wants; empty if they are to be chosen."""
    wanted = ask.slabs
    if wanted is None:
        return ()
    if isinstance(wanted, Integral) and not isinstance(wanted, bool):
        if wanted < 1:
            raise ProblemError(f"slabs is the number of slabs, at least 1, or a list of times, not {shown(wanted)}.")
        check_room(int(wanted), SLAB, f"A march of {shown(wanted)} slabs")
        return tuple(np.linspace(begin, stop, int(wanted) + 1)[1:].tolist())
    times = _numbers(wanted, "slabs is a number of slabs or a list of the times at which they end")
    sign = 1.0 if stop >= begin else -1.0
    if np.any(np.diff(times) * sign <= 0):
        raise ProblemError(f"The times of slabs= are out of order: {_shown(times)}. Give them in the order of time.")
    near = SAME * abs(stop - begin)
    if sign * (times[0] - begin) < -near or sign * (times[-1] - stop) > near:
        raise ProblemError(
            f"The times of slabs= ({_shown(times)}) are not between {begin:g} and {stop:g}, where the problem is."
        )
    inner = [t for t in times if sign * (t - begin) > near and sign * (stop - t) > near]
    return (*inner, stop)


def kept(ask: Ask, start: float, stop: float) -> Any:
    """A function of a slab's number, begin and end that says whether it is kept."""
    if ask.keep is None:
        return lambda number, begin, end: True
    if isinstance(ask.keep, Integral) and not isinstance(ask.keep, bool):
        every = int(ask.keep)
        if every < 1:
            raise ProblemError(f"keep is how many slabs there are for each that is kept, at least 1, not {every}.")
        return lambda number, begin, end: number % every == 0 or end == stop
    times = np.array(_numbers(ask.keep, "keep is a number or a list of times around which slabs are kept"))
    low, high = sorted((start, stop))
    if times.min() < low or times.max() > high:
        raise ProblemError(f"keep has times that are not between {low:g} and {high:g}, where the problem is.")

    def around(number: int, begin: float, end: float) -> bool:
        a, b = sorted((begin, end))
        return bool(np.any((times >= a) & (times <= b))) or end == stop

    return around


def _numbers(values: Any, what: str) -> list[float]:
    try:
        numbers = [float(v) for v in values if isinstance(v, Real) or hasattr(v, "__float__")]
        whole = len(numbers) == len(list(values)) and len(numbers) > 0 and bool(np.isfinite(numbers).all())
    except TypeError:
        whole, numbers = False, []
    if not whole:
        raise ProblemError(f"{what}, not {shown(values)}.")
    return numbers


def _shown(times: Sequence[float]) -> str:
    text = [f"{t:g}" for t in times]
    return ", ".join(text if len(text) <= SHOWN else [*text[:4], "...", *text[-3:]])
