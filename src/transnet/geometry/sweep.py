"""Integration over regions that are only known by their boundary and by what is inside.

A plane region is cut into strips in which no arc of its boundary turns. In space rays are sent out from a
point inside, the ends of their pieces inside are found by bisection, and each piece gets a Gauss rule.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from .rules import Rule, gauss, sphere, tolerance

if TYPE_CHECKING:
    from scipy.interpolate import BSpline

    from .arcs import Arc
    from .domain import Domain

SAMPLES = 1025  # of an arc, between which its height turns once at most; a spline through them is exact to rounding
RESOLVED = 1e-12  # the error of a band, as a part of the box around the region
PROBES = 192  # samples of a ray that look for its pieces inside; thinner pieces may be missed


def general(domain: Domain, n: int) -> Rule:
    """A rule with about n nodes for any domain: the best of those below."""
    match domain.dimension:
        case 1:
            return pieces(domain, n)
        case 2:
            return strips(domain, n)
        case 3:
            m = max(2, round((n / 2) ** (1 / 3)))
            return rays(domain, m, m)
    points = domain.interior(n)
    return points, np.full(n, domain.volume / n)


def spans(domain: Domain) -> np.ndarray:
    """The intervals (k, 2) that make up a domain with one coordinate."""
    ends = np.sort(domain.boundary().points[:, 0])
    pairs = np.stack([ends[:-1], ends[1:]], axis=-1)
    return pairs[domain._inside(pairs.mean(axis=1)[:, None], 0)]


def pieces(domain: Domain, n: int) -> Rule:
    """Gauss rules on the intervals of a domain with one coordinate."""
    intervals = spans(domain)
    x, w = gauss(max(2, round(n / len(intervals))))
    lengths = np.diff(intervals, axis=1)
    return (intervals[:, :1] + lengths * x).reshape(-1, 1), (lengths * w).ravel()


def strips(domain: Domain, n: int) -> Rule:
    """The rule in strips for a plane domain: all nodes lie inside and all weights are positive.

    Between two heights at which an arc of the boundary ends or turns, every arc is crossed once at most, so the region
    is a few bands side by side, with Gauss rules across. Where an arc turns, the width of a band behaves like the root
    of the distance in height: with height ~ (1 - cos(pi s)) / 2 it is smooth in s. Along s there are as many panels as
    the width needs.
    """
    bands = bands_of(domain)
    m = max(6, round(np.sqrt(n / len(bands))))
    enough = resolved(domain)
    parts = [rule for band in bands for _, _, rule in band.panels(m, 0.0, 1.0, enough)]
    return np.concatenate([nodes for nodes, _ in parts]), np.concatenate([weights for _, weights in parts])


def resolved(domain: Domain) -> float:
    """The area that may be missing from a band."""
    return RESOLVED * float(np.prod(np.ptp(domain.bounds, axis=0)))


def bands_of(domain: Domain) -> list[Band]:
    """The bands that make up a plane domain."""
    rising = [piece for part in domain.parts for arc in domain._arcs(part) for piece in _rising(arc)]
    close = tolerance(domain.bounds)
    levels = np.sort(np.concatenate([piece.heights for piece in rising]))
    levels = levels[np.diff(levels, prepend=-np.inf) > close]
    bands = []
    for low, high in pairwise(levels):
        middle = (low + high) / 2
        crossed = [piece for piece in rising if piece.heights[0] < middle < piece.heights[1]]
        crossed.sort(key=lambda piece: float(piece.across(np.array([middle]))[0]))
        bands += [Band(low, high, left, right) for left, right in zip(crossed[::2], crossed[1::2], strict=True)]
    return bands


@dataclass(frozen=True, eq=False)
class _Piece:
    """A piece of an arc between two arc lengths, from its lower end to its upper end, and the heights of these."""

    place: BSpline
    slope: BSpline
    ends: tuple[float, float]
    heights: np.ndarray

    def across(self, heights: np.ndarray) -> np.ndarray:
        """Where it is at given heights: bisection, then Newton's method."""
        lower, upper = (np.full(len(heights), end) for end in self.ends)
        s = bisect(lambda s: self.place(s)[:, 1] <= heights, lower, upper, 10)
        reach = abs(self.ends[1] - self.ends[0]) / 1024
        low, high = np.maximum(s - reach, min(self.ends)), np.minimum(s + reach, max(self.ends))
        for _ in range(6):
            slope = self.slope(s)[:, 1]
            slope[slope == 0] = np.inf
            s = np.clip(s - (self.place(s)[:, 1] - heights) / slope, low, high)
        return self.place(s)[:, 0]


@dataclass(frozen=True, eq=False)
class Band:
    """What lies between two heights and two pieces of the boundary."""

    low: float
    high: float
    left: _Piece
    right: _Piece

    def panels(
        self, m: int, start: float, stop: float, enough: float, depth: int = 8
    ) -> list[tuple[float, float, Rule]]:
        """Panels of s and Gauss rules with m by m nodes for them, halved until the area of the band is resolved."""
        whole = self.rule(m, start, stop)
        middle = (start + stop) / 2
        halves = [self.rule(m, start, middle), self.rule(m, middle, stop)]
        if depth == 0 or abs(whole[1].sum() - halves[0][1].sum() - halves[1][1].sum()) <= enough:
            return [(start, stop, whole)]
        return self.panels(m, start, middle, enough, depth - 1) + self.panels(m, middle, stop, enough, depth - 1)

    def rule(self, m: int, start: float, stop: float) -> Rule:
        """One panel."""
        t, w = gauss(m)
        heights, left, right, slope = self.edges(start + (stop - start) * t)
        across = left[:, None] + np.outer(right - left, t)
        nodes = np.stack([across, np.broadcast_to(heights[:, None], across.shape)], axis=-1).reshape(-1, 2)
        return nodes, np.outer(slope * (stop - start) * w * (right - left), w).ravel()

    def edges(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The heights at s in [0, 1], where its left and its right edge are there, and d(height) / ds."""
        heights = self.low + (self.high - self.low) * (1 - np.cos(np.pi * s)) / 2
        slope = (self.high - self.low) * np.pi / 2 * np.sin(np.pi * s)
        return heights, self.left.across(heights), self.right.across(heights), slope


def _rising(arc: Arc) -> list[_Piece]:
    """The pieces of an arc on which the height rises or falls; level ones bound nothing from the side."""
    from scipy.interpolate import make_interp_spline  # slow to import, and needed here only

    s = np.linspace(0.0, arc.length, SAMPLES)
    place = make_interp_spline(s, arc.at(s)[0], k=7)
    slope = place.derivative()
    aside = slope(s)[:, 1]
    k = np.flatnonzero(aside[1:] * aside[:-1] < 0)
    turns = bisect(lambda r: slope(r)[:, 1] * aside[k] > 0, s[k], s[k + 1])
    pieces = []
    for start, stop in pairwise([0.0, *turns, arc.length]):
        low, high = place([start, stop])[:, 1]
        if abs(high - low) > 1e-12 * arc.length:
            ends = (start, stop) if low < high else (stop, start)
            pieces.append(_Piece(place, slope, ends, np.sort([low, high])))
    return pieces


def rays(domain: Domain, m: int, radial: int) -> Rule:
    """2 m rays (in space 2 m^2) from a point inside: spectrally accurate if every ray leaves the region once."""
    d = domain.dimension
    center = middle(domain)
    reach = 1.01 * float(np.max(np.linalg.norm(domain.bounds - center, axis=1)) + np.ptp(domain.bounds))
    directions, around = sphere(d, m)

    def inside(ray: np.ndarray, r: np.ndarray) -> np.ndarray:
        return domain._inside(center + reach * r[:, None] * directions[ray], 0)

    ray, ends = _crossings(inside, len(directions))
    ray, a, b = ray[::2], reach * ends[::2], reach * ends[1::2]
    t, w = gauss(radial)
    r = a[:, None] + np.outer(b - a, t)
    nodes = center + r[:, :, None] * directions[ray][:, None, :]
    return nodes.reshape(-1, d), ((around[ray] * (b - a))[:, None] * w * r ** (d - 1)).ravel()


def middle(domain: Domain) -> np.ndarray:
    """A point inside, the mean of all points where that is inside."""
    inner = domain.interior(512)
    mean = inner.mean(axis=0)
    return mean if domain._inside(mean[None], -1)[0] else inner[np.argmin(np.linalg.norm(inner - mean, axis=1))]


def bisect(test: Callable[[np.ndarray], np.ndarray], yes: np.ndarray, no: np.ndarray, halvings: int = 52) -> np.ndarray:
    """Where a yes/no test changes between `yes` and `no`; 52 halvings are machine precision."""
    if len(yes) == 0:
        return yes
    for _ in range(halvings):
        middle = (yes + no) / 2
        holds = test(middle)
        yes, no = np.where(holds, middle, yes), np.where(holds, no, middle)
    return (yes + no) / 2


def _crossings(inside: Callable[[np.ndarray, np.ndarray], np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Which ray and where in [0, 1], sorted: the ends of the pieces inside, two a piece; rays start inside."""
    u = np.linspace(0, 1, PROBES)
    mask = inside(np.repeat(np.arange(count), PROBES), np.tile(u, count)).reshape(count, PROBES)
    mask[:, 0], mask[:, -1] = True, False
    ray, k = np.nonzero(mask[:, 1:] != mask[:, :-1])
    enters = mask[ray, k + 1]
    where = bisect(lambda s: inside(ray, s), np.where(enters, u[k + 1], u[k]), np.where(enters, u[k], u[k + 1]))
    ray, where = np.concatenate([np.arange(count), ray]), np.concatenate([np.zeros(count), where])
    order = np.lexsort((where, ray))
    return ray[order], where[order]
