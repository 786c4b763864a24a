"""A plane region cut at the heights where its boundary turns or ends: bands side by side, for integrals over it.

Between two such heights every piece of the boundary is crossed once at most. All pieces are kept in one table, so that
a plate with a hundred holes, which is thousands of bands, is handled by a few array operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb
from typing import TYPE_CHECKING, Protocol

import numpy as np

from transnet.counts import NEWTON
from transnet.measure.narrowing import bisect
from transnet.measure.rules import Rule, gauss, tolerance
from transnet.tolerances import ROUNDED

from ..errors import GeometryError

if TYPE_CHECKING:
    from transnet.measure.arcs import Arc

SAMPLES = (
    1025  # pieces of a curved arc, on each of which its height turns at most once and polynomials are exact to rounding
)
STENCIL = 8  # samples of an interpolating polynomial; a straight arc has no more than these
SIGNS = np.array([(-1.0) ** k * comb(STENCIL - 1, k) for k in range(STENCIL)])  # barycentric weights of even nodes
DEEPEST = 8  # how often a band is halved


class BoundedArcs(Protocol):
    """What is asked of a plane domain."""

    @property
    def bounds(self) -> np.ndarray: ...
    @property
    def parts(self) -> tuple[str, ...]: ...
    def arcs(self, part: str) -> tuple[Arc, ...]: ...
    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class Rim:
    """The arcs of a boundary by samples at even steps, all in one table; piece k is between two places of an arc.

    Attributes
    ----------
    table : (n, 4) array
        Points and unit tangents of all arcs one after the other.
    first : (k,) array of int
        Where the samples of a piece's arc begin; `count` is their number.
    step : (k,) array
        The arc length between two of them.
    lower, upper : (k,) arrays
        The lower and the upper end of a piece in numbers of samples.
    heights : (k, 2) array
        The heights of the ends.
    """

    table: np.ndarray
    first: np.ndarray
    count: np.ndarray
    step: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    heights: np.ndarray

    @classmethod
    def of(cls, arcs: Sequence[Arc]) -> Rim:
        """The pieces of arcs on which the height rises or falls; level ones bound nothing sideways."""
        rows, pieces, begin = [], [], 0
        for arc in arcs:
            samples = _samples(arc)
            rows.append(samples)
            for turn, after in pairwise(_turns(samples)):
                pieces.append((begin, len(samples), arc.length / (len(samples) - 1), turn, after))
            begin += len(samples)
        first, count, step, start, stop = (np.array(column) for column in zip(*pieces, strict=True))
        rim = cls(np.concatenate(rows), first, count, step, start, stop, np.zeros((len(first), 2)))
        every = np.arange(len(first))
        low, high = rim._at(every, start)[:, 1], rim._at(every, stop)[:, 1]
        rises = np.abs(high - low) > ROUNDED * step * (count - 1)
        lower, upper = np.where(low < high, start, stop), np.where(low < high, stop, start)
        heights = np.sort(np.stack([low, high], axis=-1), axis=1)
        return cls(rim.table, *(column[rises] for column in (first, count, step, lower, upper, heights)))

    def across(self, piece: np.ndarray, heights: np.ndarray) -> np.ndarray:
        """Where pieces are at given heights: bisection among the samples, then Newton's method between two of them."""
        yes, no = self.lower[piece], self.upper[piece]
        for _ in range(int(np.ceil(np.log2(SAMPLES)))):
            middle = np.round((yes + no) / 2)
            inner = (middle > np.minimum(yes, no)) & (middle < np.maximum(yes, no))
            below = self.table[self.first[piece] + np.where(inner, middle, 0).astype(int), 1] <= heights
            yes, no = np.where(inner & below, middle, yes), np.where(inner & ~below, middle, no)
        low, high = np.minimum(yes, no), np.maximum(yes, no)
        place = (yes + no) / 2
        for _ in range(NEWTON):
            values = self._at(piece, place)
            slope = values[:, 3] * self.step[piece]
            slope[slope == 0] = np.inf
            place = np.clip(place - (values[:, 1] - heights) / slope, low, high)
        return self._at(piece, place)[:, 0]

    def _at(self, piece: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Points and tangents (n, 4) between the samples, by the polynomial through those around."""
        base = np.clip(np.floor(place) - STENCIL // 2 + 1, 0, self.count[piece] - STENCIL).astype(int)
        around = (self.first[piece] + base)[:, None] + np.arange(STENCIL)
        away = (place - base)[:, None] - np.arange(STENCIL)
        exact = away == 0
        weights = SIGNS / np.where(exact, 1.0, away)
        hit = exact.any(axis=1)
        weights[hit] = exact[hit]
        weights /= weights.sum(axis=1, keepdims=True)
        return np.einsum("nk,nkc->nc", weights, self.table[around])


def _samples(arc: Arc) -> np.ndarray:
    """Points and tangents (n, 4) of an arc at even steps."""
    _, normals = arc.at(arc.length * np.linspace(0.0, 1.0, STENCIL + 1))
    straight = bool(np.abs(normals - normals[0]).max() < ROUNDED)
    points, normals = arc.at(np.linspace(0.0, arc.length, STENCIL if straight else SAMPLES))
    tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
    middle = len(points) // 2
    forward = (points[middle] - points[middle - 1]) @ tangents[middle] > 0
    return np.hstack([points, tangents if forward else -tangents])


def _same_sign(f: Callable[[np.ndarray], np.ndarray], value: float) -> Callable[[np.ndarray], np.ndarray]:
    return lambda s: f(s) * value > 0


def _turns(samples: np.ndarray) -> list[float]:
    """Where the height of an arc turns, in numbers of samples, with its ends."""
    aside = samples[:, 3]
    found = []
    for k in np.flatnonzero(aside[1:] * aside[:-1] < 0):
        base = int(np.clip(k - STENCIL // 2 + 1, 0, len(samples) - STENCIL))
        slopes = np.polynomial.Polynomial.fit(np.arange(STENCIL), aside[base : base + STENCIL], STENCIL - 1)
        found.append(
            base + float(bisect(_same_sign(slopes, aside[k]), np.array([k - base]), np.array([k - base + 1.0]))[0])
        )
    return [0.0, *found, len(samples) - 1.0]


@dataclass(frozen=True, eq=False)
class Bands:
    """The regions between heights and two pieces of the boundary, band by band."""

    rim: Rim
    low: np.ndarray
    high: np.ndarray
    left: np.ndarray
    right: np.ndarray

    def __len__(self) -> int:
        return len(self.low)

    @classmethod
    def of(cls, domain: BoundedArcs) -> Bands:
        """The bands that make up a plane domain."""
        rim = Rim.of([arc for part in domain.parts for arc in domain.arcs(part)])
        levels = np.sort(rim.heights.ravel())
        levels = levels[np.diff(levels, prepend=-np.inf) > tolerance(domain.bounds)]
        middles = (levels[1:] + levels[:-1]) / 2
        # Which pieces cross which strip: runs of levels, from the first above the lower end of a piece.
        start, stop = np.searchsorted(middles, rim.heights[:, 0], "right"), np.searchsorted(middles, rim.heights[:, 1])
        number = np.maximum(stop - start, 0)
        piece = np.repeat(np.arange(len(start)), number)
        strip = np.arange(len(piece)) - np.repeat(np.cumsum(number) - number, number) + start[piece]
        order = np.lexsort((rim.across(piece, middles[strip]), strip))
        piece, strip = piece[order], strip[order]
        if len(piece) % 2 or np.any(strip[::2] != strip[1::2]):
            raise GeometryError(
                f"The boundary of {domain} does not close: it is crossed an odd number of times at some height. "
                "Shapes that touch in a point, or a curve that crosses itself, do that: move or shrink one a little."
            )
        strip = strip[::2]
        return cls(rim, levels[strip], levels[strip + 1], piece[::2], piece[1::2])

    def edges(self, band: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The heights at s (k, m) in [0, 1] of bands (k,), where the left and the right edge are, and d(height) / ds.

        Where an arc turns, the width of a band behaves like the root of the distance in height: with height
        ~ (1 - cos(pi s)) / 2 it is smooth in s.
        """
        low, size = self.low[band, None], (self.high - self.low)[band, None]
        heights = low + size * (1 - np.cos(np.pi * s)) / 2
        slope = size * np.pi / 2 * np.sin(np.pi * s)
        pieces = np.repeat(np.stack([self.left[band], self.right[band]]), s.shape[1], axis=1)
        sides = self.rim.across(pieces.ravel(), np.tile(heights.ravel(), 2)).reshape(2, *s.shape)
        return heights, sides[0], sides[1], slope

    def panels(self, m: int, enough: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Bands and stretches of s, halved until a rule with m nodes integrates the area of each."""
        t, w = gauss(m)
        band, start, stop = np.arange(len(self)), np.zeros(len(self)), np.ones(len(self))
        found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for depth in range(DEEPEST + 1):
            length = (stop - start)[:, None]
            whole = start[:, None] + length * t
            halves = np.hstack([start[:, None] + length * t / 2, start[:, None] + length * (1 + t) / 2])
            _, left, right, slope = self.edges(band, np.hstack([whole, halves]))
            width = slope * (right - left) * length
            split = np.abs(width[:, :m] @ w - width[:, m:] @ np.tile(w, 2) / 2) > enough
            if depth == DEEPEST:
                split[:] = False
            found.append((band[~split], start[~split], stop[~split]))
            band, start, stop = band[split], start[split], stop[split]
            if len(band) == 0:
                break
            middle = (start + stop) / 2
            band, start, stop = np.tile(band, 2), np.append(start, middle), np.append(middle, stop)
        columns = [np.concatenate(column) for column in zip(*found, strict=True)]
        order = np.lexsort((columns[1], columns[0]))
        return columns[0][order], columns[1][order], columns[2][order]

    def rule(self, m: int, enough: float) -> Rule:
        """Gauss rules with m by m nodes on every panel."""
        band, start, stop = self.panels(m, enough)
        t, w = gauss(m)
        length = (stop - start)[:, None]
        heights, left, right, slope = self.edges(band, start[:, None] + length * t)
        across = left[:, :, None] + (right - left)[:, :, None] * t
        nodes = np.stack([across, np.broadcast_to(heights[:, :, None], across.shape)], axis=-1).reshape(-1, 2)
        return nodes, ((slope * length * w * (right - left))[:, :, None] * w).ravel()


def resolved(domain: BoundedArcs) -> float:
    """The area that may be missing from a band."""
    return ROUNDED * float(np.prod(np.ptp(domain.bounds, axis=0)))
