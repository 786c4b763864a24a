"""How a solution falls towards infinity, seen in a window, and how far the window has to reach for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.formulas import array_modules, compiled_formula
from transnet.measure.checks import REACH
from transnet.measure.sampling import quasi
from transnet.problem.windowed import Windowed
from transnet.sections.windows import reaches_of

SLICES, ACROSS = 240, 60
"""Places along an axis, and points at each, at which tails are looked at."""
NEAR, FAR = 0.12, 0.8
"""A tail that is seen up to less, or more, than this part of a window tells its reach too roughly: another one."""
GROWS, SHRINKS = 2.0, 6.0
"""By how much the window is then larger or smaller."""
SEEN, WIDE, DISTANCES = 1e-3, 3.0, np.logspace(-6, 8, 600)
"""A first window is this much wider than where data differ from their limits by more than a part of their size, looked
at from a millionth of a unit to far away."""
HALF, SHOWN = 0.5, 2.0
"""The window of a half plane reaches so many times as far as its bodies, and as data exceed this part of their size."""
HEIGHTS = 5.0
"""The first reach of a channel, in units of its width."""
SLOW = 12.0
"""A tail that falls by less over the farther half of what is seen of it falls like a power; exponentials by 30 and
more, 1/x by 2 and 1/x^3 by 8."""


@dataclass(frozen=True, eq=False)
class Tail:
    """The largest value from a distance on, relative to the largest of all, towards one end at infinity.

    Parameters
    ----------
    along : str
        The coordinate.
    distances, heights : (n,) arrays
        From the finite end, or from the origin.
    """

    along: str
    distances: np.ndarray
    heights: np.ndarray

    def at(self, part: float) -> float:
        """Its height at a part of the window."""
        return float(np.interp(part * self.distances[-1], self.distances, self.heights))

    def seen(self, above: float) -> float:
        """The distance up to which it is higher."""
        return float(self.distances[self.heights > above].max(initial=self.distances[0]))

    def left(self) -> float:
        """What it would be at the edge of the window, where it was set to zero."""
        middle, far = self.at(0.5), self.at(0.75)
        return far * min(1.0, far / middle) if middle else 0.0

    def needed(self, above: float, wanted: float) -> float:
        """The distance at which it has fallen so far, if it goes on as an exponential."""
        peak, end = float(self.distances[self.heights >= 1.0].max(initial=0.0)), self.seen(above)
        return peak + (end - peak) * float(np.log(wanted) / np.log(above))

    def slow(self, above: float) -> bool:
        """Whether it falls like a power of the distance."""
        end = self.seen(above)
        half = float(np.interp(0.5 * end, self.distances, self.heights))
        return half < SLOW * float(np.interp(end, self.distances, self.heights))


def heights_of(stated: Windowed, evaluate: Callable[[sp.Expr, np.ndarray], np.ndarray], domain: Any) -> list[Tail]:
    """The tails of a solution in a window of that domain."""
    low, high = domain.bounds
    rng, found = np.random.default_rng(0), []
    for (axis, end), expressions in stated.tails.items():
        both = (axis, 1 - end) in stated.tails
        begin = 0.0 if both else float((high if end == 0 else low)[axis])
        distances = np.linspace(0.0, abs(float((low, high)[end][axis]) - begin), SLICES)
        across = low + (high - low) * quasi(ACROSS, len(low), rng)
        points = np.repeat(across[None], SLICES, axis=0)
        points[:, :, axis] = begin + (2 * end - 1) * distances[:, None]
        points = points.reshape(-1, len(low))
        inside = domain.contains(points)
        total = np.zeros(SLICES)
        for e in expressions:
            values = np.zeros(len(points))
            values[inside] = np.abs(evaluate(e, points[inside]))
            size = float(values.max(initial=0.0))
            total = np.maximum(total, values.reshape(SLICES, ACROSS).max(axis=1) / (size or 1.0))
        found.append(Tail(domain.names[axis], distances, np.maximum.accumulate(total[::-1])[::-1]))
    return found


def next_reach(
    tails: list[Tail], reach: Mapping[str, float], above: float, wanted: float
) -> tuple[dict[str, float], bool]:
    """The next window, and whether it is the last: one that is neither much too small nor much too large was seen."""
    needed: dict[str, float] = {}
    unsettled: dict[str, float] = {}
    for tail in tails:
        end, now = tail.seen(above), reach[tail.along]
        if end > FAR * now:
            unsettled[tail.along] = GROWS * now
        elif end < NEAR * now and not any(t.along == tail.along and t.seen(above) >= NEAR * now for t in tails):
            unsettled.setdefault(tail.along, now / SHRINKS)
        needed[tail.along] = max(needed.get(tail.along, 0.0), tail.needed(above, wanted))
    return ({**reach, **unsettled}, False) if unsettled else ({**reach, **needed}, True)


def first_reach(stated: Windowed, values: Mapping[sp.Symbol, Any]) -> dict[str, float]:
    """The window from which the search begins: the given one, or a few times as wide as the data."""
    problem = stated.problem
    found = reaches_of(problem.domain)
    numbers = {s: sp.Float(float(v)) for s, v in values.items() if np.ndim(v) == 0}
    low, high = problem.domain.bounds
    coordinates = list(problem.coordinates)
    for c in (c for c in coordinates if found.get(c.name) == REACH):
        axis = coordinates.index(c)
        others = [h - a for n, a, h in zip(problem.domain.names, low, high, strict=True) if n not in (*found, "t")]
        widths = [w for f in stated.data() if c in f.free_symbols for w in _widths(f.xreplace(numbers), stated, axis)]
        found[c.name] = WIDE * max(widths) if widths else HEIGHTS * max(others) if others else REACH
    return found


def shown_reach(stated: Windowed, values: Mapping[sp.Symbol, Any], body: Any) -> dict[str, float]:
    """The window in which a half plane is shown: around its bodies and the middle of its data."""
    problem = stated.problem
    found = reaches_of(problem.domain)
    numbers = {s: sp.Float(float(v)) for s, v in values.items() if np.ndim(v) == 0}
    for c in (c for c in problem.coordinates if found.get(c.name) == REACH):
        axis = problem.coordinates.index(c)
        ends = [end for a, end in stated.tails if a == axis]
        begin = 0.0 if len(ends) > 1 else float(problem.domain.bounds[1 - ends[0]][axis])
        widths = [
            w for f in stated.data() if c in f.free_symbols for w in _widths(f.xreplace(numbers), stated, axis, HALF)
        ]
        if body is not None:
            widths.append(float(np.abs(np.asarray(body.bounds)[:, axis] - begin).max()))
        found[c.name] = SHOWN * max(widths) if widths else 0.0
    widest = max(found.values())
    return {name: reach or widest or REACH for name, reach in found.items()}


def _widths(formula: sp.Expr, stated: Windowed, axis: int, seen: float = SEEN) -> list[float]:
    """How far from the origin a formula differs from its limit."""
    coordinates, bounds = list(stated.problem.coordinates), stated.problem.domain.bounds
    if formula.free_symbols - set(coordinates):
        return []
    across = bounds[0] + (bounds[1] - bounds[0]) * quasi(ACROSS, len(coordinates), np.random.default_rng(0))
    ends, found = [end for a, end in stated.tails if a == axis], []
    compiled = compiled_formula(coordinates, formula, array_modules([formula]))
    for end in ends:
        points = np.repeat(across[None], len(DISTANCES), axis=0)
        begin = 0.0 if len(ends) > 1 else float(bounds[1 - end][axis])
        points[:, :, axis] = begin + (2 * end - 1) * DISTANCES[:, None]
        with np.errstate(all="ignore"):
            values = np.asarray(compiled(*points.reshape(-1, len(coordinates)).T))
            values = np.broadcast_to(values, points[..., 0].size).reshape(points.shape[:2])
            gap = np.abs(values - values[-1]).max(axis=1)
            above = gap > seen * gap.max()
        if np.isfinite(gap).all() and above.any() and not above[-len(DISTANCES) // 6 :].any():
            found.append(float(DISTANCES[above].max()))
    return found
