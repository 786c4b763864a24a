"""Coefficients that jump across circles and lines of any direction, or across spheres, turned into pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import sympy as sp

from transnet.counts import MANY
from transnet.errors import GeometryError
from transnet.geometry import Ball, Box, Domain, LevelSet, Pieces, Polygon
from transnet.problem import Problem, by_piece

WITHIN = 50
"""Additional points of each disk: a small one would be missed."""
MOST = 24
"""The most pieces."""


def pieces_of_curves(
    problem: Problem, expressions: Sequence[sp.Expr], edges: Sequence[sp.Expr], jumping: tuple[type, ...]
) -> Problem | None:
    """The problem on pieces between the curves or spheres on which `edges` vanish; None where they are others."""
    domain, coordinates = problem.domain, problem.coordinates
    negative = _negative if domain.dimension == 2 else _within
    try:
        sides = [negative(edge, coordinates, domain) for edge in edges]
        points = _samples(domain, [_ball(edge, coordinates) for edge in edges])
        signs = np.stack(
            [np.broadcast_to(sp.lambdify(coordinates, e)(*points.T), (len(points),)) < 0 for e in edges], axis=1
        )
        patterns, first = np.unique(signs, axis=0, return_index=True)
        if not 1 < len(patterns) <= MOST:
            return None
        shapes, middles = {}, {}
        for number, (pattern, at) in enumerate(zip(patterns, first, strict=True)):
            shape = domain
            for inside, side in zip(pattern, sides, strict=True):
                shape = shape & side if inside else shape - side
            shapes[f"piece{number}"] = shape
            middles[f"piece{number}"] = dict(zip(coordinates, map(sp.Float, points[at]), strict=True))
        whole = Pieces(shapes)
    except GeometryError:
        return None
    atoms = set().union(*(e.atoms(*jumping) for e in expressions))
    values = {atom: by_piece({n: branch(atom, m) for n, m in middles.items()}) for atom in atoms}
    return Problem(whole, [e.xreplace(values) for e in expressions], problem.conditions)


def _samples(domain: Domain, disks: Sequence[Domain | None]) -> np.ndarray:
    """Points of the domain on all sides of the curves."""
    small = [disk.interior(WITHIN, "quasi", 0) for disk in disks if disk is not None]
    return np.concatenate([domain.interior(MANY, "quasi", 0), *(p[domain.contains(p)] for p in small)])


def branch(atom: sp.Expr, middle: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    """The formula of a jumping expression in the piece that contains a point."""
    if isinstance(atom, sp.Piecewise):
        for value, condition in atom.args:
            if condition.subs(middle) == sp.true:
                return value
        return sp.nan
    return atom.subs(middle)


def _within(edge: sp.Expr, coordinates: Sequence[sp.Symbol], domain: Domain) -> Domain:
    """Where a formula is negative in space: inside or outside of a sphere, or on one side of a coordinate plane."""
    low, high = np.asarray(domain.bounds)
    size = float(np.linalg.norm(high - low))
    far = {c.name: [low[k] - size, high[k] + size] for k, c in enumerate(coordinates)}
    if not edge.is_polynomial(*coordinates):
        raise GeometryError(f"{edge} vanishes on no sphere.")
    poly = sp.Poly(edge, *coordinates)
    ball = _ball(edge, coordinates)
    if ball is not None:
        return ball if poly.LC() > 0 else Box(**far) - ball
    if poly.total_degree() != 1 or len(edge.free_symbols) != 1:
        raise GeometryError(f"{edge} vanishes on no sphere.")
    (symbol,) = edge.free_symbols
    slope = float(poly.coeff_monomial(symbol))
    far[symbol.name][1 if slope > 0 else 0] = -float(poly.coeff_monomial(1)) / slope
    return Box(**far)


def _negative(edge: sp.Expr, coordinates: Sequence[sp.Symbol], domain: Domain) -> Domain:
    """Where a formula is negative: a half plane, a disk, or a level set."""
    x, y = coordinates
    low, high = np.asarray(domain.bounds)
    size = float(np.linalg.norm(high - low))
    names = {x.name: (low[0] - size, high[0] + size), y.name: (low[1] - size, high[1] + size)}
    if edge.is_polynomial(x, y):
        poly = sp.Poly(edge, x, y)
        if poly.total_degree() == 1:
            normal = np.array([float(poly.coeff_monomial(m)) for m in (x, y)])
            return _half_plane(normal, float(poly.coeff_monomial(1)), 0.5 * (low + high), size)
        disk = _ball(edge, coordinates)
        if disk is not None:
            return disk if poly.LC() > 0 else _half_plane(np.zeros(2), -1.0, 0.5 * (low + high), size) - disk
    return LevelSet(edge, **names)  # type: ignore[arg-type]


def _ball(edge: sp.Expr, coordinates: Sequence[sp.Symbol]) -> Domain | None:
    """The disk or ball on whose rim a formula vanishes; None if that is no circle or sphere."""
    if not edge.is_polynomial(*coordinates):
        return None
    poly = sp.Poly(edge, *coordinates)
    squares = [float(poly.coeff_monomial(c**2)) for c in coordinates]
    mixed = [float(poly.coeff_monomial(a * b)) for a, b in combinations(coordinates, 2)]
    if poly.total_degree() != 2 or len(set(squares)) > 1 or squares[0] == 0 or any(mixed):
        return None
    middle = -np.array([float(poly.coeff_monomial(c)) for c in coordinates]) / (2 * squares[0])
    square = float(middle @ middle) - float(poly.coeff_monomial(1)) / squares[0]
    if square <= 0:
        raise GeometryError(f"{edge} vanishes nowhere.")
    return Ball(center=tuple(map(float, middle)), radius=float(np.sqrt(square)))


def _half_plane(normal: np.ndarray, offset: float, middle: np.ndarray, size: float) -> Domain:
    """normal . p + offset < 0 as a large polygon; the whole plane without a normal."""
    length = float(np.linalg.norm(normal))
    far = 2.0 * size
    if length == 0:
        corners = middle + far * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    else:
        n = normal / length
        along = np.array([-n[1], n[0]])
        foot = middle - (float(normal @ middle) + offset) / length * n
        corners = np.array(
            [foot - far * along, foot + far * along, foot + far * along - far * n, foot - far * along - far * n]
        )
    return Polygon([tuple(map(float, p)) for p in corners])
