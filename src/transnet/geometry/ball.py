"""Balls in any dimension, of which the disk is the plane one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gamma
from typing import ClassVar

import numpy as np

from transnet.measure import rules
from transnet.measure.arcs import Arc, circle_arc
from transnet.measure.checks import center, positive
from transnet.measure.pen import Pen
from transnet.measure.sampling import check_draw, unit_points
from transnet.measure.shapes import register
from transnet.measure.spheres import directions, in_ball

from ..arrays import constant
from ..calls import explained, shown
from ..errors import GeometryError
from .domain import Domain, Surface

BOXED = 5
"""Up to this dimension a ball fills at least a sixth of its box, and rejection sampling is cheap."""


@register
@explained
@dataclass(frozen=True, repr=False)
class Ball(Domain):
    """The ball of points within `radius` of `center`; the length of `center` is the dimension.

    Its boundary is one part, called `name` or else "circle" in the plane and "sphere" above it.
    """

    arguments: ClassVar[Mapping[str, str]] = {"center": "numbers", "radius": "number", "name": "text"}

    center: Sequence[float] = (0.0, 0.0, 0.0)
    radius: float = 1.0
    name: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", center(self.center))
        object.__setattr__(self, "radius", positive(self.radius, "The radius"))
        if len(self.center) < 2:
            raise GeometryError("A Ball needs a center with two or more coordinates. In one dimension use Interval.")

    def __repr__(self) -> str:
        shape = "Disk" if self.dimension == 2 else "Ball"
        name = "" if self.name is None else f", name={shown(self.name)}"
        return f"{shape}(center=({', '.join(f'{c:g}' for c in self.center)}), radius={self.radius:g}{name})"

    def text(self, pen: Pen) -> str:
        """A two-dimensional ball is written as a disk."""
        written = super().text(pen)
        return written.replace("Ball(", "Disk(", 1) if self.dimension == 2 else written

    @property
    def names(self) -> tuple[str | None, ...]:
        return (None,) * len(self.center)

    @cached_property
    def bounds(self) -> np.ndarray:
        return constant([np.subtract(self.center, self.radius), np.add(self.center, self.radius)])

    @property
    def volume(self) -> float:
        d = self.dimension
        return float(np.pi ** (d / 2) / gamma(d / 2 + 1) * self.radius**d)

    @property
    def parts(self) -> tuple[str, ...]:
        return (self.name or ("circle" if self.dimension == 2 else "sphere"),)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        return {"circle" if self.dimension == 2 else "sphere": self.parts}

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        away = points - np.asarray(self.center)
        return np.sqrt(np.einsum("ij,ij->i", away, away)) <= self.radius + sign * self._tolerance

    @cached_property
    def _tolerance(self) -> float:
        return rules.tolerance(self.bounds)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        if self.dimension <= BOXED:
            return super()._fill(n, kind, rng)
        # In high dimension the ball fills little of its bounding box: draw in it directly.
        inner = in_ball(unit_points(n, self.dimension + 1, kind, rng))
        return np.asarray(self.center) + self.radius * inner

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return (circle_arc(self.center, self.radius),)

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if self.dimension == 2:
            return super()._draw(part, n, kind, rng)
        normals = directions(n, self.dimension, kind, rng)
        return Surface(np.asarray(self.center) + self.radius * normals, normals)

    def _measure(self, part: str) -> float:
        return self.volume * self.dimension / self.radius

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        return rules.ball(np.asarray(self.center), self.radius, check_draw(n, "grid"))


@explained
def Disk(center: Sequence[float] = (0.0, 0.0), radius: float = 1.0, name: str | None = None) -> Ball:
    """The disk of points of the plane within `radius` of `center`; its boundary part is "circle" (or `name`)."""
    disk = Ball(center, radius, name)
    if disk.dimension != 2:
        raise GeometryError(f"A Disk has a center of two coordinates, not {shown(center)}. In space use Ball.")
    return disk


register(Disk, Ball.arguments)
