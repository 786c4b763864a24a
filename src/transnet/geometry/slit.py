"""A slit: a plane domain without a segment in it, whose two sides are two parts of its boundary.

The points of both sides are the same up to a few roundings, by which they are moved into the domain: functions whose
branch is cut along the segment have one value on each side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from transnet.measure.arcs import Arc, segment
from transnet.measure.checks import points_array
from transnet.measure.narrowing import halved
from transnet.measure.pen import Pen
from transnet.measure.shapes import register
from transnet.tolerances import BESIDE

from ..calls import explained, shown
from ..errors import GeometryError
from .corners import Corner, Hole
from .domain import Domain
from .polygon import Polygon

ASIDE = 5e-15
"""How far the points of a side are from the segment, in units of the largest coordinate: more than rounding, but small
compared with the distance to a tip. With 1e-12 the flux of r^(1/2) at r = 1e-5 is wrong by 1e-4 of its size."""
STEPS = 2_000
"""Points of a segment that are tested for being in the domain."""
RIM = 200
"""Points of the rim of a slit."""


@explained
@register
class Segment:
    """A straight cut from one point of the plane to another: `domain - tn.Segment((0, 0), (1, 0))`.

    Its two sides are the parts "slit+", on the left of the way from the first point to the second, and "slit-" on the
    right; "slit" is both. The part outside the domain is ignored.

    Parameters
    ----------
    start, end : pairs of numbers
    name : str
        The name of its parts.
    """

    arguments: ClassVar[dict[str, str]] = {"start": "numbers", "end": "numbers", "name": "text"}

    def __init__(self, start: Sequence[float], end: Sequence[float], name: str = "slit") -> None:
        ends = [points_array([p], 2)[0] for p in (start, end)]
        if not isinstance(name, str) or not name.isidentifier():
            raise GeometryError(f"The name of a Segment is a word, such as 'crack', not {shown(name)}.")
        if not np.isfinite(ends).all() or np.linalg.norm(ends[1] - ends[0]) == 0:
            raise GeometryError(f"A Segment needs two different points, not {shown(start)} and {shown(end)}.")
        self.start, self.end, self.name = tuple(map(float, ends[0])), tuple(map(float, ends[1])), name

    def __repr__(self) -> str:
        return f"Segment({self.start}, {self.end})"


@dataclass(frozen=True, repr=False, eq=False)
class Slit(Domain):
    """A plane domain without a segment, made by `domain - Segment(...)`."""

    base: Domain
    cut: Segment

    def __post_init__(self) -> None:
        if self.base.dimension != 2:
            raise GeometryError(f"A Segment cuts plane domains; {self.base} has {self.base.dimension} coordinate(s).")
        if set(self._sides) & set(self.base.parts):
            raise GeometryError(f"{self.base} has a slit '{self.cut.name}' already. Give this one another name=.")
        _ = self.line

    def __repr__(self) -> str:
        return f"{self.base} - {self.cut}"

    def text(self, pen: Pen) -> str:
        cut = self.cut
        ends = f"start={pen.numbers(cut.start)}, end={pen.numbers(cut.end)}"
        return f"({self.base.text(pen)} - {pen.prefix}Segment({ends}, name={pen.quoted(cut.name)}))"

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.base.names

    @property
    def bounds(self) -> np.ndarray:
        return self.base.bounds

    @property
    def volume(self) -> float:
        return self.base.volume

    @property
    def _sides(self) -> tuple[str, str]:
        return f"{self.cut.name}+", f"{self.cut.name}-"

    @property
    def parts(self) -> tuple[str, ...]:
        return (*self.base.parts, *self._sides)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        own = {k: v for k, v in self.base.aliases.items() if k != "boundary"}
        return {**own, self.cut.name: self._sides}

    @cached_property
    def line(self) -> tuple[np.ndarray, np.ndarray]:
        """The two ends of the part of the segment that is in the domain."""
        a, b = np.array(self.cut.start), np.array(self.cut.end)
        inside = self.base.contains(a + np.linspace(0, 1, STEPS + 1)[:, None] * (b - a))
        if not inside.any() or np.count_nonzero(np.diff(inside.astype(int))) > 2 or not _one_run(inside):
            raise GeometryError(
                f"{self.cut} {'is not in' if not inside.any() else 'leaves and enters'} the domain {self.base}. Cut it "
                f"by segments that are in the domain from one end to the other."
            )
        first, last = np.flatnonzero(inside)[[0, -1]] / STEPS
        ends = [self._end(a, b, t, -1.0 if t == first else 1.0) for t in (first, last)]
        return a + ends[0] * (b - a), a + ends[1] * (b - a)

    def _end(self, a: np.ndarray, b: np.ndarray, inside: float, sign: float) -> float:
        """Where the segment leaves the domain, by halving a step."""
        outside = inside + sign / STEPS
        if not 0.0 <= outside <= 1.0:
            return inside
        ends = np.array([inside, outside])
        return float(halved(lambda t: self.base.contains(a + t[:, None] * (b - a)), ends[:1], ends[1:])[0][0])

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        return self.base._inside(points, sign)

    def arcs(self, part: str) -> tuple[Arc, ...]:
        if part not in self._sides:
            return self.base.arcs(part)
        a, b = self.line
        along = (b - a) / np.linalg.norm(b - a)
        aside = ASIDE * float(np.abs(self.bounds).max()) * np.array([-along[1], along[0]])
        left = part == self._sides[0]
        return (segment(a + aside, b + aside) if left else segment(b - aside, a - aside),)

    def _draw(self, part: str, n, kind, rng):  # type: ignore[no-untyped-def]
        return super()._draw(part, n, kind, rng) if part in self._sides else self.base._draw(part, n, kind, rng)

    def _measure(self, part: str) -> float:
        return super()._measure(part) if part in self._sides else self.base._measure(part)

    @cached_property
    def halves(self) -> tuple[Domain, Domain]:
        """The domain on either side of the line through the slit, across which functions may jump."""
        a, b = self.line
        size = 3.0 * float(np.linalg.norm(np.ptp(self.bounds, axis=0)))
        along = size * (b - a) / np.linalg.norm(b - a)
        across = np.array([-along[1], along[0]])
        ends = a - along, a + along
        sides = (Polygon([ends[0], ends[1], ends[1] + s * across, ends[0] + s * across]) for s in (1.0, -1.0))
        first, second = (self.base & side for side in sides)
        return first, second

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        rules = [half.quadrature(max(n // 2, 1)) for half in self.halves]
        return np.concatenate([p for p, _ in rules]), np.concatenate([w for _, w in rules])

    @cached_property
    def tips(self) -> tuple[bool, bool]:
        """Which of the two ends are inside the domain."""
        a, b = self.line
        step = BESIDE * (b - a)
        return tuple(self.base.contains(np.stack([a - step, b + step])).tolist())

    @cached_property
    def corners_and_holes(self) -> tuple[tuple[Corner, ...], tuple[Hole, ...]]:
        corners, holes = self.base.corners_and_holes
        a, b = self.line
        left, right = self._sides
        if all(self.tips):
            arcs = [self.arcs(part)[0] for part in self._sides]
            rim = np.concatenate([arc.at(np.linspace(0.0, arc.length, RIM))[0] for arc in arcs])
            return corners, (*holes, Hole(0.5 * (a + b), 0.5 * (b - a), rim))
        found = []
        for inside, end, other, parts in zip(self.tips, (a, b), (b, a), ((left, right), (right, left)), strict=True):
            along = (other - end) / np.linalg.norm(other - end)
            if inside:
                found.append(Corner(end, (along, along), parts, along, self._free(end, other, along), False))
        return (*found, *corners), holes

    def _free(self, tip: np.ndarray, other: np.ndarray, away: np.ndarray) -> float:
        """How far the ray along the slit goes before it meets the domain again behind the slit."""
        length = float(np.linalg.norm(other - tip))
        reach = length + 2.0 * float(np.linalg.norm(np.ptp(self.bounds, axis=0)))
        behind = np.linspace(length * (1 + BESIDE), reach, STEPS)
        met = self.base.contains(tip + behind[:, None] * away)
        return float(behind[np.argmax(met)]) if met.any() else np.inf


def _one_run(inside: np.ndarray) -> bool:
    first, last = np.flatnonzero(inside)[[0, -1]]
    return bool(inside[first : last + 1].all())
