"""The region inside a closed parametric curve, with or without holes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.counts import NEWTON
from transnet.lazy import shapely, spatial
from transnet.measure.arcs import Arc
from transnet.measure.pen import Pen
from transnet.measure.rules import tolerance
from transnet.tolerances import BESIDE, ROUNDED

from ..arrays import constant
from ..calls import explained, shown
from ..errors import GeometryError
from .curve import CLOSE, Curve
from .domain import Domain
from .polygon import check_rings

NODES = 2048  # corners of the polygon that approximates a curve


@explained
@dataclass(frozen=True, init=False, repr=False, eq=False)
class Region(Domain):
    """The region inside the curve `outer` and outside the curves `holes`: `Region(Curve(...), Curve(...))`.

    Parts have the names of the curves, or "outer", "hole 0", "hole 1", ..., which are accepted in any case.
    """

    curves: tuple[Curve, ...]

    def __init__(self, outer: Curve, *holes: Curve) -> None:
        for curve in (outer, *holes):
            if not isinstance(curve, Curve):
                raise GeometryError(
                    f"A Region is bounded by Curves, and {shown(curve)} is not one. "
                    "Write Region(Curve((x(s), y(s)), (s, a, b)))."
                )
        object.__setattr__(self, "curves", (outer, *holes))
        if len(set(self.parts)) < len(self.parts):
            raise GeometryError(f"The curves of a Region need different names, not {self.parts}.")
        check_rings(self._shape, self._center)

    def __repr__(self) -> str:
        holes = f", {len(self.curves) - 1} hole(s)" if len(self.curves) > 1 else ""
        return f"Region({self.parts[0]!r}{holes})"

    def text(self, pen: Pen) -> str:
        return f"{pen.prefix}Region({', '.join(curve.text(pen) for curve in self.curves)})"

    @property
    def names(self) -> tuple[str | None, ...]:
        return (None, None)

    @cached_property
    def _nodes(self) -> tuple[np.ndarray, ...]:
        """Parameters of the polygons that approximate the curves, about evenly spaced by arc length."""
        return tuple(c.parameters(c.length * np.arange(NODES) / NODES, roughly=True) for c in self.curves)

    @cached_property
    def bounds(self) -> np.ndarray:
        t = np.concatenate([self._nodes[0], np.linspace(*self.curves[0].range, NODES)])
        points = self.curves[0].at(t)
        return constant([points.min(axis=0), points.max(axis=0)])

    @cached_property
    def _center(self) -> np.ndarray:
        return self.bounds.mean(axis=0)

    @cached_property
    def _shape(self) -> shapely.Polygon:
        rings = [curve.at(t) - self._center for curve, t in zip(self.curves, self._nodes, strict=True)]
        shape = shapely.Polygon(rings[0], rings[1:])
        shapely.prepare(shape)
        return shape

    @property
    def volume(self) -> float:
        areas = [abs(curve.area) for curve in self.curves]
        return areas[0] - sum(areas[1:])

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return tuple(curve.name or ("outer" if i == 0 else f"hole {i - 1}") for i, curve in enumerate(self.curves))

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        return {"outer" if i == 0 else f"hole {i - 1}": (part,) for i, part in enumerate(self.parts)}

    def arcs(self, part: str) -> tuple[Arc, ...]:
        k = self.parts.index(part)
        return (self.curves[k].arc(1.0 if k == 0 else -1.0),)

    @cached_property
    def _near(self) -> tuple[float, spatial.cKDTree]:
        """How far from the corners of the polygon curves may be on another side than it, and a search tree of these."""
        away = apart = 0.0
        for curve, t in zip(self.curves, self._nodes, strict=True):
            points = curve.at(t)
            middle = curve.at(curve.parameters(curve.length * (np.arange(NODES) + 0.5) / NODES, roughly=True))
            chords = (points + np.roll(points, -1, axis=0)) / 2
            away = max(away, float(np.max(np.linalg.norm(middle - chords, axis=1))))
            apart = max(apart, curve.length / NODES)
        corners = [curve.at(t) - self._center for curve, t in zip(self.curves, self._nodes, strict=True)]
        return apart + 4 * away + 2 * tolerance(self.bounds), spatial.cKDTree(np.concatenate(corners))

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        band, tree = self._near
        local = points - self._center
        inside = np.array(shapely.contains_xy(self._shape, *local.T))
        away, nearest = tree.query(local, distance_upper_bound=band)
        close = np.flatnonzero(np.isfinite(away))
        if len(close) == 0:
            return inside
        # Close to the rim the polygon is not the region: ask the nearest curve on which side the points are.
        owner, corner = np.divmod(nearest[close], NODES)
        for k, curve in enumerate(self.curves):
            mine = close[owner == k]
            if len(mine):
                gap, sure = _signed_distance(curve, self._nodes[k][corner[owner == k]], points[mine])
                gap = gap if k == 0 else -gap
                inside[mine] = np.where(sure, gap <= sign * tolerance(self.bounds), inside[mine])
        return inside


def _signed_distance(curve: Curve, t: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The signed distance of points from a nearby curve, negative inside, starting at parameters t; and where it is
    reliable."""
    a, b = curve.range
    for _ in range(NEWTON):
        velocity = curve.velocity(t)
        speed2 = np.maximum(np.sum(velocity**2, axis=1), 1e-300)
        step = np.sum((points - curve.at(t)) * velocity, axis=1) / speed2
        t = a + np.mod(t + step - a, b - a)
        if np.abs(step).max() <= CLOSE * (b - a):
            break
    gap = points - curve.at(t)
    velocity = curve.velocity(t)
    slip = np.abs(np.sum(gap * velocity, axis=1)) / np.sqrt(np.maximum(np.sum(velocity**2, axis=1), 1e-300))
    # At a corner of the curve no foot of a perpendicular is found, and the polygon has to decide.
    sure = slip <= BESIDE * np.linalg.norm(gap, axis=1) + ROUNDED * curve.length + 4 * np.finfo(float).eps * np.max(
        np.abs(points), initial=0
    )
    return np.sum(gap * curve.normals(t, 1.0), axis=1), sure
