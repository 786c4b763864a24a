"""Values on a part of the boundary, where expressions may contain the normal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.counts import ALONG, MANY
from transnet.errors import ProblemError
from transnet.geometry.domain import Domain, Surface
from transnet.lazy import spatial
from transnet.solution.expressions import compiled_on
from transnet.solution.results.numbers import Numbers
from transnet.solution.results.pointwise import with_errors
from transnet.tolerances import HALVINGS, ROUNDED

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

BESIDE = 1e-3
"""How far a point may be from the part, in units of the size of the domain: data have only a few digits."""
FEWEST, CLOSEST = 33, 6
"""The fewest samples of each arc; the samples of a surface whose normals are averaged."""
SAGS = 0.1
"""How far a curved surface may be from a point, in units of the distance to the closest sample."""


class Values(np.ndarray):
    """Values on a boundary: an array that knows its `points` (n, d) and outward `normals` (n, d)."""

    points: np.ndarray
    normals: np.ndarray

    def __array_finalize__(self, source: Any) -> None:
        self.points = getattr(source, "points", np.zeros((0, 0)))
        self.normals = getattr(source, "normals", np.zeros((0, 0)))


def values_on(
    solution: Solution,
    expression: Any,
    part: str,
    points: tuple[Any, ...],
    coordinates: dict[str, Any],
    error: bool = False,
) -> Values | Numbers:
    """An expression at points of a part of the boundary, with the normals there, and errors on request."""
    domain = solution.problem.domain
    if points or coordinates:
        where, shape = solution._located(points, coordinates)
        surface = Surface(where, normals_at(domain, part, where))
    else:
        surface = domain.boundary(part, ALONG, "grid" if domain.dimension <= 2 else "quasi")
        shape = (len(surface.points),)
    parts = list(expression) if isinstance(expression, sp.MatrixBase) else [expression]
    vector = isinstance(expression, sp.MatrixBase)
    functions = [compiled_on(solution, e, part) for e in parts]
    if error:
        both = with_errors(solution, functions, surface.points, surface.normals)
        value, off = (a.reshape((*shape, len(parts)) if vector else shape) for a in both)
        return Numbers(_located(value, surface), off)
    found = [f(surface.points, surface.normals).reshape(shape) for f in functions]
    return _located(np.stack(found, axis=-1) if vector else found[0], surface)


def _located(array: np.ndarray, surface: Surface) -> Values:
    values = array.view(Values)
    values.points, values.normals = surface.points, surface.normals
    return values


def normals_at(domain: Domain, part: str, points: np.ndarray) -> np.ndarray:
    """The outward normals of a part at points that lie on it."""
    extent = np.ptp(domain.bounds, axis=0)
    arcs = [a for name in domain.resolve(part) for a in domain.arcs(name)] if domain.dimension == 2 else []
    if arcs:
        best, normals = np.full(len(points), np.inf), np.zeros_like(points)
        for arc in arcs:
            s = np.linspace(0.0, arc.length, max(FEWEST, MANY // len(arcs)))
            near = s[spatial.cKDTree(arc.at(s)[0]).query(points)[1]]
            step = s[1]
            for _ in range(HALVINGS):  # each round evaluates five places and halves the stretch
                tried = np.clip(near[:, None] + step * np.array([-1.0, -0.5, 0.0, 0.5, 1.0]), 0.0, arc.length)
                away = np.linalg.norm(arc.at(tried.ravel())[0].reshape(*tried.shape, 2) - points[:, None], axis=2)
                near, step = tried[np.arange(len(points)), away.argmin(axis=1)], step / 2
            on, out = arc.at(near)
            gap = np.linalg.norm(on - points, axis=1)
            closer = gap < best
            best[closer], normals[closer] = gap[closer], out[closer]
        gap = best / float(extent.max())
    else:
        surface = domain.boundary(part, MANY if domain.dimension > 1 else 1)
        distance, k = spatial.cKDTree(surface.points / extent).query(points / extent)
        flat = np.ptp(surface.normals, axis=0).max(initial=0.0) < ROUNDED
        normals, gap = surface.normals[k], distance * (0.0 if flat and domain.dimension > 1 else 1.0)
        if not flat and domain.dimension > 1:
            # The normals of the closest samples, weighted by their distance.
            distance, k = spatial.cKDTree(surface.points / extent).query(points / extent, k=CLOSEST)
            share = 1.0 / np.maximum(distance, ROUNDED) ** 2
            mixed = np.einsum("ij,ijk->ik", share / share.sum(axis=1, keepdims=True), surface.normals[k])
            normals, gap = mixed / np.linalg.norm(mixed, axis=1, keepdims=True), SAGS * distance[:, 0]
    if np.any(gap > BESIDE):
        worst = int(np.argmax(gap))
        place = ", ".join(f"{c:.6g}" for c in points[worst])
        raise ProblemError(
            f"The point ({place}) does not lie on {part!r}. Points of it are domain.boundary({part!r}, 100).points."
        )
    return normals
