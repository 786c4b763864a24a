"""Integration over regions that are only known by their boundary and by what is inside.

A plane region is the sum of the thin triangles between its centre and its boundary. In space rays are sent out from a
point inside, the ends of their pieces inside are found by bisection, and each piece gets a Gauss rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from .rules import Rule, gauss, sphere
from .sampling import apportion

if TYPE_CHECKING:
    from .domain import Domain

PROBES = 192  # samples of a ray that look for its pieces inside; thinner pieces may be missed


def general(domain: Domain, n: int) -> Rule:
    """A rule with about n nodes for any domain: the best of those below."""
    match domain.dimension:
        case 1:
            return pieces(domain, n)
        case 2:
            return cone(domain, n)
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


def cone(domain: Domain, n: int) -> Rule:
    """The cone rule for a plane domain: segments from its centre c to the points q of its boundary, with normal m.

    integral of f = boundary integral of (q - c).m times the integral of f(c + r (q - c)) r dr over [0, 1], which is
    Green's theorem and holds for any c. Every arc is smooth, so Gauss rules along it and along the segments converge
    fast; where the region is not star-shaped, nodes outside of it cancel.
    """
    center = domain.bounds.mean(axis=0)
    radial = max(3, round(np.sqrt(n / 10)))
    arcs = [arc for part in domain.parts for arc in domain._arcs(part)]
    counts = apportion(max(round(n / radial), 4 * len(arcs)), [arc.length for arc in arcs])
    rim, across = [], []
    for arc, m in zip(arcs, np.maximum(counts, 4), strict=True):
        points, normals, weights = arc.quadrature(int(m))
        rim.append(points - center)
        across.append(weights * np.sum((points - center) * normals, axis=1))
    r, w = gauss(radial)
    nodes = center + r[:, None, None] * np.concatenate(rim)
    return nodes.reshape(-1, 2), np.outer(w * r, np.concatenate(across)).ravel()


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
