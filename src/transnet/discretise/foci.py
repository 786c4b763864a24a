"""Where singular features need denser points: on the boundary close to the corners and around the holes they belong to.

Powers of the distance to a corner are told apart only by points at distances of many magnitudes, and the k-th power of
1/z swings k times around a hole, however small it is. So the distance between points on the boundary is to be at most
gamma times their distance to such a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.features.singular import Singular
from transnet.geometry import Domain, Surface
from transnet.geometry.arcs import Arc

NEAREST = 3e-4
"""The distance of the closest points to a corner, in units of the distance between points elsewhere."""
CORNER = 0.45
POLE = 1.2
"""gamma at a corner, and times k for poles up to the order k."""
NODES = 256


@dataclass(frozen=True, eq=False)
class Focus:
    """A point or, in a slender hole, a segment: close to it points are at most gamma times as far apart as from it.

    Parameters
    ----------
    point : (2,) array
        The middle of the segment.
    arm : (2,) array
        From there to one of its ends.
    """

    point: np.ndarray
    arm: np.ndarray
    gamma: float

    def distance(self, points: np.ndarray) -> np.ndarray:
        """|z^2 - f^2|^(1/2): the distance to the point, or the scale on which functions vary around the segment."""
        product = [np.linalg.norm(points - self.point - side * self.arm, axis=1) for side in (-1.0, 1.0)]
        return np.sqrt(product[0] * product[1])


def foci_of(singular: Singular, centre: np.ndarray, scale: np.ndarray) -> list[Focus]:
    """The points that singular features belong to, x = centre + scale y, and what they need."""
    found = []
    frames, which = np.unique(singular.table[:, :8], axis=0, return_inverse=True)
    for k, (x, y, a, b, c, d, _, f) in enumerate(frames):
        alpha = singular.table[which.ravel() == k, 8]
        gamma = POLE / max(-alpha.min(), 2.0) if alpha.min() < 0 else CORNER
        # The end of the segment, z = P y_1 + Q y_2 = f.
        arm = np.linalg.solve([[a, c], [b, d]], [f, 0.0])
        found.append(Focus(centre + scale * np.array([x, y]), scale * arm, gamma))
    return found


def _around(arc: Arc, focus: Focus, s: np.ndarray) -> np.ndarray:
    """More nodes close to a focus in the middle of an arc."""
    k = int(np.argmin(focus.distance(arc.at(s)[0])))
    low, high = s[max(k - 1, 0)], s[min(k + 1, len(s) - 1)]
    if high - low < 1e-3 * arc.length:
        return np.empty(0)
    for _ in range(60):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        r = focus.distance(arc.at(np.array([a, b]))[0])
        low, high = (low, b) if r[0] < r[1] else (a, high)
    if focus.distance(arc.at(np.array([low]))[0])[0] > 1e-6 * arc.length:
        return np.empty(0)
    t = arc.length * np.geomspace(1e-9, 0.1, NODES // 2)
    return np.clip(np.concatenate([low - t, [low], low + t]), 0.0, arc.length)


def denser(domain: Domain, part: str, foci: Sequence[Focus], step: float) -> Surface:
    """The points that a part of the boundary needs besides those that are `step` apart."""
    points, normals = [np.empty((0, 2))], [np.empty((0, 2))]
    for name in domain.resolve(part):
        for arc in domain._arcs(name):
            # Nodes that are dense towards both ends of the arc, where the corners are.
            t = np.concatenate([[0.0], np.geomspace(1e-9, 0.5, NODES)])
            s = arc.length * np.concatenate([t, 1.0 - t[-2::-1]])
            s = np.unique(np.concatenate([s, *(_around(arc, focus, s) for focus in foci)]))
            here = arc.at(s)[0]
            wanted = np.full(len(s), step)
            for focus in foci:
                wanted = np.minimum(wanted, focus.gamma * np.maximum(focus.distance(here), NEAREST * step))
            more = 1.0 / wanted - 1.0 / step
            total = np.concatenate([[0.0], np.cumsum(0.5 * (more[1:] + more[:-1]) * np.diff(s))])
            count = int(np.ceil(total[-1] - 1e-6))
            if count > 0:
                found = arc.at(np.interp((np.arange(count) + 0.5) / count * total[-1], total, s))
                points.append(found[0])
                normals.append(found[1])
    return Surface(np.concatenate(points), np.concatenate(normals))
