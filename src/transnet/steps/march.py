"""Steps in time: their lengths are the whole time divided by powers of two, so that few operators are factored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from transnet.steps.level import Moment, StepLevel
from transnet.steps.tableau import ORDER
from transnet.tolerances import BESIDE

FIRST = 9
"""The first step tried is the whole time, halved this many times."""
SMALLEST = 10
"""The shortest step, likewise, unless shorter ones help: if the start does not fit the boundary no step is short
enough, and shorter ones make layers that the cells do not resolve."""
FINEST = 17
"""The shortest step of all, likewise."""
HELPS = 0.4
"""A step of half the length helps if its error is at most this part of that of the whole one."""
EARLY, GRADED = 1 / 64, 2
"""In this first part of the time a step may always be this many times shorter than the time since the start: errors
from a jump at the start decay."""
FAR = 30.0
"""A step whose error is more than this many tolerances is quartered at once: halving gains 2^5 with a method of order
five."""
ROOM = 0.7
"""A step is doubled if its error is expected to be below this part of the tolerance."""

SETTLED = 6
"""Steps of one length before it is doubled, not quadrupled: an operator costs as much as five."""


@dataclass(eq=False)
class Walk:
    """The moments of a march on one set of cells, and the sizes that the unknowns had reached.

    `place` counts steps of the shortest length since the march began, `power` says how long the next step is.
    """

    moments: list[Moment]
    sizes: np.ndarray
    own: list[float] = field(default_factory=list)
    newton: list[int] = field(default_factory=list)
    place: int = 0
    power: int = FIRST


def march(
    level: StepLevel, tol: float, watch: Callable[[Walk, float], bool], walk: Walk, ends: tuple[float, ...] = (),
    begin: Moment | None = None,
) -> None:  # fmt: skip
    """March a level to its end, or until `watch` says so; `ends` are times at which the user wants steps to end."""
    begin = level.start() if begin is None else begin
    walk.moments.append(begin)
    now = level.looked_at(begin.state[0])
    walk.sizes = np.maximum(walk.sizes, now) if walk.sizes.size else now
    for end in ends:
        _take(level, walk, _rounded(end - walk.moments[-1].t))
        if watch(walk, end):
            return
    if ends:
        return
    whole = level.rothe.stop - level.rothe.start
    power, place = walk.power, walk.place
    every = 2**FINEST
    refused: tuple[int, float] | None = None  # the length and the error of the last step that was rejected here
    shortest = FINEST  # shorter ones did not help
    taken = 0  # steps of this length
    while place < every:
        stride = 2 ** (FINEST - power)
        tau = whole / 2**power
        graded = place / every < EARLY and stride * GRADED <= place
        before = level.newton_steps
        moment, gap = level.step(walk.moments[-1], tau)
        sizes = np.maximum(walk.sizes, level.looked_at(moment.state[0]))
        error = float((level.looked_at(gap) / np.where(sizes > 0, sizes, 1.0)).max())
        if not error <= tol and not (graded and np.isfinite(error)):
            shorter = min(power + (2 if not error <= FAR * tol else 1), max(SMALLEST, power + 1))
            helped = refused is None or not error >= HELPS ** (power - refused[0]) * refused[1]
            if power < FINEST and (power < SMALLEST or not np.isfinite(error) or (helped and power < shortest)):
                refused = (power, error if np.isfinite(error) else np.inf)
                power, taken = shorter, 0
                continue
            if not np.isfinite(error):
                break
            shortest = power
        elif error <= tol:
            shortest = FINEST
        refused = None
        place += stride
        walk.place, walk.power = place, power
        walk.moments.append(Moment(level.rothe.start + whole * place / every, moment.state, moment.slopes))
        walk.sizes = sizes
        walk.own.append(error)
        walk.newton.append(max(1, level.newton_steps - before))
        if watch(walk, tau):
            break
        longer, taken = 0, taken + 1
        for k in (1, 2) if taken >= SETTLED else (2,):
            wide = stride * 2**k
            fits = place % wide == 0 and every - place >= 2 * wide
            small = error * 2 ** (k * ORDER) <= ROOM * tol
            early = place / every < EARLY and wide * GRADED <= place
            if fits and (small or early):
                longer = k
        power, taken = power - longer, 0 if longer else taken


def _take(level: StepLevel, walk: Walk, tau: float) -> None:
    before = level.newton_steps
    moment, gap = level.step(walk.moments[-1], tau)
    walk.newton.append(max(1, level.newton_steps - before))
    walk.sizes = np.maximum(walk.sizes, level.looked_at(moment.state[0]))
    walk.own.append(float((level.looked_at(gap) / np.where(walk.sizes > 0, walk.sizes, 1.0)).max()))
    walk.moments.append(moment)


def cut_short(level: StepLevel, walk: Walk, end: float) -> None:
    """Take the last step again so that it ends at a moment within it."""
    for kept in (walk.moments, walk.own, walk.newton):
        kept.pop()
    _take(level, walk, end - walk.moments[-1].t)


def again(level: StepLevel, times: np.ndarray, begin: Moment | None = None) -> dict[int, Moment]:
    """A march on another level in which pairs of equal steps are combined; moments are given by their numbers."""
    wide = {0: level.start() if begin is None else begin}
    k = 0
    while k < len(times) - 1:
        tau = _rounded(times[k + 1] - times[k])
        pair = k + 2 < len(times) and _rounded(times[k + 2] - times[k + 1]) == tau
        # Pairs begin at multiples of twice the step, so that the last two steps are one.
        place = (times[k] - level.rothe.start) / (2 * tau)
        pair = pair and abs(place - round(place)) < BESIDE
        end = k + 2 if pair else k + 1
        wide[end] = level.step(wide[k], (end - k) * tau)[0]
        k = end
    return wide


def _rounded(tau: float) -> float:
    """A length without its last digits, so that equal steps have equal operators."""
    return float(f"{tau:.12e}")
