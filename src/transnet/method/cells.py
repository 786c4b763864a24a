"""Polynomials in cells that follow a plane domain, with the functions of its corners, glued at their faces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.choose.inner import inner_points
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan
from transnet.facts.conditions import missing_conditions
from transnet.geometry.partition import shapes_of
from transnet.iterate.guess import source_of
from transnet.judge.diagnose import data_messages
from transnet.judge.expanded import expanded_solution
from transnet.remedies import Remedy
from transnet.rows.equation import Equation
from transnet.rows.jumps import may_be_rough
from transnet.rows.points import inside_of
from transnet.rows.statements import statements_of
from transnet.rows.unseen import all_narrow
from transnet.solution.diagnostics import Tried
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.cells.stated import CellProblem

ANGLES = 16
"""Directions in which the leading part of the equations is looked at."""
ELLIPTIC = 1e-3
"""The least determinant of the leading part over directions, in units of the largest."""
AT_CORNERS, AT_HOLES = 1.0, 10.0
"""More cells for each corner and for each hole."""
CONTRAST = 1e5
"""The most by which materials may differ: with 1e4 a disk in a disk is right to 2e-12, with 1e6 it is lost, and with
1e9 two degrees agree on something wrong."""
CORNER = 2.5e-3
"""Seconds for the functions of a corner on two levels."""
ALONG_A_NEEDLE = 400
"""The most cells along something narrow, as many as there may be: layers of convection, which need thousands, are for
pieces, which are cut along them."""
NEWTON = 1.6
"""Solves of a nonlinear problem, in units of those of a linear one: most are on the lower degree."""


@dataclass(frozen=True)
class PlaneCells:
    """Polynomials in cells that follow a plane domain."""

    name: str = "cells"
    options: frozenset[str] = frozenset({"guess"})
    floor: float = 6e-3

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        refusal = _refusal(facts, plan)
        if refusal:
            return Refusal(refusal)
        from transnet.cells.plan import CUT, STEP, level_seconds
        from transnet.cells.solve import CORNERED, ROUND, first_degree

        shapes = [shape for _, shape in shapes_of(facts.problem.domain)]
        corners = [c for shape in shapes for c in shape.corners_and_holes[0]]
        holes = [h for shape in shapes for h in shape.corners_and_holes[1]]
        unknowns = len(facts.problem.unknowns)
        one = unknowns == 1 and not facts.materials
        degree, share = first_degree(plan.effort.goal, one, facts.problem.domain)
        least = CORNERED if corners or holes or not one else ROUND
        count = (least + AT_CORNERS * len(corners) + AT_HOLES * len(holes)) / share**2
        seconds = level_seconds(count, degree, unknowns) + CUT * count
        if unknowns > 1:  # the first level shows what is needed, a second one reaches the goal
            seconds += level_seconds(count, degree + 2 * STEP, unknowns)
        seconds += CORNER * len(corners) * unknowns**2
        seconds *= 1.0 if facts.linear else NEWTON
        return Fit(seconds, f"about {count:.0f} cells with polynomials of degree {degree}")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.cells.newton import GuessedState
        from transnet.cells.solve import CellFound, cell_levels

        problem = facts.problem
        stated = _stated(facts)
        source = None if facts.linear else source_of(plan.guess, problem, plan.values)
        spots = [] if facts.materials else all_narrow(problem, facts.statements, facts.numbers)
        # Cells as small as a needle is wide, unless there would be too many along it.
        sizes = [float(np.sqrt(s.share * problem.domain.volume)) for s in spots]
        narrow = [
            (s.points, size if size**2 > ALONG_A_NEEDLE * s.width**2 else min(s.width, size))
            for s, size in zip(spots, sizes, strict=True)
        ]
        statements = [] if facts.materials else statements_of(problem, lagged=False)
        told = tuple(data_messages(stated.problem, statements, facts.numbers))

        def solution(found: CellFound) -> Solution:
            level, basis = found.level, found.basis
            return expanded_solution(
                problem, basis, level.coefficients, facts.values, solver=f"{basis.pieces} cells and glue",
                error=found.error, residuals=level.residuals, shape=(level.count, basis.columns),
                seconds={"solve": found.seconds}, messages=told, status="solved" if facts.linear else "converged",
                coarser=found.coarser,
            )  # fmt: skip

        times = 1.0 if facts.linear else NEWTON
        for found in cell_levels(stated, plan.effort.goal, None if source is None else GuessedState(source), narrow):
            made = solution(found)
            seconds, after = times * found.seconds, times * found.after
            yield Judged(made, made.basis.summary(), seconds, after, sure=True, source=found)

    def cause(self, best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
        """What limits the accuracy, in words."""
        return f"The {best.basis.summary()} have an estimated relative error of {best.error:.1e}.", {}


def _refusal(facts: Facts, plan: Plan) -> str:
    """Why a problem is not for cells of the plane; empty if it is."""
    problem = facts.problem
    if plan.pieces is False:
        return "pieces=False rules it out"
    if facts.dimension != 2:
        return "it is for the plane"
    if facts.in_cells:
        return facts.in_cells
    if any(c.period is not None for c in problem.conditions):
        return "it is periodic"
    points = [c for c in problem.conditions if c.at_points is not None]
    if any(c.boundary is None and not c.averaged and (c.fitted or c not in points) for c in problem.conditions):
        return "a condition does not hold on the boundary"
    if points and facts.materials:
        return "values at points are stated, and there are several materials"
    domain = problem.domain
    known = [shape.arcs(part) for _, shape in shapes_of(domain) for part in shape.parts]
    if not all(known):
        return "the boundary is not known by its arcs"
    if may_be_rough(problem) or (not facts.materials and inner_points(problem, facts.numbers)):
        return "something in it is not smooth"
    unknowns = len(problem.unknowns)
    stated = _stated(facts)
    if any(len(e) != unknowns for e in stated.equations):
        return "there are not as many equations as unknowns"
    if any(len(s) != sum(stated.orders) for s in stated.across.values()):
        return "the conditions across an interface are more, or fewer, than natural ones"
    if any(s.equation.places for s in stated.every):
        return "a condition does not hold on the boundary"
    if not stated.pinned:
        return "a value at a point is stated of what the boundary determines"
    for s, *_ in stated.conditions:
        if s.where is not None:
            return "a condition holds on a piece of a part of the boundary"
    if sorted(s.equation.slots for s in stated.means) != [((u, (0, 0)),) for u in stated.floating]:
        return "a mean is stated of what is known, or none of what is known up to a constant"
    if missing_conditions(problem):
        return "a part of the boundary has no condition"
    materials = zip(stated.equations, shapes_of(domain), strict=True)
    symbols = [
        _symbol([s.equation for s in e], stated.orders, inside_of(shape), facts.numbers) for e, (_, shape) in materials
    ]
    if not all(map(_elliptic, symbols)):
        return "its equations are not elliptic of second order in every unknown"
    sizes = [float(np.abs(symbol).max()) for symbol in symbols]
    if max(sizes) > CONTRAST * min(sizes):
        return "its materials differ too much"
    return ""


def _stated(facts: Facts) -> CellProblem:
    from transnet.cells.stated import CellProblem

    if facts.materials:
        return CellProblem.of_materials(facts.laws, facts.numbers)
    return CellProblem.of(facts.problem, statements_of(facts.problem, lagged=False), facts.numbers)


def _symbol(
    equations: Sequence[Equation], orders: Sequence[int], points: np.ndarray, numbers: Sequence[Any]
) -> np.ndarray:
    """The leading part at points in all directions: (points, angles, equations, unknowns); empty if it is of another
    order than two conditions on the boundary for each unknown of second order need.

    An equation without second derivatives of an unknown of second order, as that of continuity, counts by its first.
    """
    n = len(orders)
    angles = np.pi * np.arange(ANGLES) / ANGLES
    x, y = np.cos(angles), np.sin(angles)
    symbol = np.zeros((len(points), ANGLES, n, n))
    lower = [min(orders[u] - sum(index) for u, index in e.slots) for e in equations]
    if not set(orders) <= {1, 2} or 2 not in orders or sum(orders) - sum(lower) != 2 * orders.count(2):
        return symbol[:0]
    for i, equation in enumerate(equations):
        zero = [np.zeros(len(points))] * len(equation.slots)
        factors = equation.jacobian(points, None, numbers, None if equation.linear else zero)
        for (unknown, (a, b)), c in zip(equation.slots, factors, strict=True):
            if a + b == orders[unknown] - lower[i]:
                symbol[:, :, i, unknown] += np.broadcast_to(c, (len(points),))[:, None] * x**a * y**b
    return symbol


def _elliptic(symbol: np.ndarray) -> bool:
    """Whether the leading part has a determinant of one sign in all directions."""
    if not len(symbol) or not np.all(np.isfinite(symbol)):
        return False
    rows = np.abs(symbol).max(axis=(1, 3), keepdims=True)
    if not np.all(rows > 0):
        return False
    found = np.linalg.det(symbol / rows)
    return bool(np.all(found > 0) or np.all(found < 0)) and float(np.abs(found).min()) > ELLIPTIC * float(
        np.abs(found).max()
    )
