"""The front door: `tn.solve(problem)` chooses everything that is not given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transnet.calls import explained
from transnet.checks.backward import backward
from transnet.choose.levels import MORE_THAN
from transnet.doors.cutting import cut_if_needed
from transnet.doors.network import solve_with
from transnet.doors.noise import unsaid, with_estimated_noise
from transnet.doors.on_boundary import on_boundary
from transnet.doors.one_network import with_chosen_features
from transnet.doors.plan import Plan
from transnet.doors.rescue import rescued
from transnet.doors.stepping import asked, in_slabs, in_steps, marched, stepped
from transnet.doors.units import units_of
from transnet.errors import NotFiniteError, warn
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.iterate.guess import Guess
from transnet.iterate.outcome import Progress
from transnet.iterate.strategies import Strategy
from transnet.linalg.least_squares import Solver
from transnet.problem import Problem
from transnet.rows.jumps import may_jump
from transnet.rows.points import Points
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

if TYPE_CHECKING:
    from transnet.pieces.plan import Cut

BACKWARD = 200
"""Neurons for a backward heat equation, for which no network is better than another."""


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
        The relative L2 error to reach; the network grows until its estimate is below. By default six digits, and up to
        ten if they are nearly free; fewer than five raise a warning.
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
        How a nonlinear problem is iterated. By default `Picard()` if the markers `tn.lagged` leave a linear problem,
        otherwise `Newton()`.
    guess : optional
        Where the iteration starts: a number, a formula, a callable of arrays, another Solution, or a mapping from
        unknowns to any of the first three. Zero by default.
    continuation : mapping, optional
        Values of a parameter to step through; each solution is the guess for the next: `continuation={Re: [10, 40,
        100]}`.
    progress : bool or callable, optional
        Called with each `Step` of the iteration; True prints them, False never does. By default steps and the estimated
        error so far are shown on a terminal or in a notebook after one second.
    watch : callable, optional
        Called with the solution of each network that is tried for a tolerance. Ctrl-C, or SIGTERM, ends a solve with
        the best of them (before the first with a small network), whose status is then "interrupted".
    engine : dask.distributed.Client or Engine, optional
        Where the rows are factored: on the workers of a cluster, or with `tn.Streamed()` in blocks that pass through
        memory, which happens automatically if the matrix would not fit.
    seed : int
        Where all randomness comes from.
    pieces : int or Cut, optional
        Cut the domain into about this many pieces, each with a small network of its own; `tn.Cut(8, 4)` gives the
        number along each axis. A domain of `tn.Pieces` is always cut; others of one or two coordinates are cut if one
        network does not reach the tolerance, and boxes if the data oscillate strongly, unless this is False.
    seconds : float, optional
        A time limit: the best solution by then is returned. The first network is always completed.
    slabs : int or sequence of float, optional
        Time slabs for an evolution, a problem with conditions at only one end of time: how many, or the times at which
        they end. By default their lengths follow from the solution.
    start : Solution, optional
        A solution in slabs to continue from, whose problem ended earlier.
    until : expression, optional
        An expression of the unknowns that ends the march when it changes sign, such as `u` or, at a place,
        `u.subs(x, 0.5) - 1`.
    keep : int or sequence of float, optional
        Keep only one slab in this many, or those around given times.
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
    """Carry out a plan, and issue its messages as warnings."""
    found = carried_out(plan)
    warn(found.diagnostics.messages)
    return found


@rescued
@on_one_thread
def carried_out(plan: Plan) -> Solution:
    """Decide how a problem is solved, with one branch for each way; messages are in the diagnostics.

    A new way needs a branch here, a function that takes the plan, and a keyword of `tn.solve` that is a field of
    `Plan`.
    """
    if unsaid(plan.problem):
        return with_estimated_noise(plan, in_units)
    return in_units(plan)


def in_units(plan: Plan) -> Solution:
    """Carry out a plan in the units of its problem, or in those of its unknowns' sizes."""
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
    """One branch for each way to solve a problem; what only one of them needs is imported when it is taken."""
    if may_jump(plan.problem):
        from transnet.pieces.piecewise import in_pieces_of_lines

        between_lines = in_pieces_of_lines(plan.problem)
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
    return on_boundary(plan) or cut_if_needed(plan)


def in_many_coordinates(plan: Plan) -> Solution:
    """Products of waves of few coordinates at a time, parity by parity."""
    from transnet.cross.grow import solve_in_many_coordinates

    with plan.shown() as shown:
        return solve_in_many_coordinates(
            plan.problem, plan.effort, plan.triangle_solver, plan.parameters, plan.seed, plan.neurons, shown
        )
