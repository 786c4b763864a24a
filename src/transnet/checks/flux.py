"""Do the data of a pure Neumann problem balance? By the divergence theorem they must, or there is no solution."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from transnet.checks.places import periodic_parts
from transnet.counts import EXAMINED, LOOKS
from transnet.errors import Message, ProblemError, UniquenessWarning
from transnet.geometry import Domain, Exterior
from transnet.measure.arcs import Arc
from transnet.problem import Problem
from transnet.rows.compile import compile_equation
from transnet.rows.statements import Statement
from transnet.rows.stretches import in_stretches
from transnet.tolerances import BESIDE, SAME

BALANCED = 2e-3
"""A gap below this part of the data is attributed to the error of the integration."""
DEPTH, NODES = 12, 12
"""How often the panels of an arc are halved towards each of its ends, and the nodes of each."""
INSIDE, ON_A_LINE = 4_000, 200
"""Nodes of the integral over a domain, and over an interval: for a smooth source far more than `BALANCED` needs."""


def flux_gap(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> Message | None:
    """A message if div(a grad u) = f with c du/dn = g all around has incompatible data.

    The integral of f over the domain must equal that of (a / c) g over its boundary. Periodic faces cancel. The message
    gives the gap.
    """
    problem, statements = in_stretches(problem, statements)
    equations = [s for s in statements if s.kind == "equation"]
    fluxes = [s for s in statements if s.part is not None]
    if isinstance(problem.domain, Exterior):
        return None  # what flows out may go to infinity
    if len(equations) != 1 or len(problem.unknowns) != 1 or not all(s.equation.linear for s in statements):
        return None
    if not _all_around(problem, fluxes) or any(s.equation.order != 1 for s in fluxes):
        return None
    a = _diffusivity(problem, equations[0], parameters)
    if a is None:
        return None
    diffusivity = compile_equation(a, problem.unknowns, problem.coordinates, problem.parameters, str(a))
    try:
        nodes, weights = problem.domain.quadrature(INSIDE if problem.domain.dimension > 1 else ON_A_LINE)
        inside = -equations[0].equation.residual(nodes, None, parameters)
        across, size = 0.0, float(np.abs(weights) @ np.abs(inside))
        for s in fluxes:
            assert s.part is not None
            points, normals, lengths = _around(problem.domain, s.part)
            factor = _normal_factor(problem, s, points, normals, parameters)
            if factor is None:
                return None
            value = -s.equation.residual(points, normals, parameters)
            flux = value * diffusivity.residual(points, None, parameters) / factor
            across += float(lengths @ flux)
            size += float(lengths @ np.abs(flux))
    except ProblemError:  # a given function that has no value at the points of the integration
        return None
    gap = float(weights @ inside) - across
    if abs(gap) <= BALANCED * size:
        return None
    return Message(
        UniquenessWarning,
        f"The data of this pure Neumann problem are incompatible: the source integrates to {across + gap:.6g} over the "
        f"domain but the flux to {across:.6g} over its boundary, a gap of {gap:.3g}. No solution exists; what is "
        f"returned fits in the least-squares sense. Check the signs and the factor of the normal derivative.",
    )


def _around(domain: Domain, part: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points of a part of the boundary, their normals, and the weights of the integral over it.

    In the plane every arc, however short, has its own rule, with panels that shrink towards its ends: a flux may be
    singular at corners, and all of it may pass through a small hole.
    """
    arcs: list[Arc] = []
    if domain.dimension == 2:
        arcs = [arc for name in domain.resolve(part) for arc in domain.arcs(name)]
    if not arcs or len(arcs) > EXAMINED:
        surface = domain.boundary(part, INSIDE, "quasi", 0)
        share = domain.measure(part) / len(surface.points)
        return surface.points, surface.normals, np.full(len(surface.points), share)
    steps = np.concatenate([[0.0], 0.5 ** np.arange(DEPTH, 0, -1), 1.0 - 0.5 ** np.arange(2, DEPTH + 1), [1.0]])
    pieces = [arc.quadrature(NODES, a * arc.length, b * arc.length) for arc in arcs for a, b in pairwise(steps)]
    points, normals, weights = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return points, normals, weights


def _all_around(problem: Problem, conditions: Sequence[Statement]) -> bool:
    """Whether the conditions and the periodic faces make up the whole boundary, each part once."""
    covered = periodic_parts(problem)
    for s in conditions:
        if s.source.where is not None:  # type: ignore[union-attr]
            return False
        covered += problem.domain.resolve(s.source.part)  # type: ignore[union-attr]
    return sorted(covered) == sorted(problem.domain.parts)


def _diffusivity(problem: Problem, statement: Statement, parameters: Sequence[Any]) -> sp.Expr | None:
    """a, if the equation is div(a grad u) = f with no term in u itself."""
    d = len(problem.coordinates)
    terms = dict(zip(statement.equation.slots, statement.equation.coefficients_symbolic, strict=True))
    first = [(0, tuple(int(i == k) for i in range(d))) for k in range(d)]
    second = [(0, tuple(2 * int(i == k) for i in range(d))) for k in range(d)]
    if any(slot not in first and slot not in second for slot in terms) or any(s not in terms for s in second):
        return None
    a = terms[second[0]]
    zero = [terms[s] - a for s in second]
    zero += [terms.get(s, sp.Integer(0)) - sp.diff(a, c) for s, c in zip(first, problem.coordinates, strict=True)]
    points = problem.domain.interior(LOOKS)
    try:
        for z in zero:
            compiled = compile_equation(z, problem.unknowns, problem.coordinates, problem.parameters, str(z))
            scale = compile_equation(a, problem.unknowns, problem.coordinates, problem.parameters, str(a))
            size = np.abs(scale.residual(points, None, parameters)).max()
            # Differences, where a given function has no derivative of its own, are good to about ten digits.
            if np.abs(compiled.residual(points, None, parameters)).max() > BESIDE * size / np.ptp(points):
                return None
    except ProblemError:
        return None
    return a


def _normal_factor(
    problem: Problem, statement: Statement, points: np.ndarray, normals: np.ndarray, parameters: Sequence[Any]
) -> np.ndarray | None:
    """c, if the condition is c n.grad u = g: its coefficients are a multiple of the normal at every point."""
    vector = np.zeros_like(points)
    coefficients = statement.equation.jacobian(points, normals, parameters)
    for (_, index), c in zip(statement.equation.slots, coefficients, strict=True):
        if sum(index) != 1:
            return None
        vector[:, index.index(1)] = c
    along = np.einsum("ij,ij->i", vector, normals)
    rest = np.linalg.norm(vector - along[:, None] * normals, axis=1)
    return along if np.all(rest <= SAME * np.abs(along)) else None
