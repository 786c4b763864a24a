"""Plane level curves f = 0, traced on a grid and given by arc length."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.measure.arcs import Arc, Located
from transnet.measure.narrowing import bisect
from transnet.measure.rules import gauss

Field = Callable[[np.ndarray], np.ndarray]  # (n, d) -> (n,)
Gradient = Callable[[np.ndarray], np.ndarray]  # (n, d) -> (n, d)
APART = 1e-3
"""Crossings closer than this part of a cell are one point of the contour."""
NODES = 8
"""Nodes of the Gauss rule for the length of a step, a cubic: exact to rounding."""


def trace(f: Field, bounds: np.ndarray, cells: int) -> list[np.ndarray]:
    """The closed curves f = 0 in a box, as chains (k, 2) of points on them: marching squares with exact roots.

    f is positive on the rim of the box.
    """
    low, high = bounds
    axes = [np.linspace(low[i], high[i], cells + 1) for i in range(2)]
    mesh = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    inside = f(mesh.reshape(-1, 2)).reshape(cells + 1, cells + 1) < 0
    # Grid edges along x are numbered (0, i, j), those along y (1, i, j), from the grid point (i, j).
    number = np.arange(2 * (cells + 1) ** 2).reshape(2, cells + 1, cells + 1)
    south, north = number[0, :-1, :-1], number[0, :-1, 1:]
    west, east = number[1, :-1, :-1], number[1, 1:, :-1]
    a, b, c, d = inside[:-1, :-1], inside[1:, :-1], inside[1:, 1:], inside[:-1, 1:]
    sides = {"S": (south, a != b), "E": (east, b != c), "N": (north, c != d), "W": (west, d != a)}
    # The curve crosses two sides of a cell, or all four: then the sign in the middle shows which are linked.
    saddle = (a != b) & (b != c) & (c != d)
    middle = f(((mesh[:-1, :-1] + mesh[1:, 1:]) / 2).reshape(-1, 2)).reshape(cells, cells) < 0
    linked = {"SE": middle == a, "NW": middle == a, "SW": middle != a, "NE": middle != a}
    links = []
    for one, other in ("SE", "NW", "SW", "NE", "SN", "WE"):
        (first, crossed), (second, too) = sides[one], sides[other]
        use = crossed & too & (~saddle | linked.get(one + other, False))
        links.append(np.stack([first[use], second[use]], axis=-1))
    pairs = np.concatenate(links)
    edges = np.unique(pairs)
    axis, i, j = np.unravel_index(edges, number.shape)
    start, stop = mesh[i, j], mesh[i + (axis == 0), j + (axis == 1)]
    yes = np.where(inside[i, j][:, None], start, stop)
    no = np.where(inside[i, j][:, None], stop, start)
    return _chains(edges, pairs, bisect(lambda p: f(p) < 0, yes, no), APART * np.max(high - low) / cells)


def _chains(edges: np.ndarray, pairs: np.ndarray, points: np.ndarray, apart: float) -> list[np.ndarray]:
    """Links between grid edges followed to closed chains, without points that (nearly) coincide."""
    near: list[list[int]] = [[] for _ in edges]
    for p, q in np.searchsorted(edges, pairs):
        near[p].append(int(q))
        near[q].append(int(p))
    seen = np.zeros(len(edges), dtype=bool)
    chains = []
    for first in range(len(edges)):
        chain, here = [], first
        while not seen[here]:
            seen[here] = True
            chain.append(here)
            here = next((k for k in near[here] if not seen[k]), first)
        if len(chain) > 2:
            ring = points[chain]
            ring = ring[np.linalg.norm(ring - np.roll(ring, 1, axis=0), axis=1) > apart]
            if len(ring) > 2:
                chains.append(ring)
    return chains


def project_onto(f: Field, gradient: Gradient, points: np.ndarray) -> np.ndarray:
    """Points moved along the gradient onto f = 0 by Newton's method; they start close."""
    for _ in range(4):
        slope = gradient(points)
        points = points - (f(points) / np.maximum(np.sum(slope**2, axis=1), 1e-300))[:, None] * slope
    return points


def level_arc(f: Field, gradient: Gradient, chain: np.ndarray) -> Arc:
    """The closed curve f = 0 through the points of a chain, by arc length.

    Between two points the arc length is that of the cubic with the same ends and tangents (an error of fourth order
    in the step); the points themselves are moved onto the curve.
    """
    normals = _unit(gradient(chain))
    tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=-1)
    if np.sum((np.roll(chain, -1, axis=0) - chain) * tangents) < 0:  # run with the outside on the right
        chain, tangents = chain[::-1], tangents[::-1]
    step = np.roll(chain, -1, axis=0) - chain
    chord = np.linalg.norm(step, axis=1, keepdims=True)
    start, stop = tangents * chord, np.roll(tangents, -1, axis=0) * chord
    x, w = gauss(NODES)
    u = x[None, :, None]
    speed = (
        step[:, None] * (6 * u - 6 * u**2)
        + start[:, None] * (1 - 4 * u + 3 * u**2)
        + stop[:, None] * (3 * u**2 - 2 * u)
    )
    total = np.concatenate([[0.0], np.cumsum(np.linalg.norm(speed, axis=2) @ w)])

    def at(s: np.ndarray) -> Located:
        k = np.clip(np.searchsorted(total, s, side="right") - 1, 0, len(chain) - 1)
        v = ((s - total[k]) / (total[k + 1] - total[k]))[:, None]
        cubic = chain[k] + step[k] * (3 * v**2 - 2 * v**3) + start[k] * (v - 2 * v**2 + v**3) + stop[k] * (v**3 - v**2)
        points = project_onto(f, gradient, cubic)
        return points, _unit(gradient(points))

    return Arc(float(total[-1]), at)


def _unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)
