"""Corners and holes of a plane domain, found on the arcs of its boundary.

Every plane domain gives its boundary as arcs with outward normals. With the domain on the left, an arc runs along the
normal turned by a right angle; where one arc ends another begins, and the angle between them is a corner. Arcs that
close to a chain around something that is not the domain are a hole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.counts import ALONG, EXAMINED, LOOKS
from transnet.lazy import shapely
from transnet.measure.arcs import Arc
from transnet.tolerances import BESIDE, SAME

from .domain import Domain

FLAT = 0.1
"""A corner that turns by less than this, in radians, does not count: polygons with many corners stand for curves."""
CUSP = 0.01
"""An opening this close to zero, or to a full turn, is not a corner."""
INSIDE = 0.05
"""How far the segment in a hole stays from its rim, in units of the distance of its centre to it."""
BEND = 0.1
"""Curvatures that differ by less than this part of the larger one do not count as a jump of the curvature."""
FAR, DIRECTIONS = 1.05, (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
"""How far a cut is followed, in units of the domain, and where it may lie in the angle outside: the bisector first."""
TINY = 1e-5
"""Holes smaller than this part of the domain have no poles."""
CENTRED = 1e-3
"""The accuracy to which the middle of the largest disk in a hole is found, in units of the hole."""
LONG, TRIED = 1.1, 41
"""A hole whose moments differ by less is round, with its poles in one point; the lengths tried for the segment of poles
in a longer one."""


@dataclass(frozen=True, eq=False)
class Corner:
    """A corner of a domain, or a point where one part of a smooth boundary ends and another begins.

    Parameters
    ----------
    point : (2,) array
    edges : two (2,) arrays
        The directions of the two edges away from the corner; the domain is anticlockwise from the first to the second.
    parts : (str, str)
        The parts of the boundary that the edges belong to.
    cut : (2,) array
        A direction out of the domain, along which a branch can be cut.
    free : float
        How far the cut can go before it meets the domain again; infinite if it never does.
    curved : bool
        Whether one of the edges is curved.
    """

    point: np.ndarray
    edges: tuple[np.ndarray, np.ndarray]
    parts: tuple[str, str]
    cut: np.ndarray
    free: float
    curved: bool

    def opening(self, mu: complex = 1j) -> float:
        """The angle inside the domain, between 0 and 2 pi, in the plane of x + mu y."""
        first, second = (e[0] + mu * e[1] for e in self.edges)
        angle = float(np.angle(second / first) % (2 * np.pi))
        return angle if angle > CUSP else 2 * np.pi  # the tip of a slit

    @property
    def tip(self) -> bool:
        """Whether it is the tip of a slit."""
        return self.opening() > 2 * np.pi - CUSP

    @property
    def flat(self) -> bool:
        """Whether the boundary goes straight on."""
        return abs(self.opening() - np.pi) < FLAT


@dataclass(frozen=True, eq=False)
class Hole:
    """A hole of a domain.

    Parameters
    ----------
    centre : (2,) array
        A point far from the rim.
    arm : (2,) array
        From the centre to the end of a segment inside the hole, along its length: for an ellipse to the focus, and
        nothing for a round hole.
    rim : (n, 2) array
        Points of the rim.
    """

    centre: np.ndarray
    arm: np.ndarray
    rim: np.ndarray


@dataclass(frozen=True, eq=False)
class _Run:
    """An arc sampled so that the domain is on its left: points (n, 2), and tangents and curvatures at both ends."""

    part: str
    points: np.ndarray
    first: np.ndarray
    last: np.ndarray
    straight: bool
    bent: tuple[float, float]


def corners_and_holes(domain: Domain) -> tuple[tuple[Corner, ...], tuple[Hole, ...]]:
    """The corners and holes; empty for a domain that is not plane, or whose boundary is not given by arcs."""
    chains, size = _outlines(domain)
    corners = [found for chain in chains for found in _corners(domain, chain, size)]
    # The most singular first.
    corners.sort(key=lambda c: -c.opening())
    return tuple(corners), tuple(hole for chain in chains if (hole := _hole(chain, size)) is not None)


def bends(domain: Domain) -> tuple[Corner, ...]:
    """Where the boundary goes straight on and its curvature jumps, as at the ends of a fillet, within one part.

    Solutions have logarithms in their second derivatives there.
    """
    found = []
    chains, size = _outlines(domain)
    for before, after in ((b, a) for chain in chains for b, a in zip(chain, chain[1:] + chain[:1], strict=True)):
        old, new = before.bent[1], after.bent[0]
        jumps = abs(new - old) > max(BEND * max(abs(old), abs(new)), BEND / size)
        if jumps and before.part == after.part and before.last @ after.first > 1 - SAME:
            found.append(_corner(domain, before, after, size))
    return tuple(found)


def _outlines(domain: Domain) -> tuple[list[list[_Run]], float]:
    """The closed chains of arcs of a plane domain, and its size."""
    if domain.dimension != 2:
        return [], 0.0
    arcs = [(part, arc) for part in domain.parts for arc in domain.arcs(part)]
    size = float(np.linalg.norm(domain.bounds[1] - domain.bounds[0]))
    return _chains([_run(p, a) for p, a in arcs], BESIDE * size) if 0 < len(arcs) <= EXAMINED else [], size


def _run(part: str, arc: Arc) -> _Run:
    points, normals = arc.at(np.linspace(0.0, arc.length, LOOKS))
    tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
    middle = LOOKS // 2
    if (points[middle + 1] - points[middle]) @ tangents[middle] < 0:
        points, tangents = points[::-1], tangents[::-1]
    straight = bool(np.abs(tangents - tangents[0]).max() < SAME)
    angle = np.unwrap(np.arctan2(tangents[:, 1], tangents[:, 0])) * (LOOKS - 1) / arc.length
    first, last = (sign * (-1.5 * a[0] + 2.0 * a[1] - 0.5 * a[2]) for sign, a in ((1, angle), (-1, angle[::-1])))
    return _Run(part, points, tangents[0], tangents[-1], straight, (float(first), float(last)))


def _chains(runs: list[_Run], near: float) -> list[list[_Run]]:
    """The arcs in the order in which they are met, chain by chain; those that do not close are left out."""
    left = list(runs)
    chains = []
    while left:
        chain = [left.pop(0)]
        while np.linalg.norm(chain[-1].points[-1] - chain[0].points[0]) > near:
            follow = [k for k, r in enumerate(left) if np.linalg.norm(r.points[0] - chain[-1].points[-1]) <= near]
            if len(follow) != 1:
                # Open, or several chains touch in a point: no conclusion.
                chain = []
                break
            chain.append(left.pop(follow[0]))
        if chain:
            chains.append(chain)
    return chains


def _corners(domain: Domain, chain: list[_Run], size: float) -> list[Corner]:
    found = []
    for before, after in zip(chain, chain[1:] + chain[:1], strict=True):
        (a, b), (c, d) = before.last, after.first
        turn = float(np.arctan2(a * d - b * c, a * c + b * d))
        # A cusp has no angle.
        if (abs(turn) < FLAT and before.part == after.part) or np.pi - abs(turn) < CUSP:
            continue
        found.append(_corner(domain, before, after, size))
    return found


def _corner(domain: Domain, before: _Run, after: _Run, size: float) -> Corner:
    (a, b), (c, d) = before.last, after.first
    start, opening = float(np.arctan2(d, c)), np.pi - float(np.arctan2(a * d - b * c, a * c + b * d))
    cut, free = branch_cut(domain, after.points[0], start + opening, 2 * np.pi - opening, size)
    edges = (after.first, -before.last)
    return Corner(
        after.points[0], edges, (after.part, before.part), cut, free, not (before.straight and after.straight)
    )


def branch_cut(domain: Domain, point: np.ndarray, start: float, width: float, size: float) -> tuple[np.ndarray, float]:
    """A direction out of the domain between two edges, the bisector if it is free, and how far it goes."""
    steps = size * np.linspace(0.0, FAR, ALONG + 1)[1:]
    best, farthest, clearest = np.zeros(2), 0.0, -1.0
    for part in DIRECTIONS:
        angle = start + part * width
        direction = np.array([np.cos(angle), np.sin(angle)])
        inside = domain._inside(point + steps[:, None] * direction, 1)
        if not inside.any():
            return direction, np.inf
        free = float(steps[np.argmax(inside)])
        # A cut that ends in the hole should end far from the rim: from the opposite side and from both edges.
        clear = free * np.sin(min(part * width, (1.0 - part) * width, 0.5 * np.pi))
        if clear > clearest:
            best, farthest, clearest = direction, free, clear
    return best, farthest


def _hole(chain: list[_Run], size: float) -> Hole | None:
    rim = np.concatenate([run.points[:-1] for run in chain])
    x, y = (rim - rim[0]).T
    if x[:-1] @ y[1:] - y[:-1] @ x[1:] >= 0:  # the first point is the origin
        return None
    middle = rim.mean(axis=0)
    radii = np.hypot(*(rim - middle).T)
    if np.ptp(radii) < SAME * radii[0] and radii[0] > TINY * size:
        return Hole(middle, np.zeros(2), rim)
    shape = shapely.Polygon(rim - rim[0])
    if not shape.is_valid or shape.area < (TINY * size) ** 2:
        return None
    middle = np.array(shape.centroid.coords[0])
    widest = shapely.maximum_inscribed_circle(shape, CENTRED * np.sqrt(shape.area))
    if _depth(shape, middle[None])[0] < 0.5 * widest.length:
        # A bent hole, whose centroid lies close to its rim or outside: the middle of the largest disk in it.
        return Hole(rim[0] + np.array(widest.coords[0]), np.zeros(2), rim)
    return Hole(rim[0] + middle, _arm(shape, middle), rim)


def _arm(shape: shapely.Polygon, middle: np.ndarray) -> np.ndarray:
    """From the middle to the focus of the ellipse with the same moments as a polygon, or as far as the hole goes."""
    moments = _moments(shapely.get_coordinates(shape.exterior) - middle)
    values, vectors = np.linalg.eigh(moments)
    if values[1] < LONG * values[0]:
        return np.zeros(2)
    arm = 2.0 * np.sqrt(values[1] - values[0]) * vectors[:, 1]
    least = INSIDE * _depth(shape, middle[None])[0]
    for part in np.linspace(1.0, 0.0, TRIED)[:-1]:
        ends = middle + part * arm * np.linspace(-1.0, 1.0, TRIED)[:, None]
        if (_depth(shape, ends) > least).all():
            return part * arm
    return np.zeros(2)


def _moments(ring: np.ndarray) -> np.ndarray:
    """The covariance of a uniform distribution inside a closed chain about its centroid, the origin: (2, 2)."""
    (x, y), (u, v) = ring[:-1].T, ring[1:].T
    cross = x * v - u * y
    area = cross.sum() / 2
    xx, yy = (cross * (x * x + x * u + u * u)).sum() / 12, (cross * (y * y + y * v + v * v)).sum() / 12
    xy = (cross * (2 * x * y + x * v + u * y + 2 * u * v)).sum() / 24
    return np.array([[xx, xy], [xy, yy]]) / area


def _depth(shape: shapely.Polygon, points: np.ndarray) -> np.ndarray:
    """The distance of points inside a polygon from its rim; zero outside."""
    inside = shapely.contains_xy(shape, *points.T)
    return np.where(inside, shapely.distance(shape.exterior, shapely.points(points)), 0.0)
