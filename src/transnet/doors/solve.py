"""The front door: `tn.solve(problem)` chooses everything that is not given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.calls import explained
from transnet.doors.put_in import with_parameters_put_in
from transnet.doors.rescue import rescued
from transnet.drive.driver import drive
from transnet.drive.facts import Facts
from transnet.drive.method import Method
from transnet.drive.plan import Plan
from transnet.drive.select import Choices, asked_for, choices
from transnet.drive.shortfall import no_solution
from transnet.errors import EstimateWarning, NotFiniteError, undetermined, warn
from transnet.facts.conditions import missing_conditions
from transnet.facts.surplus import surplus_conditions
from transnet.features.space import FeatureSpace
from transnet.geometry.symbolic import Sized
from transnet.judge.overlooked import overlooked
from transnet.linalg.least_squares import Solver
from transnet.method import known_methods
from transnet.problem import Front, Inequality, Problem, is_conserved
from transnet.rows.points import Points
from transnet.sections.windows import open_parts
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread

if TYPE_CHECKING:
    from transnet.cuts.plan import Cut
    from transnet.doors.units import Units
    from transnet.iterate.guess import Guess
    from transnet.iterate.outcome import Progress
    from transnet.iterate.strategies import Strategy

ASTRAY = ("stalled", "diverged")
"""Iterations that ended so are anywhere: nothing is known of their error."""


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
    method: str | Method | None = None,
) -> Solution:
    """Solve a problem.

    Parameters
    ----------
    problem : Problem
        What holds, and where.
    tol : float, optional
        The relative L2 error to reach. Default 1e-6, continuing to 1e-10 if cheap; warns above 1e-5.
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
        The start of the iteration: a number, a formula, a callable of arrays, another Solution, or a mapping from
        unknowns to any of the first three. Zero by default.
    continuation : mapping, optional
        Values of a parameter to step through; each solution is the guess for the next: `continuation={Re: [10, 40,
        100]}`.
    progress : bool or callable, optional
        Called with each `Step` of the iteration; True prints them, False shows nothing. By default a terminal or a
        notebook shows method, level, best estimate and time after one second.
    watch : callable, optional
        Called with the solution of each network that is tried for a tolerance. Ctrl-C, or SIGTERM, ends a solve with
        the best of them (before the first with a small network), whose status is then "interrupted".
    engine : dask.distributed.Client or Engine, optional
        Where the rows are factored: on the workers of a cluster, or with `tn.Streamed()` in blocks that pass through
        memory, which happens automatically if the matrix would not fit.
    seed : int
        Random seed.
    pieces : int or Cut, optional
        Cut the domain into about this many pieces, each with a small network; `tn.Cut(8, 4)` gives the number along
        each axis. By default `tn.Pieces` are cut, and domains of one or two coordinates where that is needed; False
        rules it out.
    seconds : float, optional
        A time limit: the best solution by then is returned. The first network is always completed.
    slabs : int or sequence of float, optional
        Time slabs for an evolution, a problem with conditions at only one end of time: how many, or the times at which
        they end. Chosen automatically.
    start : Solution, optional
        A solution in slabs to continue from, whose problem ended earlier.
    until : expression, optional
        An expression of the unknowns that ends the march when it changes sign, such as `u` or, at a place,
        `u.subs(x, 0.5) - 1`.
    keep : int or sequence of float, optional
        Keep only one slab in this many, or those around given times.
    to : str or Path, optional
        A file for the coefficients of all slabs, from which they are read when needed.
    method : str or Method, optional
        Solve by this method alone: "trefftz", "tensor", "march", "network", "cells", "pieces", "cross", "outside" or
        "shocks", or one of your own. By default the cheapest that fits, and another if it does not get there;
        `tn.methods(problem)` shows them.

    Returns
    -------
    Solution
    """
    return warned(
        Plan(
            problem, tol, neurons, space, points, solver, parameters, strategy, guess, continuation, progress, watch,
            engine, seed, pieces, seconds, slabs, start, until, keep, to, method,
        )
    )  # fmt: skip


def warned(plan: Plan) -> Solution:
    """Carry out a plan, and issue its messages as warnings."""
    early = [] if isinstance(plan.problem.domain, Sized) else [m for m in [surplus_conditions(plan.problem)] if m]
    warn(early)  # before the time that a solve takes which cannot get there
    found = carried_out(plan)
    warn(m for m in found.diagnostics.messages if m not in early)
    if any(m not in found.diagnostics.messages for m in early):
        known = found.diagnostics
        found = replace(found, diagnostics=replace(known, messages=(*early, *known.messages)))
    return found


@explained
def methods(problem: Problem, **options: Any) -> Choices:
    """Which methods fit a problem, at which predicted cost, and why the others do not.

    Parameters
    ----------
    options
        The keywords of `tn.solve`.

    Returns
    -------
    Choices
        Printed, it is a table; `.fitting` has the names of those that fit, in the order in which they are tried.
    """
    plan = Plan(problem, **options)
    return choices(known_methods(), Facts.of(plan), plan)


def carried_out(plan: Plan) -> Solution:
    """Carry out a plan; messages are in the diagnostics."""
    begun = perf_counter()
    found = _carried_out(plan)
    known = found.diagnostics.within(perf_counter() - begun)
    # Not every method looks at the statement before it solves; a size that is sought has its value only now.
    missing = missing_conditions(found.problem if isinstance(plan.problem.domain, Sized) else plan.problem)
    if missing is not None and missing not in known.messages:
        known = replace(known, messages=(missing, *known.messages))
    if elsewhere := no_solution(known) or overlooked(found, tuple(plan.values.values())):
        known = replace(known, messages=(*known.messages, elsewhere))
    if undetermined(known.messages) or known.status in ASTRAY or np.isnan(known.statistical) or elsewhere:
        causes = tuple(m for m in known.messages if m.kind is not EstimateWarning)
        known = replace(known, error=float("nan"), messages=causes or known.messages)
    return replace(found, diagnostics=known, origin=found.origin if plan.origin is None else plan.origin)


@rescued
@on_one_thread
def _carried_out(plan: Plan) -> Solution:
    if isinstance(plan.problem.domain, Sized):
        from transnet.motion.solve import solve_moving

        return solve_moving(plan, lambda p: with_parameters_put_in(p, in_units))
    if open_parts(plan.problem.domain):
        from transnet.reach.solve import solve_unbounded

        return solve_unbounded(plan, _carried_out)
    if is_conserved(plan.problem):
        return drive(plan, asked_for(plan.method, known_methods()))
    if any(isinstance(c, Inequality) for c in plan.problem.conditions):
        from transnet.contact.solve import solve_with_inequalities

        return solve_with_inequalities(plan, lambda p: with_parameters_put_in(p, in_units))
    if any(isinstance(c, Front) for c in plan.problem.conditions):
        from transnet.fronts.solve import solve_with_fronts

        return solve_with_fronts(plan, lambda p: with_parameters_put_in(p, in_units))
    if any(c.fitted for c in plan.problem.conditions):
        from transnet.doors.minima import with_other_minima
        from transnet.doors.noise import unsaid, with_estimated_noise

        def inverse(plan: Plan) -> Solution:
            return with_estimated_noise(plan, in_units) if unsaid(plan.problem) else _put_in(plan)

        return with_other_minima(plan, inverse, _put_in, in_units)
    return _put_in(plan)


def _put_in(plan: Plan) -> Solution:
    return with_parameters_put_in(plan, in_units)


def in_units(plan: Plan) -> Solution:
    """Carry out a plan in the units of its problem, or in those of its unknowns' sizes."""
    allowed = asked_for(plan.method, known_methods())
    units = _units_of(plan) if len(plan.problem.unknowns) > 1 else None
    if units is not None:
        return units.back(drive(units.restated(), allowed))
    try:
        return drive(plan, allowed)
    except NotFiniteError:
        units = _units_of(plan)
        if units is None:
            raise
    return units.back(drive(units.restated(), allowed))


def _units_of(plan: Plan) -> Units | None:
    from transnet.doors.units import units_of

    return units_of(plan)
