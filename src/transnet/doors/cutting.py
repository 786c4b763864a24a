"""From one network to pieces: when the domain of a plain problem is cut, and which of the two answers is returned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from transnet.basis.basis import Basis
from transnet.choose.effort import GOOD
from transnet.choose.grow import SCATTER
from transnet.choose.sectors import sectors_of
from transnet.doors.first import promising
from transnet.doors.one_network import Begun, begin, growing
from transnet.doors.pieces import cluster_of, in_pieces, start_of
from transnet.doors.plan import Plan
from transnet.engines.distributed import Distributed
from transnet.engines.engine import engine_of
from transnet.errors import TransnetError, undetermined
from transnet.geometry import Box, Slit
from transnet.problem import Problem
from transnet.rows.jumps import may_be_rough
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

HOPELESS = {1: (100, 1e-4), 2: (500, 1e-4)}
"""By dimension, the neurons with which one network should resolve something of the solution, and the estimated error
above which it does not; it is then not grown any further."""
COUPLED, FIRST = 3, (200, 1e-3)
"""The same in the plane for nonlinear systems of so many unknowns: natural convection in a square spent half its time
on a network of four times 500 neurons."""
SPECIAL = 2
"""By how many times more neurons a network with singular functions may have before it is given up: for slow flow over a
step the estimated error is 4e-4 with 500 neurons, and 4e-7 with 800."""

SPACE = 3
"""The most coordinates of boxes for which products of polynomials come first."""

EARLY = 1000
"""The most neurons of a first network that is solved before anything else."""

SMALL = 0.4
"""A hole that is smaller than this part of the domain's extent is an obstacle in a flow: around one of a quarter,
pieces take 10 s to seven digits, or 64 s if networks grow in vain first."""


class Hopeless(Exception):
    """One network does not resolve the solution; the best one so far is the argument."""


def cut_if_needed(plan: Plan) -> Solution:
    """One network that grows, or pieces if it does not reach what is asked for."""
    if may_be_rough(plan.problem) and could_be_cut(plan, also=3):
        from transnet.pieces.piecewise import in_pieces_of_sources

        between_lines = in_pieces_of_sources(plan.problem)
        if between_lines is not None:
            return in_pieces(replace(plan, problem=between_lines))
    in_box = in_a_box(plan)
    if in_box is not None:
        return in_box
    if edged(plan):
        return cut_at_once(plan)
    system = len(plan.problem.unknowns) > 1 and could_be_cut(plan) and plan.neurons is None
    if system and jumping(plan):
        return cut_at_once(plan)
    law, first = begun = begin(plan, EARLY)
    if first is not None and law is not None and plan.effort.reached(SCATTER * first.error):
        return growing(plan, begun)
    if law is not None and first is not None and promising(plan, first, law.enrichment is not None):
        return grown_or_cut(plan, lambda plan: growing(plan, begun))  # no need to examine the data
    if system and obstructed(plan.problem):
        return promising_or_cut(plan, begun if law is not None else begin(plan))
    return grown_or_cut(plan, lambda plan: growing(plan, begun if law is not None else begin(plan)))


def in_a_box(plan: Plan) -> Solution | None:
    """The solution of a steady problem on a box by products of polynomials, if it is smooth enough."""
    given = (plan.pieces, plan.engine, plan.points, plan.solver, plan.strategy, plan.continuation, plan.guess)
    if plan.problem.domain.dimension > SPACE or any(setting is not None for setting in given):
        return None
    from transnet.boxes.solve import solve_in_box
    from transnet.boxes.statement import steady_of

    steady = steady_of(plan.problem)
    if steady is None:
        return None
    try:
        found = solve_in_box(steady, plan.effort, plan.values)
    except (TransnetError, np.linalg.LinAlgError, MemoryError):
        return None  # one network reports what is wrong
    if found is not None:
        with plan.shown() as shown:
            shown(found)
    return found


def grown_or_cut(plan: Plan, grown: Callable[[Plan], Solution]) -> Solution:
    """One network that grows, or pieces if it does not resolve the solution."""
    if not could_be_cut(plan):
        return grown(plan)

    def watch(solution: Solution) -> None:
        if plan.watch is not None:
            plan.watch(solution)
        give_up_early(solution)

    try:
        one = grown(replace(plan, watch=watch))
    except Hopeless as reason:
        one = reason.args[0]
    return better_in_pieces(plan, one)


def promising_or_cut(plan: Plan, begun: Begun) -> Solution:
    """One network as long as its growth leads to what is asked for, otherwise pieces: for obstructed flows."""

    def watch(solution: Solution) -> None:
        if plan.watch is not None:
            plan.watch(solution)
        if not promising(plan, solution, special=True) and not undetermined(solution.diagnostics.messages):
            raise Hopeless  # a problem that determines nothing is named by one network better than by pieces

    try:
        return growing(replace(plan, watch=watch), begun)
    except Hopeless:
        return cut_at_once(plan)


def cut_at_once(plan: Plan) -> Solution:
    """Pieces at once, without growing networks: for systems whose boundary values jump, flows that meet an obstacle,
    and bodies with inner edges."""
    from transnet.pieces.plan import Cut
    from transnet.pieces.solve import solve_pieces

    start = start_of(plan, plan.guess)
    with plan.shown() as shown:
        found = solve_pieces(plan.problem, Cut(), plan.effort, plan.values, shown, start, cluster=cluster_of(plan))
    return found.solution()


def edged(plan: Plan) -> bool:
    """Whether a body has inner edges, or others at which derivatives are unbounded, and their functions are known."""
    domain = plan.problem.domain
    plain = isinstance(domain, Box) or plan.neurons is not None or plan.space is not None or not plan.linear
    if domain.dimension != 3 or plain or not could_be_cut(plan, also=3):
        return False
    from transnet.pieces.edges import space_edges_of
    from transnet.pieces.laws import Laws

    return any(edge.strong for edge in space_edges_of(Laws(plan.problem), tuple(plan.values.values())))


def jumping(plan: Plan) -> bool:
    """Whether boundary values jump, or a flow turns around a corner whose functions are not known."""
    from transnet.pieces.jumps import jumps_of

    numbers = tuple(plan.values.values())
    found = jumps_of(plan.problem, numbers)
    if found and not found.of_values and plan.linear:
        return sectors_of(plan.problem, statements_of(plan.problem), numbers) is None
    return bool(found)


def obstructed(problem: Problem) -> bool:
    """Whether a flow meets a small hole."""
    from transnet.pieces.jumps import is_flow

    if problem.domain.dimension != 2 or not is_flow(problem):
        return False
    extent = np.ptp(problem.domain.bounds, axis=0).max()
    return any(np.ptp(hole.rim, axis=0).max() < SMALL * extent for hole in problem.domain.corners_and_holes[1])


def may_be_cut(plan: Plan) -> bool:
    """Whether no option for a single network rules out pieces."""
    about_one = (plan.points, plan.solver, plan.strategy, plan.continuation)
    if plan.engine is not None and not isinstance(engine_of(plan.engine), Distributed):
        return False
    return plan.pieces is not False and all(setting is None for setting in about_one)


def could_be_cut(plan: Plan, also: int | None = None) -> bool:
    """Whether a problem may be cut if its solution requires it, in the dimensions of `HOPELESS` and `also` in one."""
    if isinstance(plan.problem.domain, Slit):
        return False  # cells do not distinguish the sides of a slit
    if not may_be_cut(plan) or plan.problem.domain.dimension not in {*HOPELESS, also}:
        return False
    if any(len(u.args) != plan.problem.domain.dimension for u in plan.problem.unknowns):
        return False
    equations = [s.equation for s in statements_of(plan.problem) if s.kind == "equation"]
    if len(equations) < len(plan.problem.unknowns):
        return False  # what data determine, they determine everywhere at once
    if not any(equation.order for equation in equations):
        return False  # without derivatives there is nothing to glue
    whole = {(), tuple(plan.problem.unknowns)}
    if any(c.unknowns not in whole for c in plan.problem.conditions):
        return False
    return all(c.in_cells for c in plan.problem.conditions)


def give_up_early(solution: Solution) -> None:
    """Raise `Hopeless` if a network should resolve something of the solution but does not."""
    neurons, error = FIRST if coupled(solution) else HOPELESS[solution.problem.domain.dimension]
    if isinstance(solution.basis, Basis) and any(len(s.singular) for s in solution.basis.spaces):
        neurons *= SPECIAL
    unsure = ambiguous(solution) or solution.status == "interrupted"
    if solution.neurons >= neurons and not solution.error <= error and not unsure:
        raise Hopeless(solution)


def better_in_pieces(plan: Plan, one: Solution) -> Solution:
    """The solution of one network, or that in pieces if its estimate is smaller."""
    enough = GOOD if plan.tol is None else plan.tol
    known = one.diagnostics
    if one.error <= enough or one.status == "interrupted" or ambiguous(one):
        return one
    if plan.effort.over(sum(known.seconds.values()), 1.0):
        return one
    from transnet.pieces.estimate import ROUNDING
    from transnet.pieces.plan import Cut
    from transnet.pieces.solve import solve_pieces

    if one.error <= ROUNDING:
        return one  # pieces have no smaller estimates
    start = start_of(plan, one if one.status == "converged" else plan.guess)
    try:
        with plan.shown() as shown:
            found = solve_pieces(plan.problem, Cut(), plan.effort, plan.values, shown, start, cluster=cluster_of(plan))
            cut = found.solution()
    except (TransnetError, np.linalg.LinAlgError, MemoryError):
        return one  # the messages of the one network stand
    better = cut.error < one.error or not np.isfinite(one.error)
    return cut if better and not undetermined(cut.diagnostics.messages) else one


def coupled(solution: Solution) -> bool:
    """Whether it is that of a nonlinear system of several unknowns in the plane."""
    problem = solution.problem
    return problem.domain.dimension == 2 and len(problem.unknowns) >= COUPLED and bool(solution.diagnostics.steps)


def ambiguous(solution: Solution) -> bool:
    """Whether a network tells that the solution is not unique.

    One that does not resolve a coupled system sees a pressure that small residuals hardly hold: pieces tell better.
    """
    unresolved = coupled(solution) and not solution.error <= FIRST[1]
    return undetermined(solution.diagnostics.messages) and not unresolved
