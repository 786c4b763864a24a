"""The front door: `tn.solve(problem)` chooses everything that is not said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.calls import explained
from transnet.checks.backward import backward
from transnet.checks.counting import missing_conditions
from transnet.choose.grow import grow
from transnet.choose.spaces import spaces_for
from transnet.clock import Clock
from transnet.cross.grow import MORE_THAN, solve_in_many_coordinates
from transnet.doors.cutting import IN_PIECES, Begun, cut_if_needed
from transnet.doors.first import FURTHER, content, first_network, first_of_nonlinear, good_enough, promising, usual
from transnet.doors.network import Spaces, features_for, solve_with
from transnet.doors.plan import Plan
from transnet.doors.rescue import rescued
from transnet.doors.stepping import in_steps, stepped
from transnet.doors.units import units_of
from transnet.errors import NotFiniteError, ProblemError, warn
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces, Slit
from transnet.iterate.guess import Guess
from transnet.iterate.outcome import Progress
from transnet.iterate.strategies import Strategy
from transnet.linalg.least_squares import Solver
from transnet.pieces.piecewise import in_pieces_of_lines
from transnet.pieces.plan import Cut, cut_of
from transnet.pieces.solve import solve_pieces
from transnet.problem import Problem
from transnet.problem.elsewhere import Over
from transnet.rows.points import Points
from transnet.rows.statements import statements_of
from transnet.slabs.ask import Ask
from transnet.slabs.evolution import Evolution, evolution_of
from transnet.slabs.solve import NoSlab, solve_in_slabs
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

BACKWARD = 200
"""Neurons for a backward heat equation, of which no network is better than another."""
MARCHED = 2
"""Evolutions with more coordinates of space are one block, unless all are periodic: polynomials are too many."""
ONE_NETWORK = ("neurons", "space", "points", "solver", "strategy", "guess", "continuation", "engine")
"""What is about one network: where any of it is said, an evolution is solved as one block of space and time."""


@explained
def solve(
    problem: Problem,
    *,
    tol: float | None = None,
    neurons: int | None = None,
    space: FeatureSpace | Sequence[FeatureSpace] | None = None,
    points: Points | None = None,
    solver: Solver | None = None,
    parameters: Mapping[Any, Any] | None = None,
    strategy: Strategy | None = None,
    guess: Guess = None,
    continuation: Mapping[Any, Sequence[float]] | None = None,
    progress: Progress = None,
    watch: Callable[[Solution], None] | None = None,
    engine: Any = None,
    seed: int = 0,
    pieces: int | Cut | bool | None = None,
    seconds: float | None = None,
    slabs: int | Sequence[float] | None = None,
    start: Solution | None = None,
    until: Any = None,
    keep: int | Sequence[float] | None = None,
    to: str | Path | None = None,
) -> Solution:
    """Solve a problem.

    Parameters
    ----------
    problem : Problem
        What holds, and where.
    tol : float, optional
        The relative L2 error to reach; the network grows until its estimate is below. By default six digits are
        aimed at, more are taken where they are nearly free, and fewer than five are warned of.
    neurons : int, optional
        A fixed number of neurons for each unknown instead: one solve.
    space : FeatureSpace, optional
        A feature space of your own, or one for each unknown: one solve.
    points : Points, optional
        The collocation points.
    solver : Solver, optional
        `QR()` by default, `PivotedQR()`, `SVD()`, `Ridge()`, `Sparse()` or `Lasso()`.
    parameters : mapping, optional
        Values for the symbols of the problem that are not coordinates.
    strategy : Newton, Picard or Descent, optional
        How a nonlinear problem is iterated. By default `Picard()` where the markers `tn.lagged` leave a linear
        problem, otherwise `Newton()`.
    guess : optional
        Where the iteration starts: a number, a formula, a callable of arrays, another Solution, or a mapping from
        unknowns to any of the first three. Zero by default.
    continuation : mapping, optional
        Values of a parameter to go through one after the other, each solution the guess of the next:
        `continuation={Re: [10, 40, 100]}`.
    progress : bool or callable, optional
        Called with each `Step` of the iteration; True prints them, False never does. By default they, and the estimated
        error so far, are shown on a terminal and in a notebook once a second has passed.
    watch : callable, optional
        Called with the solution of each network that is tried for a tolerance. Ctrl-C, or SIGTERM, ends a solve with
        the best of them (before the first with a small network), whose status is then "interrupted".
    engine : dask.distributed.Client or Engine, optional
        Where the rows are factored: on the workers of a cluster, or with `tn.Streamed()` in blocks that pass through
        memory, which happens by itself where the matrix would not fit.
    seed : int
        Where all randomness comes from.
    pieces : int or Cut, optional
        Cut the domain into about so many pieces, each with a small network of its own; `tn.Cut(8, 4)` says how many
        along each axis. A domain of `tn.Pieces` is always cut; others of one or two coordinates are by themselves where
        one network does not reach what is asked for, and boxes where data oscillate much, unless this is False.
    seconds : float, optional
        A time limit: the best solution by then is returned. The first network is always solved to its end.
    slabs : int or sequence of float, optional
        Slabs of time for an evolution, a problem with conditions at one end of its time only: how many, or the times at
        which they end. By default their lengths follow from the solution.
    start : Solution, optional
        A solution in slabs to go on from, whose problem ended earlier.
    until : expression, optional
        An expression of the unknowns that ends the march when it changes sign, such as `u` or, at a place,
        `u.subs(x, 0.5) - 1`.
    keep : int or sequence of float, optional
        Keep one slab of so many only, or those around given times.
    to : str or Path, optional
        A file for the coefficients of all slabs, from which they are read when needed.

    Returns
    -------
    Solution
    """
    return warned(
        Plan(
            problem, tol, neurons, space, points, solver, parameters, strategy, guess, continuation, progress, watch,
            engine, seed, pieces, seconds, slabs, start, until, keep, to,
        )
    )  # fmt: skip


def warned(plan: Plan) -> Solution:
    """Carry out a plan and warn of what is to be known."""
    found = carried_out(plan)
    warn(found.diagnostics.messages)
    return found


@rescued
@on_one_thread
def carried_out(plan: Plan) -> Solution:
    """Here it is decided how a problem is solved, one branch for each way; messages are in the diagnostics.

    A new way is a branch here, a function that takes the plan, and a keyword of `tn.solve` that is a field of `Plan`.
    """
    units = units_of(plan) if len(plan.problem.unknowns) > 1 else None
    if units is not None:
        return units.back(way_of(units.restated()))
    try:
        return way_of(plan)
    except NotFiniteError:
        units = units_of(plan)
        if units is None:
            raise
    return units.back(way_of(units.restated()))


def way_of(plan: Plan) -> Solution:
    """One branch for each way to solve a problem."""
    between_lines = in_pieces_of_lines(plan.problem)
    if between_lines is not None:
        plan = replace(plan, problem=between_lines)
    rothe = stepped(plan, asked(plan))
    if rothe is not None:
        return in_steps(plan, rothe, asked(plan), one_block)
    cut = plan.pieces is not None and plan.pieces is not False
    if cut or isinstance(plan.problem.domain, Pieces):
        return in_pieces(plan)
    if backward(plan.problem, statements_of(plan.problem), tuple(plan.values.values())) and not asked(plan).something:
        # No march and no larger network makes sense of it: the one that is given has the message.
        return (
            with_given_features(plan, plan.spaces)
            if plan.spaces
            else with_chosen_features(plan, plan.neurons or BACKWARD)
        )
    evolution = marched(plan)
    if evolution is not None:
        found = in_slabs(plan, evolution)
        if found is not None:
            return found
    if plan.spaces is None and plan.problem.domain.dimension > MORE_THAN:
        return in_many_coordinates(plan)
    if plan.spaces is not None:
        return with_given_features(plan, plan.spaces)
    if plan.neurons is not None:
        return with_chosen_features(plan, plan.neurons)
    return cut_if_needed(plan, begin, growing)


def one_block(plan: Plan) -> Solution:
    """Space and time as one network, of a size that is given or that grows."""
    return growing(plan, begin(plan)) if plan.neurons is None else with_chosen_features(plan, plan.neurons)


# -- the ways --------------------------------------------------------------------------------------------------------
def with_given_features(plan: Plan, spaces: Spaces) -> Solution:
    """One network that the user made."""
    return solve_with(plan, spaces)


def with_chosen_features(plan: Plan, neurons: int) -> Solution:
    """One network of a given size, whose features fit the problem."""
    clock = Clock()
    law = usual(plan, neurons)
    first = None if law is None else first_network(plan, *law)
    if first is not None and good_enough(first):
        return first
    choice, pilot = features_for(plan, neurons)
    clock.lap("choose")
    if pilot is not None and pilot.status == "interrupted":
        return pilot
    start = pilot if pilot is not None and plan.iteration[0].cascade else None
    found = solve_with(plan, spaces_for(plan.problem, choice.space(neurons, plan.seed)), start, clock)
    if start is None:
        return found
    steps = (*start.diagnostics.steps, *found.diagnostics.steps)
    return replace(found, diagnostics=replace(found.diagnostics, steps=steps))


def in_many_coordinates(plan: Plan) -> Solution:
    """Products of waves of few coordinates at a time, parity by parity."""
    with plan.shown() as shown:
        return solve_in_many_coordinates(
            plan.problem, plan.effort, plan.triangle_solver, plan.parameters, plan.seed, plan.neurons, shown
        )


def in_pieces(plan: Plan) -> Solution:
    """A small network on each piece of the domain, glued at their faces."""
    for name in ("neurons", "space", "points", "solver", "engine"):
        if getattr(plan, name) is not None:
            raise ProblemError(
                f"'{name}' is about one network, and this problem is solved in pieces, each with one of its own.",
                {"cut": True},
            )
    if isinstance(plan.problem.domain, Slit):
        raise ProblemError(
            "A domain with a slit is not cut into pieces: cells do not know of its sides. Leave out pieces=."
        )
    own = set(plan.problem.unknowns)
    elsewhere = any(e.has(Over, sp.Integral) or e.atoms(AppliedUndef) - own for e in plan.problem._expressions())
    if elsewhere or any(len(u.args) < len(plan.problem.coordinates) for u in own):
        raise ProblemError(
            "A problem in pieces may not have integrals, values at other places, or unknowns of fewer coordinates. "
            "Leave out pieces=, and write coefficients that differ from place to place as formulas."
        )
    strange = [c for c in plan.problem.conditions if type(c) not in IN_PIECES]
    if strange:
        raise ProblemError(
            f"A problem in pieces has no conditions of the kind tn.{type(strange[0]).__name__.lower()}. Leave out "
            f"pieces=, or state what holds on both sides with tn.on."
        )
    cut = cut_of(plan.pieces, plan.problem.domain)
    with plan.shown() as shown:
        return solve_pieces(plan.problem, cut, plan.effort, plan.values, shown)


def asked(plan: Plan) -> Ask:
    """What was said about slabs of time."""
    return Ask(plan.slabs, plan.start, plan.until, plan.keep, plan.to)


def marched(plan: Plan) -> Evolution | None:
    """The problem as an evolution if it is to be marched in slabs of time; None for one network."""
    given = [name for name in ONE_NETWORK if getattr(plan, name) is not None]
    if given and not asked(plan).something:
        return None
    found = evolution_of(plan.problem)
    if asked(plan).something:
        if given:
            raise ProblemError(f"{given[0]}= is about one network, and slabs of time have none. Leave it out.")
        if isinstance(found, str):
            raise ProblemError(
                f"slabs=, start=, until=, keep= and to= are for an evolution: conditions at one end of a time axis, as "
                f"many as the order in time, and none at the other. {found}"
            )
        return found
    if isinstance(found, str) or missing_conditions(plan.problem):
        return None
    d = len(found.bounds[0])
    if d > MARCHED and len(found.periodic) < d:
        return None
    return found


def in_slabs(plan: Plan, evolution: Evolution) -> Solution | None:
    """Slabs of time, one after the other; None where the first cannot be solved and nothing was said of slabs."""
    try:
        return solve_in_slabs(evolution, plan.tol, plan.values, asked(plan), plan.progress, plan.seconds)
    except NoSlab:
        if asked(plan).something:
            raise
        return None


def begin(plan: Plan, most: int | None = None) -> Begun:
    """A first network with the usual bandwidth; none where it would have more neurons than `most`."""
    if not plan.linear:
        return first_of_nonlinear(plan)
    usually = usual(plan)
    if usually is None or (most is not None and usually[1] > most):
        return None, None
    return usually[0], first_network(plan, *usually)


def growing(plan: Plan, begun: Begun) -> Solution:
    """Networks that grow until the estimated error is below the tolerance."""
    unknowns = len(plan.problem.unknowns)
    pilot: Solution | None = None

    def solve_at(space: FeatureSpace, previous: Solution | None) -> Solution:
        start = previous or pilot
        converged = start is not None and start.status == "converged"
        return solve_with(plan, spaces_for(plan.problem, space), start if converged else None)

    with plan.shown() as shown:
        law, first = begun
        if first is not None and first.status == "interrupted":
            return first
        if law is not None and first is not None and promising(plan, first, law.enrichment is not None):
            found = grow(law, unknowns, solve_at, plan.effort, plan.seed, shown, first, FURTHER * first.neurons)
            if content(plan, found):
                return found
        choice, pilot = features_for(plan, known=None if plan.linear else first)
        if pilot is not None and pilot.status == "interrupted":
            return pilot
        found = grow(choice, unknowns, solve_at, plan.effort, plan.seed, shown)
    if pilot is None or not pilot.diagnostics.notes:
        return found
    notes = (*pilot.diagnostics.notes, *found.diagnostics.notes)
    return replace(found, diagnostics=replace(found.diagnostics, notes=tuple(dict.fromkeys(notes))))
