"""The box: every coordinate between two ends, in any dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import constant
from ..errors import GeometryError
from . import rules
from .arcs import Arc, segment
from .checks import end_names, ranges, refuse_unnamed
from .domain import Domain, Surface
from .pen import Pen
from .sampling import check_draw, unit_points

# The usual names of the two ends of each axis, by dimension.
FACES = {
    1: (("left", "right"),),
    2: (("left", "right"), ("bottom", "top")),
    3: (("left", "right"), ("front", "back"), ("bottom", "top")),
}


@dataclass(frozen=True, init=False, repr=False)
class Box(Domain):
    """The box of points with each coordinate in its range: `Box(x=(0, 1), y=(0, 2))`, any number of coordinates.

    The parts of its boundary are its faces "x=0", "x=1", "y=0", "y=2"; in the plane also "left", "right", "bottom",
    "top", and in space "front" and "back" for the second coordinate.
    """

    sides: tuple[tuple[str, float, float], ...]

    def __init__(self, *unnamed: object, **sides: Sequence[object]) -> None:
        refuse_unnamed("Box", unnamed)
        if not sides:
            raise GeometryError("A Box without coordinates is empty. Write Box(x=(0, 1), y=(0, 2)).")
        object.__setattr__(self, "sides", ranges("Box", sides))

    def __repr__(self) -> str:
        return f"Box({', '.join(f'{name}=({low:g}, {high:g})' for name, low, high in self.sides)})"

    def text(self, pen: Pen) -> str:
        return f"{pen.prefix}Box({pen.ranges(self.sides)})"

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
        return tuple(end for side in self.sides for end in end_names(*side))

    @cached_property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        names: dict[str, tuple[str, ...]] = {}
        for axis, (name, low, high) in enumerate(self.sides):
            for end, value, part in zip(("min", "max"), (low, high), end_names(name, low, high), strict=True):
                names[f"{name}={end}"] = names[f"{name}={value!r}"] = (part,)
                if self.dimension in FACES:
                    names[FACES[self.dimension][axis][end == "max"]] = (part,)
        return names

    @cached_property
    def _tolerance(self) -> np.ndarray:
        """One tolerance per side: sides may have different units."""
        return np.array([rules.tolerance(self.bounds[:, [axis]]) for axis in range(self.dimension)])

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        result = np.ones(len(points), dtype=bool)
        # Axis by axis: NumPy is slow along short axes.
        for x, low, high, margin in zip(points.T, *self.bounds, sign * self._tolerance, strict=True):
            result &= (x - low >= -margin) & (high - x >= -margin)
        return result

    def _face(self, part: str) -> tuple[int, int]:
        """The axis and the end (0 or 1) of a face."""
        return divmod(self.parts.index(part), 2)

    def arcs(self, part: str) -> tuple[Arc, ...]:
        axis, end = self._face(part)
        (x0, y0), (x1, y1) = self.bounds
        ends = {
            (0, 0): ((x0, y1), (x0, y0)),
            (0, 1): ((x1, y0), (x1, y1)),
            (1, 0): ((x0, y0), (x1, y0)),
            (1, 1): ((x1, y1), (x0, y1)),
        }
        return (segment(*map(np.array, ends[axis, end])),)

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
