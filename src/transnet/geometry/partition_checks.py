"""Whether pieces fit together: no overlaps, no narrow gaps, and no piece that touches nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from transnet.counts import ALONG
from transnet.lazy import shapely, spatial
from transnet.tolerances import SAME

from ..errors import GeometryError
from .chain import meets
from .domain import Domain

if TYPE_CHECKING:
    from .partition import Pieces

NARROW = 0.03
"""A gap this narrow, in units of the smaller piece, is taken for a mistake if it is long."""
LONG = 0.25
"""The part of a side along which a gap must be narrow to count as a mistake."""
LOOKS = (1e-5, 1.0, 24)
"""The first and the last step of a ray across a piece, in units of its reach, and the number of steps."""


def refuse_bad_fit(pieces: Pieces) -> None:
    """Raise if pieces overlap, if there is a narrow gap between two, or if one touches nothing."""
    rims = [shape.boundary("boundary", ALONG, "quasi", 0) for _, shape in pieces.shapes]
    touched = np.zeros((len(rims),) * 2, dtype=bool)
    for k, (name, shape) in enumerate(pieces.shapes):
        rim = rims[k]
        inner = np.concatenate([shape.interior(ALONG), pieces.beyond(rim.points, -rim.normals)])
        inner = inner[shape._inside(inner, -1)]
        outer = pieces.beyond(rim.points, rim.normals)
        for j in pieces.neighbours(k):
            other_name, other = pieces.shapes[j]
            common = inner[other._inside(inner, -1)]
            if len(common):
                _refuse_overlap(name, shape, other_name, other, common)
            touched[k, j] = touched[j, k] = touched[k, j] or other._inside(outer, 0).any()
        _refuse_gap(pieces, k, rim.points, rim.normals, outer)
    _refuse_loose(pieces, touched, [rim.points for rim in rims])


def _place(point: np.ndarray) -> str:
    return f"({', '.join(f'{c:.4g}' for c in point)})"


def _refuse_overlap(a: str, shape: Domain, b: str, other: Domain, common: np.ndarray) -> None:
    place = common[len(common) // 2]
    size = ""
    if shape.dimension == 2:
        area = shapely.intersection(polygon(shape), polygon(other)).area
        size = f", in an area of {area:.3g},"
    raise GeometryError(
        f"The pieces '{a}' and '{b}' overlap{size} around {_place(place)}. Pieces may not have inner points in common: "
        f"cut one out of the other, as in {b}={other} - {shape}."
    )


def polygon(shape: Domain, nodes: int = 256) -> shapely.Geometry:
    """A polygon that approximates a plane domain, for measuring."""
    lines = []
    for part in shape.parts:
        for arc in shape.arcs(part):
            lines.append(shapely.LineString(arc.at(np.linspace(0, arc.length, nodes))[0]))
    joined = shapely.set_precision(shapely.union_all(lines), SAME * float(np.ptp(shape.bounds)))
    cells = [c for c in shapely.get_parts(shapely.polygonize([joined])) if shape.contains(_middle(c)).all()]
    return shapely.union_all(cells) if cells else shapely.box(*shape.bounds.ravel())


def _middle(cell: shapely.Geometry) -> np.ndarray:
    point = shapely.point_on_surface(cell)
    return np.array([[point.x, point.y]])


def _refuse_gap(pieces: Pieces, k: int, points: np.ndarray, normals: np.ndarray, outer: np.ndarray) -> None:
    """Raise if a ray out of a piece soon meets another all along a side: it has crossed a gap."""
    name, shape = pieces.shapes[k]
    free = np.flatnonzero(pieces.which(outer) < 0)
    if len(free) == 0 or len(pieces.shapes) == 1:
        return
    extent = np.ptp(pieces.bounds, axis=0)
    scaled = normals[free] * extent
    outward = extent * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    width = float((np.ptp(shape.bounds, axis=0) / extent).min())
    room = NARROW * width * extent  # no ray is longer
    steps = np.geomspace(*LOOKS)
    near = meets(pieces.boxes, np.array([shape.bounds[0] - room, shape.bounds[1] + room]))
    for j in np.flatnonzero(near):
        other_name, other = pieces.shapes[j]
        if j == k:
            continue
        ray = outward * NARROW * min(width, float((np.ptp(other.bounds, axis=0) / extent).min()))
        far = np.full(len(free), np.inf)
        for step in steps[::-1]:
            far[other._inside(points[free] + step * ray, 0)] = step
        hit = np.isfinite(far)
        if np.count_nonzero(hit) >= LONG * len(free) and np.count_nonzero(hit) >= 2:
            at = int(np.flatnonzero(hit)[np.count_nonzero(hit) // 2])
            width = far[at] * float(np.linalg.norm(ray[at]))
            raise GeometryError(
                f"There is a gap of about {width:.2g} between the pieces '{name}' and '{other_name}' near "
                f"{_place(points[free][at])}. Pieces meet along interfaces: give both the same boundary there."
            )


def _refuse_loose(pieces: Pieces, touched: np.ndarray, rims: list[np.ndarray]) -> None:
    if len(pieces.shapes) < 2:
        return
    for k, (name, _) in enumerate(pieces.shapes):
        if not touched[k].any():
            others = np.concatenate([r for j, r in enumerate(rims) if j != k])
            distance = float(spatial.cKDTree(others).query(rims[k])[0].min())
            raise GeometryError(
                f"The piece '{name}' touches no other: the nearest is about {distance:.3g} away. Move it so that they "
                f"meet, or state a problem of its own for it."
            )
