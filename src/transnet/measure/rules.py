"""Integration rules that are exact for polynomials: box, ball and shell; and the rounding tolerance of a shape."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from transnet.lazy import special
from transnet.tolerances import ROUNDED

SMALL = 100
"""Nodes of a rule that NumPy finds quickly."""

Rule = tuple[np.ndarray, np.ndarray]  # nodes (q, d) and weights (q,)


def tolerance(bounds: np.ndarray) -> float:
    """The distance by which rounding may move a point of a shape with this bounding box.

    Relative to the size of the shape, plus what the coordinates lose by lying far from zero.
    """
    return float(ROUNDED * np.max(bounds[1] - bounds[0]) + 4 * np.finfo(float).eps * np.max(np.abs(bounds)))


@lru_cache(maxsize=64)
def legendre(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The Gauss-Legendre rule with n nodes for [-1, 1]; small ones without SciPy, which is slow to import."""
    nodes, weights = np.polynomial.legendre.leggauss(n) if n <= SMALL else special.roots_legendre(n)
    nodes.setflags(write=False)
    weights.setflags(write=False)
    return nodes, weights


def gauss(n: int) -> tuple[np.ndarray, np.ndarray]:
    """The Gauss-Legendre rule with n nodes for the interval [0, 1]."""
    nodes, weights = legendre(n)
    return (nodes + 1) / 2, weights / 2


def tensor(*rules: Rule) -> Rule:
    """The product of rules, for the product of their domains."""
    nodes, weights = rules[0]
    for more, factor in rules[1:]:
        nodes = np.hstack([np.repeat(nodes, len(more), axis=0), np.tile(more, (len(nodes), 1))])
        weights = np.outer(weights, factor).ravel()
    return nodes, weights


def box(bounds: np.ndarray, n: int) -> Rule:
    """The tensor Gauss rule with about n nodes for a box."""
    low, extent = bounds[0], bounds[1] - bounds[0]
    x, w = gauss(per_axis(n, len(low)))
    unit, weights = tensor(*[(x[:, None], w)] * len(low))
    return low + unit * extent, weights * np.prod(extent)


def ball(center: np.ndarray, radius: float, n: int) -> Rule:
    """A rule with about n nodes, all inside and with positive weights, for a ball in any dimension.

    A slice of the unit ball at height x is a ball of radius sqrt(1 - x^2) with one dimension less, so the ball is a
    cube whose axes have weights (1 - t^2)^(k/2), k = d - 1, ..., 0, for which the Gegenbauer rules are exact.
    """
    d = len(center)
    m = per_axis(n, d)
    axes = [special.roots_gegenbauer(m, k / 2 + 0.5) for k in range(d - 1, -1, -1)]
    cube, weights = tensor(*((t[:, None], w) for t, w in axes))
    scale = np.ones(len(cube))
    nodes = np.empty_like(cube)
    for axis in range(d):
        nodes[:, axis] = scale * cube[:, axis]
        scale = scale * np.sqrt((1 - cube[:, axis]) * (1 + cube[:, axis]))
    return center + radius * nodes, weights * radius**d


def sphere_rule(d: int, m: int) -> Rule:
    """Unit directions with weights for the circle (d = 2, 2 m nodes) or the sphere (d = 3, 2 m^2 nodes)."""
    angles = 2 * np.pi * (np.arange(2 * m) + 0.5) / (2 * m)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    around = np.full(2 * m, np.pi / m)
    if d == 2:
        return circle, around
    z, w = legendre(m)
    flat = np.sqrt((1 - z) * (1 + z))
    nodes = np.concatenate([np.hstack([r * circle, np.full((2 * m, 1), h)]) for r, h in zip(flat, z, strict=True)])
    return nodes, np.outer(w, around).ravel()


def shell(center: np.ndarray, inner: float, outer: float, n: int) -> Rule:
    """The rule in polar coordinates with about n nodes between two circles or two spheres."""
    d = len(center)
    m = max(1, round((n / 2) ** (1.0 / d)))
    x, w = gauss(m)
    radii = inner + x * (outer - inner)
    directions, weights = sphere_rule(d, m)
    nodes = center + (radii[:, None, None] * directions).reshape(-1, d)
    return nodes, np.outer(w * (outer - inner) * radii ** (d - 1), weights).ravel()


def trapezia(starts: np.ndarray, stops: np.ndarray, n: int) -> Rule:
    """About n nodes inside a region whose straight edges run from `starts` (k, 2) to `stops`.

    Vertical cuts at the corners make trapezia of it, each of which is a smooth image of a square.
    """
    forward = starts[:, 0] <= stops[:, 0]
    left, right = np.where(forward[:, None], starts, stops), np.where(forward[:, None], stops, starts)
    cuts = np.unique(starts[:, 0])
    middles = (cuts[:-1] + cuts[1:]) / 2
    apart = (cuts[:-1] < middles) & (middles < cuts[1:])  # corners that differ by rounding have nothing between them
    begin, end, middles = cuts[:-1][apart], cuts[1:][apart], middles[apart]
    slab, edge = np.nonzero((left[:, 0] < middles[:, None]) & (middles[:, None] < right[:, 0]))
    slope = (right[edge, 1] - left[edge, 1]) / (right[edge, 0] - left[edge, 0])
    order = np.lexsort((left[edge, 1] + slope * (middles[slab] - left[edge, 0]), slab))
    slab, edge, slope = slab[order][::2], edge[order], slope[order]  # edges above each other bound a trapezium in pairs
    x, w = gauss(max(2, round(np.sqrt(n / len(slab)))))
    width = (end - begin)[slab][:, None]
    across = begin[slab][:, None] + width * x
    low, high = (left[edge[i::2], 1][:, None] + slope[i::2, None] * (across - left[edge[i::2], :1]) for i in range(2))
    heights = low[:, :, None] + (high - low)[:, :, None] * x
    nodes = np.stack([np.repeat(across, len(x), axis=1).ravel(), heights.ravel()], axis=-1)
    return nodes, (width[:, :, None] * (high - low)[:, :, None] * w[:, None] * w).ravel()


def per_axis(n: int, d: int) -> int:
    """Nodes per axis of a tensor rule with about n nodes."""
    return max(1, round(n ** (1.0 / d)))
