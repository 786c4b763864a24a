"""Polygons, with or without holes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.lazy import shapely
from transnet.measure.arcs import Arc, segment
from transnet.measure.checks import finite_vector
from transnet.measure.pen import Pen
from transnet.measure.rules import Rule, tolerance, trapezia
from transnet.measure.sampling import check_draw
from transnet.tolerances import ROUNDED

from ..arrays import constant
from ..calls import explained, shown
from ..errors import GeometryError
from .domain import Domain

Ring = tuple[tuple[float, ...], ...]


@explained
@dataclass(frozen=True, repr=False)
class Polygon(Domain):
    """The region inside a closed chain of straight edges, without the regions inside its holes.

    Parameters
    ----------
    vertices : sequence of (x, y)
        The corners, either way round. The last is joined to the first, which may be repeated at the end.
    holes : sequence of such sequences
    names : sequence of str or None, optional
        A name for each outer edge, edge i being the one from corner i to the next; equal names make one part. Those of
        the edges of holes may follow.

    Parts are "edge 0", "edge 1", ..., "hole 0 edge 0", ...; "outer" and "hole 0" are all edges of one chain.
    """

    vertices: Sequence[Sequence[float]]
    holes: Sequence[Sequence[Sequence[float]]] = ()
    names_of_edges: Sequence[str | None] | None = None

    def __init__(
        self,
        vertices: Sequence[Sequence[float]],
        holes: Sequence[Sequence[Sequence[float]]] = (),
        names: Sequence[str | None] | None = None,
    ) -> None:
        object.__setattr__(self, "vertices", _ring(vertices, "the polygon"))
        object.__setattr__(self, "holes", tuple(_ring(hole, f"hole {i}") for i, hole in enumerate(holes)))
        object.__setattr__(self, "names_of_edges", None if names is None else tuple(names))
        counts = (len(self.vertices), sum(map(len, (self.vertices, *self.holes))))
        if names is not None and len(names) not in counts:
            raise GeometryError(
                f"{len(names)} names were given for the {' or '.join(map(str, dict.fromkeys(counts)))} edges of the "
                "polygon. Give one name per edge (None keeps the default)."
            )
        check_rings(self._shape, self._center)

    def __repr__(self) -> str:
        holes = f", {len(self.holes)} hole(s)" if self.holes else ""
        return f"Polygon({len(self.vertices)} corners{holes})"

    def text(self, pen: Pen) -> str:
        rings = [f"[{', '.join(map(pen.numbers, ring))}]" for ring in (self.vertices, *self.holes)]
        named = [pen.quoted(n or "") for n in self.names_of_edges or ()]
        called = "" if self.names_of_edges is None else f", names=[{', '.join(named)}]"
        return f"{pen.prefix}Polygon({rings[0]}, holes=[{', '.join(rings[1:])}]{called})"

    @cached_property
    def _center(self) -> np.ndarray:
        return self.bounds.mean(axis=0)

    @cached_property
    def _shape(self) -> shapely.Polygon:
        """The polygon about its centre, where shapely's arithmetic loses no digits."""
        rings = [np.array(ring) - self._center for ring in (self.vertices, *self.holes)]
        return shapely.Polygon(rings[0], rings[1:])

    @property
    def names(self) -> tuple[str | None, ...]:
        return (None, None)

    @cached_property
    def bounds(self) -> np.ndarray:
        corners = np.array(self.vertices)
        return constant([corners.min(axis=0), corners.max(axis=0)])

    @property
    def volume(self) -> float:
        return float(self._shape.area)

    @cached_property
    def _called(self) -> list[tuple[str, ...]]:
        """The names of the edges of each chain, the outer one first."""
        names, found = iter(self.names_of_edges or ()), []
        for k, ring in enumerate((self.vertices, *self.holes)):
            chain = f"hole {k - 1} " if k else ""
            found.append(tuple(next(names, None) or f"{chain}edge {i}" for i in range(len(ring))))
        return found

    @cached_property
    def _edges(self) -> dict[str, tuple[Arc, ...]]:
        edges: dict[str, list[Arc]] = {}
        for k, ring in enumerate((self.vertices, *self.holes)):
            corners = np.array(ring)
            anticlockwise = _signed_area(corners - self._center) > 0
            for name, a, b in zip(self._called[k], corners, np.roll(corners, -1, axis=0), strict=True):
                # An arc has the outside on its right: anticlockwise for the outer chain, clockwise for a hole.
                edges.setdefault(name, []).append(segment(a, b) if anticlockwise == (k == 0) else segment(b, a))
        return {name: tuple(arcs) for name, arcs in edges.items()}

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self._edges)

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        outer, *holes = (tuple(dict.fromkeys(names)) for names in self._called)
        return {"outer": outer, **{f"hole {k}": parts for k, parts in enumerate(holes)}}

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return self._edges[part]

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        x, y = (points - self._center).T
        shapely.prepare(self._shape)
        inside = shapely.contains_xy(self._shape, x, y)
        if sign == 0:
            return inside
        # For points on the rim the sign decides; they are searched for only where that changes the answer.
        undecided = np.flatnonzero(inside != (sign > 0))
        near = shapely.dwithin(self._rim, shapely.points(x[undecided], y[undecided]), tolerance(self.bounds))
        inside[undecided[near]] = sign > 0
        return inside

    @cached_property
    def _rim(self) -> shapely.Geometry:
        rim = self._shape.boundary
        shapely.prepare(rim)
        return rim

    def quadrature(self, n: int) -> Rule:
        """Gauss rules on the trapezia between the corners: exact for polynomials."""
        corners = [np.array(ring) for ring in (self.vertices, *self.holes)]
        starts, stops = np.concatenate(corners), np.concatenate([np.roll(ring, -1, axis=0) for ring in corners])
        return trapezia(starts, stops, check_draw(n, "grid"))


def _ring(vertices: Sequence[Sequence[float]], what: str) -> Ring:
    try:
        listed = list(vertices)
    except TypeError:
        raise GeometryError(f"The corners of {what} are a list of (x, y), not {shown(vertices)}.") from None
    corners = [finite_vector(v, f"corner {i} of {what}") for i, v in enumerate(listed)]
    for i, corner in enumerate(corners):
        if len(corner) != 2:
            raise GeometryError(f"Corner {i} of {what} has {len(corner)} coordinates. Give (x, y).")
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners = corners[:-1]
    if len(corners) < 3:
        raise GeometryError(
            f"{what.capitalize()} is open: {len(corners)} different corner(s) enclose nothing. Give three or more."
        )
    for i, (a, b) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True)):
        if a == b:
            raise GeometryError(f"Corner {i} of {what}, ({a[0]:g}, {a[1]:g}), is repeated right after. Leave one out.")
    points = np.array(corners)
    thickness = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    if thickness[1] <= ROUNDED * thickness[0]:
        raise GeometryError(f"{what.capitalize()} has no area: all of its corners are on one line. Check them.")
    return tuple(corners)


def _signed_area(points: np.ndarray) -> float:
    x, y = points.T
    return float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) / 2)


def check_rings(shape: shapely.Polygon, center: np.ndarray) -> None:
    """Raise, with the place and the reason, if closed chains do not bound a region."""
    if shape.is_valid:
        return
    reason = shapely.is_valid_reason(shape)
    place = re.search(r"\[(\S+) (\S+)\]", reason)
    at = ""
    if place:
        at = f" near ({float(place[1]) + center[0]:.6g}, {float(place[2]) + center[1]:.6g})"
    what = reason.split("[")[0].strip().lower()
    if "self-intersection" in what:
        raise GeometryError(
            f"The boundary crosses or touches itself{at}. "
            "Give the corners in the order in which they are met, and holes that keep clear of the rim."
        )
    raise GeometryError(f"The boundary does not enclose a region: {what}{at}. Check that holes lie inside, apart.")
