"""The interval: one coordinate between two ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.measure import rules
from transnet.measure.checks import REACH, TIME, Infinite, end_names, open_ranges, range_text, refuse_unnamed
from transnet.measure.pen import Pen
from transnet.measure.reach import reach_text, stated_sides
from transnet.measure.sampling import check_draw, unit_points

from ..arrays import constant
from ..calls import explained, shown
from ..errors import GeometryError
from .domain import Domain, Surface


@explained
@dataclass(frozen=True, init=False, repr=False)
class Interval(Domain):
    """The interval [low, high] of one coordinate, given by its name: `Interval(x=(0, 1))`.

    Its boundary parts are the two ends, "x=0" and "x=1", also called "x=min" and "x=max", and "left" and "right"
    unless the coordinate is the time t.

    With an infinite end, `Interval(x=(0, sp.oo))`, they are those of a window of some `reach`; a solve finds its own.
    """

    name: str
    low: float
    high: float
    infinite: Infinite = frozenset()

    def __init__(self, *unnamed: object, reach: object = REACH, **sides: Sequence[object]) -> None:
        refuse_unnamed("Interval", unnamed)
        if len(sides) != 1:
            raise GeometryError(
                f"An Interval has one coordinate, and {len(sides)} were given. "
                "Write Interval(x=(0, 1)), or Box(x=(0, 1), y=(0, 2)) for several."
            )
        (side,), infinite = open_ranges("Interval", sides, reach)
        for field, value in zip(("name", "low", "high", "infinite"), (*side, infinite), strict=True):
            object.__setattr__(self, field, value)

    @property
    def stated(self) -> tuple[tuple[str, float, float], ...]:  # with the ends that are infinite
        return stated_sides([(self.name, self.low, self.high)], self.infinite)

    def __repr__(self) -> str:
        return f"Interval({self.name}={range_text(*self.stated[0][1:])})"

    def text(self, pen: Pen) -> str:
        return f"{pen.prefix}Interval({pen.ranges(self.stated)}{reach_text(self, pen)})"

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        return (self.name,)

    @cached_property
    def bounds(self) -> np.ndarray:
        return constant([[self.low], [self.high]])

    @property
    def volume(self) -> float:
        return self.high - self.low

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return end_names(*self.stated[0])

    @cached_property
    def _other_names(self) -> Mapping[str, tuple[str, ...]]:
        low, high = self.parts
        words = {} if self.name == TIME else {"left": (low,), "right": (high,)}
        named = zip(("min", "max", shown(self.low), shown(self.high)), (low, high, low, high), strict=True)
        return words | {f"{self.name}={word}": (part,) for word, part in named}

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        margin = sign * rules.tolerance(self.bounds)
        _, low, high = self.stated[0]
        return np.min(np.minimum(points - low, high - points) >= -margin, axis=1)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        return self.low + self.volume * unit_points(n, 1, kind, rng)

    def _lattice(self, n: int) -> np.ndarray:
        return self._fill(n, "grid", np.random.default_rng(0))

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        at_low = part == self.parts[0]
        return Surface(np.array([[self.low if at_low else self.high]]), np.array([[-1.0 if at_low else 1.0]]))

    def _measure(self, part: str) -> float:
        return 1.0

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        return rules.box(self.bounds, check_draw(n, "grid"))
