"""Surfaces as domains of their own: points, rules of integration, normals and curvature, all from a formula."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.measure.rules import Rule, gauss
from transnet.measure.sampling import check_draw, curve_order, unit_points
from transnet.measure.triangulate import clipped, triangulated
from transnet.tolerances import BESIDE

from ..arrays import constant
from .domain import Domain
from .domain import Surface as Samples
from .product import Product

CELLS = 24
"""Cells of the grid on which a surface is triangulated, along its longest side: smaller details are missed."""
NODES, FINE = 5, (7, 32)
"""Gauss nodes along the sides of a triangle, and the cells along a side of the grid for a rule: 8 give the area of a
torus with the radii 2 and 1 to 4e-8, 16 to 2e-11."""
WIDER = 0.01
"""The part of its sides by which the grid is larger than the surface."""
PROJECTIONS = 8
"""Steps to the closest point of a surface: each gains at least two digits for triangles much smaller than its radii."""
EDGE = "edge"
"""The name of the boundary of a surface that is not closed."""


class Manifold(Domain):
    """A surface in space: where a formula is zero, as far as another one is negative.

    Without the second formula it is closed and has no boundary; with it, its boundary is the part "edge", whose normals
    lie in the surface. Everything else follows from the formulas: normals and curvature by differentiation, points and
    rules of integration from triangles whose points are moved to the closest points of the surface.
    """

    @property
    def solid(self) -> bool:
        return False

    @abstractmethod
    def level(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
        """A formula of the coordinates that is zero on the surface and grows outwards."""

    @property
    def around(self) -> np.ndarray:
        """A box (2, 3) around the surface, which does not touch its sides."""
        return self.bounds + np.outer([-1.0, 1.0], WIDER * np.ptp(self.bounds, axis=0))

    def left(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr | None:
        """A formula that is negative on what is left of a closed surface; None for all of it."""
        return None

    # -- formulas ----------------------------------------------------------------------------------------------------
    def normal(self, coordinates: Sequence[sp.Symbol]) -> tuple[sp.Expr, ...]:
        """The outward unit normal n, as formulas."""
        slope = [sp.diff(self.level(coordinates), c) for c in coordinates]
        length = sp.sqrt(sp.Add(*(s**2 for s in slope)))
        return tuple(s / length for s in slope)

    def curvature(self, coordinates: Sequence[sp.Symbol]) -> sp.Expr:
        """The sum of the principal curvatures, div n, as a formula: 2/R on a sphere of radius R."""
        return sp.Add(*(sp.diff(n, c) for n, c in zip(self.normal(coordinates), coordinates, strict=True)))

    @cached_property
    def _functions(self) -> tuple[Any, ...]:
        """The level with its slope, the formula of what is left with its slope, and the level's Hessian, compiled."""
        c = sp.symbols("c:3", real=True)
        level, left = self.level(c), self.left(c)
        made = [None if e is None else [e, *(sp.diff(e, a) for a in c)] for e in (level, left)]
        made.append([sp.diff(level, a, b) for a in c for b in c])
        return tuple(None if e is None else sp.lambdify(c, e, "numpy", cse=True) for e in made)

    def _evaluate(self, which: int, points: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            found = self._functions[which](*points.T)
        return np.stack([np.broadcast_to(np.asarray(v, float), len(points)) for v in found], axis=1)

    def normals(self, points: np.ndarray) -> np.ndarray:
        """The outward unit normals (n, 3) at points of the surface."""
        slope = self._evaluate(0, points)[:, 1:]
        return slope / np.linalg.norm(slope, axis=1, keepdims=True)

    def closest(self, points: np.ndarray) -> np.ndarray:
        """The closest points of the surface to points near it."""
        at = points.copy()
        for _ in range(PROJECTIONS):
            value, slope = np.split(self._evaluate(0, at), [1], axis=1)
            square = np.sum(slope**2, axis=1, keepdims=True)
            at = at - value * slope / square
            away = points - at  # what is left of it along the surface goes
            at = at + away - slope * np.sum(away * slope, axis=1, keepdims=True) / square
        value, slope = np.split(self._evaluate(0, at), [1], axis=1)
        return at - value * slope / np.sum(slope**2, axis=1, keepdims=True)

    # -- triangles ---------------------------------------------------------------------------------------------------
    def triangles(self, cells: int) -> tuple[np.ndarray, np.ndarray]:
        """Triangles (m, 3, 3) close to the surface, and those (k, 3, 3) whose last two corners are on its edge."""
        found = triangulated(lambda p: self._evaluate(0, p)[:, 0], self.around, cells)
        if self._functions[1] is None or not len(found):
            return found, found[:0]
        return clipped(found, lambda p: self._evaluate(1, p)[:, 0], self._onto_edge)

    def all_triangles(self, cells: int = CELLS) -> np.ndarray:
        """The same in one array."""
        return np.concatenate(self._triangles if cells == CELLS else self.triangles(cells))

    @cached_property
    def _triangles(self) -> tuple[np.ndarray, np.ndarray]:
        return self.triangles(CELLS)

    def _rule(self, triangles: np.ndarray, ended: np.ndarray, m: int) -> Rule:
        """A Gauss rule of m by m nodes on each triangle, moved to the surface.

        A triangle is the rays from its first corner a to the opposite side e(s), a segment or a stretch of the edge of
        the surface. With q + d n(q) = p for its points p = a + r (e - a) the area element is r |(e - a) x e'.n| dr ds /
        det(1 + d W), W = grad n along the surface.
        """
        (s, w), apex = gauss(m), np.concatenate([triangles[:, :1], ended[:, :1]])
        sides, slopes = (
            np.concatenate(pair) for pair in zip(_straight(triangles, s), self._along_edge(ended, s), strict=True)
        )
        at = (apex[:, None] + s[:, None, None] * (sides - apex)[:, None]).reshape(-1, 3)
        cross = np.repeat(np.cross(sides - apex, slopes)[:, None], m, axis=1).reshape(-1, 3)
        points = self.closest(at)
        slope, hessian = self._evaluate(0, points)[:, 1:], self._evaluate(2, points).reshape(-1, 3, 3)
        length = np.linalg.norm(slope, axis=1)
        n = slope / length[:, None]
        project = np.eye(3) - n[:, :, None] * n[:, None, :]
        shape = project @ hessian @ project / length[:, None, None]
        total = np.trace(shape, axis1=1, axis2=2)
        gauss_curvature = (total**2 - np.einsum("ijk,ikj->i", shape, shape)) / 2
        d = np.sum((at - points) * n, axis=1)
        area = np.abs(np.sum(cross * n, axis=1)) / (1 + d * total + d**2 * gauss_curvature)
        return points, area * np.tile(np.outer(w * s, w).ravel(), len(apex))

    def _along_edge(self, ended: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points of the edge near the last sides of triangles, at parts s of the way, and their derivative in s."""
        straight, m = _straight(ended, s)[0], len(s)
        on = self._onto_edge(straight.reshape(-1, 3)).reshape(straight.shape) if len(ended) else straight
        powers = (2 * s[:, None] - 1) ** np.arange(m)
        slopes = 2 * np.arange(m) * np.concatenate([np.zeros((m, 1)), powers[:, :-1]], axis=1)
        return on, np.einsum("ij,kjd->kid", slopes @ np.linalg.inv(powers), on)

    @property
    def volume(self) -> float:
        return self._area

    @cached_property
    def _area(self) -> float:
        return float(self._rule(*self._triangles, NODES)[1].sum())

    def quadrature(self, n: int) -> Rule:
        each = len(self.all_triangles()) / CELLS**2
        cells = np.clip(round(np.sqrt(check_draw(n, "grid") / NODES**2 / each)), *FINE)
        return self._rule(*self.triangles(int(cells)), NODES)

    # -- a domain ----------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str | None, ...]:
        return (None,) * 3

    @cached_property
    def bounds(self) -> np.ndarray:
        points = self.closest(self.all_triangles().reshape(-1, 3))
        return constant([points.min(axis=0), points.max(axis=0)])

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return (EDGE,) if len(self._triangles[1]) else ()

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        room = BESIDE * float(np.ptp(self.bounds, axis=0).max())
        value, slope = np.split(self._evaluate(0, points), [1], axis=1)
        inside = np.abs(value[:, 0]) <= room * np.linalg.norm(slope, axis=1)
        if self._functions[1] is not None:
            value, slope = np.split(self._evaluate(1, points), [1], axis=1)
            inside &= value[:, 0] <= sign * room * np.linalg.norm(slope, axis=1)
        return inside

    @cached_property
    def _walk(self) -> tuple[np.ndarray, np.ndarray]:
        """The triangles in an order that keeps neighbours together, and the area up to the end of each."""
        found = self.all_triangles()
        found = found[curve_order(found.mean(axis=1))]
        cross = np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0])
        return found, np.cumsum(np.linalg.norm(cross, axis=1) / 2)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        unit = unit_points(n, 3 if kind == "random" else 2, "random" if kind == "random" else "quasi", rng)
        steps = unit_points(n, 1, "quasi", rng)[:, 0] if kind != "random" else unit[:, 2]
        found, total = self._walk
        k = np.minimum(np.searchsorted(total, steps * total[-1]), len(found) - 1)
        a, b, c = np.swapaxes(found[k], 0, 1)
        far, along = np.sqrt(unit[:, :1]), unit[:, 1:2]
        return self.closest(a + far * ((1 - along) * (b - a) + along * (c - a)))

    def _lattice(self, n: int) -> np.ndarray:
        return self._fill(n, "quasi", np.random.default_rng(0))

    def edge_rule(self, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points of the edge, normals there and weights: m Gauss nodes beside each triangle that ends there."""
        s, w = gauss(m)
        on, slope = self._along_edge(self._triangles[1], s)
        points = on.reshape(-1, 3)
        return points, self._conormals(points), (np.linalg.norm(slope, axis=2) * w).ravel()

    def _measure(self, part: str) -> float:
        return self._length

    @cached_property
    def _length(self) -> float:
        return float(self.edge_rule(NODES)[2].sum())

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Samples:
        """Points of the edge; their normals lie in the surface and point out of what is left of it."""
        segments = self._triangles[1][:, 1:]
        segments = segments[curve_order(segments.mean(axis=1))]
        total = np.cumsum(np.linalg.norm(np.diff(segments, axis=1)[:, 0], axis=1))
        place = unit_points(n, 1, "random" if kind == "random" else "quasi", rng)[:, 0] * total[-1]
        k = np.minimum(np.searchsorted(total, place), len(segments) - 1)
        before = np.where(k > 0, total[k - 1], 0.0)
        part_way = ((place - before) / np.maximum(total[k] - before, 1e-300))[:, None]
        at = segments[k, 0] * (1 - part_way) + segments[k, 1] * part_way
        on = self._onto_edge(at)
        return Samples(on, self._conormals(on))

    def _onto_edge(self, points: np.ndarray) -> np.ndarray:
        """Points near the edge, moved onto it by Newton's steps to the surface and to what ends it at once."""
        for _ in range(PROJECTIONS):
            values = [self._evaluate(which, points) for which in (0, 1)]
            slopes = np.stack([v[:, 1:] for v in values], axis=1)
            gram = slopes @ np.swapaxes(slopes, 1, 2)
            step = np.linalg.solve(gram, np.stack([v[:, 0] for v in values], axis=1)[:, :, None])
            points = points - (np.swapaxes(slopes, 1, 2) @ step)[:, :, 0]
        return points

    def _conormals(self, points: np.ndarray) -> np.ndarray:
        """Unit vectors along the surface that point out of what is left of it."""
        n, outward = self.normals(points), self._evaluate(1, points)[:, 1:]
        outward = outward - n * np.sum(outward * n, axis=1, keepdims=True)
        return outward / np.linalg.norm(outward, axis=1, keepdims=True)


def _straight(triangles: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of the sides opposite to the first corners, at parts s of the way, and their derivative in s."""
    b, c = triangles[:, 1, None], triangles[:, 2, None]
    return b + s[:, None] * (c - b), np.broadcast_to(c - b, (len(triangles), len(s), 3))


def manifold_of(domain: Domain) -> Manifold | None:
    """The surface on which a problem is stated, by itself or times time; None for a domain with an interior."""
    if isinstance(domain, Product):
        return manifold_of(domain.first)
    return domain if isinstance(domain, Manifold) else None
