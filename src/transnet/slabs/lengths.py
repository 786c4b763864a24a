"""The lengths of steps: as their errors allow, or the whole time divided by powers of two where factors are dear."""

from __future__ import annotations

import numpy as np

from transnet.tolerances import ROUNDED, SAME

GROWTH = 1.8
"""A slab that could be longer by less keeps its length, so that its factors are used again: with 1.1 six digits take a
quarter longer and have 1.8 times the error, with 1.35 a tenth and 1.2 times, with 2.4 it is the same
(benchmarks/constants.py slabs)."""
SAFETY = 0.9
"""The next slab is shorter by this factor than the one expected to have exactly the wanted error: the usual factor of
step control. With 0.8 the error is 0.75 times as large and the time 1.05 times, with 1.0 1.25 and 0.94 times
(benchmarks/constants.py slabs)."""
SHORTER, LONGER = (0.2, 0.8, 0.4), 2.5
"""How much shorter an inaccurate slab becomes, at most and at least, the first time and later; how much longer a slab
may become: with 1.5 six digits take a third longer, with 4 the error is twice as large for the same time
(benchmarks/constants.py slabs)."""
FAILED, FAILED_FIRST = 0.3, 0.1
"""How much shorter a slab becomes if the iteration fails, and the first one, whose length is untested."""
EXACT = 1e-10
"""The least part of the tolerance assumed for an error when the next length is chosen."""
PATIENCE = 12
"""Rejected steps, each not much better than the one before, after which a kink or rounding is the cause: a layer in
time may be that many times shorter than the first slab tried."""


class Lengths:
    """Lengths in proportion to what the last error allows, all equal up to the next stop.

    Parameters
    ----------
    length : float
        The whole time.
    first : float
        The length to begin with.
    order : int
        The power of the length by which errors fall.
    """

    dyadic = False

    def __init__(self, length: float, first: float, order: int) -> None:
        self.length, self.tau, self.order = length, first, order
        self.last = 0.0

    def fitted(self, t: float, limit: float) -> float:
        """The length of the next step, such that equal ones end at the limit."""
        left = abs(limit - t)
        tau = left / np.ceil(left / self.tau - SAME)
        self.tau = self.last = self.last if abs(self.last - tau) <= ROUNDED * tau else float(tau)
        return self.tau

    def shortest(self, t: float) -> bool:
        """Whether a step may not be shorter."""
        return self.tau <= ROUNDED * max(abs(t), self.length)

    @property
    def settled(self) -> bool:
        """Whether the first part is over, in which errors of the start decay, and the end is not reached."""
        return False

    @property
    def graded(self) -> bool:
        """Whether a step may be taken whatever its error, because it decays."""
        return False

    @property
    def patience(self) -> int:
        """How many steps may be rejected that do not help."""
        return PATIENCE

    def fail(self, first: bool) -> None:
        """Be shorter because the last step could not be solved."""
        self.tau *= FAILED_FIRST if first else FAILED

    def reject(self, quality: float, again: bool) -> None:
        """Be shorter because the error of the last step is this many tolerances."""
        least, most, later = SHORTER
        self.tau *= float(np.clip(SAFETY * quality ** (-1.0 / self.order), least, later if again else most))

    def accept(self, quality: float, limit: float) -> None:
        """Be longer if the error allows it: `limit` is that of time alone, in tolerances."""
        wish = SAFETY * max(limit, EXACT) ** (-1.0 / self.order)
        if wish > GROWTH:
            self.tau *= min(wish, LONGER)


BEGINNING, RATIO, EARLY_PART = 1e-5, 4.0, 0.02
"""The first slab behind a switch, as a part of the time to the next one; how many times as long as the time since then
a slab may be; and the part of the time in which it may, whatever its error."""


class Graded(Lengths):
    """Lengths that begin very short behind every switch, and behind a start that does not fit: what does not fit makes
    layers that are not resolved at first, and decay."""

    def __init__(self, length: float, first: float, order: int) -> None:
        super().__init__(length, length, order)
        self.begin = self.end = np.nan
        self.first, self.since = first, 0.0

    def fitted(self, t: float, limit: float) -> float:
        if limit != self.end:
            first = BEGINNING if np.isfinite(self.end) else self.first
            self.begin, self.end, self.first = t, limit, first
            self.tau = first * abs(limit - t)
        self.since = abs(t - self.begin)
        return super().fitted(t, limit)

    @property
    def _early(self) -> bool:
        return self.first == BEGINNING and self.since < EARLY_PART * abs(self.end - self.begin)

    @property
    def graded(self) -> bool:
        return self._early and self.tau <= max(RATIO * self.since, BEGINNING * abs(self.end - self.begin)) * (1 + SAME)

    def accept(self, quality: float, limit: float) -> None:
        super().accept(quality, limit)
        if self._early:
            self.tau = max(self.tau, RATIO * (self.since + self.last))


FIRST = 9
"""The first step tried is the whole time, halved this many times."""
SMALLEST = 10
"""The shortest step, likewise, unless shorter ones help: if the start does not fit the boundary no step is short
enough, and shorter ones make layers that the cells do not resolve."""
FINEST = 17
"""The shortest step of all, likewise."""
EARLY, GRADED = 1 / 64, 2
"""In this first part of the time a step may always be this many times shorter than the time since the start: errors
from a jump at the start decay."""
SETTLED = 6
"""Steps of one length before it is doubled, not quadrupled: an operator costs as much as five."""


class Dyadic(Lengths):
    """The time up to the next stop divided by powers of two, so that few lengths occur."""

    dyadic = True

    def __init__(self, length: float, order: int) -> None:
        super().__init__(length, length, order)
        self.begin = self.end = np.nan
        self.place = self.taken = 0  # in units of the shortest step; steps of this length
        self.power, self.stuck = FIRST, FINEST

    def fitted(self, t: float, limit: float) -> float:
        if limit != self.end:
            self.begin, self.end, self.place, self.taken = t, limit, 0, 0
            self.power, self.stuck = FIRST, FINEST
        self.tau = abs(self.end - self.begin) / 2**self.power
        return self.tau

    @property
    def settled(self) -> bool:
        return EARLY <= self.place / 2**FINEST < 1.0

    @property
    def _stride(self) -> int:
        return int(2 ** (FINEST - self.power))

    def shortest(self, t: float) -> bool:
        return self.power >= self.stuck

    @property
    def graded(self) -> bool:
        return self.place / 2**FINEST < EARLY and self._stride * GRADED <= self.place

    @property
    def patience(self) -> int:
        return PATIENCE if self.power < SMALLEST else 1

    def fail(self, first: bool) -> None:
        self._shorten(2)

    def reject(self, quality: float, again: bool) -> None:
        self._shorten(2 if SAFETY * quality ** (-1.0 / self.order) < 0.5 else 1)

    def _shorten(self, by: int) -> None:
        self.power, self.taken = min(self.power + by, max(SMALLEST, self.power + 1), FINEST), 0

    def accept(self, quality: float, limit: float) -> None:
        self.stuck = FINEST if quality <= 1.0 else min(self.stuck, self.power)
        stride, every = self._stride, 2**FINEST
        self.place, self.taken = self.place + stride, self.taken + 1
        wish, longer = SAFETY * max(quality, EXACT) ** (-1.0 / self.order), 0
        for k in (1, 2) if self.taken >= SETTLED else (2,):
            wide = stride * 2**k
            fits = self.place % wide == 0 and every - self.place >= 2 * wide
            early = self.place / every < EARLY and wide * GRADED <= self.place
            if fits and (wish >= 2**k or early):
                longer = k
        self.power, self.taken = self.power - longer, 0 if longer else self.taken
