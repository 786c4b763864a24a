"""Problems with fronts: at rest, or in motion."""

from __future__ import annotations

import numpy as np

from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.fronts.march import solve_moving_fronts
from transnet.fronts.statement import evolving_of
from transnet.fronts.steady import Solve, fronts_of, put_numbers, solve_steady
from transnet.problem import Front
from transnet.solution.solution import Solution


def solve_with_fronts(plan: Plan, solve: Solve) -> Solution:
    """Solve a problem whose boundary is unknown in part."""
    _refuse(plan)
    if any(c.speed is not None for c in plan.problem.conditions if isinstance(c, Front)):
        return solve_moving_fronts(plan, evolving_of(plan), solve)
    stated = put_numbers(plan)
    return solve_steady(plan, fronts_of(stated, stated.domain), solve)


def _refuse(plan: Plan) -> None:
    alone = next((n for n in ("neurons", "space", "points", "continuation", "start", "to") if n in plan.given), None)
    if alone is not None:
        raise ProblemError(
            f"{alone}= is for a single solve, and a problem with a front takes several. Leave it out; tol= is the "
            f"error to reach."
        )
    if any(np.ndim(v) for v in plan.values.values()):
        raise ProblemError("A problem with a front is solved for one set of parameters at a time.")
    for front in (c for c in plan.problem.conditions if isinstance(c, Front)):
        if front.speed is None and len(front.equations) < 2:
            raise ProblemError(
                f"The front '{front.part}' has one condition, as a wall has. State one more, which determines where it "
                f"is, or its speed: tn.front('{front.part}', sp.Eq(u, 0), speed=-tn.normal_derivative(u))."
            )
