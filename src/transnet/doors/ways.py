"""The ways to solve a problem with networks: one, one that grows, pieces, slabs and steps of time."""

from __future__ import annotations

from dataclasses import replace

from transnet.checks.backward import backward
from transnet.choose.levels import MORE_THAN
from transnet.doors.cutting import cut_if_needed
from transnet.doors.network import solve_with
from transnet.doors.one_network import with_chosen_features
from transnet.doors.plan import Plan
from transnet.doors.stepping import asked, in_slabs, in_steps, jumps_in_steps, marched, stepped
from transnet.geometry import Pieces
from transnet.rows.jumps import may_jump
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

BACKWARD = 200
"""Neurons for a backward heat equation, for which no network is better than another."""


def other_way_of(plan: Plan) -> Solution:
    """One branch for each way to solve a problem; what only one of them needs is imported when it is taken."""
    if may_jump(plan.problem):
        from transnet.pieces.piecewise import in_pieces_of_lines

        # What jumps in time alone is for steps that end then, if the domain is no box.
        between_lines = None if jumps_in_steps(plan) else in_pieces_of_lines(plan.problem)
        plan = plan if between_lines is None else replace(plan, problem=between_lines)
    rothe = stepped(plan)
    if rothe is not None:
        return in_steps(plan, rothe)
    cut = plan.pieces is not None and plan.pieces is not False
    if cut or isinstance(plan.problem.domain, Pieces):
        from transnet.doors.pieces import in_pieces

        return in_pieces(plan)
    if backward(plan.problem, statements_of(plan.problem), tuple(plan.values.values())) and not asked(plan).something:
        # No march and no larger network can help: the result of this one carries the message.
        return solve_with(plan, plan.spaces) if plan.spaces else with_chosen_features(plan, plan.neurons or BACKWARD)
    evolution = marched(plan)
    if evolution is not None:
        found = in_slabs(plan, evolution)
        if found is not None:
            return found
    if plan.spaces is None and plan.problem.domain.dimension > MORE_THAN:
        return in_many_coordinates(plan)
    if plan.spaces is not None:
        return solve_with(plan, plan.spaces)
    if plan.neurons is not None:
        return with_chosen_features(plan, plan.neurons)
    return cut_if_needed(plan)


def in_many_coordinates(plan: Plan) -> Solution:
    """Products of waves of few coordinates at a time, parity by parity."""
    from transnet.cross.grow import solve_in_many_coordinates

    with plan.shown() as shown:
        return solve_in_many_coordinates(
            plan.problem, plan.effort, plan.triangle_solver, plan.parameters, plan.seed, plan.neurons, shown
        )
