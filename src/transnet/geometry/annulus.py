"""The annulus between two circles, and the shell between two spheres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from transnet.measure import rules
from transnet.measure.arcs import Arc, circle_arc
from transnet.measure.checks import center, positive
from transnet.measure.pen import Pen
from transnet.measure.sampling import check_draw
from transnet.measure.shapes import register
from transnet.measure.spheres import directions

from ..calls import explained, shown
from ..errors import GeometryError
from .ball import Ball
from .domain import Domain, Surface


@register
@explained
@dataclass(frozen=True, repr=False)
class Annulus(Domain):
    """The points at a distance from `center` between `inner` and `outer`; parts "inner" and "outer"."""

    arguments: ClassVar[Mapping[str, str]] = {"center": "numbers", "inner": "number", "outer": "number"}

    center: Sequence[float] = (0.0, 0.0)
    inner: float = 0.5
    outer: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", center(self.center))
        object.__setattr__(self, "inner", positive(self.inner, "The inner radius"))
        object.__setattr__(self, "outer", positive(self.outer, "The outer radius"))
        if self.inner >= self.outer:
            raise GeometryError(
                f"The inner radius {self.inner:g} is not below the outer radius {self.outer:g}: nothing is between "
                "them. Give the smaller radius as inner."
            )
        if len(self.center) not in (2, 3):
            raise GeometryError(f"An annulus or shell has a center of 2 or 3 coordinates, not {len(self.center)}.")

    def __repr__(self) -> str:
        shape = "Annulus" if self.dimension == 2 else "Shell"
        center = ", ".join(f"{c:g}" for c in self.center)
        return f"{shape}(center=({center}), inner={self.inner:g}, outer={self.outer:g})"

    def text(self, pen: Pen) -> str:
        shape = "Annulus" if len(self.center) == 2 else "Shell"
        sizes = f"inner={pen.number(self.inner)}, outer={pen.number(self.outer)}"
        return f"{pen.prefix}{shape}(center={pen.numbers(self.center)}, {sizes})"

    @property
    def _balls(self) -> tuple[Ball, Ball]:
        return Ball(self.center, self.inner), Ball(self.center, self.outer)

    @property
    def names(self) -> tuple[str | None, ...]:
        return (None,) * len(self.center)

    @cached_property
    def bounds(self) -> np.ndarray:
        return self._balls[1].bounds

    @property
    def volume(self) -> float:
        inner, outer = self._balls
        return outer.volume - inner.volume

    @property
    def parts(self) -> tuple[str, ...]:
        return ("inner", "outer")

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        margin = sign * rules.tolerance(self.bounds)
        distance = np.linalg.norm(points - np.asarray(self.center), axis=1)
        return (distance <= self.outer + margin) & (distance >= self.inner - margin)

    def _side(self, part: str) -> tuple[float, float]:
        """The radius of a part, and whether its normals point away from the centre (1) or towards it (-1)."""
        return (self.outer, 1.0) if part == "outer" else (self.inner, -1.0)

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return (circle_arc(self.center, *self._side(part)),)

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        if self.dimension == 2:
            return super()._draw(part, n, kind, rng)
        radius, outward = self._side(part)
        away = directions(n, 3, kind, rng)
        return Surface(np.asarray(self.center) + radius * away, outward * away)

    def _measure(self, part: str) -> float:
        return Ball(self.center, self._side(part)[0]).measure()

    def quadrature(self, n: int) -> rules.Rule:
        return rules.shell(np.asarray(self.center), self.inner, self.outer, check_draw(n, "grid"))


@explained
def Shell(center: Sequence[float] = (0.0, 0.0, 0.0), inner: float = 0.5, outer: float = 1.0) -> Annulus:
    """The points of space at a distance from `center` between `inner` and `outer`; parts "inner" and "outer"."""
    shell = Annulus(center, inner, outer)
    if shell.dimension != 3:
        raise GeometryError(f"A Shell has a center of three coordinates, not {shown(center)}. For two use Annulus.")
    return shell


register(Shell, Annulus.arguments)
