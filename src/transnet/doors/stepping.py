"""Evolutions: time slabs on intervals and boxes; on other domains one network of space and time, or steps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from transnet.choose.inner import singular_places
from transnet.choose.limits import said_of_place
from transnet.doors.one_network import one_block
from transnet.doors.plan import Plan
from transnet.errors import EstimateWarning, Message, ProblemError
from transnet.facts.conditions import missing_conditions
from transnet.geometry import Pieces
from transnet.slabs.ask import Ask
from transnet.slabs.domain import ended
from transnet.slabs.evolution import Evolution, evolution_of
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.steps.statement import Rothe

MARCHED, LARGEST = 2, 3
"""The most coordinates of space for slabs with a matrix, and without one: there would be too many polynomials."""
ONE_NETWORK = ("neurons", "space", "points", "solver", "strategy", "guess", "continuation", "engine")
"""Options for one network: if any of them is given, an evolution is solved as one block of space and time."""
TRIAL = 300
"""Neurons of a small trial network of space and time: half as many tell the same, twice as many promise what a HOPEFUL
ten times as large does (benchmarks/constants.py stepping)."""
MISFIT = 1e-3
"""Initial values that violate a boundary condition by more, relative to its terms, produce a layer that one network
smears."""
HOPEFUL = {1: 3e-2, 2: float("inf")}
"""If the estimated error of the trial network is larger, larger networks do not reach five digits in the time that
steps take; by the order in time. For heat in a ring it is 6e-3, and a network takes 0.5 s for five digits where steps
take 10 s; for a bump that moves in a disk it is 1.1, and they take 33 s and 3 s (benchmarks/constants.py stepping).
For waves steps lose: on an L-shape 300 neurons had 1e-2, 1500 had 2e-8 after five seconds, and steps had not finished
after a minute."""


def asked(plan: Plan) -> Ask:
    """The options for time slabs."""
    return Ask(plan.slabs, plan.start, plan.until, plan.keep, plan.to)


def stepped(plan: Plan) -> Rothe | None:
    """The problem for Rothe's method, if it has two coordinates of space and one of time."""
    if any(getattr(plan, name) is not None for name in (*ONE_NETWORK, "pieces")) or plan.problem.domain.dimension != 3:
        return None
    from transnet.steps.fits import start_misfit
    from transnet.steps.statement import rothe_of

    found = rothe_of(plan.problem)
    if isinstance(found, str):
        return None
    # Pieces with coefficients of their own are neither a single statement nor a box.
    one = not isinstance(plan.problem.domain, Pieces)
    if one and missing_conditions(plan.problem):
        return None
    box = evolution_of(plan.problem) if one else "Several materials are not a box."
    if not isinstance(box, str) and not box.periodic and _pressures(box):
        return found
    if not isinstance(box, str):
        # A box: cells resolve the layers of initial values that do not fit the walls, polynomials do not.
        diffusive = set(found.orders) == {1} and not asked(plan).something
        return found if diffusive and start_misfit(found, dict(plan.values)) > MISFIT else None
    return found


def jumps_in_steps(plan: Plan) -> bool:
    """Whether all that jumps in the equations does so in time, and the problem is marched in steps."""
    from transnet.steps.breaks import only_in_time

    rothe = stepped(plan)
    return rothe is not None and only_in_time(rothe)


def _pressures(evolution: Evolution) -> bool:
    """Whether an unknown has no time derivative and none in space above the first: walls say nothing of it."""
    pairs = zip(evolution.orders, evolution.space_orders, strict=True)
    return any(order == 0 and max(in_space) == 1 for order, in_space in pairs)


def in_steps(plan: Plan, rothe: Rothe) -> Solution:
    """One network if a small one is promising, otherwise steps in time; the better of the two if neither suffices."""
    from transnet.steps.breaks import breaks_of
    from transnet.steps.fits import start_misfit
    from transnet.steps.made import ACCEPTABLE

    ask = asked(plan)
    limit = ACCEPTABLE if plan.tol is None else plan.tol
    block: Solution | None = None
    smooth = not isinstance(plan.problem.domain, Pieces) and start_misfit(rothe, dict(plan.values)) <= MISFIT
    if smooth and not ask.something and not breaks_of(rothe):
        trial = one_block(replace(plan, tol=None, neurons=TRIAL))
        if trial.status == "interrupted":
            return trial
        if trial.error <= HOPEFUL[max(rothe.orders)]:
            block = one_block(plan)
            if block.error <= limit or block.status == "interrupted":
                return block
    found = _with_places(_from_break_to_break(plan, rothe, ask))
    return found if block is None or not block.error <= found.error else block


def _from_break_to_break(plan: Plan, rothe: Rothe, ask: Ask) -> Solution:
    """Steps in time that end where an equation or a condition jumps, and begin afresh there."""
    from transnet.steps.breaks import breaks_of
    from transnet.steps.solve import solve_in_steps
    from transnet.steps.statement import rothe_of

    reached = rothe.start if ask.start is None else float(ask.start.basis.slabs[-1].end)  # type: ignore[attr-defined]
    ends = [] if ask.slabs is not None else [end for end in breaks_of(rothe) if not end <= reached]
    for end in ends:
        part = rothe_of(ended(rothe, end))
        assert not isinstance(part, str)
        found = solve_in_steps(part, plan.tol, plan.values, ask, plan.progress, plan.seconds)
        if found.status != "solved":
            return found
        ask = replace(ask, start=found)
    return solve_in_steps(rothe, plan.tol, plan.values, ask, plan.progress, plan.seconds)


def _with_places(found: Solution) -> Solution:
    """A solution by a march, with a message where its equation grows without bound: the estimate does not see that.

    For heat in a disk with the source 1/r it was 1e-5 and the error 1e-4.
    """
    places = singular_places(found.problem, tuple(found.parameters.values()), below=0.0)
    if not places or found.diagnostics.messages:
        return found
    text = f"The estimated relative error of {found.error:.1e} may be too small. {said_of_place(places[0])}"
    return replace(found, diagnostics=replace(found.diagnostics, messages=(Message(EstimateWarning, text),)))


def marched(plan: Plan) -> Evolution | None:
    """The problem as an evolution if it is to be marched in time slabs; None for one network."""
    given = [name for name in ONE_NETWORK if getattr(plan, name) is not None]
    if given and not asked(plan).something:
        return None
    found = evolution_of(plan.problem)
    if asked(plan).something:
        if given:
            raise ProblemError(f"{given[0]}= applies to a single network, and time slabs have none. Leave it out.")
        if isinstance(found, str):
            raise ProblemError(
                f"slabs=, start=, until=, keep= and to= are for an evolution: conditions at one end of a time axis, as "
                f"many as the order in time, and none at the other. {found}"
            )
        return found
    if isinstance(found, str) or missing_conditions(plan.problem):
        return None
    d = len(found.bounds[0])
    if d <= MARCHED:
        return found
    if d > LARGEST:
        return None
    from transnet.slabs.prepare import first_features
    from transnet.slabs.systems import free_of_matrix

    return found if free_of_matrix(found, first_features(found), tuple(plan.values.values())) else None


def in_slabs(plan: Plan, evolution: Evolution) -> Solution | None:
    """Time slabs, one after the other; None if the first cannot be solved and slabs were not asked for."""
    from transnet.slabs.solve import NoSlab, solve_in_slabs

    try:
        return _with_places(solve_in_slabs(evolution, plan.tol, plan.values, asked(plan), plan.progress, plan.seconds))
    except NoSlab:
        if asked(plan).something:
            raise
        return None
