"""Boxes that tile the box around a domain: a grid at first, then a tree, as boxes are cut in two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from transnet.tolerances import ROUNDED


@dataclass(frozen=True, eq=False)
class Contact:
    """Where two boxes touch: the face of `first` across `axis` at its upper end, from `low` to `high`.

    `shift` is the distance along the axis to that face of the second box, if the two are ends of a periodic domain.
    """

    first: int
    second: int
    axis: int
    low: np.ndarray
    high: np.ndarray
    shift: float = 0.0


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes from `low` to `high`, (m, d) each, that do not overlap and fill a box."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def grid(cls, bounds: np.ndarray, counts: Sequence[int]) -> Boxes:
        """A regular grid with this many boxes along each axis."""
        return cls.lattice([np.linspace(a, b, n + 1) for a, b, n in zip(*bounds, counts, strict=True)])

    @classmethod
    def lattice(cls, cuts: Sequence[np.ndarray]) -> Boxes:
        """All boxes between consecutive cuts of each axis."""
        corners = [
            np.stack([g.ravel() for g in np.meshgrid(*ends, indexing="ij")], axis=1)
            for ends in ([c[:-1] for c in cuts], [c[1:] for c in cuts])
        ]
        return cls(*corners)

    def __len__(self) -> int:
        return len(self.low)

    @cached_property
    def bounds(self) -> np.ndarray:
        """The box that they fill."""
        return np.array([self.low.min(axis=0), self.high.max(axis=0)])

    @cached_property
    def widths(self) -> np.ndarray:
        return self.high - self.low

    @cached_property
    def _table(self) -> tuple[list[np.ndarray], np.ndarray]:
        """The cuts of each axis, and which box each cell between them belongs to."""
        low, extent = self.bounds[0], np.ptp(self.bounds, axis=0)
        cuts, first, last = [], [], []
        for axis in range(self.low.shape[1]):
            ends = np.concatenate([self.low[:, axis], self.high[:, axis]])
            whole = np.round((ends - low[axis]) / extent[axis] / ROUNDED)
            _, where, which = np.unique(whole, return_index=True, return_inverse=True)
            cuts.append(ends[where])
            first.append(which[: len(self)])
            last.append(which[len(self) :])
        table = np.zeros([len(c) - 1 for c in cuts], dtype=np.int32)
        for k in range(len(self)):
            table[tuple(slice(a[k], b[k]) for a, b in zip(first, last, strict=True))] = k
        return cuts, table

    def locate(self, points: np.ndarray) -> np.ndarray:
        """The box that each point is in, or the nearest."""
        cuts, table = self._table
        cells = [
            np.clip(np.searchsorted(c, points[:, axis], side="right") - 1, 0, len(c) - 2) for axis, c in enumerate(cuts)
        ]
        return table[tuple(cells)].astype(int)

    def contacts(self, periodic: Sequence[int] = ()) -> list[Contact]:
        """All pairs of boxes that share a part of a face, including the first and the last ones along periodic axes."""
        found = []
        low, extent = self.bounds[0], np.ptp(self.bounds, axis=0)
        slack = ROUNDED * extent
        for axis in range(self.low.shape[1]):
            lower = np.round((self.low[:, axis] - low[axis]) / extent[axis] / ROUNDED)
            upper = np.round((self.high[:, axis] - low[axis]) / extent[axis] / ROUNDED)
            others = [j for j in range(self.low.shape[1]) if j != axis]
            starts: dict[float, list[int]] = {}
            for k, value in enumerate(lower):
                starts.setdefault(value, []).append(k)
            end = upper.max()
            if axis in periodic:
                starts[end] = starts[lower.min()]
            for a, value in enumerate(upper):
                near = np.array(starts.get(value, ()), dtype=int)
                if len(near) == 0:
                    continue
                bottom = np.maximum(self.low[near], self.low[a])
                top = np.minimum(self.high[near], self.high[a])
                for k in np.flatnonzero(np.all((top - bottom)[:, others] > slack[others], axis=1)).tolist():
                    b0, t0 = bottom[k].copy(), top[k].copy()
                    b0[axis] = t0[axis] = self.high[a, axis]
                    found.append(Contact(a, int(near[k]), axis, b0, t0, extent[axis] if value == end else 0.0))
        return found

    def cut(self, axes: Mapping[int, Sequence[int]]) -> Boxes:
        """The boxes named in `axes` halved along those axes, the others unchanged."""
        lows, highs = [], []
        for k in range(len(self)):
            along = axes.get(k, ())
            middle = 0.5 * (self.low[k] + self.high[k])
            for sides in product(*((0, 1) if j in along else (None,) for j in range(len(middle)))):
                low, high = self.low[k].copy(), self.high[k].copy()
                for j, side in enumerate(sides):
                    if side == 0:
                        high[j] = middle[j]
                    elif side == 1:
                        low[j] = middle[j]
                lows.append(low)
                highs.append(high)
        return Boxes(np.array(lows), np.array(highs))
