"""The disconnected parts of a material in a box: on both sides of a thin plate, or in two teeth of a comb.

Each of them is a cell of its own: one network cannot have different values above and below a plate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.geometry import Domain
from transnet.lazy import shapely
from transnet.measure.arcs import Arc
from transnet.remember import Remembered
from transnet.tolerances import ROUNDED, SAME

TURNED = 0.03
"""Radians by which a polygon that stands for a material turns at most at a point: it is a ten thousandth of a radius of
curvature away from the boundary, so that gaps of a thousandth are seen."""
FIRST, ROUNDS = 33, 12
"""Points of an arc at first, and how often those of what turns too much are doubled."""
MARGIN = 0.1
"""How much more than a box is clipped from the polygon before both are intersected, in units of the box."""

_polygons: Remembered[Domain, shapely.Geometry] = Remembered()


@dataclass
class Owners:
    """The cells by material and box; if a box has several parts, each with its outline."""

    cells: dict[tuple[int, int], list[tuple[int, shapely.Polygon | None]]] = field(default_factory=dict)

    def __contains__(self, key: tuple[int, int]) -> bool:
        return key in self.cells

    def add(self, material: int, box: int, cell: int, part: shapely.Polygon | None) -> None:
        self.cells.setdefault((material, box), []).append((cell, part))

    def at(self, material: int, box: int, points: np.ndarray) -> int:
        """The cell that points of a face or of a boundary belong to."""
        mine = self.cells[material, box]
        if len(mine) == 1:
            return mine[0][0]
        return mine[nearest_part([part for _, part in mine], points)][0]


def nearest_part(parts: Sequence[shapely.Polygon | None], points: np.ndarray) -> int:
    """The part that points are closest to, all of them together."""
    return int(np.argmin(away(parts, points).sum(axis=0)))


def away(parts: Sequence[shapely.Polygon | None], points: np.ndarray) -> np.ndarray:
    """The distances (n, m) of points from parts."""
    return np.asarray(shapely.distance(shapely.points(points)[:, None], np.array(parts, dtype=object)[None, :]))


def parts_of(shape: Domain, boxes: Boxes, stretches: Mapping[int, int]) -> dict[int, list[shapely.Polygon]]:
    """The parts in each box that has several; `stretches` counts those of the boundary: with one there is one part."""
    several = [box for box, count in stretches.items() if count > 1]
    if shape.dimension != 2 or not several:
        return {}
    whole = _polygons.get(shape, "polygon", lambda: polygon_of(shape))
    found = {}
    for box in several:
        low, high = boxes.low[box], boxes.high[box]
        room = MARGIN * (high - low)
        here = shapely.make_valid(shapely.clip_by_rect(whole, *(low - room), *(high + room)))
        parts = shapely.get_parts(shapely.intersection(here, shapely.box(*low, *high)))
        parts = parts[shapely.area(parts) > SAME * np.prod(high - low)]
        if len(parts) > 1:
            # Those inside others first, as points of them are in both outlines.
            found[box] = [shapely.Polygon(p.exterior) for p in sorted(parts, key=lambda p: float(p.area))]
    return found


def polygon_of(shape: Domain) -> shapely.Geometry:
    """A plane shape as polygons."""
    lines = [points_along(arc)[0] for part in shape.parts for arc in shape.arcs(part)]
    grid = ROUNDED * float(np.ptp(shape.bounds, axis=0).max())
    union = shapely.union_all([shapely.LineString(line) for line in lines], grid_size=grid)
    rings = shapely.get_parts(shapely.polygonize([union]))
    middles = shapely.get_coordinates(shapely.point_on_surface(rings))
    return shapely.union_all(rings[shape._inside(middles, 0)])


def points_along(arc: Arc) -> tuple[np.ndarray, np.ndarray]:
    """Points of an arc, the closer to each other the more it turns, and its normals there."""
    s = np.linspace(0.0, arc.length, FIRST)
    points, normals = arc.at(s)
    if np.abs(normals - normals[0]).max() < ROUNDED:
        return points[[0, -1]], normals[[0, -1]]
    for _ in range(ROUNDS):
        wide = np.flatnonzero(np.linalg.norm(np.diff(normals, axis=0), axis=1) > TURNED)
        if len(wide) == 0:
            break
        s = np.insert(s, wide + 1, 0.5 * (s[wide] + s[wide + 1]))
        points, normals = arc.at(s)
    return points, normals
