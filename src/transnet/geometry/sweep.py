"""Integration over regions that are only known by their boundary and by what is inside.

The region is swept by lines (plane) or rays (space), the ends of the pieces inside are found by bisection, and each
piece gets a Gauss rule: all nodes are inside and all weights positive.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .arcs import Arc
from .rules import Rule, gauss, sphere, tolerance

if TYPE_CHECKING:
    from .domain import Domain

PROBES = 192  # samples of a ray that look for its pieces inside; thinner pieces may be missed


def general(domain: Domain, n: int) -> Rule:
    """A rule with about n nodes for any domain: the best of those below."""
    match domain.dimension:
        case 1:
            return pieces(domain, n)
        case 2:
            return lines(domain, n)
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


def lines(domain: Domain, n: int) -> Rule:
    """Vertical lines across a plane region, spectrally accurate between the places where their number changes.

    Between two neighbouring x of corners and vertical tangents the ends of the pieces are smooth functions of x but
    for a square root at tangents, which x = mid - half cos(theta) removes.
    """
    branches = _branches(domain)
    breaks = np.sort(np.concatenate([[b.left, b.right] for b in branches]))
    breaks = breaks[np.concatenate([[True], np.diff(breaks) > 8 * tolerance(domain.bounds)])]
    widths = np.diff(breaks)
    counts = np.maximum(4, np.round(np.sqrt(n * widths / widths.sum() / len(widths)))).astype(int)
    t, w = (np.concatenate(parts) for parts in zip(*(gauss(m) for m in counts), strict=True))
    left, width = np.repeat(breaks[:-1], counts), np.repeat(widths, counts)
    x = left + width * np.sin(np.pi * t / 2) ** 2
    across = width / 2 * np.pi * w * np.sin(np.pi * t)
    met = [b.cross(x) for b in branches]
    line = np.concatenate([np.nonzero(~np.isnan(y))[0] for y in met])
    ends = np.concatenate([y[~np.isnan(y)] for y in met])
    paired = np.bincount(line, minlength=len(x))[line] % 2 == 0  # odd only in a slab as thin as rounding
    order = np.lexsort((ends[paired], line[paired]))
    line, ends = line[paired][order][::2], ends[paired][order]
    bottom, height = ends[::2], ends[1::2] - ends[::2]
    t, w = gauss(max(3, round(n / max(len(line), 1))))
    nodes = np.stack([np.repeat(x[line], len(t)), (bottom[:, None] + np.outer(height, t)).ravel()], axis=-1)
    return nodes, np.outer(across[line] * height, w).ravel()


def rays(domain: Domain, m: int, radial: int) -> Rule:
    """2 m^2 rays from a point inside a region in space: spectrally accurate if every ray leaves it once."""
    inner = domain.interior(256)
    center = inner[np.argmin(np.linalg.norm(inner - inner.mean(axis=0), axis=1))]
    reach = 1.01 * float(np.max(np.linalg.norm(domain.bounds - center, axis=1)) + np.ptp(domain.bounds))
    directions, around = sphere(3, m)

    def inside(ray: np.ndarray, r: np.ndarray) -> np.ndarray:
        return domain._inside(center + reach * r[:, None] * directions[ray], 0)

    ray, ends = _crossings(inside, len(directions))
    ray, a, b = ray[::2], reach * ends[::2], reach * ends[1::2]
    t, w = gauss(radial)
    r = a[:, None] + np.outer(b - a, t)
    nodes = center + r[:, :, None] * directions[ray][:, None, :]
    return nodes.reshape(-1, 3), ((around[ray] * (b - a))[:, None] * w * r**2).ravel()


def bisect(test: Callable[[np.ndarray], np.ndarray], yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    """Where a yes/no test changes between `yes` and `no`, to machine precision."""
    for _ in range(52):
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


@dataclass(frozen=True)
class Branch:
    """A stretch of an arc, from arc length `start` (where x = left) to `stop` (x = right), along which x grows."""

    arc: Arc
    start: float
    stop: float
    left: float
    right: float

    def cross(self, x: np.ndarray) -> np.ndarray:
        """The height y at which the branch meets each vertical line; NaN where it does not."""
        y = np.full(len(x), np.nan)
        hit = (x > self.left) & (x < self.right)
        if hit.any():
            before, after = np.full(hit.sum(), self.start), np.full(hit.sum(), self.stop)
            y[hit] = self.arc.at(bisect(lambda s: self.arc.at(s)[0][:, 0] < x[hit], before, after))[0][:, 1]
        return y


def _branches(domain: Domain) -> list[Branch]:
    """The boundary of a plane domain, cut at vertical tangents; vertical sides left out."""
    found = []
    for arc in (arc for part in domain.parts for arc in domain._arcs(part)):
        s = np.linspace(0, arc.length, 512)
        normals = arc.at(s)[1]
        up = normals[:, 1] > 0
        turns = np.nonzero((up[1:] != up[:-1]) & (np.abs(normals[1:, 1]) + np.abs(normals[:-1, 1]) > 1e-9))[0]
        first, last = s[turns], s[turns + 1]
        cuts = bisect(
            lambda q, arc=arc: arc.at(q)[1][:, 1] > 0,  # type: ignore[misc]
            np.where(up[turns], first, last),
            np.where(up[turns], last, first),
        )
        ends = np.concatenate([[0.0], cuts, [arc.length]])
        x = arc.at(ends)[0][:, 0]
        for i in range(len(ends) - 1):
            a, b = (i, i + 1) if x[i] < x[i + 1] else (i + 1, i)
            if x[b] - x[a] > 8 * tolerance(domain.bounds):
                found.append(Branch(arc, ends[a], ends[b], x[a], x[b]))
    return found
