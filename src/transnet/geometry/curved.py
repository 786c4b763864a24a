"""Spheres, tori and the surfaces of level sets, or what an inequality leaves of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import sympy as sp

from transnet.measure.checks import center, positive
from transnet.measure.pen import Pen
from transnet.measure.rules import Rule, sphere_rule
from transnet.measure.sampling import check_draw
from transnet.measure.shapes import register

from ..arrays import constant
from ..calls import explained, shown
from ..errors import GeometryError
from .ball import Ball
from .domain import Domain
from .implicit import LevelSet, below
from .manifold import Manifold

AXES = ("x", "y", "z")
"""The coordinates of a sphere or a torus of which an inequality leaves a part."""


@register
@explained
@dataclass(frozen=True, repr=False)
class Sphere(Manifold):
    """The sphere of points at the distance `radius` from `center`: a closed surface without a boundary."""

    arguments: ClassVar[Mapping[str, str]] = {"center": "numbers", "radius": "number"}

    center: Sequence[float] = (0.0, 0.0, 0.0)
    radius: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", _in_space(self.center, "Sphere"))
        object.__setattr__(self, "radius", positive(self.radius, "The radius"))

    def __repr__(self) -> str:
        return f"Sphere(center=({', '.join(f'{c:g}' for c in self.center)}), radius={self.radius:g})"

    @cached_property
    def bounds(self) -> np.ndarray:
        return constant(_box(self.center, [self.radius] * 3))

    @property
    def volume(self) -> float:
        return float(4 * np.pi * self.radius**2)

    def level(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
        return sp.Add(*((c - m) ** 2 for c, m in zip(coordinates, self.center, strict=True))) - self.radius**2

    def normal(self, coordinates: Sequence[sp.Symbol]) -> tuple[sp.Expr, ...]:
        return tuple((c - m) / self.radius for c, m in zip(coordinates, self.center, strict=True))

    def curvature(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
        return sp.Float(2 / self.radius)

    def quadrature(self, n: int) -> Rule:
        away, weights = sphere_rule(3, max(2, round(np.sqrt(check_draw(n, "grid") / 2))))
        return np.asarray(self.center) + self.radius * away, weights * self.radius**2


@register
@explained
@dataclass(frozen=True, repr=False)
class Torus(Manifold):
    """The torus around the third axis through `center`: a circle of radius `minor` that runs along one of radius
    `major`."""

    arguments: ClassVar[Mapping[str, str]] = {"center": "numbers", "major": "number", "minor": "number"}

    center: Sequence[float] = (0.0, 0.0, 0.0)
    major: float = 2.0
    minor: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", _in_space(self.center, "Torus"))
        for word in ("major", "minor"):
            object.__setattr__(self, word, positive(getattr(self, word), f"The {word} radius"))
        if not self.minor < self.major:
            raise GeometryError(
                f"A Torus with major={self.major:g} and minor={self.minor:g} would cut itself. Give minor < major."
            )

    def __repr__(self) -> str:
        return f"Torus(major={self.major:g}, minor={self.minor:g})"

    @cached_property
    def bounds(self) -> np.ndarray:
        return constant(_box(self.center, [self.major + self.minor, self.major + self.minor, self.minor]))

    @property
    def volume(self) -> float:
        return float(4 * np.pi**2 * self.major * self.minor)

    def level(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
        x, y, z = (c - m for c, m in zip(coordinates, self.center, strict=True))
        return (sp.sqrt(x**2 + y**2) - self.major) ** 2 + z**2 - self.minor**2

    def quadrature(self, n: int) -> Rule:
        """The trapezoidal rule in both angles, which converges exponentially."""
        count = max(4, round(np.sqrt(check_draw(n, "grid"))))
        angles = 2 * np.pi * np.arange(count) / count
        around, across = (g.ravel() for g in np.meshgrid(angles, angles, indexing="ij"))
        r = self.major + self.minor * np.cos(across)
        away = np.stack([r * np.cos(around), r * np.sin(around), self.minor * np.sin(across)], axis=1)
        return np.asarray(self.center) + away, (2 * np.pi / count) ** 2 * self.minor * r


@explained
@dataclass(frozen=True, repr=False)
class LevelSurface(Manifold):
    """The surface of a body, or what a condition leaves of it; made by `Surface`."""

    body: LevelSet | Sphere | Torus
    where: Any = None

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        """The symbols of `where` are coordinates, not sizes."""
        return object.__new__(cls)

    def __repr__(self) -> str:
        return f"Surface({self.body}{'' if self.where is None else f', where={self.where}'})"

    def text(self, pen: Pen) -> str:
        left = "" if self.where is None else f", where={pen.formula(self.where)}"
        return f"{pen.prefix}Surface({self.body.text(pen)}{left})"

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.body.names if self.where is None or isinstance(self.body, LevelSet) else AXES

    @cached_property
    def around(self) -> np.ndarray:
        return self.body._hull if isinstance(self.body, LevelSet) else self.body.around

    def level(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
        if not isinstance(self.body, LevelSet):
            return self.body.level(coordinates)
        own = {s.name: s for s in self.body.formula.free_symbols}
        pairs = zip(self.body.names, coordinates, strict=True)
        return self.body.formula.xreplace({own[str(n)]: c for n, c in pairs if n in own})

    def left(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr | None:
        if self.where is None:
            return None
        own = {s.name: s for s in self.where.free_symbols}
        pairs = zip(self.names, coordinates, strict=True)
        return below(self.where).xreplace({own[str(n)]: c for n, c in pairs if n in own})


@explained
def Surface(body: Domain, where: Any = None) -> Manifold:
    """The surface of a body as a domain of its own, for equations with `tn.surface_laplacian` and the like.

    Parameters
    ----------
    body : Ball, LevelSet, Sphere or Torus
        A body of space whose surface is smooth.
    where : inequality, optional
        The part to keep, such as `z > 0`; its boundary is the part "edge".
    """
    if isinstance(body, Ball) and body.dimension == 3:
        body = Sphere(body.center, body.radius)
    if not isinstance(body, LevelSet | Sphere | Torus) or body.dimension != 3:
        raise GeometryError(
            f"Surface takes a body of space with a smooth surface: tn.Ball, tn.LevelSet, tn.Sphere or tn.Torus, not "
            f"{shown(body)}. A closed curve of the plane is an interval of its length with tn.periodic."
        )
    if where is None:
        return body if isinstance(body, Manifold) else LevelSurface(body)
    if not isinstance(where, (sp.StrictLessThan, sp.LessThan, sp.StrictGreaterThan, sp.GreaterThan)):
        raise GeometryError(
            f"What is left of a surface is said by an inequality, such as where=z > 0, not {shown(where)}."
        )
    found = LevelSurface(body, where)
    extra = sorted({s.name for s in where.free_symbols} - set(map(str, found.names)))
    if extra:
        raise GeometryError(
            f"The inequality {where} has {', '.join(extra)}, not a coordinate of {body}: {found.names}."
        )
    if not len(found.all_triangles()):
        raise GeometryError(f"Nothing is left of {body} where {where}. Check the inequality.")
    if not found.parts:
        raise GeometryError(f"All of {body} is left where {where}: leave the inequality out.")
    return found


register(Surface, {"body": "body", "where": "inequality"})


def _in_space(place: object, shape: str) -> tuple[float, ...]:
    found = center(place)
    if len(found) != 3:
        raise GeometryError(f"A {shape} lies in space: its center has three coordinates, not {len(found)}.")
    return found


def _box(middle: Sequence[float], reach: Sequence[float]) -> np.ndarray:
    return np.array([np.subtract(middle, reach), np.add(middle, reach)])
