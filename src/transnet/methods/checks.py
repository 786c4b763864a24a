"""Checks of a problem's data that need numbers: do its conditions agree where they meet, do its fluxes balance?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp
from scipy.spatial import cKDTree

from transnet.discretise.assembly import Layout
from transnet.discretise.collocation import Block, where_mask
from transnet.discretise.placement import Placement
from transnet.discretise.statements import Statement
from transnet.errors import ProblemError
from transnet.geometry import Surface
from transnet.problem import NormalComponent, On, Problem

SAMPLE = 1_500
"""Points on each part where neighbouring conditions are compared."""


def refuse_too_few_rows(blocks: Sequence[Block], layout: Layout) -> None:
    """Raise if there are fewer rows than coefficients."""
    rows = sum(b.rows for b in blocks)
    if rows < layout.columns:
        raise ProblemError(
            f"There are fewer rows ({rows}) than coefficients ({layout.columns}), so the network would not be "
            f"determined. Use more points, or at most {max(rows // (2 * len(layout.spaces)), 1)} neurons."
        )


def conflicts(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> list[str]:
    """Messages for prescribed values of one unknown that differ where two conditions meet."""
    prescribed = [s for s in statements if _prescribes(s)]
    if problem.domain.dimension == 1 or len(prescribed) < 2:
        return []
    samples: dict[int, Surface] = {}
    found = []
    for a, b in combinations(prescribed, 2):
        same_unknown = a.equation.slots[0] == b.equation.slots[0]
        if a.source is b.source or not same_unknown or _value(a) == _value(b):
            continue
        for s in (a, b):
            if id(s.source) not in samples:
                samples[id(s.source)] = _sample(problem, s.source)  # type: ignore[arg-type]
        message = _compare(problem, a, b, samples[id(a.source)], samples[id(b.source)], parameters)
        if message:
            found.append(message)
    return found


def _prescribes(statement: Statement) -> bool:
    equation = statement.equation
    return isinstance(statement.source, On) and equation.linear and len(equation.slots) == 1 and equation.order == 0


def _value(statement: Statement) -> sp.Expr:
    """The symbolic value that a condition u = g prescribes: F = c s + F0 vanishes at s = -F0 / c."""
    equation = statement.equation
    return -equation.expression.xreplace({equation.slot_symbols[0]: sp.Integer(0)}) / equation.coefficients_symbolic[0]


def _sample(problem: Problem, source: On) -> Surface:
    surface = problem.domain.boundary(source.part, SAMPLE, "quasi", 0)
    if source.where is None:
        return surface
    keep = where_mask(source.where, problem.coordinates, surface.points)
    return Surface(surface.points[keep], surface.normals[keep])


def _compare(
    problem: Problem, a: Statement, b: Statement, at_a: Surface, at_b: Surface, parameters: Sequence[Any]
) -> str | None:
    if not len(at_a.points) or not len(at_b.points):
        return None
    place = Placement.of(problem.domain)
    ya, yb = place(at_a.points), place(at_b.points)
    distance, nearest = cKDTree(yb).query(ya)
    spacing = np.median(cKDTree(ya).query(ya, k=2)[0][:, 1]) if len(ya) > 1 else 0.0
    close = np.flatnonzero(distance <= 2.5 * spacing + 1e-9)[:200]
    if not len(close):
        return None
    meeting, transversal = _meeting_points(at_a, at_b, close, nearest[close], place.scale)
    values = [_prescribed(s, meeting, parameters) for s in (a, b)]
    jump = np.abs(values[0] - values[1])
    # Measured along the whole of both parts: where they meet the values may be zero up to rounding.
    around = [_prescribed(s, at.points, parameters) for s, at in ((a, at_a), (b, at_b))]
    size = max(*(float(np.abs(v).max()) for v in (*values, *around)), np.finfo(float).tiny)
    # Where the parts cross, the meeting point is known to the square of the spacing; along one smooth part only to
    # the spacing itself.
    worst = int(np.argmax(jump - np.where(transversal, 1e-3, 0.05) * size))
    if jump[worst] <= (1e-3 if transversal[worst] else 0.05) * size:
        return None
    where = ", ".join(f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, meeting[worst], strict=True))
    return (
        f"Two conditions prescribe different values where they meet: '{a.label}' gives {values[0][worst]:.4g} and "
        f"'{b.label}' gives {values[1][worst]:.4g} near {where}, a jump of {jump[worst]:.3g}. The solution is not "
        f"smooth there and the error will be largest near it. Check the values, or restrict a part with where=."
    )


def _meeting_points(
    at_a: Surface, at_b: Surface, a: np.ndarray, b: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where the tangent planes of close pairs of points meet, and whether they cross at an angle."""
    pa, pb, na, nb = at_a.points[a], at_b.points[b], at_a.normals[a], at_b.normals[b]
    middle = 0.5 * (pa + pb)
    cosine = np.einsum("ij,ij->i", na, nb)
    transversal = np.abs(cosine) < 0.95
    # The shortest step from the middle to both planes: solve the 2 x 2 Gram system for the two normals.
    gap_a = np.einsum("ij,ij->i", na, pa - middle)
    gap_b = np.einsum("ij,ij->i", nb, pb - middle)
    determinant = np.where(transversal, 1.0 - cosine**2, 1.0)
    step = ((gap_a - cosine * gap_b)[:, None] * na + (gap_b - cosine * gap_a)[:, None] * nb) / determinant[:, None]
    return middle + np.where(transversal[:, None], step, 0.0), transversal


def _prescribed(statement: Statement, points: np.ndarray, parameters: Sequence[Any]) -> np.ndarray:
    equation = statement.equation
    normals = np.zeros_like(points)
    return -equation.residual(points, normals, parameters) / equation.jacobian(points, normals, parameters)[0]


def flux_gap(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> str | None:
    """A message if div(a grad u) = f with a du/dn = g on the whole boundary has data that cannot be satisfied.

    By the divergence theorem the integral of f over the domain equals that of g over its boundary. The gap is given as
    a number, relative to the size of the data.
    """
    equations = [s for s in statements if s.kind == "equation"]
    if len(equations) != 1 or len(problem.unknowns) != 1 or not all(s.equation.linear for s in statements):
        return None
    coefficient = _diffusivity(problem, equations[0])
    conditions = [s for s in statements if isinstance(s.source, On)]
    if coefficient is None or not conditions:
        return None
    covered = {p for s in conditions for p in problem.domain.resolve(s.source.part)}  # type: ignore[union-attr]
    factors = [_flux_factor(problem, s) for s in conditions]
    if covered != set(problem.domain.parts) or any(f is None for f in factors):
        return None
    if any(s.source.where is not None for s in conditions if isinstance(s.source, On)):
        return None
    nodes, weights = problem.domain.quadrature(4_000)
    inside = -equations[0].equation.residual(nodes, None, parameters)
    across, size = 0.0, float(np.abs(weights) @ np.abs(inside))
    for s, factor in zip(conditions, factors, strict=True):
        part = s.source.part  # type: ignore[union-attr]
        surface = problem.domain.boundary(part, 4_000, "quasi", 0)
        value = -s.equation.residual(surface.points, surface.normals, parameters)
        ratio = sp.lambdify([*problem.coordinates, *problem.parameters], coefficient / factor, "numpy")
        flux = value * ratio(*surface.points.T, *parameters)
        across += problem.domain.measure(part) * float(np.mean(flux))
        size += problem.domain.measure(part) * float(np.mean(np.abs(flux)))
    gap = float(weights @ inside) - across
    if abs(gap) <= 2e-3 * size:
        return None
    return (
        f"The data of this pure Neumann problem are incompatible: the source integrates to {across + gap:.6g} over the "
        f"domain but the flux to {across:.6g} over its boundary, a gap of {gap:.3g}. No solution exists; what is "
        f"returned fits in the least-squares sense. Check the signs and the factor of the normal derivative."
    )


def _diffusivity(problem: Problem, statement: Statement) -> sp.Expr | None:
    """a, if the equation is div(a grad u) = f with no term in u itself."""
    d = len(problem.coordinates)
    terms = dict(zip(statement.equation.slots, statement.equation.coefficients_symbolic, strict=True))
    axes = [(0, tuple(int(i == k) for i in range(d))) for k in range(d)]
    second = [(0, tuple(2 * int(i == k) for i in range(d))) for k in range(d)]
    if any(slot not in axes and slot not in second for slot in terms) or any(s not in terms for s in second):
        return None
    a = terms[second[0]]
    zero = [terms[s] - a for s in second]
    zero += [terms.get(axis, sp.Integer(0)) - sp.diff(a, c) for axis, c in zip(axes, problem.coordinates, strict=True)]
    return a if all(sp.simplify(z) == 0 for z in zero) else None


def _flux_factor(problem: Problem, statement: Statement) -> sp.Expr | None:
    """c, if the condition is c du/dn = g."""
    d = len(problem.coordinates)
    terms = dict(zip(statement.equation.slots, statement.equation.coefficients_symbolic, strict=True))
    axes = [(0, tuple(int(i == k) for i in range(d))) for k in range(d)]
    if set(terms) != set(axes):
        return None
    ratios = [sp.simplify(terms[s] / NormalComponent(c)) for s, c in zip(axes, problem.coordinates, strict=True)]
    same = all(sp.simplify(r - ratios[0]) == 0 for r in ratios) and not ratios[0].has(NormalComponent)
    return ratios[0] if same else None
