"""Integration over regions that are known only by their boundary and by what is inside.

A plane region is cut into strips in which no arc of its boundary turns. In space rays are sent out from a
point inside, the ends of their pieces inside are found by bisection, and each piece gets a Gauss rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from transnet.measure.bands import Bands, resolved
from transnet.measure.narrowing import bisect
from transnet.measure.rules import Rule, gauss, sphere_rule

if TYPE_CHECKING:
    from .domain import Domain

PROBES = 192  # samples of a ray between which its pieces inside are found; thinner pieces may be missed
FEWEST = 6  # nodes across a band, however many bands there are: a Gauss rule of order 12
OUT = 1.01  # a ray is longer than the domain by this factor, so that its end is outside
INSIDE = 512  # points whose mean is the middle of a domain


def general(domain: Domain, n: int) -> Rule:
    """A rule with about n nodes for any domain: the best of those below."""
    match domain.dimension:
        case 1:
            return pieces(domain, n)
        case 2 if any(domain.arcs(part) for part in domain.parts):
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
    is a few bands side by side, with Gauss rules across. Along them there are as many panels as the width needs.
    """
    bands = Bands.of(domain)
    return bands.rule(max(FEWEST, round(np.sqrt(n / len(bands)))), resolved(domain))


def rays(domain: Domain, m: int, radial: int) -> Rule:
    """2 m rays (in space 2 m^2) from a point inside: spectrally accurate if every ray leaves the region once."""
    d = domain.dimension
    center = middle(domain)
    reach = OUT * float(np.max(np.linalg.norm(domain.bounds - center, axis=1)) + np.ptp(domain.bounds))
    directions, around = sphere_rule(d, m)

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
    inner = domain.interior(INSIDE)
    mean = inner.mean(axis=0)
    return mean if domain._inside(mean[None], -1)[0] else inner[np.argmin(np.linalg.norm(inner - mean, axis=1))]


def _crossings(inside: Callable[[np.ndarray, np.ndarray], np.ndarray], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Which ray and where in [0, 1], sorted: the ends of the pieces inside, two per piece; rays start inside."""
    u = np.linspace(0, 1, PROBES)
    mask = inside(np.repeat(np.arange(count), PROBES), np.tile(u, count)).reshape(count, PROBES)
    mask[:, 0], mask[:, -1] = True, False
    ray, k = np.nonzero(mask[:, 1:] != mask[:, :-1])
    enters = mask[ray, k + 1]
    where = bisect(lambda s: inside(ray, s), np.where(enters, u[k + 1], u[k]), np.where(enters, u[k], u[k + 1]))
    ray, where = np.concatenate([np.arange(count), ray]), np.concatenate([np.zeros(count), where])
    order = np.lexsort((where, ray))
    return ray[order], where[order]
