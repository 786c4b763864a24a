"""One nonlinear solve with given features: start, iterate, judge."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.clock import Clock
from transnet.errors import AccuracyWarning, Message
from transnet.facts.conditions import missing_conditions
from transnet.features.space import FeatureSpace
from transnet.iterate.attempts import iterated
from transnet.iterate.guess import Guess, with_coefficients
from transnet.iterate.outcome import Outcome, Progress, Watch
from transnet.iterate.strategy import Strategy
from transnet.iterate.system import System
from transnet.judge.diagnose import diagnose, held_out_residuals
from transnet.linalg.least_squares import Coefficients, Solver
from transnet.problem import Problem
from transnet.rows.points import Points
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Diagnostics, Residual, Step
from transnet.solution.solution import Solution

CASCADE_FROM = 180
"""A network with more neurons for each unknown than this takes its first steps on a smaller one."""
CASCADE_PART = 0.4
"""The neurons of that smaller one: a step on it costs a fifteenth."""


def solve_nonlinear(
    problem: Problem,
    statements: tuple[Statement, ...],
    basis: Basis,
    strategy: Strategy,
    guess: Guess,
    parameters: dict[sp.Symbol, Any],
    points: Points | None,
    solver: Solver,
    seed: int,
    progress: Progress,
    clock: Clock,
    judged: bool = True,
) -> Solution:
    """Solve a nonlinear problem with the features of a basis.

    Parameters
    ----------
    statements : tuple of Statement
        The statements of the problem, as the strategy needs them.
    basis : Basis
        The features of each unknown, and where the domain lies in their ball.
    guess : optional
        Where to start: zero, a formula, a callable, a Solution, or a mapping from unknowns to them.
    parameters : dict
        The value of each parameter of the problem, by symbol.
    progress : bool or callable, optional
        Called with each `Step`; True prints them; by default they are printed if the iteration takes longer than a
        second.
    judged : bool
        Whether the result is judged. One that only leads to another solve is not, unless the user interrupts there.

    Returns
    -------
    Solution
        `solution.status` says how the iteration ended; the solution is the last good iterate in any case.
    """
    watch = Watch(progress, 0)
    first = guess
    steps: list[Step] = []
    for small in _smaller(basis, strategy, guess):
        system, outcome = iterated(
            problem, statements, small, None, solver, strategy, first, parameters, seed, watch, True
        )
        if outcome.status == "interrupted":
            return _solution(problem, system, outcome, parameters, steps, clock)
        if outcome.status == "converged":
            first = _bare(problem, system, outcome, parameters)
            steps += outcome.steps
        clock.lap("first steps")
    system, outcome = iterated(problem, statements, basis, points, solver, strategy, first, parameters, seed, watch)
    clock.lap("iterate")
    if not judged and outcome.status != "interrupted":
        return _bare(problem, system, outcome, parameters)
    return _solution(problem, system, outcome, parameters, steps, clock)


# -- first steps on a smaller network --------------------------------------------------------------------------------
def _smaller(basis: Basis, strategy: Strategy, guess: Guess) -> list[Basis]:
    """The smaller networks on which to begin, smallest first."""
    if not strategy.cascade or isinstance(guess, Solution):
        return []
    found: list[Basis] = []
    while min((s.neurons for s in basis.spaces if s.neurons), default=0) > CASCADE_FROM:
        made = {id(s): reduced(s, int(CASCADE_PART * s.neurons)) for s in basis.distinct}
        basis = Basis(tuple(made[id(s)] for s in basis.spaces), basis.placement)
        found.insert(0, basis)
    return found


def reduced(space: FeatureSpace, neurons: int) -> FeatureSpace:
    """A smaller space of the same kind: the first neurons, wider in proportion to the distance between them."""
    if space.neurons == 0:
        return space
    neurons -= neurons % 2 if space.paired else 0
    if space.inner:
        return dataclasses.replace(space, weights=space.weights[:neurons], biases=space.biases[:neurons])
    factor = (neurons / space.neurons) ** (1 / space.dimension)
    # Hyperplanes stay where they are; the phases of sines, which have no place, stay unchanged.
    biases = space.biases[:neurons] * (factor if np.isfinite(space.radius) else 1.0)
    return dataclasses.replace(space, weights=space.weights[:neurons] * factor, biases=biases)


# -- looking back ----------------------------------------------------------------------------------------------------
def _solution(
    problem: Problem,
    system: System,
    outcome: Outcome,
    parameters: dict[sp.Symbol, Any],
    earlier: list[Step],
    clock: Clock,
) -> Solution:
    coefficients = with_coefficients(system, outcome.iterate).coefficients
    assert coefficients is not None
    steps = (*earlier, *outcome.steps)
    weights = system.weights or [1.0] * len(system.blocks)
    if outcome.triangle is None or outcome.found is None:
        known = _unknown(
            held_out_residuals(problem, system.basis, coefficients, system.parameters, weights, system.blocks)
        )
    else:
        found = Coefficients(coefficients[:, None], outcome.found.rank, outcome.found.solver)
        known = diagnose(
            problem, system.basis, system.blocks, weights, outcome.triangle, found, system.parameters, clock
        )
    messages = known.messages
    if outcome.status != "converged":
        stopped = outcome.status == "interrupted"  # it might have got there: no advice
        why = f": {outcome.reason}" if outcome.reason else ""
        what = "was interrupted" if stopped else f"did not converge ({outcome.status}{why})"
        text = (
            f"The iteration {what} after {len(steps)} steps. The last good iterate is returned; its last relative "
            f"change was {outcome.change:.1e}."
        )
        # The last linear problem of a failed iteration is irrelevant, except for missing conditions, which are then the
        # cause.
        missing = missing_conditions(problem)
        told = Message(AccuracyWarning, text, {} if stopped else {"iterate": True})
        messages = (told, *([missing] if missing else []))
    left = outcome.remaining if outcome.status == "converged" else outcome.change
    error = float(np.fmax(known.error, left))
    diagnostics = dataclasses.replace(
        known, error=error, status=outcome.status, steps=steps, messages=messages, notes=tuple(outcome.notes)
    )
    return Solution(problem, system.basis, coefficients, parameters, diagnostics, system.blocks)


def _bare(problem: Problem, system: System, outcome: Outcome, parameters: dict[sp.Symbol, Any]) -> Solution:
    """The last iterate, of which nothing else is known."""
    coefficients = with_coefficients(system, outcome.iterate).coefficients
    assert coefficients is not None
    notes = tuple(n for n in outcome.notes if n.startswith("started"))
    known = dataclasses.replace(_unknown(), status=outcome.status, steps=tuple(outcome.steps), notes=notes)
    return Solution(problem, system.basis, coefficients, parameters, known, system.blocks)


def _unknown(residuals: tuple[Residual, ...] = ()) -> Diagnostics:
    """The diagnostics before any solve."""
    return Diagnostics(residuals, "none", 0, 0, float("nan"))
