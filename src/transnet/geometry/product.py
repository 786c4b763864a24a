"""The product of two domains, usually of space and time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.measure import filling
from transnet.measure.arcs import Arc, segment
from transnet.measure.checks import TIME
from transnet.measure.pen import Pen
from transnet.measure.rules import Rule, tensor
from transnet.measure.sampling import CUBES, apportion, check_draw, curve_order

from ..arrays import constant
from ..calls import shown
from ..errors import GeometryError
from . import sweep
from .box import WORDS
from .domain import Domain, Surface


@dataclass(frozen=True, repr=False)
class Product(Domain):
    """All pairs of a point of `first` and a point of `second`: `Disk() * Interval(t=(0, 1))`.

    Each boundary part of a factor, times the other factor, is a part of the product and keeps its name. "sides" is
    the whole boundary of the first factor times the second: with time as the second factor, the spatial boundary.
    """

    first: Domain
    second: Domain

    def __post_init__(self) -> None:
        if not isinstance(self.second, Domain):
            raise GeometryError(
                f"Cannot take the product of {self.first} and {shown(self.second)}, which is not a domain. Time is "
                f"domain * tn.Interval(t=(0, 1))."
            )
        clash = {name for name in self.first.names if name is not None} & set(self.second.names)
        if clash:
            raise GeometryError(
                f"Both factors of {self} have the coordinate {', '.join(sorted(map(repr, clash)))}. "
                "A product needs different coordinates: rename one of them."
            )

    def __repr__(self) -> str:
        second = f"({self.second})" if isinstance(self.second, Product) else f"{self.second}"
        return f"{self.first} * {second}"

    def text(self, pen: Pen) -> str:
        return f"({self.first.text(pen)} * {self.second.text(pen)})"

    @property
    def solid(self) -> bool:
        return self.first.solid and self.second.solid

    @cached_property
    def names(self) -> tuple[str | None, ...]:
        return self.first.names + self.second.names

    @property
    def bounds(self) -> np.ndarray:
        return constant(np.hstack([self.first.bounds, self.second.bounds]))

    @property
    def volume(self) -> float:
        return self.first.volume * self.second.volume

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.first.parts + self.second.parts))

    @cached_property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        # In Polygon * Interval(z=...) the left is a side of the polygon, not an end of z.
        words = set() if self.first.names == (TIME,) else {word for ends in WORDS[3] for word in ends}
        second = {alias: parts for alias, parts in self.second.aliases.items() if alias not in words}
        return {**second, **self.first.aliases, "sides": self.first.parts}

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        k = self.first.dimension
        return self.first._inside(points[:, :k], sign) & self.second._inside(points[:, k:], sign)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        if self.first.solid:
            return super()._fill(n, kind, rng)
        # A surface fills nothing of its box: its points are drawn by themselves, each with a point of the other factor.
        on, other = self.first._fill(n, kind, rng), filling.keep(self.second, n, kind, rng)
        return np.hstack([on if kind == "random" else on[curve_order(on)], other])

    def _pieces(self, part: str) -> list[tuple[Domain, Domain]]:
        """The factors that have the part, each paired with the other factor; both may have it."""
        pairs = [(self.first, self.second), (self.second, self.first)]
        return [(edge, rest) for edge, rest in pairs if part in edge.parts]

    def _measure(self, part: str) -> float:
        return sum(edge._measure(part) * rest.volume for edge, rest in self._pieces(part))

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        pieces = self._pieces(part)
        counts = apportion(n, [edge._measure(part) * rest.volume for edge, rest in pieces])
        drawn = []
        for (edge, rest), m in zip(pieces, counts, strict=True):
            if m > 0:
                surface, inner = _pair(edge, part, rest, int(m), kind, rng)
                blocks = [(surface.points, surface.normals), (inner, np.zeros_like(inner))]
                drawn.append(blocks if edge is self.first else blocks[::-1])
        return Surface(*(np.concatenate([np.hstack([a[i], b[i]]) for a, b in drawn]) for i in range(2)))

    def arcs(self, part: str) -> tuple[Arc, ...]:
        arcs = []
        for edge, rest in self._pieces(part):
            ends = edge._draw(part, 1, "grid", np.random.default_rng(0))
            for place, normal in zip(ends.points[:, 0], ends.normals[:, 0], strict=True):
                for low, high in sweep.spans(rest):
                    # Anticlockwise: up on the right, to the left on the top.
                    start, stop = (low, high) if (normal > 0) == (edge is self.first) else (high, low)
                    corners = [(place, start), (place, stop)] if edge is self.first else [(start, place), (stop, place)]
                    arcs.append(segment(*map(np.array, corners)))
        return tuple(arcs)

    def quadrature(self, n: int) -> Rule:
        """The product of the rules of the factors."""
        n, d = check_draw(n, "grid"), self.dimension
        return tensor(*(f.quadrature(max(1, round(n ** (f.dimension / d)))) for f in (self.first, self.second)))


def _pair(
    edge: Domain, part: str, rest: Domain, n: int, kind: str, rng: np.random.Generator
) -> tuple[Surface, np.ndarray]:
    """n samples of a part of one factor, each with a point inside the other, spread evenly over the pairs."""
    if edge.dimension == 1:
        ends = edge._draw(part, 1, kind, rng)
        inner = _exactly(rest, n) if kind == "grid" else rest._fill(n, kind, rng)
        which = np.arange(len(inner := rest._fill(n, "quasi", rng) if inner is None else inner)) % len(ends.points)
        return Surface(ends.points[which], ends.normals[which]), inner
    if kind == "random":
        return edge._draw(part, n, kind, rng), rest._fill(n, kind, rng)
    if kind == "grid":
        ideal = n ** ((edge.dimension - 1) / (edge.dimension - 1 + rest.dimension))
        factors = sorted((m for m in range(1, n + 1) if n % m == 0), key=lambda m: abs(np.log(m / ideal)))
        inner = _exactly(rest, n // factors[0])
        if inner is not None and abs(np.log(factors[0] / ideal)) < np.log(CUBES):
            surface = edge._draw(part, factors[0], "grid", rng)
            copies = np.repeat(np.arange(factors[0]), len(inner))
            return Surface(surface.points[copies], surface.normals[copies]), np.tile(inner, (factors[0], 1))
    # A Hammersley set: walk along the surface and take the other factor's points from a sequence whose every
    # stretch is spread evenly. An evenly spaced interval is not such a sequence, hence the general way to fill it.
    surface = edge._draw(part, n, "quasi", rng)
    order = np.arange(n) if edge.dimension == 2 else curve_order(surface.points)
    inner = filling.keep(rest, n, "quasi", rng) if rest.dimension == 1 else rest._fill(n, "quasi", rng)
    return Surface(surface.points[order], surface.normals[order]), inner


def _exactly(domain: Domain, n: int) -> np.ndarray | None:
    """The grid inside a domain if it has exactly n points: a part gets the number of points it was asked for."""
    points = domain._lattice(n)
    return points if len(points) == n else None
