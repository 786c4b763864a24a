"""Checks of a problem's data that need numbers: do conditions agree where they meet, and are there enough rows?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.checks.contradictions import contradiction
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.features.placement import Placement
from transnet.geometry import Surface
from transnet.lazy import spatial
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.points import portion
from transnet.rows.statements import Statement
from transnet.tolerances import SAME

SAMPLE = 1_500
"""Points on each part at which neighbouring conditions are compared."""
CURVATURE = 2.0
"""The largest curvature of a boundary, in the unit box."""
REACH, PAIRS = 2.5, 200
"""Samples of two parts that are closer than this many spacings lie where the parts meet; this many pairs are
compared."""
PARALLEL = 0.95
"""The cosine between normals of parts that continue each other (18 degrees) or are the sides of something thin."""
ALLOWED, SMOOTH = 1e-3, 0.05
"""The largest jump, as a part of the largest value, that is not a contradiction: where the parts cross, and along one
smooth part, where their meeting point is known only to the spacing."""
TOLD = 0.1
"""Steps shorter than this part of the longest are too short to give a slope."""


def refuse_too_few_rows(blocks: Sequence[Block], basis: Basis) -> None:
    """Raise if there are fewer rows than coefficients."""
    rows = sum(b.rows for b in blocks)
    if rows < basis.columns:
        raise ProblemError(
            f"There are fewer rows ({rows}) than coefficients ({basis.columns}), so the network would not be "
            f"determined. Use more points, or at most {max(rows // (2 * len(basis.spaces)), 1)} neurons."
        )


def periodic_parts(problem: Problem) -> list[str]:
    """The parts of the boundary that a periodic condition identifies with each other."""
    found: list[str] = []
    for condition in problem.conditions:
        if condition.period is not None:
            found += condition.parts(problem)
    return found


def conflicts(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> list[Message]:
    """Messages for prescribed values of one unknown that differ where two conditions meet."""
    return [message for message, _ in clashes(problem, statements, parameters)]


def clashes(
    problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]
) -> list[tuple[Message, np.ndarray]]:
    """The same messages, each with the place where the values differ most."""
    prescribed = [s for s in statements if _prescribes(s)]
    if problem.domain.dimension == 1 or len(prescribed) < 2:
        return []
    samples: dict[int, Surface] = {}
    found = []
    for a, b in combinations(prescribed, 2):
        same_unknown = a.equation.slots[0] == b.equation.slots[0]
        if a.source is b.source or not same_unknown or _value(a) == _value(b):
            continue
        if contradiction(problem, a, b, parameters):
            continue  # they differ all over a part, not only where two parts meet
        for s in (a, b):
            if id(s.source) not in samples:
                samples[id(s.source)] = _sample(problem, s)
        clash = _compare(problem, a, b, samples[id(a.source)], samples[id(b.source)], parameters)
        if clash:
            found.append(clash)
    return found


def _prescribes(statement: Statement) -> bool:
    equation = statement.equation
    return statement.part is not None and equation.linear and len(equation.slots) == 1 and equation.order == 0


def _value(statement: Statement) -> sp.Expr:
    """The symbolic value that a condition u = g prescribes: F = c s + F0 vanishes at s = -F0 / c."""
    equation = statement.equation
    return -equation.expression.xreplace({equation.slot_symbols[0]: sp.Integer(0)}) / equation.coefficients_symbolic[0]


def _sample(problem: Problem, source: Statement) -> Surface:
    assert source.part is not None
    return portion(problem.domain.boundary(source.part, SAMPLE, "quasi", 0), source.where, problem.coordinates)


def _compare(
    problem: Problem, a: Statement, b: Statement, at_a: Surface, at_b: Surface, parameters: Sequence[Any]
) -> tuple[Message, np.ndarray] | None:
    if not len(at_a.points) or not len(at_b.points):
        return None
    place = Placement.of(problem.domain)
    ya, yb = place(at_a.points), place(at_b.points)
    distance, nearest = spatial.cKDTree(yb).query(ya)
    spacing = np.median(spatial.cKDTree(ya).query(ya, k=2)[0][:, 1]) if len(ya) > 1 else 0.0
    cosine = np.einsum("ij,ij->i", at_a.normals, at_b.normals[nearest])
    # Opposite normals are the two sides of something thin, which do not meet.
    close = np.flatnonzero((distance <= REACH * spacing + SAME) & (cosine > -PARALLEL))[:PAIRS]
    if not len(close):
        return None
    meeting, transversal = _meeting_points(at_a, at_b, close, nearest[close])
    meeting = np.clip(meeting, *problem.domain.bounds)
    values = [_prescribed(s, meeting, parameters) for s in (a, b)]
    jump = np.nan_to_num(np.abs(values[0] - values[1]))
    # A jump is compared with the largest value anywhere on the two parts: at the meeting point itself both are often
    # zero up to rounding.
    everywhere = [_prescribed(a, at_a.points, parameters), _prescribed(b, at_b.points, parameters)]
    size = max(float(np.nan_to_num(np.abs(v)).max()) for v in everywhere)
    # Where the parts cross, the meeting point is known to the square of the distance of the samples if they are curved;
    # along one smooth part only to the spacing itself. Their slope then gives the uncertainty of the values.
    slope = max(
        _slope(values[0], _prescribed(a, at_a.points[close], parameters), place(meeting) - ya[close]),
        _slope(values[1], _prescribed(b, at_b.points[nearest[close]], parameters), place(meeting) - yb[nearest[close]]),
    )
    allowed = np.where(transversal, np.maximum(ALLOWED * size, CURVATURE * slope * distance[close] ** 2), SMOOTH * size)
    worst = int(np.argmax(jump - allowed))
    if jump[worst] <= allowed[worst]:
        return None
    where = ", ".join(f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, meeting[worst], strict=True))
    text = (
        f"Two conditions prescribe different values where they meet: '{a.label}' gives {values[0][worst]:.4g} and "
        f"'{b.label}' gives {values[1][worst]:.4g} near {where}, a jump of {jump[worst]:.3g}. The solution is not "
        f"smooth there and the error will be largest near it."
    )
    return Message(AccuracyWarning, text, {"restrict": True}), meeting[worst]


def _slope(there: np.ndarray, here: np.ndarray, step: np.ndarray) -> float:
    """The largest slope of values over steps that are long enough."""
    length = np.linalg.norm(step, axis=1)
    rise = np.nan_to_num(np.abs(there - here))
    return float((rise / np.maximum(length, TOLD * length.max(initial=1e-300))).max(initial=0.0))


def _meeting_points(at_a: Surface, at_b: Surface, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the tangent planes of close pairs of points meet, and whether they cross at an angle."""
    pa, pb, na, nb = at_a.points[a], at_b.points[b], at_a.normals[a], at_b.normals[b]
    middle = 0.5 * (pa + pb)
    cosine = np.einsum("ij,ij->i", na, nb)
    transversal = np.abs(cosine) < PARALLEL
    # The shortest step from the middle to both planes: solve the 2 x 2 Gram system for the two normals.
    gap_a = np.einsum("ij,ij->i", na, pa - middle)
    gap_b = np.einsum("ij,ij->i", nb, pb - middle)
    determinant = np.where(transversal, 1.0 - cosine**2, 1.0)
    step = ((gap_a - cosine * gap_b)[:, None] * na + (gap_b - cosine * gap_a)[:, None] * nb) / determinant[:, None]
    return middle + np.where(transversal[:, None], step, 0.0), transversal


def _prescribed(statement: Statement, points: np.ndarray, parameters: Sequence[Any]) -> np.ndarray:
    """The value that a condition u = g prescribes at points; NaN where it has none."""
    equation = statement.equation
    normals = np.zeros_like(points)
    try:
        right = 0.0 - equation.residual(points, normals, parameters)
        left = equation.jacobian(points, normals, parameters)[0]
    except ProblemError:
        # The points are not collocation points: a given function may have no value there.
        return np.full(len(points), np.nan)
    with np.errstate(all="ignore"):
        value = right / left
    return np.where(np.isfinite(value), value, np.nan)
