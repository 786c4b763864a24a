"""Obstacles in evolutions: a spring in place of the obstacle, stiffer from march to march.

With u_t = L u + max(psi - u, 0) / eps the solution passes the obstacle by eps times its force, so that the error is of
first order in eps: two springs, one ten times as stiff as the other, tell it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np
import sympy as sp

from transnet.contact.statement import Touching, seconds_left
from transnet.counts import MANY
from transnet.drive.plan import Plan
from transnet.errors import EstimateWarning, Message, ProblemError
from transnet.problem import Problem, expressions_of, written
from transnet.solution.solution import Solution

SOFT = (1e-2, 1e-3, 1e-4, 1e-5)
"""Times in which a spring answers, in units of the whole: an American put has 1e-4 of its strike after the second march
and 1e-6 after the last; a spring of 1e-6 made the march fail."""
GOAL = 1e-4
"""The error to reach if no tolerance is given: each digit more takes three times as long."""
LOOSE = (10.0, 30.0)
"""Tolerances of a march, in units of the one for the solution: its estimate is 0.05 of that with a spring. The second
is for a march that fails at the kink of the spring."""
LOOSEST = 1e-3
"""The largest of these."""
LEFT = 9.0
"""A change by a spring ten times as stiff over what all stiffer ones change together: the error is of first order."""
FALLS = 0.5
"""The change from march to march must fall to this part: a tenth is usual."""


def solve_in_time(plan: Plan, contact: Touching, solve: Callable[[Plan], Solution]) -> Solution:
    """Solve an evolution with obstacles."""
    begun, problem = perf_counter(), contact.free
    equation, pace = _law(contact)
    axis = problem.coordinates.index(contact.time)
    duration = float(np.ptp(problem.domain.bounds[:, axis]))
    goal = GOAL if plan.tol is None else plan.tol
    points = problem.domain.interior(MANY, "quasi", 1)
    best: Solution | None = None
    error, change, before = np.inf, np.inf, np.zeros(len(points))
    for share in SOFT:
        u, eps = contact.unknown, sp.Float(share * duration)
        springs = [b.side * sp.Max(b.side * (b.psi - u), 0) / eps for b in contact.barriers]
        soft = Problem(problem.domain, [equation - pace * sum(springs)], problem.conditions, problem.unknowns)
        plain = replace(plan, problem=soft, parameters=None, watch=None, method=plan.method or "march")
        for loose in LOOSE:
            found = solve(replace(plain, tol=min(loose * goal, LOOSEST), seconds=seconds_left(plan)))
            values = found.value_of(u, points)
            new = float(np.linalg.norm(values - before) / (np.linalg.norm(values) or 1.0))
            if best is None or new <= FALLS * min(change, 1.0):
                break
        else:
            break
        # Of first order: the next spring changes a tenth of this, and all others together a ninth.
        error = found.error + (np.inf if best is None else new / LEFT)
        best, before, change = found, values, np.inf if best is None else new
        if error <= goal or found.status == "interrupted" or plan.effort.left() <= 0:
            break
    assert best is not None
    known = replace(best.diagnostics, error=error, triangle=None, stated_rank=best.diagnostics.rank)
    known = replace(known, seconds={"contact": perf_counter() - begun})
    if error > goal:
        text = (
            f"The evolution with its obstacle has an estimated relative error of {error:.1e}: so much changes with a "
            f"stiffer spring in place of the obstacle."
        )
        known = replace(known, messages=(*known.messages, Message(EstimateWarning, text)))
    return Solution(plan.problem, best.basis, best.coefficients, plan.values, known)


def _law(contact: Touching) -> tuple[sp.Expr, sp.Expr]:
    """The equation E = 0, and the factor of u_t in it."""
    problem, u, time = contact.free, contact.unknown, contact.time
    found = [e for q in problem.equations for e in expressions_of(q)]
    if len(found) != 1 or len(problem.unknowns) != 1:
        raise ProblemError(
            f"An obstacle is for one equation with one unknown; this problem has {len(found)} equations for "
            f"{', '.join(problem.names)}."
        )
    expression = sp.expand(found[0].doit())
    pace = expression.coeff(sp.diff(u, time))
    twice = any(dict(d.variable_count).get(time, 0) > 1 for d in expression.atoms(sp.Derivative))
    if twice or not pace.is_number or pace == 0:
        raise ProblemError(
            f"An obstacle in time needs an equation u_{time} = ... of first order in {time}, with a constant factor, "
            f"which says to which side it pushes: '{written(expression)} = 0' is not one."
        )
    return expression, pace
