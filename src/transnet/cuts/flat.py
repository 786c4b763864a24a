"""Flat faces of bodies from box to box: what a grid cuts of the side of a box in space is a rectangle.

Its Gauss points lie the same way in every cell of the same size, so that cells at a side are alike. Sides of prisms,
and of what boxes leave of each other, are rectangles too, or flat faces of which every box has all or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import SHORTEST, Density
from transnet.geometry import Box, Domain, Interval
from transnet.geometry.csg import Combination
from transnet.geometry.domain import Surface
from transnet.geometry.pieces import BodyPiece
from transnet.geometry.product import Product
from transnet.measure.rules import gauss, tensor
from transnet.tolerances import SAME

Stretches = list[tuple[tuple[int, int], np.ndarray, np.ndarray, np.ndarray | None]]
"""The boxes on both sides, points, normals, and the weights of a quadrature rule if these are known."""
ON_ARC = (0.0, 0.31, 0.77, 1.0)
"""Places of an arc at which it is tested for being straight."""
TESTED = 6
"""Points along each side of a rectangle at which it is tested for belonging to a face."""


@dataclass(frozen=True, eq=False)
class FlatSide:
    """A flat face: the rectangle around it, its axis and the sign of its normal, and a test for the points on it."""

    bounds: np.ndarray
    axis: int
    outward: float
    kept: Callable[[np.ndarray], np.ndarray]

    @property
    def normal(self) -> np.ndarray:
        return self.outward * np.eye(3)[self.axis]


def rectangles(piece: BodyPiece, boxes: Boxes, density: Density, both: bool) -> Stretches | None:
    """What boxes cut of a piece of a surface, with Gauss points; None unless it is made of rectangles.

    Each has the numbers of the boxes before and behind it, the same one twice unless `both` are asked for.
    """
    sides = flat_sides_of(piece.shape, piece.part)
    if sides is None:
        return None
    found: Stretches = []
    for side in sides:
        for (a, b), start, stop in _shared(side, boxes, both):
            points = _placed(side, start, stop, [gauss(TESTED)[0]] * 2)
            normals = np.tile(side.normal, (len(points), 1))
            mine = side.kept(points)
            mine[mine] = np.isin(np.arange(mine.sum()), piece._passed(Surface(points[mine], normals[mine])))
            if mine.any() and not mine.all():
                return None
            if mine.all():
                count = round(np.sqrt(density.rim))
                low, high = _placed(side, start, stop, [np.array([0.0, 1.0])] * 2)[[0, -1]]
                others = [j for j in range(3) if j != side.axis]
                rules = [density.across(count, low, high, j) for j in others]
                points = _placed(side, start, stop, [nodes for nodes, _ in rules])
                normals = np.tile(-side.normal if piece.flip else side.normal, (len(points), 1))
                found.append(((a, b), points, normals, np.outer(rules[0][1], rules[1][1]).ravel()))
    return found


def _shared(side: FlatSide, boxes: Boxes, both: bool) -> Iterator[tuple[tuple[int, int], np.ndarray, np.ndarray]]:
    """The rectangles that pairs of boxes cut of a side, by their ends on the two other axes."""
    low, high = side.bounds
    others = [j for j in range(3) if j != side.axis]
    place, inwards = low[side.axis], -SAME * side.outward * np.ptp(boxes.bounds, axis=0)[side.axis]
    before = _at(boxes, side.axis, place + inwards, low, high, others)
    behind = _at(boxes, side.axis, place - inwards, low, high, others) if both else np.zeros(0, dtype=int)
    for a in before.tolist():
        for b in behind.tolist() if both else [a]:
            start = np.maximum(low, np.maximum(boxes.low[a], boxes.low[b]))[others]
            stop = np.minimum(high, np.minimum(boxes.high[a], boxes.high[b]))[others]
            if np.all(stop - start >= SHORTEST * np.minimum(boxes.widths[a], boxes.widths[b])[others]):
                yield (a, b), start, stop


def _placed(side: FlatSide, start: np.ndarray, stop: np.ndarray, nodes: list[np.ndarray]) -> np.ndarray:
    """Nodes of both directions, between 0 and 1, on a rectangle of a side."""
    unit = tensor(*((n[:, None], np.ones(len(n))) for n in nodes))[0]
    points = np.empty((len(unit), 3))
    others = [j for j in range(3) if j != side.axis]
    points[:, others], points[:, side.axis] = start + unit * (stop - start), side.bounds[0, side.axis]
    return points


def flat_sides_of(shape: Domain, part: str) -> list[FlatSide] | None:
    """The flat faces that a part of a boundary is made of; None if it has others."""
    if isinstance(shape, Box) and shape.dimension == 3:
        axis, end = shape._face(part)
        bounds = np.array(shape.bounds)
        bounds[:, axis] = bounds[end, axis]
        return [FlatSide(bounds, axis, 2.0 * end - 1.0, lambda points: np.ones(len(points), dtype=bool))]
    if isinstance(shape, Combination) and shape.dimension == 3:
        return _of_pieces(shape, part)
    if isinstance(shape, Product) and shape.dimension == 3:
        return _of_prism(shape, part)
    return None


def _of_pieces(shape: Combination, part: str) -> list[FlatSide] | None:
    found: list[FlatSide] = []
    for piece in shape._kept[part]:
        sides = flat_sides_of(piece.shape, piece.part) if isinstance(piece, BodyPiece) else None
        if sides is None or not isinstance(piece, BodyPiece):
            return None
        for side in sides:

            def kept(points: np.ndarray, side: FlatSide = side, piece: BodyPiece = piece) -> np.ndarray:
                mine = side.kept(points)
                normals = np.tile(side.normal, (int(mine.sum()), 1))
                mine[mine] = np.isin(np.arange(len(normals)), piece._passed(Surface(points[mine], normals)))
                return mine

            found.append(FlatSide(side.bounds, side.axis, -side.outward if piece.flip else side.outward, kept))
    return found


def _of_prism(shape: Product, part: str) -> list[FlatSide] | None:
    """The walls above the straight edges of the base along an axis, and the two ends."""
    found: list[FlatSide] = []
    for edge, rest in shape._pieces(part):
        plane, line = ([0, 1], 2) if shape.first.dimension == 2 else ([1, 2], 0)
        if edge.dimension == 2 and isinstance(rest, Interval):
            for arc in edge.arcs(part):
                points, normals = arc.at(arc.length * np.array(ON_ARC))
                flat = np.flatnonzero(np.abs(normals).max(axis=0) < SAME)
                if len(flat) != 1 or np.ptp(normals, axis=0).max() > SAME:
                    return None
                across = 1 - int(flat[0])
                bounds = np.empty((2, 3))
                bounds[:, plane], bounds[:, line] = np.sort(points[[0, -1]], axis=0), rest.bounds[:, 0]
                bounds[:, plane[across]] = points[0, across]
                outward = float(np.sign(normals[0, across]))
                found.append(FlatSide(bounds, plane[across], outward, lambda points: np.ones(len(points), dtype=bool)))
        elif isinstance(edge, Interval) and rest.dimension == 2:
            ends = edge._draw(part, 1, "grid", np.random.default_rng(0))
            for place, normal in zip(ends.points[:, 0], ends.normals[:, 0], strict=True):
                bounds = np.empty((2, 3))
                bounds[:, plane], bounds[:, line] = rest.bounds, place

                def inside(points: np.ndarray, rest: Domain = rest, plane: list[int] = plane) -> np.ndarray:
                    return rest._inside(points[:, plane], 0)

                found.append(FlatSide(bounds, line, float(np.sign(normal)), inside))
        else:
            return None
    return found


def _at(boxes: Boxes, axis: int, place: float, low: np.ndarray, high: np.ndarray, others: list[int]) -> np.ndarray:
    """The boxes with a place on an axis inside that reach over a rectangle."""
    here = (boxes.low[:, axis] < place) & (place < boxes.high[:, axis])
    over = (boxes.low[:, others] < high[others]) & (boxes.high[:, others] > low[others])
    return np.flatnonzero(here & over.all(axis=1))
