"""Whether what is stated at a convex corner fits together: where it does nothing is singular there.

At a corner of opening pi / n all exponents are whole numbers, and their functions are polynomials unless they come
with a logarithm. The logarithms are there where no polynomial satisfies the equation and the conditions on both edges:
on the unit square -lap u = 1 and u = 0 ask for u_xx + u_yy = -1 in a corner and for u_xx = u_yy = 0 on its edges. So
the best polynomial on a small sector tells, before any network is solved. At other angles it does not: there the
singular functions satisfy everything with zeros on the right, and how much of them there is follows from the whole
domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from transnet.choose.enrich import Enrichment
from transnet.errors import TransnetError
from transnet.features.singularities import INTEGER, counts
from transnet.geometry.corners import Corner
from transnet.problem import On, Problem
from transnet.rows.equation import Equation
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement
from transnet.symmetry.mirrors import inside_of

RADIUS = 0.02
"""Of the sector, in units of the domain: what is smooth on the domain is a polynomial there."""
DEGREE = 7
"""Of the polynomials."""
RADII = 0.8 ** np.arange(14.0)
"""Where points are, in units of the radius: towards the corner, where logarithms are seen."""
ANGLES = 5
"""Rays inside of the sector."""
FORCED = 3e-4
"""From this misfit on, in units of the data, singular functions are needed at once: -lap u = 1 with u = 0 on a square
has 1.3e-3."""
COMPATIBLE = 1e-8
"""Below this one they are not needed at all: waves resolve what is left, which is of degree six."""


def misfit_at_corners(
    problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any], enrichment: Enrichment
) -> float:
    """The largest misfit of polynomials at the corners of a domain; infinite where they do not tell."""
    corners, holes = problem.domain.corners_and_holes
    corners = tuple(c for c in corners if counts(c, enrichment.kinds))
    if holes or enrichment.switches or not corners or not all(s.equation.linear for s in statements):
        return inf
    if not all(_whole(c, enrichment) for c in corners):
        return inf
    try:
        found = [_misfit(problem, statements, numbers, c) for c in corners]
        size = max(_size(problem, statements, numbers), *(right for _, right in found))
        return max(left for left, _ in found) / size if size > 0 else 0.0
    except (TransnetError, np.linalg.LinAlgError):
        return inf  # data that are not finite in a corner


def _whole(corner: Corner, enrichment: Enrichment) -> bool:
    """Whether all exponents of a corner are whole numbers."""
    first, second = (enrichment.kinds.get(part) for part in corner.parts)
    if corner.curved or first is None or second is None:
        return False
    step = np.pi / corner.opening(enrichment.mu) / (1 if first == second else 2)
    return bool(abs(step - round(step)) < INTEGER and round(step) > 0)


def _size(problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any]) -> float:
    """How large a solution the right-hand sides of the equation make, about."""
    points = inside_of(problem.domain)
    length = _length(problem)
    found = [0.0]
    for equation in (s.equation for s in statements if s.source is None):
        factors = equation.jacobian(points, None, numbers)
        found.append(
            float(np.abs(equation.residual(points, None, numbers)).max()) / _leading(equation, factors, length)
        )
    return max(found)


def _length(problem: Problem) -> float:
    lower, upper = problem.domain.bounds
    return float(np.min(upper - lower))


def _leading(equation: Equation, factors: Sequence[np.ndarray], length: float) -> float:
    """The size of an operator for what changes over a length."""
    sizes = [np.abs(c).max() * length ** -sum(i) for (_, i), c in zip(equation.slots, factors, strict=True)]
    return float(max(sizes)) or 1.0


def _misfit(
    problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any], corner: Corner
) -> tuple[float, float]:
    """The misfit of the best polynomial at a corner, and the size of the data there, as parts of a solution."""
    length = _length(problem)
    radius = RADIUS * length
    rows, rights, size = [], [], 0.0
    for statement in statements:
        for points, normals in _places(problem, statement, corner, radius):
            equation = statement.equation
            if equation.places:
                return inf, 1.0
            factors = equation.jacobian(points, normals, numbers)
            right = -equation.residual(points, normals, numbers)
            order = equation.order
            local = (points - corner.point) / radius
            leading = _leading(equation, factors, length)
            # Second derivatives that do not fit are seen in the equation, and in r^-2 times values on the edges.
            near = np.linalg.norm(local, axis=1) ** (order - 2) * RADIUS**order / leading
            rows.append(
                sum(
                    (near * c)[:, None] * _monomials(local, index) / radius ** sum(index)
                    for (_, index), c in zip(equation.slots, factors, strict=True)
                )
            )
            rights.append(near * right)
            size = max(size, float(np.abs(right).max()) / leading)
    matrix, b = np.concatenate(rows), np.concatenate(rights)
    matrix = matrix / np.maximum(np.linalg.norm(matrix, axis=0), 1e-300)
    left = b - matrix @ np.linalg.lstsq(matrix, b, rcond=1e-13)[0]
    # Over the length of the domain what does not fit makes so much of the solution.
    return float(np.sqrt(np.mean(left**2)) / RADIUS**2), size


def _places(
    problem: Problem, statement: Statement, corner: Corner, radius: float
) -> list[tuple[np.ndarray, np.ndarray | None]]:
    """Where a statement holds in the sector: points and normals, of the inside or of an edge."""
    first, second = corner.edges
    if statement.source is None:
        angles = np.arctan2(first[1], first[0]) + corner.opening() * (np.arange(ANGLES) + 0.5) / ANGLES
        rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return [(corner.point + radius * (RADII[:, None, None] * rays).reshape(-1, 2), None)]
    source = statement.source
    if not isinstance(source, On):
        return []
    found: list[tuple[np.ndarray, np.ndarray | None]] = []
    parts = problem.domain.resolve(source.part)
    for part, edge, outward in zip(
        corner.parts, corner.edges, ((first[1], -first[0]), (-second[1], second[0])), strict=True
    ):
        if part in parts:
            points = corner.point + radius * RADII[:, None] * edge
            if source.where is not None and not where_mask(source.where, problem.coordinates, points).all():
                continue
            found.append((points, np.broadcast_to(np.array(outward), points.shape)))
    return found


def _monomials(points: np.ndarray, index: tuple[int, ...]) -> np.ndarray:
    """D^k of all x^a y^b of a degree: (n, monomials)."""
    tables = []
    for values, times in zip(points.T, index, strict=True):
        powers = np.arange(DEGREE + 1)
        factors = np.prod([powers - k for k in range(times)], axis=0) if times else np.ones(DEGREE + 1)
        tables.append(factors * values[:, None] ** np.maximum(powers - times, 0))
    a, b = np.nonzero(np.add.outer(np.arange(DEGREE + 1), np.arange(DEGREE + 1)) <= DEGREE)
    return tables[0][:, a] * tables[1][:, b]
