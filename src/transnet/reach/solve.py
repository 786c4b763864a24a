"""Problems with ends at infinity: a window whose reach follows from how the solution falls, and the solve in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from transnet.choose.effort import ACCEPTABLE
from transnet.drive.driver import drive
from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.problem import Outgoing, Problem
from transnet.problem.windowed import Windowed
from transnet.reach.basis import Continued
from transnet.reach.fit import FittedLaw
from transnet.reach.opened import opened_of
from transnet.reach.tails import FAR, Tail, first_reach, heights_of, next_reach
from transnet.reach.walled import walled_of
from transnet.sections.windows import reaching
from transnet.solution.diagnostics import Diagnostics
from transnet.solution.solution import Solution

COARSE = 1e-4
"""The tolerance of solutions that only tell how far the window has to reach."""
ABOVE = 3.0
"""A tail is seen above this many times the error of a solution."""
TAIL, DIGITS = 1e-2, 1e-10
"""How small the tail is to be at the edge of the window, in units of the tolerance; and if there is none."""
TRIES = 14
"""Windows that are tried: up to 1e5 units."""
LOOKS, STEADY = 3, 0.05
"""A potential that is not this part of what it was in half of the window, after some windows, falls like a power."""


def solve_unbounded(plan: Plan, solve: Callable[[Plan], Solution]) -> Solution:
    """Solve a problem on a domain with ends at infinity."""
    if plan.start is not None:
        raise ProblemError("start= is not for domains that extend to infinity: each solve has a window of its own.")
    stated = Windowed(plan.problem)
    if (law := walled_of(stated, plan.values)) is not None:
        return drive(replace(plan, problem=law.problem), [FittedLaw(law)])
    if any(isinstance(c, Outgoing) for c in plan.problem.conditions):
        opened = opened_of(stated, plan.values)
        return drive(replace(plan, problem=opened.problem), [FittedLaw(opened)])
    wanted = DIGITS if plan.tol is None else TAIL * plan.tol
    reach = first_reach(stated, plan.values)
    roughly = replace(plan, tol=COARSE, neurons=None, space=None, watch=None, keep=None, to=None)
    slow, before = False, 1.0
    for k in range(TRIES):
        found = solve(replace(roughly, problem=stated.within(reach)))
        if not found.error < 1.0 / ABOVE:
            break
        above, tails = ABOVE * max(found.error, COARSE), _tails(stated, found)
        reach, settled = next_reach(tails, reach, above, wanted)
        height = max(tail.at(FAR) for tail in tails)
        slow = any(tail.slow(above) for tail in tails) if settled else stated.spreads and height > STEADY * before
        if settled or (slow and k >= LOOKS):
            break
        before = height
    final = solve(replace(plan, problem=stated.within(reach), watch=None))
    left = max((tail.left() for tail in _tails(stated, final)), default=0.0)
    return replace(in_the_open(stated, final, reach), diagnostics=_told(final, left, reach, slow, plan))


def _tails(stated: Windowed, found: Solution) -> list[Tail]:
    return heights_of(stated, lambda e, points: np.asarray(found.evaluate(e, points)), found.problem.domain)


def _told(found: Solution, left: float, reach: Mapping[str, float], slow: bool, plan: Plan) -> Diagnostics:
    """What is known of a solution of which so much is left at the edge of its window."""
    known = found.diagnostics
    known = replace(known, triangle=None, stated_rank=known.rank, error=float(np.maximum(known.error, left)))
    if left <= max(ACCEPTABLE if plan.tol is None else plan.tol, found.error):
        return known
    where = ", ".join(f"{name} = {r:.3g}" for name, r in reach.items())
    how = "like a power of the distance" if slow else "only far away"
    text = (
        f"The solution falls towards infinity {how}: where its window ends, at {where}, about {left:.1e} of it is "
        f"left, which is the estimated relative error."
    )
    return replace(known, messages=(*known.messages, Message(AccuracyWarning, text)))


def in_the_open(stated: Windowed, found: Solution, reach: Mapping[str, float]) -> Solution:
    """The solution in a window as one of the problem as it was stated."""
    problem = stated.problem
    window = np.array([[-np.inf] * problem.domain.dimension, [np.inf] * problem.domain.dimension])
    for axis, end in stated.ends.values():
        window[end, axis] = found.problem.domain.bounds[end, axis]
    there = Problem(reaching(problem.domain, reach), problem.equations, problem.conditions, problem.unknowns)
    return replace(found, problem=there, basis=Continued(found.basis, window, stated.orders), blocks=())
