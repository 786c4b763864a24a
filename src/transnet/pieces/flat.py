"""Flat faces of bodies from box to box: what a grid cuts of the side of a box in space is a rectangle.

Its Gauss points lie the same way in every cell of the same size, so that cells at a side are alike.
"""

from __future__ import annotations

import numpy as np

from transnet.geometry import Box, Domain
from transnet.geometry.csg import Combination
from transnet.geometry.domain import Surface
from transnet.geometry.pieces import BodyPiece
from transnet.geometry.rules import gauss, tensor
from transnet.pieces.boxes import Boxes
from transnet.pieces.cells import NUDGE, SHORTEST, Density

Stretches = list[tuple[tuple[int, int], np.ndarray, np.ndarray]]


def rectangles(piece: BodyPiece, boxes: Boxes, density: Density, both: bool) -> Stretches | None:
    """What boxes cut of a piece of a surface, with Gauss points; None unless it is made of rectangles.

    Each has the numbers of the boxes before and behind it, the same one twice unless `both` are asked for.
    """
    side = _side(piece.shape, piece.part)
    if side is None:
        return None
    (low, high), axis, outward = side
    others = [j for j in range(3) if j != axis]
    place, inwards = low[axis], -NUDGE * outward * np.ptp(boxes.bounds, axis=0)[axis]
    before = _at(boxes, axis, place + inwards, low, high, others)
    behind = _at(boxes, axis, place - inwards, low, high, others) if both else np.zeros(0, dtype=int)
    unit = tensor(*[(gauss(round(np.sqrt(density.rim)))[0][:, None], np.ones(round(np.sqrt(density.rim))))] * 2)[0]
    normal = np.zeros(3)
    normal[axis] = outward
    found: Stretches = []
    for a in before.tolist():
        for b in behind.tolist() if both else [a]:
            start = np.maximum(low, np.maximum(boxes.low[a], boxes.low[b]))[others]
            stop = np.minimum(high, np.minimum(boxes.high[a], boxes.high[b]))[others]
            if np.any(stop - start < SHORTEST * np.minimum(boxes.widths[a], boxes.widths[b])[others]):
                continue
            points = np.empty((len(unit), 3))
            points[:, others], points[:, axis] = start + unit * (stop - start), place
            normals = np.tile(normal, (len(unit), 1))
            kept = len(piece._passed(Surface(points, normals)))
            if 0 < kept < len(points):
                return None
            if kept:
                found.append(((a, b), points, -normals if piece.flip else normals))
    return found


def _side(shape: Domain, part: str) -> tuple[np.ndarray, int, float] | None:
    """The bounds of a rectangle that a part is, its axis and the sign of its normal; None if it is something else."""
    if isinstance(shape, Box) and shape.dimension == 3:
        axis, end = shape._face(part)
        bounds = np.array(shape.bounds)
        bounds[:, axis] = bounds[end, axis]
        return bounds, axis, 2.0 * end - 1.0
    if isinstance(shape, Combination) and shape.dimension == 3:
        kept = shape._kept[part]
        if len(kept) == 1 and isinstance(kept[0], BodyPiece) and not kept[0].tests:
            found = _side(kept[0].shape, kept[0].part)
            return found if found is None or not kept[0].flip else (found[0], found[1], -found[2])
    return None


def _at(boxes: Boxes, axis: int, place: float, low: np.ndarray, high: np.ndarray, others: list[int]) -> np.ndarray:
    """The boxes with a place on an axis inside that reach over a rectangle."""
    here = (boxes.low[:, axis] < place) & (place < boxes.high[:, axis])
    over = (boxes.low[:, others] < high[others]) & (boxes.high[:, others] > low[others])
    return np.flatnonzero(here & over.all(axis=1))
