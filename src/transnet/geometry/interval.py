"""The interval: one coordinate between two ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.measure import rules
from transnet.measure.checks import TIME, end_names, ranges, refuse_unnamed
from transnet.measure.pen import Pen
from transnet.measure.sampling import check_draw, unit_points

from ..arrays import constant
from ..calls import shown
from ..errors import GeometryError
from .domain import Domain, Surface


@dataclass(frozen=True, init=False, repr=False)
class Interval(Domain):
    """The interval [low, high] of one coordinate, given by its name: `Interval(x=(0, 1))`.

    Its boundary parts are the two ends, "x=0" and "x=1", also called "x=min" and "x=max", and "left" and "right"
    unless the coordinate is the time t.
    """

    name: str
    low: float
    high: float

    def __init__(self, *unnamed: object, **sides: Sequence[object]) -> None:
        refuse_unnamed("Interval", unnamed)
        if len(sides) != 1:
            raise GeometryError(
                f"An Interval has one coordinate, and {len(sides)} were given. "
                "Write Interval(x=(0, 1)), or Box(x=(0, 1), y=(0, 2)) for several."
            )
        for field, value in zip(("name", "low", "high"), ranges("Interval", sides)[0], strict=True):
            object.__setattr__(self, field, value)

    def __repr__(self) -> str:
        return f"Interval({self.name}=({self.low:g}, {self.high:g}))"

    def text(self, pen: Pen) -> str:
        return f"{pen.prefix}Interval({pen.ranges([(self.name, self.low, self.high)])})"

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
        return end_names(self.name, self.low, self.high)

    @cached_property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        low, high = self.parts
        return {
            **({} if self.name == TIME else {"left": (low,), "right": (high,)}),
            f"{self.name}=min": (low,),
            f"{self.name}=max": (high,),
            f"{self.name}={shown(self.low)}": (low,),
            f"{self.name}={shown(self.high)}": (high,),
        }

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        margin = sign * rules.tolerance(self.bounds)
        return np.min(np.minimum(points - self.low, self.high - points) >= -margin, axis=1)

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
