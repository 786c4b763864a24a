"""Evolutions on domains that are no boxes: one network of space and time where that is enough, otherwise steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from transnet.checks.counting import missing_conditions
from transnet.doors.plan import Plan
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.slabs.ask import Ask
from transnet.slabs.evolution import evolution_of
from transnet.solution.solution import Solution
from transnet.steps.solve import ACCEPTABLE, solve_in_steps
from transnet.steps.statement import Rothe, rothe_of

TRIAL = 300
"""Neurons of one small network of space and time."""
HOPEFUL = 3e-3
"""Where its estimated error is larger, larger ones of it do not reach five digits in the time that steps take."""


def stepped(plan: Plan, ask: Ask) -> Rothe | None:
    """The problem for Rothe's method, where it is one of two coordinates of space and one of time."""
    names = ("neurons", "space", "points", "solver", "strategy", "guess", "continuation", "engine", "pieces")
    if any(getattr(plan, name) is not None for name in names) or plan.problem.domain.dimension != 3:
        return None
    found = rothe_of(plan.problem)
    if isinstance(found, str):
        return None
    # Pieces with coefficients of their own are no single statement, and no box.
    one = not isinstance(plan.problem.domain, Pieces)
    if one and (missing_conditions(plan.problem) or not isinstance(evolution_of(plan.problem), str)):
        return None
    for name in ("start", "until", "to"):
        if getattr(ask, name) is not None:
            raise ProblemError(
                f"{name}= is for evolutions on an interval or a box, and space is {found.elliptic.domain}. Leave it "
                f"out; slabs= and keep= can be said of this problem."
            )
    return found


def in_steps(plan: Plan, rothe: Rothe, ask: Ask, growing: Callable[[Plan], Solution]) -> Solution:
    """One network if a small one promises it, otherwise steps in time; the better of both where neither suffices."""
    limit = ACCEPTABLE if plan.tol is None else plan.tol
    block: Solution | None = None
    if not ask.something and not isinstance(plan.problem.domain, Pieces):
        trial = growing(replace(plan, tol=None, neurons=TRIAL))
        if trial.status == "interrupted":
            return trial
        if trial.error <= HOPEFUL:
            block = growing(plan)
            if block.error <= limit or block.status == "interrupted":
                return block
    found = solve_in_steps(rothe, plan.tol, plan.values, ask, plan.progress, plan.seconds)
    return found if block is None or not block.error <= found.error else block
