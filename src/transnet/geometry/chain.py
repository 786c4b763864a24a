"""Which points are inside a chain of shapes, a - b | c & ..., in a time that is linear in their number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from transnet.tolerances import SAME

if TYPE_CHECKING:
    from .domain import Domain

ROOM = 0.01
"""The margin of a box on each side, as a part of its size: bounds that were sampled are a little too small."""
SHORT, QUICK = 3, 4096
"""Shapes and points up to which all shapes are evaluated at all points."""
ENDS: tuple[tuple[int, Literal["left", "right"]], ...] = ((0, "left"), (1, "right"))
"""The two sides of a box, and how a point on them is found in a sorted list, as inside."""
AT_ONCE = 1024
"""Boxes that are compared with all others at once, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class Chain:
    """Shapes that are joined from left to right, each by its operation, with boxes (n, 2, d) around them.

    The first operation is "|": the chain starts from the empty set, or from everything if it is `full`. A shape is only
    evaluated at points in its box, so that holes far from the points cost next to nothing.
    """

    ops: tuple[str, ...]
    shapes: tuple[Domain, ...]
    boxes: np.ndarray
    full: bool = False

    @classmethod
    def of(cls, shape: Domain) -> Chain:
        """A shape as a chain; a combination has more than one link."""
        own = getattr(shape, "_chain", None)
        return own if own is not None else cls(("|",), (shape,), roomy(shape.bounds)[None])

    def joined(self, op: str, second: Domain, hull: np.ndarray) -> Chain:
        """Append a shape; a - (b | c) is a - b - c, and so are similar laws, which keeps chains flat."""
        more = Chain.of(second)
        if len(set(more.ops[1:]) | {"&" if op == "&" else "|"}) > 1:
            more = Chain(("|",), (second,), roomy(hull)[None])
        boxes = np.concatenate([self.boxes, more.boxes])
        return Chain(self.ops + (op,) * len(more.ops), self.shapes + more.shapes, boxes)

    def inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        """Which points are inside when every shape is grown (sign 1) or shrunk (-1) so that the whole is."""
        result = np.full(len(points), self.full)
        if len(points) == 0 or not self.ops:
            return result
        if len(self.ops) <= SHORT and len(points) <= QUICK:
            return self._of_all(points, sign)
        met = meets(self.boxes, np.array([points.min(axis=0), points.max(axis=0)]))
        full, start = self._since(met)
        result[:] = full
        along = int(np.argmax(np.ptp(points, axis=0)))
        order = np.argsort(points[:, along])
        first, last = (np.searchsorted(points[order, along], self.boxes[:, k, along], side) for k, side in ENDS)
        for k in (start + np.flatnonzero(met[start:])).tolist():
            op, (low, high) = self.ops[k], self.boxes[k]
            near = order[first[k] : last[k]]
            # Points whose answer is already known are skipped.
            near = near[((points[near] >= low) & (points[near] <= high)).all(axis=1) & (result[near] == (op != "|"))]
            here = plain(self.shapes[k], points[near], -sign if op == "-" else sign) if len(near) else result[near]
            if op == "&":
                result[:] = False
            result[near] = ~here if op == "-" else here
        return result

    def close(self, boxes: np.ndarray, hull: np.ndarray) -> np.ndarray:
        """Which of the boxes (m, 2, d) meet one of a shape, and the hull of all: outside these is outside the chain."""
        found = meets(boxes, hull)
        found[found] = meet_any(boxes[found], self.boxes)
        return found

    def near(self, points: np.ndarray) -> Chain:
        """The chain for points among these: without the shapes that all of them are in, or none, on either side."""
        if len(self.ops) <= SHORT:
            return self
        met = meets(self.boxes, np.array([points.min(axis=0), points.max(axis=0)]))
        kept: list[int] = []
        full, start = self._since(met)
        for k in (start + np.flatnonzero(met[start:])).tolist():
            op, shape, (low, high) = self.ops[k], self.shapes[k], self.boxes[k]
            there = points[((points >= low) & (points <= high)).all(axis=1)]
            if len(there) == len(points) and plain(shape, points, -1).all():
                full, kept = (full, kept) if op == "&" else (op == "|", [])
            elif len(there) == 0 or not plain(shape, there, 1).any():
                full, kept = (False, []) if op == "&" else (full, kept)
            else:
                kept.append(k)
        ops, shapes = tuple(self.ops[k] for k in kept), tuple(self.shapes[k] for k in kept)
        return Chain(ops, shapes, self.boxes[kept], full)

    def _since(self, met: np.ndarray) -> tuple[bool, int]:
        """What holds before which shape: an intersection with one whose box is not `met` leaves nothing."""
        last = max((int(k) for k in np.flatnonzero(~met) if self.ops[k] == "&"), default=-1)
        return self.full and last < 0, last + 1

    def _of_all(self, points: np.ndarray, sign: int) -> np.ndarray:
        """The same without boxes, which would take longer than evaluating a few shapes."""
        result = np.full(len(points), self.full)
        for op, shape in zip(self.ops, self.shapes, strict=True):
            here = plain(shape, points, -sign if op == "-" else sign)
            result = result | here if op == "|" else result & (~here if op == "-" else here)
        return result


@dataclass(frozen=True, eq=False)
class Local:
    """A shape near some points, where a shorter chain says the same."""

    of: Domain
    chain: Chain


def plain(shape: Domain | Local, points: np.ndarray, sign: int) -> np.ndarray:
    """Whether points are inside a shape; for a combination without the check of seams, which the outermost one does."""
    if isinstance(shape, Local):
        return shape.chain.inside(points, sign)
    chain = getattr(shape, "_chain", None)
    return shape._inside(points, sign) if chain is None else chain.inside(points, sign)


def roomy(box: np.ndarray) -> np.ndarray:
    """A box with a margin on each side."""
    room = ROOM * (box[1] - box[0]) + SAME * np.max(np.abs(box), axis=0)
    return np.array([box[0] - room, box[1] + room])


def meets(boxes: np.ndarray, box: np.ndarray) -> np.ndarray:
    """Which of the boxes (n, 2, d) meet one (2, d)."""
    return np.all((boxes[:, 0] <= box[1]) & (boxes[:, 1] >= box[0]), axis=1)


def meet_any(boxes: np.ndarray, others: np.ndarray, room: np.ndarray | float = 0.0) -> np.ndarray:
    """Which of the boxes (m, 2, d) meet one of others (n, 2, d), or come as close as `room`."""
    found = np.zeros(len(boxes), bool)
    for k in range(0, len(boxes), AT_ONCE):
        low, high = boxes[k : k + AT_ONCE, 0, None] - room, boxes[k : k + AT_ONCE, 1, None] + room
        found[k : k + AT_ONCE] = np.all((others[:, 0] <= high) & (others[:, 1] >= low), axis=2).any(axis=1)
    return found
