"""Where a function is largest: in a closed domain, and along an arc of its boundary."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from transnet.geometry.domain import Domain
from transnet.geometry.manifold import manifold_of
from transnet.lazy import spatial
from transnet.measure.arcs import Arc
from transnet.measure.narrowing import halved
from transnet.tolerances import BESIDE, SAME

INSIDE, AROUND, FINEST = 3_000, 1_500, 48_000
"""Points inside and on the boundary that are evaluated first, and the most inside."""
HILL = 40
"""Samples for each local maximum among them: with fewer, a maximum may hide between the samples of its neighbours."""
STARTS, NEIGHBOURS = 2_000, 3
"""The most local extrema among them from which the search starts, and how many neighbours per coordinate each is
compared with; what more of them may reach is an error of the result."""
MOVES, SMALLEST = 600, 1e-11
"""The most moves of a search, and its smallest step in units of the domain."""
LEFT, FADES = 8.0, 0.25
"""A search goes on while this many times what its last steps gained would make it the best; with each halving of the
step the gain of a smooth function falls to a quarter."""
DIRECTIONS = 10
"""Random directions that are tried besides the axes."""
COMPASS = 12
"""Samples whose middle shows the way into the domain."""
ROUNDING = 4e-16
EDGE = 4e-12
"""A point this far beside the edge, in units of the domain, may still be taken for one on it."""
ALONG = 1_025
"""Places of an arc that are evaluated first."""
LOOKS, PLACES = 14, 65
"""How often the stretch around the best of this many places of an arc is searched: each time narrows it by sixteen."""

Function = Callable[[np.ndarray], np.ndarray]
"""Values (n,) at points (n, d)."""


def largest(function: Function, domain: Domain) -> tuple[np.ndarray, float]:
    """Where a function is largest in a closed domain, and how much the last steps of the search still gained."""
    extent = np.ptp(domain.bounds, axis=0)
    corners = np.array(list(product(*domain.bounds.T)))
    vertices = [c.point[None] for c in domain.corners_and_holes[0]]
    inner, values = _sampled(function, domain, extent)
    rim = np.concatenate([domain.boundary("boundary", AROUND).points, corners[domain.contains(corners)], *vertices])
    here, top, gained, unseen = _promising([(inner, values), (rim, function(rim))], extent)
    tree = spatial.cKDTree(inner / extent)
    h = np.full(len(here), 2.0 * len(inner) ** (-1 / domain.dimension))
    rng = np.random.default_rng(0)
    for _ in range(MOVES):
        # One that gains too little to become the largest is left; so is one whose last steps gained nothing.
        active = np.flatnonzero((top + LEFT * gained >= top.max()) & ((h > BESIDE) | (gained > ROUNDING * np.abs(top))))
        active = active[h[active] > SMALLEST]
        if not len(active):
            break
        ways = _directions(domain.dimension, rng)
        tried = (here[active, None] + h[active, None, None] * extent * ways).reshape(-1, domain.dimension)
        tried = _pulled_in(domain, tried, inner[tree.query(tried / extent, k=COMPASS)[1]])
        now = function(tried).reshape(len(active), -1)
        k, rows = np.argmax(now, axis=1), np.arange(len(active))
        rise = now[rows, k] - top[active]
        better = rise > 0
        here[active[better]] = tried.reshape(len(active), -1, domain.dimension)[rows, k][better]
        top[active[better]] += rise[better]
        gained[active] = np.where(better, gained[active] + rise, gained[active])
        h[active[~better]] *= 0.5
        gained[active[~better]] *= FADES
    last = int(np.argmax(top))
    best, height, gained_last = here[last], float(top[last]), float(gained[last])
    for arc in [a for part in domain.resolve("boundary") for a in domain.arcs(part)] if domain.dimension == 2 else []:
        # Along a curve the search above is slow: a step to the side leaves the domain.
        there, point, _ = largest_along(lambda points, _: function(points), arc, height)
        if there > height:
            best, height, gained_last = point, there, 0.0
    gained_last += max(unseen - height, 0.0)
    beside = best + EDGE * extent * np.concatenate([np.eye(domain.dimension), -np.eye(domain.dimension)])
    if not domain.contains(beside).all():
        gained_last += float(np.abs(function(beside) - height).max())
    return best, gained_last


def _sampled(function: Function, domain: Domain, extent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points inside and the values there, so many that each hill has many of them."""
    count = INSIDE
    while True:
        points = domain.interior(count)
        values = function(points)
        around = _close(spatial.cKDTree(points / extent), points / extent, values, skip=1)
        needed = HILL * int((around < values[:, None]).all(axis=1).sum())
        if needed <= count or count >= FINEST:
            return points, values
        count = min(2 * needed, FINEST)


def _close(tree: Any, points: np.ndarray, values: np.ndarray, skip: int = 0) -> np.ndarray:
    """The values of the samples in a tree that are next to each point, without the first few of them."""
    count = min(NEIGHBOURS * points.shape[1] + skip, tree.n)
    around: np.ndarray = values[tree.query(points, k=range(1 + skip, 1 + max(count, 1 + skip)))[1] % tree.n]
    return around


def _promising(
    sets: list[tuple[np.ndarray, np.ndarray]], extent: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Samples near which the largest value may be, their values, by how much it may be above each, and the most that
    may be near those that are left out.

    Between samples a smooth function rises above one of them by no more than it differs from its neighbours. Those on
    the boundary are compared with each other, since they are closer together, but also with those inside: there a
    maximum close to the boundary is between both.
    """
    inner, inside = sets[0]
    tree = spatial.cKDTree(inner / extent)
    found = []
    for points, values in sets:
        own = tree if points is inner else spatial.cKDTree(points / extent)
        around = _close(own, points / extent, values, skip=1)
        k = np.flatnonzero((around <= values[:, None]).all(axis=1) & np.isfinite(values))
        apart = np.abs(np.hstack([around[k], _close(tree, points[k] / extent, inside)]) - values[k, None])
        found.append((points[k], values[k], np.where(np.isfinite(apart), apart, 0.0).max(axis=1)))
    here, top, apart = (np.concatenate(each) for each in zip(*found, strict=True))
    everything = np.concatenate([values for _, values in sets])
    if not len(here):
        best = [int(np.argmax(everything))]
        return np.concatenate([points for points, _ in sets])[best], everything[best], np.zeros(1), -np.inf
    order = np.argsort(-(top + apart), kind="stable")
    order = order[(top + apart)[order] >= everything.max()]
    # One search for all next to the same sample inside: along an edge with one value each is as high as the next.
    order = order[np.sort(np.unique(tree.query(here[order] / extent)[1], return_index=True)[1])]
    first, rest = order[:STARTS], order[STARTS:]
    return here[first], top[first], apart[first], float((top + apart)[rest].max(initial=-np.inf))


def _directions(d: int, rng: np.random.Generator) -> np.ndarray:
    axes = np.concatenate([np.eye(d), -np.eye(d)])
    if d == 1:
        return axes
    more = rng.standard_normal((DIRECTIONS, d))
    return np.concatenate([axes, more / np.linalg.norm(more, axis=1, keepdims=True)])


def _pulled_in(domain: Domain, points: np.ndarray, close: np.ndarray) -> np.ndarray:
    """Points outside, moved towards those inside as far as the boundary; beside a surface, moved onto it.

    The middle of several that are close is more straight inward than one of them.
    """
    surface = manifold_of(domain)
    if surface is not None:
        points = points.copy()
        points[:, :3] = surface.closest(points[:, :3])
        return np.where(domain.contains(points)[:, None], points, close[:, 0])
    outside = ~domain.contains(points)
    if not outside.any():
        return points
    middle, nearest = close[outside].mean(axis=1), close[outside, 0]
    towards = np.where(domain.contains(middle)[:, None], middle, nearest)
    moved = points.copy()
    moved[outside] = halved(domain.contains, towards, points[outside])[0]
    return moved


def largest_along(
    function: Callable[[np.ndarray, np.ndarray], np.ndarray], arc: Arc, least: float = -np.inf
) -> tuple[float, np.ndarray, np.ndarray]:
    """The largest value of a function of points and normals along an arc if it is above `least`, where it is taken, and
    the normal there."""
    every = np.linspace(0.0, arc.length, ALONG)
    values = function(*arc.at(every))
    padded = np.concatenate([values[1:2], values, values[-2:-1]])
    with np.errstate(invalid="ignore"):  # a formula may be infinite at a corner
        fall = values - np.minimum(padded[:-2], padded[2:])
    least = max(float(values.max()), least)
    tops = np.flatnonzero((values >= padded[:-2]) & (values >= padded[2:]) & (values + fall >= least))
    k = int(np.argmax(values))
    found = [(float(values[k]), *(v[k] for v in arc.at(every)))]
    for top in tops[np.argsort(-values[tops], kind="stable")][:STARTS]:
        low, high = every[max(top - 1, 0)], every[min(top + 1, ALONG - 1)]
        for _ in range(LOOKS):
            s = np.linspace(low, high, PLACES)
            points, normals = arc.at(s)
            values = function(points, normals)
            k = int(np.argmax(values))
            low, high = s[max(k - 2, 0)], s[min(k + 2, len(s) - 1)]
            if high - low < SAME * arc.length:
                break
        found.append((float(values[k]), points[k], normals[k]))
    return max(found, key=lambda f: f[0])
