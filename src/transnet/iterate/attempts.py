"""An iteration on one network: from the guess, and if that fails from other starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.checks.places import refuse_too_few_rows
from transnet.engines.shortage import refuse_if_too_large
from transnet.errors import NotFiniteError, ProblemError
from transnet.iterate.coefficients import coefficients_of, start_from_data, starts_by_numbers, unfitted
from transnet.iterate.guess import Guess, is_zero, start_from
from transnet.iterate.newton import Newton
from transnet.iterate.outcome import Outcome, Watch
from transnet.iterate.project import project
from transnet.iterate.regularise import floor_of, regularised
from transnet.iterate.starts import other_starts, vanishing, violation
from transnet.iterate.strategy import Strategy
from transnet.iterate.system import Iterate, System
from transnet.judge.estimate import VISIBLE
from transnet.linalg.least_squares import Solver
from transnet.linalg.memory import DOUBLE
from transnet.problem import Problem
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import Statement


def iterated(
    problem: Problem,
    statements: tuple[Statement, ...],
    basis: Basis,
    points: Points | None,
    solver: Solver,
    strategy: Strategy,
    guess: Guess,
    parameters: Mapping[sp.Symbol, Any],
    seed: int,
    watch: Watch,
    coarse: bool = False,
) -> tuple[System, Outcome]:
    """Iterate on one network; on a coarse one only as far as its own error."""
    blocks = collocate(problem, statements, basis.columns, points, seed, basis.foci)
    refuse_too_few_rows(blocks, basis)
    rows = sum(b.rows for b in blocks)
    refuse_if_too_large(2 * DOUBLE * rows * basis.columns, f"The matrix of {rows} rows and {basis.columns} columns")
    system = System(blocks, basis, tuple(parameters.values()), solver, strategy.lagged)
    system.prior = floor_of(system)
    from_zero = is_zero(guess)
    found = start_from_data(system) if from_zero and not strategy.lagged else None
    notes = [] if found is None else ["started from the data, because nothing depends on a coefficient at zero"]
    begin = _start(problem, system, guess, parameters, notes) if found is None else found
    outcome = Outcome(begin, coarse=coarse, notes=notes)
    watch.neurons = max(s.neurons for s in basis.spaces)
    try:
        _run(system, strategy, outcome, watch)
        if not strategy.lagged and coefficients_of(system):
            outcome = _from_other_coefficients(system, strategy, outcome, watch, from_zero)
        elif from_zero and not strategy.lagged and not _holds(system, outcome):
            outcome = _from_elsewhere(system, strategy, outcome, watch, coarse)
    except KeyboardInterrupt:
        outcome.status, outcome.reason = "interrupted", "interrupted by the user"
    return system, outcome


def _run(system: System, strategy: Strategy, outcome: Outcome, watch: Watch) -> None:
    flat = None if strategy.lagged else vanishing(system, outcome.iterate)
    if flat is not None:
        outcome.status = "stalled"
        outcome.reason = (
            f"'{flat}' does not depend on the unknowns to first order at the guess, so there is no direction to go in"
        )
        return

    def iterate(outcome: Outcome) -> None:
        if isinstance(strategy, Newton):
            project(system, outcome, watch)
        else:
            strategy.iterate(system, outcome, watch)

    noisy = bool(coefficients_of(system)) and any(b.statement.noise is not None for b in system.blocks)
    if not noisy or strategy.lagged:
        strategy.iterate(system, outcome, watch)
        return
    begin = outcome.iterate
    strategy.iterate(system, outcome, watch)
    if outcome.status == "diverged":
        outcome.iterate = begin
    if not regularised(system, outcome, iterate):
        outcome.status, outcome.reason = "limit reached", ""
        iterate(outcome)


def _holds(system: System, outcome: Outcome) -> bool:
    """Whether an iteration converged to something that visibly solves the equations."""
    return outcome.status == "converged" and violation(system, outcome.iterate) < VISIBLE


def _from_other_coefficients(
    system: System, strategy: Strategy, failed: Outcome, watch: Watch, from_zero: bool
) -> Outcome:
    """The best result of other starts, if the first was no good for coefficients that data determine."""

    def lost(outcome: Outcome) -> float:
        if outcome.status != "converged":
            return float("inf")
        return max(violation(system, outcome.iterate) / VISIBLE, unfitted(system, outcome.iterate))

    best, least = failed, lost(failed)
    if least < 1.0:
        return failed
    first, outcome = None if from_zero else start_from_data(system), failed
    for start in ([] if first is None else [first]) + starts_by_numbers(system):
        system.forget()
        system.prior = floor_of(system)
        outcome = Outcome(start, coarse=failed.coarse)
        _run(system, strategy, outcome, watch)
        left = lost(outcome)
        if left < least:
            best, least = outcome, left
        if left < 1.0:
            break
    if outcome is not best:  # the weights are those of the last
        system.forget()
        system.weigh(system.linearise(best.iterate))
    if best is not failed:
        best.notes.append("started again because the first start failed: many values of the coefficients were tried")
    return best


def _from_elsewhere(system: System, strategy: Strategy, failed: Outcome, watch: Watch, coarse: bool) -> Outcome:
    """The best result of other starts, if zero failed."""
    best, least = failed, violation(system, failed.iterate) if failed.status == "converged" else np.inf
    for start in other_starts(system):
        system.forget()
        outcome = Outcome(start, coarse=coarse)
        _run(system, strategy, outcome, watch)
        left = violation(system, outcome.iterate) if outcome.status == "converged" else np.inf
        if left < 0.5 * least:
            best, least = outcome, left
        if left < VISIBLE:
            break
    return best


def _start(
    problem: Problem, system: System, guess: Guess, parameters: Mapping[sp.Symbol, Any], notes: list[str]
) -> Iterate:
    """The first iterate; if the equations have no value at zero, a curved function with the data."""
    start = start_from(guess, problem, system, parameters)
    try:
        return _finite(system, start)
    except NotFiniteError as error:
        for other in other_starts(system) if is_zero(guess) else ():
            try:
                found = _finite(system, other)
            except NotFiniteError:
                continue
            notes.append("started from a curved function with the data, because an equation has no value at zero")
            return found
        try:
            _finite(system, start_from(1, problem, system, parameters))
            remedy: Any = 1
        except NotFiniteError:  # derivatives of the unknown are divided by, or have a root
            remedy = sum(c**2 for c in problem.coordinates)
        place = "zero" if is_zero(guess) else "this guess"
        raise ProblemError(f"The problem cannot be started from {place}: {error}", {"guess": remedy}) from error


def _finite(system: System, start: Iterate) -> Iterate:
    """An iterate at which every equation and its linearisation have values."""
    system.residuals(start)
    system.linearise(start)
    return start
