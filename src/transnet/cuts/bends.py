"""Boxes cut where a boundary bends sharply: at the tips of slender holes and the edges of rounded corners.

Around a bend of radius r a solution varies over lengths of r, which the indicator sees only once they are resolved.
"""

from __future__ import annotations

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.cuts.parts import points_along
from transnet.geometry import Domain
from transnet.geometry.partition import shapes_of

RADII = 6.0
"""The width of a box in units of the smallest radius of curvature of the boundary in it."""
GROWS = 1.0
"""How much wider a box may be than that for each unit of its distance from the bend."""
SQUARE = 0.7
"""A box is halved along an axis if it is longer along it than this part of its longest side."""
HALVINGS = 16
"""The most halvings of a box."""
MOST = 400
"""The most boxes."""


def around_bends(domain: Domain, boxes: Boxes) -> Boxes:
    """Boxes cut until none is much wider than the radius of curvature of a nearby boundary plus its distance."""
    points, radii = bends_of(domain)
    sharp = RADII * radii < boxes.widths.min(axis=1).max()
    points, radii = points[sharp], radii[sharp]
    for _ in range(HALVINGS if len(points) else 0):
        beyond = np.maximum(boxes.low[:, None] - points, points - boxes.high[:, None])
        away = np.linalg.norm(np.maximum(beyond, 0.0), axis=2)
        wide = np.flatnonzero(boxes.widths.max(axis=1) > (RADII * radii + GROWS * away).min(axis=1))
        if len(wide) == 0 or len(boxes) + 3 * len(wide) > MOST:
            break
        boxes = boxes.cut({int(k): _longest(boxes.widths[k]) for k in wide})
    return boxes


def _longest(widths: np.ndarray) -> tuple[int, ...]:
    """The axes along which a box is halved to become more of a square."""
    return tuple(int(k) for k in np.flatnonzero(widths > SQUARE * widths.max()))


def bends_of(domain: Domain) -> tuple[np.ndarray, np.ndarray]:
    """Points of the curved boundaries of a plane domain, and the radius of curvature at each."""
    points, radii = [np.zeros((0, 2))], [np.zeros(0)]
    for _, shape in shapes_of(domain):
        for part in shape.parts:
            for arc in shape.arcs(part):
                at, normals = points_along(arc)
                if len(at) < 3:
                    continue
                turn = np.linalg.norm(np.diff(normals, axis=0), axis=1)
                step = np.linalg.norm(np.diff(at, axis=0), axis=1)
                points.append(0.5 * (at[1:] + at[:-1]))
                radii.append(step / np.maximum(turn, np.finfo(float).tiny))
    return np.concatenate(points), np.concatenate(radii)
