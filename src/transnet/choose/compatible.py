"""Whether the statements at a convex corner fit together, in which case nothing is singular there.

At a corner of opening pi / n all exponents are whole numbers, and their functions are polynomials unless they come with
a logarithm. The logarithms appear if no polynomial satisfies the equation and the conditions on both edges: on the unit
square -lap u = 1 and u = 0 ask for u_xx + u_yy = -1 in a corner and for u_xx = u_yy = 0 on its edges. So the best
polynomial on a small sector decides, before any network is solved. At other angles it does not: there the singular
functions satisfy the homogeneous problem, and their coefficients follow from the whole domain.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

import numpy as np

from transnet.choose.enrich import Enrichment
from transnet.errors import TransnetError
from transnet.features.singularities import counts
from transnet.geometry.corners import Corner
from transnet.linalg.least_squares import misfit
from transnet.problem import Problem
from transnet.rows.equation import Equation
from transnet.rows.points import inside_of, where_mask
from transnet.rows.statements import Statement
from transnet.tolerances import SAME

RADIUS = 0.02
"""The radius of the sector, in units of the domain: a function that is smooth on the domain is a polynomial there."""
DEGREE = 7
"""Of the polynomials."""
RADII = 0.8 ** np.arange(14.0)
"""The radii of the points, in units of that radius: dense towards the corner, where logarithms show."""
ANGLES = 5
"""Rays inside the sector."""
FORCED = 3e-4
"""From this misfit on, in units of the data, singular functions are needed at once: -lap u = 1 with u = 0 on a square
has 1.3e-3."""
COMPATIBLE = 1e-8
"""Below this misfit they are not needed at all: waves resolve the remainder, which is of degree six."""


def misfit_at_corners(
    problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any], enrichment: Enrichment
) -> float:
    """The largest misfit of polynomials at the corners of a domain; infinite if they do not decide."""
    corners, holes = problem.domain.corners_and_holes
    corners = tuple(c for c in corners if counts(c, enrichment.kinds))
    if holes or enrichment.switches or not corners or not all(s.equation.linear for s in statements):
        return inf
    if not all(_whole(c, enrichment) for c in corners):
        return inf
    if any(s.equation.places for s in statements):
        return inf
    try:
        misfits, sizes = _misfits(problem, statements, numbers, corners)
        size = max(_size(problem, statements, numbers), *sizes)
        return max(misfits) / size if size > 0 else 0.0
    except (TransnetError, np.linalg.LinAlgError):
        return inf  # data that are not finite in a corner


def _whole(corner: Corner, enrichment: Enrichment) -> bool:
    """Whether all exponents of a corner are whole numbers."""
    first, second = (enrichment.kinds.get(part) for part in corner.parts)
    if corner.curved or first is None or second is None:
        return False
    step = np.pi / corner.opening(enrichment.mu) / (1 if first == second else 2)
    return bool(abs(step - round(step)) < SAME and round(step) > 0)


def _size(problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any]) -> float:
    """The approximate size of the solution that the right-hand sides produce."""
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
    """The size of an operator for functions that vary over a length."""
    sizes = [np.abs(c).max() * length ** -sum(i) for (_, i), c in zip(equation.slots, factors, strict=True)]
    return float(max(sizes)) or 1.0


def _misfits(
    problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any], corners: Sequence[Corner]
) -> tuple[list[float], list[float]]:
    """The misfit of the best polynomial at each corner, and the size of the data there, as parts of a solution.

    The rows of a statement are made for all corners at once.
    """
    length = _length(problem)
    radius = RADIUS * length
    rows: list[list[np.ndarray]] = [[] for _ in corners]
    sizes = [0.0 for _ in corners]
    for statement in statements:
        placed = [(k, *where) for k, c in enumerate(corners) for where in _places(problem, statement, c, radius)]
        if not placed:
            continue
        equation, order = statement.equation, statement.equation.order
        points = np.concatenate([here for _, here, _ in placed])
        normals = None if statement.source is None else np.concatenate([n for _, _, n in placed if n is not None])
        factors = equation.jacobian(points, normals, numbers)
        right = -equation.residual(points, normals, numbers)
        local = np.concatenate([(here - corners[k].point) / radius for k, here, _ in placed])
        monomials = _Monomials(local)
        made = np.zeros((len(points), len(monomials.a) + 1))
        for (_, index), c in zip(equation.slots, factors, strict=True):
            made[:, :-1] += (c[:, None] if c.ndim else c) * radius ** -sum(index) * monomials.derivative(index)
        made[:, -1] = right
        # Second derivatives that do not fit are seen in the equation, and in r^-2 times values on the edges.
        made *= (np.hypot(*local.T) ** (order - 2) * RADIUS**order)[:, None]
        start = 0
        for k, here, _ in placed:
            which = slice(start, start + len(here))
            leading = _leading(equation, [c[which] if c.ndim else c for c in factors], length)
            rows[k].append(made[which] / leading)
            sizes[k] = max(sizes[k], float(np.abs(right[which]).max()) / leading)
            start += len(here)
    return [_left(np.concatenate(r)) for r in rows], sizes


def _left(rows: np.ndarray) -> float:
    """The residual of the best polynomial for [A | b], as a part of the solution over the length of the domain."""
    norms = np.maximum(np.sqrt(np.sum(rows[:, :-1] ** 2, axis=0)), 1e-300)
    rows[:, :-1] /= norms
    return misfit(np.asfortranarray(rows)) / np.sqrt(len(rows)) / RADIUS**2


def _places(
    problem: Problem, statement: Statement, corner: Corner, radius: float
) -> list[tuple[np.ndarray, np.ndarray | None]]:
    """Where a statement holds in the sector: points and normals, inside or on an edge."""
    first, second = corner.edges
    if statement.source is None:
        angles = np.arctan2(first[1], first[0]) + corner.opening() * (np.arange(ANGLES) + 0.5) / ANGLES
        rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        return [(corner.point + radius * (RADII[:, None, None] * rays).reshape(-1, 2), None)]
    if statement.part is None:
        return []
    found: list[tuple[np.ndarray, np.ndarray | None]] = []
    parts = problem.domain.resolve(statement.part)
    for part, edge, outward in zip(
        corner.parts, corner.edges, ((first[1], -first[0]), (-second[1], second[0])), strict=True
    ):
        if part in parts:
            points = corner.point + radius * RADII[:, None] * edge
            if not where_mask(statement.where, problem.coordinates, points).all():
                continue
            found.append((points, np.broadcast_to(np.array(outward), points.shape)))
    return found


class _Monomials:
    """All monomials x^a y^b up to the degree, at points."""

    def __init__(self, points: np.ndarray) -> None:
        powers = np.arange(DEGREE + 1)
        self.a, self.b = np.nonzero(np.add.outer(powers, powers) <= DEGREE)
        self.tables = [np.cumprod(np.column_stack([np.ones(len(x)), *[x] * DEGREE]), axis=1) for x in points.T]

    def derivative(self, index: tuple[int, ...]) -> np.ndarray:
        """D^k of them, (n, monomials)."""
        made = []
        for table, times in zip(self.tables, index, strict=True):
            powers = np.arange(DEGREE + 1)
            factors = np.prod([powers - k for k in range(times)], axis=0) if times else 1.0
            made.append(factors * table[:, np.maximum(powers - times, 0)] if times else table)
        return made[0][:, self.a] * made[1][:, self.b]
