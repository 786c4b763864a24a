"""From one network to pieces: when the domain of a plain problem is cut, and which of the two answers is returned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.basis.expansion import Slot
from transnet.choose.effort import GOOD
from transnet.doors.plan import Plan
from transnet.errors import TransnetError, undetermined
from transnet.pieces.cells import Cell
from transnet.pieces.plan import Cut
from transnet.pieces.solve import solve_pieces
from transnet.problem import At, Data, Mean, On
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

HOPELESS = {1: (100, 1e-4), 2: (500, 1e-4)}
"""By dimension the neurons with which one network should see something of the solution, and the estimated error above
which it does not: then it is not grown any further."""


IN_PIECES = (On, At, Data, Mean)
"""The conditions that are written in pieces."""


class Hopeless(Exception):
    """One network does not see the solution; the best one so far is its argument."""


@dataclass(frozen=True, eq=False)
class Known:
    """The solution of one network as the start of an iteration in pieces."""

    solution: Solution

    def values(self, number: int, cell: Cell, points: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return self.solution.basis.derivatives(self.solution.coefficients, points, slots)


def cut_if_needed(plan: Plan, growing: Callable[[Plan], Solution]) -> Solution:
    """One network that grows, or pieces where it does not reach what is asked for."""
    if not could_be_cut(plan):
        return growing(plan)

    def watch(solution: Solution) -> None:
        if plan.watch is not None:
            plan.watch(solution)
        give_up_early(solution)

    try:
        one = growing(replace(plan, watch=watch))
    except Hopeless as reason:
        one = reason.args[0]
    return better_in_pieces(plan, one)


def could_be_cut(plan: Plan) -> bool:
    """Whether nothing that was said about one network stands against pieces."""
    about_one = (plan.points, plan.solver, plan.engine, plan.strategy, plan.continuation)
    if plan.pieces is False:
        return False
    if any(setting is not None for setting in about_one) or plan.problem.domain.dimension not in HOPELESS:
        return False
    if any(len(u.args) != plan.problem.domain.dimension for u in plan.problem.unknowns):
        return False
    if not any(s.equation.order for s in statements_of(plan.problem) if s.kind == "equation"):
        return False  # without derivatives there is nothing to glue
    return all(type(c) in IN_PIECES for c in plan.problem.conditions)


def give_up_early(solution: Solution) -> None:
    """Raise `Hopeless` where a network should see something of the solution and does not."""
    neurons, error = HOPELESS[solution.problem.domain.dimension]
    unsure = undetermined(solution.diagnostics.messages) or solution.status == "interrupted"
    if solution.neurons >= neurons and not solution.error <= error and not unsure:
        raise Hopeless(solution)


def better_in_pieces(plan: Plan, one: Solution) -> Solution:
    """The solution of one network, or that in pieces if its estimate is smaller."""
    enough = GOOD if plan.tol is None else plan.tol
    known = one.diagnostics
    if one.error <= enough or one.status == "interrupted" or undetermined(known.messages):
        return one
    if plan.effort.over(sum(known.seconds.values()), 1.0):
        return one
    start = Known(one) if one.status == "converged" else None
    try:
        with plan.shown() as shown:
            cut = solve_pieces(plan.problem, Cut(), plan.effort, plan.values, shown, start)
    except (TransnetError, np.linalg.LinAlgError, MemoryError):
        return one  # what one network has told stands
    return cut if cut.error < one.error or not np.isfinite(one.error) else one
