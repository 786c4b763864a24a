"""A domain cut into simplices, for pictures and exports: lines, triangles or tetrahedra with the domain's own edge.

A plane domain knows its boundary as arcs, so corners are met exactly. A product is the product of its factors. Other
bodies are the Delaunay tetrahedra, of points inside and on the surface, whose centres lie in the body.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import factorial

import numpy as np

from transnet.errors import ProblemError
from transnet.geometry import Ball, Box, Combination, Domain, Interval, Mesh, Product
from transnet.geometry.manifold import Manifold
from transnet.geometry.sweep import spans
from transnet.lazy import spatial
from transnet.tolerances import BESIDE, SAME

FEWEST_AROUND = 96
"""The fewest pieces of a closed curve, however small it is."""
UNEVEN = 0.05
"""A domain longer than 20 times its width is drawn in units of its sides."""
FLAT = 1e-4
"""Cells below this part of a square or cube of the spacing are slivers along a straight edge."""
SURFACE = (200, 60_000)
"""The fewest and the most points on the surface of a body."""
DIGITS = 12
"""Corners of triangles that agree to so many decimals are one."""
NOISE = 0.02
"""The part of a spacing by which the points of a lattice are moved."""


@dataclass(frozen=True, eq=False)
class Simplices:
    """Points (n, d) and the corners (m, k + 1) of simplices of dimension k between them."""

    points: np.ndarray
    corners: np.ndarray

    @property
    def measures(self) -> np.ndarray:
        """The length, area or volume of each cell."""
        edges = self.points[self.corners[:, 1:]] - self.points[self.corners[:, :1]]
        return np.abs(np.linalg.det(edges)) / factorial(edges.shape[1])


def cells_of(domain: Domain, resolution: int) -> Simplices:
    """Cut a domain of one to three coordinates.

    Parameters
    ----------
    resolution : int
        Cells along the longest side, roughly.
    """
    if domain.dimension > 3:
        raise ProblemError(
            f"A domain of {domain.dimension} coordinates cannot be cut into cells. Fix some of them: t=0.5, z=0."
        )
    if isinstance(domain, Manifold):
        corners = domain.all_triangles(resolution)
        points, number = np.unique(corners.reshape(-1, 3).round(DIGITS), axis=0, return_inverse=True)
        points, number = domain.closest(points), number.reshape(-1, 3)
        a, b, c = (points[number[:, k]] for k in range(3))
        inward = np.sum(np.cross(b - a, c - a) * domain.normals(a), axis=1) < 0
        return Simplices(points, np.where(inward[:, None], number[:, ::-1], number))
    if isinstance(domain, Product) and (domain.dimension > 2 or _all_intervals(domain)):
        return _product(cells_of(domain.first, resolution), cells_of(domain.second, resolution))
    if isinstance(domain, Box) and domain.dimension > 1:
        sides = [Interval(**{name: (low, high)}) for name, low, high in domain.sides]
        found = cells_of(sides[0], resolution)
        for side in sides[1:]:
            found = _product(found, cells_of(side, resolution))
        return found
    if domain.dimension == 1:
        return _line(domain, resolution)
    return _triangles(domain, resolution) if domain.dimension == 2 else _tetrahedra(domain, resolution)


def _all_intervals(domain: Domain) -> bool:
    if isinstance(domain, Product):
        return _all_intervals(domain.first) and _all_intervals(domain.second)
    return isinstance(domain, Interval) or (isinstance(domain, Box) and domain.dimension == 1)


def _line(domain: Domain, resolution: int) -> Simplices:
    pieces = [np.linspace(low, high, resolution + 1) for low, high in spans(domain)]
    points, corners, start = [], [], 0
    for piece in pieces:
        points.append(piece)
        corners.append(start + np.stack([np.arange(len(piece) - 1), np.arange(1, len(piece))], axis=-1))
        start += len(piece)
    return Simplices(np.concatenate(points)[:, None], np.concatenate(corners))


def _product(first: Simplices, second: Simplices) -> Simplices:
    """The product of cells: each pair is a prism, cut into simplices along its staircase paths.

    Corners are ordered by their number, so that neighbouring prisms are cut alike where they meet.
    """
    m = len(second.points)
    points = np.hstack([np.repeat(first.points, m, axis=0), np.tile(second.points, (len(first.points), 1))])
    a, b = np.sort(first.corners, axis=1), np.sort(second.corners, axis=1)
    i, j = np.repeat(np.arange(len(a)), len(b)), np.tile(np.arange(len(b)), len(a))
    found = []
    for path in _staircases(a.shape[1] - 1, b.shape[1] - 1):
        found.append(np.stack([a[i, p] * m + b[j, q] for p, q in path], axis=-1))
    return Simplices(points, np.concatenate(found))


def _staircases(p: int, q: int) -> list[list[tuple[int, int]]]:
    """The monotone paths from (0, 0) to (p, q)."""
    if p == 0 or q == 0:
        return [[(i, j) for i in range(p + 1) for j in range(q + 1)]]
    return [[*path, (p, q)] for path in _staircases(p - 1, q) + _staircases(p, q - 1)]


# -- the plane ---------------------------------------------------------------------------------------------------------
def outline(domain: Domain, spacing: float) -> list[np.ndarray]:
    """The boundary of a plane domain as polylines, one per arc, ends included."""
    lines = []
    for part in domain.parts:
        for arc in domain.arcs(part):
            ends = arc.at(np.array([0.0, arc.length / 3, arc.length]))
            straight = np.ptp(ends[1], axis=0).max() < SAME
            turned = not straight and np.hypot(*(ends[0][2] - ends[0][0])) < BESIDE * arc.length
            count = max(
                int(np.ceil(arc.length / spacing)), 1 if straight else FEWEST_AROUND if turned else FEWEST_AROUND // 4
            )
            lines.append(arc.at(np.linspace(0.0, arc.length, count + 1))[0])
    return lines


def _triangles(domain: Domain, resolution: int) -> Simplices:
    low, high = np.asarray(domain.bounds)
    # Space and time have different units: cells are made in coordinates in which the domain fills a square, unless both
    # axes are of similar length.
    ratio = (high - low) / np.max(high - low)
    scale = np.where(ratio.min() > UNEVEN, 1.0, ratio)
    spacing = float(np.max((high - low) / scale)) / resolution
    # However much longer than wide a domain is, its rim has a bounded number of points.
    rim = np.concatenate(outline(domain, spacing * max(scale.min(), 1 / FEWEST_AROUND))) / scale
    rim = rim[_distinct(rim, 1e-6 * spacing)]
    size = (high - low) / scale
    columns, rows = int(size[0] / spacing) + 2, int(size[1] / (spacing * 0.75**0.5)) + 2
    i, j = np.meshgrid(np.arange(columns), np.arange(rows), indexing="ij")
    grid = low / scale + spacing * np.stack([(i + 0.5 * (j % 2)).ravel(), (0.75**0.5 * j).ravel()], axis=-1)
    inside = grid[domain.contains(grid * scale)]
    inside = inside[spatial.cKDTree(rim).query(inside)[0] > 0.55 * spacing] if len(inside) else inside
    points = np.concatenate([rim, inside])
    corners = spatial.Delaunay(points).simplices
    return _kept(domain, points, corners, scale, FLAT * spacing**2)


def _distinct(points: np.ndarray, tolerance: float) -> np.ndarray:
    """The numbers of the points, without repetitions of an earlier one."""
    repeated = {j for _, j in spatial.cKDTree(points).query_pairs(tolerance)}
    return np.array([i for i in range(len(points)) if i not in repeated])


def _kept(domain: Domain, points: np.ndarray, corners: np.ndarray, scale: np.ndarray, least: float) -> Simplices:
    """The cells with their centre in the domain and more than the least measure, and the points they use."""
    centre = points[corners].mean(axis=1) * scale
    corners = corners[domain.contains(centre)]
    corners = corners[Simplices(points, corners).measures > least]
    used, renumbered = np.unique(corners, return_inverse=True)
    return Simplices(points[used] * scale, renumbered.reshape(corners.shape))


# -- space -------------------------------------------------------------------------------------------------------------
def _tetrahedra(domain: Domain, resolution: int) -> Simplices:
    low, high = np.asarray(domain.bounds)
    spacing = float(np.max(high - low)) / resolution
    count = int(np.clip(2.0 * domain.measure() / spacing**2, *SURFACE))
    surface = np.concatenate([_edges(domain, spacing), domain.boundary(n=count).points])
    surface = surface[_distinct(surface, 0.3 * spacing)]
    axes = [np.arange(a + spacing / 2, b, spacing) for a, b in zip(low, high, strict=True)]
    grid = np.stack([g.ravel() for g in np.meshgrid(*axes, indexing="ij")], axis=-1)
    # A perfect lattice has no unique Delaunay cells: a little noise decides.
    grid = grid + NOISE * spacing * np.random.default_rng(0).standard_normal(grid.shape)
    inside = grid[domain.contains(grid)]
    inside = inside[spatial.cKDTree(surface).query(inside)[0] > 0.6 * spacing]
    points = np.concatenate([surface, inside])
    return _kept(domain, points, spatial.Delaunay(points).simplices, np.ones(3), FLAT * spacing**3)


def _edges(domain: Domain, spacing: float) -> np.ndarray:
    """Points along the sharp edges of a body, as far as its shapes know them."""
    if isinstance(domain, Combination):
        both = np.concatenate([_edges(domain.first, spacing), _edges(domain.second, spacing)])
        if not len(both):
            return both
        # An edge inside the combination is not one of its edges.
        away = BESIDE * spacing
        star = away * np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
        near = (both[:, None, :] + star).reshape(-1, 3)
        return both[domain.contains(both) & ~domain.contains(near).reshape(len(both), -1).all(axis=1)]
    if isinstance(domain, Mesh):
        return np.asarray(domain.vertices, dtype=float)
    if isinstance(domain, Box):
        return _box_edges(np.asarray(domain.bounds), spacing)
    if isinstance(domain, Product):
        return _product_edges(domain, spacing)
    if isinstance(domain, Ball):
        return np.asarray(domain.center) + domain.radius * np.concatenate([np.eye(3), -np.eye(3)])
    return np.zeros((0, 3))


def _box_edges(bounds: np.ndarray, spacing: float) -> np.ndarray:
    found = []
    for axis in range(3):
        start, stop = map(float, bounds[:, axis])
        along = np.linspace(start, stop, int(np.ceil(np.ptp(bounds[:, axis]) / spacing)) + 1)
        others = [k for k in range(3) if k != axis]
        for p in bounds[:, others[0]]:
            for q in bounds[:, others[1]]:
                edge = np.empty((len(along), 3))
                edge[:, axis], edge[:, others[0]], edge[:, others[1]] = along, p, q
                found.append(edge)
    return np.concatenate(found)


def _product_edges(domain: Product, spacing: float) -> np.ndarray:
    """The rims of the two ends of a prism over a plane shape."""
    plane, line = (domain.first, domain.second) if domain.first.dimension == 2 else (domain.second, domain.first)
    if plane.dimension != 2 or line.dimension != 1:
        return np.zeros((0, 3))
    rim = np.concatenate(outline(plane, spacing))
    ends = [end for span in pairwise(np.ravel(spans(line))) for end in span]
    blocks = [(rim, np.full((len(rim), 1), end)) for end in dict.fromkeys(ends)]
    return np.concatenate([np.hstack(b if plane is domain.first else b[::-1]) for b in blocks])
