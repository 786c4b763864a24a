"""Where singular features need denser points: on the boundary close to their corners and around their holes.

Powers of the distance to a corner can only be distinguished by points at distances over many orders of magnitude, and
the k-th power of 1/z oscillates k times around a hole, however small it is. So the distance between points on the
boundary should be at most gamma times their distance to such a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from transnet.arrays import constant
from transnet.features.singular import Singular
from transnet.geometry import Domain, Surface
from transnet.measure.arcs import Arc
from transnet.remember import Remembered
from transnet.tolerances import BESIDE, SAME

NEAREST = 3e-4
"""The distance of the closest points from a corner, in units of the distance between points elsewhere."""
CORNER = 0.45
POLE = 1.2
"""gamma at a corner; for poles up to order k it is divided by k."""
INNER, INNERMOST = 8, 1e-3
"""How often functions oscillate around an interior point, and where rings of points begin, in units of its distance to
the boundary."""
NODES = 256
RING = 1.6
"""Points of an interior ring for each oscillation of a function around it."""
DIGITS = 25.0
"""At the distance r from a hole of radius one the powers r^-k matter as long as k log r is below this."""
CLOSE = 0.3
"""The first ring around the end of a cut, in units of its length."""
FEWEST = 8
"""The fewest points of a ring."""
DENSE = 1e-3
"""If the nodes of an arc are closer than this part of it, they are dense enough already."""
THIRDS = 60
"""Steps of a search that keeps two thirds of an interval each time: 3e-11 of it is left."""
AROUND = 0.1
"""How far along its arc nodes are added around a focus, as a part of the arc."""


@dataclass(frozen=True, eq=False)
class Focus:
    """A point or, in a slender hole, a segment; the spacing of points close to it is at most gamma times their
    distance.

    Parameters
    ----------
    point : (2,) array
        The middle of the segment.
    arm : (2,) array
        From there to one of its ends.
    swings : int
        How often a function of z and conj(z) oscillates around it; zero if all are functions of z alone.
    plane : (2, 2) array
        x - point = plane (Re z, Im z), where |z| is one on the rim of the hole.
    nearest : float
        Points closer than this, in units of the distance between points elsewhere, are not needed.
    """

    point: np.ndarray
    arm: np.ndarray
    gamma: float
    swings: int = 0
    plane: np.ndarray = field(default_factory=lambda: np.eye(2))
    nearest: float = NEAREST

    def distance(self, points: np.ndarray) -> np.ndarray:
        """|z^2 - f^2|^(1/2): the distance to the point, or the scale on which functions vary around the segment."""
        product = [np.linalg.norm(points - self.point - side * self.arm, axis=1) for side in (-1.0, 1.0)]
        return np.sqrt(product[0] * product[1])


def foci_of(singular: Singular, centre: np.ndarray, scale: np.ndarray) -> list[Focus]:
    """The points to which singular features belong, x = centre + scale y, and what they need."""
    found = []
    for (x, y, a, b, c, d, s, f), which in singular.by_frame:
        alpha, bars = singular["alpha"][which], singular["bars"][which]
        if (alpha > 0).all() and not singular["log"][which].any() and (alpha == np.round(alpha)).all():
            continue  # polynomials
        # At a corner exponents are not whole, and may be negative beside conj(z).
        pole = alpha.min() < 0 and not (alpha != np.round(alpha)).any()
        gamma = POLE / max(-alpha.min(), 2.0) if pole else CORNER
        # The end of the segment, z = P y_1 + Q y_2 = f.
        plane = scale[:, None] * np.linalg.inv([[a, c], [b, d]])
        barred = (alpha < 0) & (bars > 0) & pole
        swings = int((bars - alpha)[barred].max()) if barred.any() else 0
        point = centre + scale * np.array([x, y])
        if (singular["log"][which] >= 2).all() and bars.max() > 0:
            # A point inside: the equation needs points at many distances from it.
            found.append(Focus(point, np.zeros(2), CORNER, INNER, INNERMOST * plane))
            continue
        found.append(Focus(point, plane @ [f, 0.0], gamma, swings, plane))
        if s > 0:
            # The other end of a cut, where 1 / zeta = 0.
            end = point - plane @ [1.0 / s, 0.0]
            swings = int(np.ceil((alpha + bars)[bars > 0].max())) if bars.any() else 0
            gamma = POLE / max(alpha.max(), 2.0)
            found.append(Focus(end, np.zeros(2), gamma, swings, plane * (CLOSE / s)))
    return found


def _ends(foci: Sequence[Focus], points: np.ndarray) -> np.ndarray:
    """The distances to both ends of the segments of all foci: (2, foci, points)."""
    middle, arm = np.array([f.point for f in foci]), np.array([f.arm for f in foci])
    sides = (middle - arm, middle + arm) if arm.any() else (middle,)
    x, y = points.T
    found = [np.hypot(x - side[:, [0]], y - side[:, [1]]) for side in sides]
    return np.stack(found) if arm.any() else np.broadcast_to(found[0], (2, *found[0].shape))


def _around(arc: Arc, focus: Focus, s: np.ndarray, k: int) -> np.ndarray:
    """More nodes close to a focus in the middle of an arc, whose k-th node is the closest."""
    low, high = s[max(k - 1, 0)], s[min(k + 1, len(s) - 1)]
    if high - low < DENSE * arc.length:
        return np.empty(0)
    for _ in range(THIRDS):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        r = focus.distance(arc.at(np.array([a, b]))[0])
        low, high = (low, b) if r[0] < r[1] else (a, high)
    if focus.distance(arc.at(np.array([low]))[0])[0] > BESIDE * arc.length:
        return np.empty(0)
    t = arc.length * np.geomspace(SAME, AROUND, NODES // 2)
    return np.clip(np.concatenate([low - t, [low], low + t]), 0.0, arc.length)


_nodes: Remembered[Domain, list[tuple[Arc, np.ndarray, np.ndarray]]] = Remembered()


def _nodes_of(domain: Domain, part: str, foci: Sequence[Focus]) -> list[tuple[Arc, np.ndarray, np.ndarray]]:
    """Nodes on each arc of a part and their distances to all foci, (foci, nodes)."""
    plain = _plain_nodes()
    found = []
    for name in domain.resolve(part):
        for arc in domain.arcs(name):
            s = arc.length * plain
            ends = _ends(foci, arc.at(s)[0])
            # A focus further away than the spacing of nodes is not between two of them.
            close = np.flatnonzero(ends.min(axis=(0, 2)) <= np.diff(s).max())
            more = [_around(arc, foci[k], s, int(np.argmin(ends[:, k].prod(axis=0)))) for k in close.tolist()]
            if any(map(len, more)):
                s = np.unique(np.concatenate([s, *more]))
                ends = _ends(foci, arc.at(s)[0])
            found.append((arc, s, np.sqrt(ends.prod(axis=0))))
    return found


@lru_cache(maxsize=1)
def _plain_nodes() -> np.ndarray:
    """Nodes in [0, 1], dense towards both ends, where the corners of an arc are."""
    t = np.concatenate([[0.0], np.geomspace(SAME, 0.5, NODES)])
    return constant(np.concatenate([t, 1.0 - t[-2::-1]]))


def denser(domain: Domain, part: str, foci: Sequence[Focus], step: float) -> Surface:
    """The points that a part of the boundary needs besides those with spacing `step`."""
    points, normals = [np.empty((0, 2))], [np.empty((0, 2))]
    gammas = np.array([focus.gamma for focus in foci])[:, None]
    nearest = step * np.array([focus.nearest for focus in foci])[:, None]
    key = (part, *(f.point.tobytes() + f.arm.tobytes() for f in foci))
    for arc, s, distances in _nodes.get(domain, key, lambda: _nodes_of(domain, part, foci)):
        wanted = np.minimum((gammas * np.maximum(distances, nearest)).min(axis=0), step)
        more = 1.0 / wanted - 1.0 / step
        total = np.concatenate([[0.0], np.cumsum(0.5 * (more[1:] + more[:-1]) * np.diff(s))])
        count = int(np.ceil(total[-1] - BESIDE))
        if count > 0:
            found = arc.at(np.interp((np.arange(count) + 0.5) / count * total[-1], total, s))
            points.append(found[0])
            normals.append(found[1])
    return Surface(np.concatenate(points), np.concatenate(normals))


def widths(foci: Sequence[Focus], points: np.ndarray, step: float) -> np.ndarray:
    """The part of `step` for which each point on the boundary stands, where it is denser."""
    found = np.ones(len(points))
    for focus in foci:
        found = np.minimum(found, focus.gamma * np.maximum(focus.distance(points) / step, focus.nearest))
    return found


def rings(domain: Domain, foci: Sequence[Focus], h: float) -> np.ndarray:
    """The interior points that the equation needs around small holes besides those with spacing h.

    Functions of z alone solve it, or nearly; z^-k conj(z)^j does not, and if all points are further away than the width
    of the hole, nothing constrains it close to the rim. Rings around the hole, each wider than the last by the spacing
    of its points, have enough points for all functions that are not yet small there.
    """
    found = [np.empty((0, 2))]
    for focus in foci:
        if focus.swings == 0:
            continue
        unit, f = (
            np.sqrt(abs(np.linalg.det(focus.plane))),
            float(np.linalg.norm(np.linalg.solve(focus.plane, focus.arm))),
        )
        r, turn = 1.0 + 0.5 / focus.swings, 0.0
        while True:
            swings = min(focus.swings, DIGITS / np.log(r))
            count = max(int(np.ceil(RING * swings)), FEWEST)
            step = 2 * np.pi / count
            if step * r * unit >= h:
                break
            zeta = r * np.exp(1j * (step * np.arange(count) + turn))
            z = zeta + f**2 / (4 * zeta)
            found.append(focus.point + np.stack([z.real, z.imag], axis=1) @ focus.plane.T)
            r, turn = r * (1.0 + step), turn + 0.5 * step
    points = np.concatenate(found)
    return points[domain.contains(points)]
