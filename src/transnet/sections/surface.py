"""Integration over parts of a boundary: nodes with outward normals and weights.

Arcs of the plane get Gauss panels that are no longer than their distance to a point where functions are singular, so
that powers of that distance are integrated to rounding. Faces of boxes and products, spheres and triangles have rules
of their own; the surface of a body that was cut is only sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import sympy as sp

from transnet.errors import GeometryError
from transnet.geometry.annulus import Annulus
from transnet.geometry.ball import Ball
from transnet.geometry.box import Box
from transnet.geometry.csg import Combination
from transnet.geometry.curved import LevelSurface
from transnet.geometry.domain import Domain, Surface
from transnet.geometry.exterior import Exterior
from transnet.geometry.implicit import LevelSet
from transnet.geometry.manifold import Manifold
from transnet.geometry.mesh import Mesh
from transnet.geometry.partition import Pieces
from transnet.geometry.pieces import BodyPiece
from transnet.geometry.product import Product
from transnet.lazy import special
from transnet.measure.arcs import Arc, Weighed
from transnet.measure.rules import gauss, sphere_rule, tensor

Distance = Callable[[np.ndarray], np.ndarray]
"""From points (n, 2) to their distances (n,) from the singularities."""
PANELS = 6
"""Panels along the size of the domain, where nothing is singular."""
TINY = 1e-8
"""The shortest panel, in units of its arc. One that ends in a corner has nodes at r = TINY t^4, which makes the flux
of a crack, r^(-1/2), smooth in t."""
CLOSEST = 1e-13
"""Closer to a corner, in units of the domain, rounding moves nodes by a thousandth of their distance."""
POWERS, STEPS = np.array([0.0, 1 / 3, 1 / 2]), np.array([1.0, 8.0, 64.0])
LAST = np.linalg.solve(STEPS[None, :] ** -POWERS[:, None], 1.0 / (1.0 - POWERS))
"""The integral of r^-p from 0 to 1 for each of the powers, by values at r = 1, 8 and 64."""
SAMPLES = 4_000
"""Points of a surface that has no rule, for each node that others have along a panel."""
EACH = 50
"""Nodes of a smooth level set for each two such, along and across: an ellipsoid has its area to 1e-8 of it with 26."""
MOST = 200_000
"""The most nodes."""
SHORT = 1e-3
"""The same as a part of a panel, if that is shorter still."""


def surface_rule(domain: Domain, part: str, m: int, distance: Distance | None = None) -> Weighed:
    """Points of a part of the boundary, outward normals there, and the weights of the integral over it.

    Parameters
    ----------
    part : str
        A part, or a name for several of them.
    m : int
        Nodes along a panel: 12 is enough for most functions; a second rule gives the error.
    distance : callable, optional
        The distance of points of the plane from the singularities.
    """
    rules = [rule for name in domain.resolve(part) for rule in _rules(domain, name, m, distance)]
    points, normals, weights = (np.concatenate(column) for column in zip(*rules, strict=True))
    if len(points) > MOST:
        raise GeometryError(f"The part {part!r} of {domain} is too rugged to integrate over: {len(points)} nodes.")
    return points, normals, weights


def _rules(domain: Domain, part: str, m: int, distance: Distance | None) -> list[Weighed]:
    if domain.dimension == 1:
        ends = domain.boundary(part, 1)
        return [(ends.points, ends.normals, np.ones(len(ends.points)))]
    if domain.dimension == 2 and domain.arcs(part):
        size = float(np.linalg.norm(np.ptp(domain.bounds, axis=0)))
        return [_panels(arc, m, distance, size) for arc in domain.arcs(part)]
    if isinstance(domain, Exterior):
        return [_turned(rule, True) for rule in _rules(domain.body, part, m, distance)]
    if isinstance(domain, LevelSet) and not domain.formula.has(sp.Abs, sp.Max, sp.Min):
        smooth = LevelSurface(domain)
        points, weights = smooth.quadrature(EACH * m**2)
        return [(points, smooth.normals(points), weights)]
    if isinstance(domain, Manifold):
        return [domain.edge_rule(m)]
    if isinstance(domain, Product):
        return [_product(domain, edge, rest, part, m) for edge, rest in domain._pieces(part)]
    if isinstance(domain, Box):
        return [_face(domain, part, 2 * m)]
    if isinstance(domain, Ball | Annulus) and domain.dimension == 3:
        radius, outward = domain._side(part) if isinstance(domain, Annulus) else (domain.radius, 1.0)
        away, weights = sphere_rule(3, 2 * m)
        return [(np.asarray(domain.center) + radius * away, outward * away, weights * radius**2)]
    if isinstance(domain, Mesh):
        return [_triangles(domain, m)]
    if isinstance(domain, Combination):
        bodies = [piece for piece in domain._kept[part] if isinstance(piece, BodyPiece)]
        if not any(piece.tests for piece in bodies):
            return [_turned(rule, p.flip) for p in bodies for rule in _rules(p.shape, p.part, m, distance)]
    if isinstance(domain, Pieces) and domain.dimension == 3:
        left = [piece for piece in domain._pieces_of(part) if isinstance(piece, BodyPiece)]
        return [rule for piece in left for rule in _left_rules(domain, piece, m, len(domain.parts))]
    surface = domain.boundary(part, SAMPLES * m, "quasi", 0)
    count = len(surface.points)
    return [(surface.points, surface.normals, np.full(count, domain.measure(part) / count))]


def _left_rules(domain: Pieces, piece: BodyPiece, m: int, parts: int) -> list[Weighed]:
    """The rules of what is left of a part of one of several pieces."""
    if not piece.tests:
        return [_turned(rule, piece.flip) for rule in _rules(piece.shape, piece.part, m, None)]
    rectangles = _rectangles(domain, piece, m) if isinstance(piece.shape, Box) else None
    if rectangles is not None:
        return rectangles
    points, normals = piece.draw(SAMPLES * m // parts, "quasi", np.random.default_rng(0))
    return [(points, normals, np.full(len(points), piece.measure / len(points)))]


def _rectangles(domain: Pieces, piece: BodyPiece, m: int) -> list[Weighed] | None:
    """What other boxes leave of the face of a box, as rectangles; None if it has another shape."""
    box = piece.shape
    assert isinstance(box, Box)
    axis, _ = box._face(piece.part)
    others = [j for j in range(3) if j != axis]
    grid = []
    for j in others:
        ends = np.unique(np.ravel([shape.bounds[:, j] for _, shape in domain.shapes]))
        inner = ends[(ends > box.bounds[0, j] + domain.step[j]) & (ends < box.bounds[1, j] - domain.step[j])]
        grid.append(np.array([box.bounds[0, j], *inner, box.bounds[1, j]]))
    points, normals, weights = _face(box, piece.part, 2 * m)
    unit = (points[:, others] - box.bounds[0, others]) / np.ptp(box.bounds, axis=0)[others]
    found: list[Weighed] = []
    for a in pairwise(grid[0]):
        for b in pairwise(grid[1]):
            low, extent = np.array([a[0], b[0]]), np.array([a[1] - a[0], b[1] - b[0]])
            at = points.copy()
            at[:, others] = low + unit * extent
            kept = len(piece._passed(Surface(at, normals)))
            if 0 < kept < len(at):
                return None
            if kept:
                share = float(np.prod(extent)) / box._measure(piece.part)
                found.append(_turned((at, normals, share * weights), piece.flip))
    return found


def _turned(rule: Weighed, flip: bool) -> Weighed:
    return rule[0], -rule[1] if flip else rule[1], rule[2]


def _panels(arc: Arc, m: int, distance: Distance | None, size: float) -> Weighed:
    """Gauss panels of an arc, halved until each is no longer than its distance from the singularities."""
    count = max(1, int(np.ceil(PANELS * arc.length / size)))
    ends = np.linspace(0.0, arc.length, count + 1)
    start, stop, found = ends[:-1], ends[1:], []
    while len(start):
        middle, whole = (start + stop) / 2, np.ones(len(start), dtype=bool)
        if distance is not None:
            at = np.concatenate([start, middle, stop])
            away = distance(arc.at(at)[0]).reshape(3, -1)
            whole = stop - start <= away.min(axis=0)
        last = ~whole & (stop - start <= TINY * arc.length)
        found += [arc.quadrature(m, a, b) for a, b in zip(start[whole], stop[whole], strict=True)]
        found += [
            _into_corner(arc, m, start[k], stop[k], bool(away[0, k] < away[2, k]), size) for k in np.where(last)[0]
        ]
        cut = ~whole & ~last
        start, stop = np.concatenate([start[cut], middle[cut]]), np.concatenate([middle[cut], stop[cut]])
    points, normals, weights = (np.concatenate(column) for column in zip(*found, strict=True))
    return points, normals, weights


def _into_corner(arc: Arc, m: int, start: float, stop: float, first: bool, size: float) -> Weighed:
    """The panel that ends in a corner, at its start or at its end."""
    t, w = gauss(m)
    corner, length, turn = (start, stop - start, 1.0) if first else (stop, stop - start, -1.0)
    closest = min(CLOSEST * size, SHORT * length)
    far = length - closest
    r = np.concatenate([closest + far * t**4, closest * STEPS])
    points, normals = arc.at(corner + turn * r)
    return points, normals, np.concatenate([far * 4 * t**3 * w, closest * LAST])


def _face(domain: Box, part: str, m: int) -> Weighed:
    axis, end = domain._face(part)
    others = np.arange(domain.dimension) != axis
    low, extent = domain.bounds[0][others], np.ptp(domain.bounds, axis=0)[others]
    x, w = gauss(m)
    unit, weights = tensor(*[(x[:, None], w)] * int(others.sum()))
    points = np.empty((len(unit), domain.dimension))
    points[:, axis], points[:, others] = domain.bounds[end, axis], low + unit * extent
    normals = np.zeros_like(points)
    normals[:, axis] = 2.0 * end - 1.0
    return points, normals, weights * float(np.prod(extent))


def _product(domain: Product, edge: Domain, rest: Domain, part: str, m: int) -> Weighed:
    """The rule of a part of one factor times the rule of the other factor."""
    on, normals, lengths = surface_rule(edge, part, m)
    inner, volumes = rest.quadrature((2 * m) ** rest.dimension)
    i, j = np.repeat(np.arange(len(on)), len(inner)), np.tile(np.arange(len(inner)), len(on))
    pairs = [(on[i], normals[i]), (inner[j], np.zeros_like(inner)[j])]
    ordered: Sequence[tuple[np.ndarray, np.ndarray]] = pairs if edge is domain.first else pairs[::-1]
    (a, p), (b, q) = ordered
    return np.hstack([a, b]), np.hstack([p, q]), lengths[i] * volumes[j]


def _triangles(domain: Mesh, m: int) -> Weighed:
    """A Gauss rule on each triangle of a surface."""
    across = int(np.clip(round(np.sqrt(m * SAMPLES / len(domain.faces) / 4)), 2, m))
    s, ws = special.roots_jacobi(across, 0, 1)
    x, w = gauss(across)
    far, along = (g.ravel() for g in np.meshgrid((s + 1) / 2, x, indexing="ij"))
    a, b, c = (corner[:, None, :] for corner in np.swapaxes(domain._corners, 0, 1))
    points = a + far[:, None] * ((1 - along[:, None]) * (b - a) + along[:, None] * (c - a))
    weights = np.outer(2 * domain._areas, np.outer(ws / 4, w).ravel()).ravel()
    normals = np.repeat(domain._normals / np.maximum(2 * domain._areas[:, None], 1e-300), len(far), axis=0)
    return points.reshape(-1, 3) + domain.bounds.mean(axis=0), normals, weights
