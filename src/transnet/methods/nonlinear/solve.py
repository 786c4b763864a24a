"""One nonlinear solve with given features: choose, start, iterate, look back."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from transnet.discretise.assembly import Layout
from transnet.discretise.collocation import Points, collocate
from transnet.discretise.statements import Statement
from transnet.errors import AccuracyWarning, NotFiniteError, ProblemError
from transnet.features.space import FeatureSpace
from transnet.linalg.least_squares import QR, Coefficients, Solver
from transnet.methods.checks import refuse_too_few_rows
from transnet.methods.clock import Clock
from transnet.methods.diagnose import diagnose, held_out_residuals
from transnet.methods.nonlinear.descent import descent
from transnet.methods.nonlinear.guess import Guess, start_from, with_coefficients
from transnet.methods.nonlinear.newton import newton
from transnet.methods.nonlinear.outcome import Outcome, Progress, Watch
from transnet.methods.nonlinear.picard import picard
from transnet.methods.nonlinear.strategies import Descent, Newton, Picard, Strategy, choose
from transnet.methods.nonlinear.system import System
from transnet.problem import Problem
from transnet.solution.diagnostics import Diagnostics
from transnet.solution.solution import Solution

CASCADE_FROM = 300
"""A network with more neurons an unknown than this takes its first steps on one with a quarter of them."""
CASCADE_PART = 0.25


def solve_nonlinear(
    problem: Problem,
    layout: Layout,
    points: Points | None = None,
    solver: Solver | None = None,
    strategy: Strategy | None = None,
    guess: Guess = None,
    parameters: Mapping[sp.Symbol, Any] | None = None,
    seed: int = 0,
    progress: Progress = None,
) -> Solution:
    """Solve a nonlinear problem with the features of a layout.

    Parameters
    ----------
    layout : Layout
        The features of each unknown, and where the domain lies in their ball.
    strategy : Newton, Picard or Descent, optional
        Chosen by the problem where it is left out.
    guess : optional
        Where to start: zero, a formula, a callable, a Solution, or a mapping from unknowns to them.
    parameters : mapping, optional
        The value of each parameter of the problem, by symbol.
    progress : bool or callable, optional
        Called with each `Step`; True prints them; by default they are printed when it takes longer than a second.

    Returns
    -------
    Solution
        `solution.status` tells how the iteration ended; it holds the last good iterate in any case.
    """
    clock = Clock()
    values = dict(parameters or {})
    solver = solver or QR()
    strategy, statements = choose(problem, strategy)
    watch = Watch(progress, max(s.neurons for s in layout.spaces))
    system = _system(problem, statements, layout, points, solver, strategy, tuple(values.values()), seed)
    clock.lap("points and features")
    outcome = Outcome(_start(problem, system, guess, values))
    try:
        if _cascades(strategy, layout, guess):
            _coarse(problem, statements, layout, system, strategy, guess, values, seed, outcome, watch)
            clock.lap("first steps")
        run(system, strategy, outcome, watch)
    except KeyboardInterrupt:
        outcome.status, outcome.reason = "interrupted", "interrupted by the user"
    clock.lap("iterate")
    final = with_coefficients(system, outcome.iterate).coefficients
    assert final is not None
    diagnostics = _diagnose(problem, system, final, outcome, clock)
    return Solution(problem, layout, final, values, diagnostics, system.blocks)


def run(system: System, strategy: Strategy, outcome: Outcome, watch: Watch) -> None:
    """Iterate with a strategy from where the outcome is."""
    match strategy:
        case Newton():
            newton(system, strategy, outcome, watch)
        case Picard():
            picard(system, strategy, outcome, watch)
        case Descent():
            descent(system, strategy, outcome, watch)


def _system(
    problem: Problem,
    statements: tuple[Statement, ...],
    layout: Layout,
    points: Points | None,
    solver: Solver,
    strategy: Strategy,
    parameters: tuple[Any, ...],
    seed: int,
) -> System:
    blocks = collocate(problem, statements, layout.columns, points, seed)
    refuse_too_few_rows(blocks, layout)
    return System(blocks, layout, parameters, solver, isinstance(strategy, Picard))


def _start(problem: Problem, system: System, guess: Guess, parameters: Mapping[sp.Symbol, Any]) -> Any:
    start = start_from(guess, problem, system, parameters)
    try:
        system.residuals(start)
        system.linearise(start)
    except NotFiniteError as error:
        raise ProblemError(
            f"The problem cannot be started from {'zero' if guess is None else 'this guess'}: {error} Pass a guess at "
            f"which every equation is finite, such as guess=1."
        ) from error
    return start


# -- first steps on a smaller network --------------------------------------------------------------------------------
def _cascades(strategy: Strategy, layout: Layout, guess: Guess) -> bool:
    wanted = not isinstance(strategy, Descent) and strategy.cascade and not isinstance(guess, Solution)
    return wanted and min(s.neurons for s in layout.spaces) > CASCADE_FROM


def reduced(space: FeatureSpace, neurons: int) -> FeatureSpace:
    """A smaller space of the same kind: the first neurons, wider in proportion to the distance between them."""
    factor = (neurons / space.neurons) ** (1 / space.dimension)
    # Hyperplanes stay where they are; the phases of sines, which have no place, stay what they are.
    biases = space.biases[:neurons] * (factor if np.isfinite(space.radius) else 1.0)
    return FeatureSpace(space.weights[:neurons] * factor, biases, space.activation, space.radius)


def _coarse(
    problem: Problem,
    statements: tuple[Statement, ...],
    layout: Layout,
    fine: System,
    strategy: Strategy,
    guess: Guess,
    parameters: Mapping[sp.Symbol, Any],
    seed: int,
    outcome: Outcome,
    watch: Watch,
) -> None:
    """Iterate on a smaller network, and go on from there if that converged."""
    made: dict[int, FeatureSpace] = {}
    spaces = [made.setdefault(id(s), reduced(s, int(CASCADE_PART * s.neurons))) for s in layout.spaces]
    small = Layout(tuple(spaces), layout.placement)
    system = _system(problem, statements, small, None, fine.solver, strategy, fine.parameters, seed)
    first = Outcome(start_from(guess, problem, system, parameters))
    fine_neurons, watch.neurons = watch.neurons, spaces[0].neurons
    run(system, strategy, first, watch)
    watch.neurons = fine_neurons
    if first.status == "converged" and first.iterate.coefficients is not None:
        solution = Solution(problem, small, first.iterate.coefficients, dict(parameters), _unknown(), system.blocks)
        outcome.iterate = start_from(solution, problem, fine, parameters)
        outcome.steps += first.steps


# -- looking back ----------------------------------------------------------------------------------------------------
def _diagnose(
    problem: Problem, system: System, coefficients: np.ndarray, outcome: Outcome, clock: Clock
) -> Diagnostics:
    messages = []
    if outcome.status != "converged":
        why = f": {outcome.reason}" if outcome.reason else ""
        messages.append(
            f"The iteration did not converge ({outcome.status}{why}) after {len(outcome.steps)} steps. The last good "
            f"iterate is returned; its last relative change was {outcome.change:.1e}. Try another guess=, "
            f"continuation={{parameter: [easier, ..., wanted]}}, or more steps."
        )
    if outcome.triangle is None or outcome.found is None:
        known = _unknown(held_out_residuals(problem, system.layout, coefficients, system.parameters, *_fit(system)))
    else:
        found = Coefficients(coefficients[:, None], outcome.found.rank, outcome.found.solver)
        weights, blocks = _fit(system)
        known = diagnose(problem, system.layout, blocks, weights, outcome.triangle, found, system.parameters, clock)
    for text in messages:
        warnings.warn(text, AccuracyWarning, stacklevel=4)
    error = known.error if outcome.status == "converged" else float(np.nanmax([known.error, outcome.change]))
    return dataclasses.replace(
        known,
        error=error,
        status=outcome.status,
        steps=tuple(outcome.steps),
        messages=(*known.messages, *messages),
    )


def _fit(system: System) -> tuple[list[float], tuple]:
    return system.weights or [1.0] * len(system.blocks), system.blocks


def _unknown(residuals: tuple = ()) -> Diagnostics:
    """What is known before any solve."""
    return Diagnostics(residuals, "none", 0, 0, float("nan"), float("nan"), (), {})
