"""Which points are inside a closed surface of triangles, by counting the triangles above them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from transnet.counts import AT_ONCE
from transnet.tolerances import SAME

# A fixed turn in general position: no edge of a man-made body stands upright after it.
TURN, _ = np.linalg.qr(np.random.default_rng(7).standard_normal((3, 3)))
CELLS = 512  # the most columns along an axis that triangles are sorted into


class Columns:
    """Triangles (m, 3, 3) sorted into the columns of a grid, so that a point is compared only with those above and
    below it."""

    def __init__(self, corners: np.ndarray) -> None:
        self.corners = corners @ TURN
        self.cells = int(np.clip(np.sqrt(len(corners)), 1, CELLS))
        flat = self.corners[:, :, :2]
        self.low, self.high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))

    def _cell(self, points: np.ndarray) -> np.ndarray:
        return np.clip(((points - self.low) / (self.high - self.low) * self.cells).astype(int), 0, self.cells - 1)

    @cached_property
    def _lists(self) -> tuple[np.ndarray, np.ndarray]:
        """Triangles of all columns one after the other, and where each column's start."""
        flat = self.corners[:, :, :2]
        room = SAME * (self.high - self.low)
        first, last = self._cell(flat.min(axis=1) - room), self._cell(flat.max(axis=1) + room)
        wide, deep = (last - first + 1).T
        count = wide * deep
        triangle = np.repeat(np.arange(len(flat)), count)
        k = np.arange(len(triangle)) - np.repeat(np.cumsum(count) - count, count)
        i, j = first[triangle, 0] + k // deep[triangle], first[triangle, 1] + k % deep[triangle]
        column = i * self.cells + j
        order = np.argsort(column, kind="stable")
        starts = np.searchsorted(column[order], np.arange(self.cells**2 + 1))
        return triangle[order], starts

    def locate(self, points: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
        """Which points are inside (an odd number of triangles above them), and which are on the surface."""
        inside, on = np.zeros(len(points), bool), np.zeros(len(points), bool)
        turned = points @ TURN
        close = np.all((turned[:, :2] >= self.low - tolerance) & (turned[:, :2] <= self.high + tolerance), axis=1)
        candidates = np.nonzero(close)[0]
        triangles, starts = self._lists
        cell = self._cell(turned[candidates, :2]) @ [self.cells, 1]
        count = starts[cell + 1] - starts[cell]
        block = np.cumsum(count) // AT_ONCE
        for b in np.unique(block):
            mine = block == b
            who, number, begin = candidates[mine], count[mine], starts[cell[mine]]
            pair = np.repeat(np.arange(len(who)), number)
            k = np.arange(len(pair)) - np.repeat(np.cumsum(number) - number, number) + begin[pair]
            hit, near, height, level = self._meet(turned[who][pair], triangles[k])
            above = np.bincount(pair[hit & (height > 0)], minlength=len(who))
            inside[who] = above % 2 == 1
            touching = near & (np.abs(height) * level <= tolerance)
            on[who] = np.bincount(pair[touching], minlength=len(who)) > 0
        return inside, on

    def _meet(self, points: np.ndarray, triangles: np.ndarray) -> tuple[np.ndarray, ...]:
        """Whether a triangle is above or below a point, or nearly, how far above, and how level it is (cosine)."""
        a, b, c = np.swapaxes(self.corners[triangles], 0, 1)
        u, v, w = b - a, c - a, points - a
        normal = np.cross(u, v)
        area = np.where(normal[:, 2] == 0, np.nan, normal[:, 2])
        s = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / area
        t = (u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / area
        lowest = np.minimum(np.minimum(s, t), 1 - s - t)
        height = s * u[:, 2] + t * v[:, 2] - w[:, 2]
        level = np.abs(normal[:, 2]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
        return lowest >= 0, lowest >= -SAME, height, level
