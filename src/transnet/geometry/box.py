"""The box: every coordinate between two ends, in any dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.measure import rules
from transnet.measure.arcs import Arc, segment
from transnet.measure.checks import REACH, TIME, Infinite, end_names, open_ranges, range_text, refuse_unnamed
from transnet.measure.pen import Pen
from transnet.measure.reach import reach_text, stated_sides
from transnet.measure.sampling import check_draw, unit_points

from ..arrays import constant
from ..calls import explained, shown
from ..errors import GeometryError
from .domain import Domain, Surface

WORDS = {
    1: (("left", "right"),),
    2: (("left", "right"), ("bottom", "top")),
    3: (("left", "right"), ("front", "back"), ("bottom", "top")),
}
"""The words for the two ends of each axis, by the number of axes in space."""


@explained
@dataclass(frozen=True, init=False, repr=False)
class Box(Domain):
    """The box of points with each coordinate in its range: `Box(x=(0, 1), y=(0, 2))`, any number of coordinates.

    The parts of its boundary are its faces "x=0", "x=1", "y=0", "y=2"; in the plane also "left", "right", "bottom",
    "top", and in space "front" and "back" for the second coordinate. The ends of a coordinate called t are times and
    have no such words. With a `name` such as "slot" the faces are "slot x=0", ..., and "slot" is all of them.

    With infinite ends, `Box(x=(0, sp.oo), y=(0, 1))`, `sides` are of a window of some `reach`; a solve finds its own.
    """

    sides: tuple[tuple[str, float, float], ...]
    name: str | None = None
    infinite: Infinite = frozenset()

    def __init__(self, *unnamed: object, name: Any = None, reach: object = REACH, **sides: Sequence[object]) -> None:
        refuse_unnamed("Box", unnamed)
        if not sides:
            raise GeometryError("A Box without coordinates is empty. Write Box(x=(0, 1), y=(0, 2)).")
        if name is not None and not (isinstance(name, str) and name.strip()):
            raise GeometryError(f'The name of a Box is a text, such as name="slot", not {shown(name)}.')
        window, infinite = open_ranges("Box", sides, reach)
        for field, value in (("sides", window), ("name", name), ("infinite", infinite)):
            object.__setattr__(self, field, value)

    @cached_property
    def stated(self) -> tuple[tuple[str, float, float], ...]:  # with the ends that are infinite
        return stated_sides(self.sides, self.infinite)

    def __repr__(self) -> str:
        named = [] if self.name is None else [f"name={shown(self.name)}"]
        return f"Box({', '.join([*(f'{name}={range_text(low, high)}' for name, low, high in self.stated), *named])})"

    def text(self, pen: Pen) -> str:
        named = "" if self.name is None else f", name={pen.quoted(self.name)}"
        return f"{pen.prefix}Box({pen.ranges(self.stated)}{reach_text(self, pen)}{named})"

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        return tuple(name for name, _, _ in self.sides)

    @cached_property
    def bounds(self) -> np.ndarray:
        return constant([[low for _, low, _ in self.sides], [high for _, _, high in self.sides]])

    @property
    def volume(self) -> float:
        return float(np.prod(self.bounds[1] - self.bounds[0]))

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return tuple(self._called + end for side in self.stated for end in end_names(*side))

    @property
    def _called(self) -> str:  # what the names of its parts begin with
        return "" if self.name is None else f"{self.name} "

    @cached_property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        space = [name for name, _, _ in self.sides if name != TIME]
        words = dict(zip(space, WORDS.get(len(space), ()), strict=False))
        for (name, low, high), face in zip(
            self.stated, zip(self.parts[::2], self.parts[1::2], strict=True), strict=True
        ):
            for last, part in enumerate(face):
                aliases = [f"{name}={('min', 'max')[last]}", f"{name}={(low, high)[last]!r}"]
                aliases += words.get(name, ())[last:][:1]
                names |= {self._called + alias: (part,) for alias in aliases}
        return names if self.name is None else {**names, self.name: self.parts}

    @cached_property
    def _tolerance(self) -> np.ndarray:  # one per side: sides may have different units
        return np.array([rules.tolerance(self.bounds[:, [axis]]) for axis in range(self.dimension)])

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        result = np.ones(len(points), dtype=bool)
        # Axis by axis: NumPy is slow along short axes.
        for x, (_, low, high), margin in zip(points.T, self.stated, sign * self._tolerance, strict=True):
            result &= (x - low >= -margin) & (high - x >= -margin)
        return result

    def _face(self, part: str) -> tuple[int, int]:  # the axis and the end, 0 or 1
        return divmod(self.parts.index(part), 2)

    def arcs(self, part: str) -> tuple[Arc, ...]:
        axis, end = self._face(part)
        (x0, y0), (x1, y1) = self.bounds
        ends = [[((x0, y1), (x0, y0)), ((x1, y0), (x1, y1))], [((x0, y0), (x1, y0)), ((x1, y1), (x0, y1))]]
        return (segment(*map(np.array, ends[axis][end])),)

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        axis, end = self._face(part)
        low, extent = self.bounds[0], self.bounds[1] - self.bounds[0]
        others = np.arange(self.dimension) != axis
        count = n if others.any() else 1  # the face of a box with one coordinate is one point
        points = np.empty((count, self.dimension))
        points[:, axis] = self.bounds[end, axis]
        if others.any():
            unit = unit_points(n, self.dimension - 1, kind, rng, extent[others])
            points[:, others] = low[others] + unit * extent[others]
        normals = np.zeros_like(points)
        normals[:, axis] = 2.0 * end - 1.0
        return Surface(points, normals)

    def _measure(self, part: str) -> float:
        axis, _ = self._face(part)
        return float(np.prod(np.delete(self.bounds[1] - self.bounds[0], axis)))

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        return rules.box(self.bounds, check_draw(n, "grid"))
