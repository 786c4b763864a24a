"""Newton's iteration: Gauss-Newton on the weighted residual, with a line search."""

from __future__ import annotations

import numpy as np

from transnet.errors import NotFiniteError
from transnet.methods.estimate import error_estimate, nested_differences
from transnet.methods.nonlinear.guess import with_coefficients
from transnet.methods.nonlinear.outcome import Outcome, Watch
from transnet.methods.nonlinear.strategies import Newton
from transnet.methods.nonlinear.system import Iterate, System
from transnet.solution.diagnostics import Step

DECREASE = 1e-4
"""The part of the predicted decrease that a step must achieve (Armijo)."""
ROUNDING = 1e-13
"""Differences of the residual below this, relative to the terms it is made of, are rounding."""
SETTLED = 1e-6
"""A change below this that no longer shrinks is rounding, not failure."""
TINY = 1e-14
EXPLODED = 1e10


def newton(system: System, strategy: Newton, outcome: Outcome, watch: Watch) -> None:
    """Iterate from `outcome.iterate`; the outcome is kept up to date."""
    here = outcome.iterate
    linearisations = system.linearise(here)
    system.weigh(linearisations)
    norm = system.norm(here)
    previous = np.inf
    for number in range(1, strategy.steps + 1):
        triangle, found = system.solve(linearisations)
        if not np.isfinite(found.values).all():
            outcome.status, outcome.reason = "diverged", "the linearised problem has no finite solution"
            return
        there = system.iterate(found.values[:, 0])
        modelled = float(np.abs(triangle[-1, -1])) if len(triangle) > system.layout.columns else 0.0
        noise = ROUNDING * float(np.linalg.norm(triangle[:, -1]))
        length, moved, new_norm = _search(system, here, there, norm, modelled, noise, strategy.shortest)
        outcome.triangle, outcome.found = triangle, found
        if moved is None:
            settled = system.change(here, there) < SETTLED
            outcome.status = "converged" if settled else "stalled"
            outcome.reason = "" if settled else "no step along Newton's direction reduces the residual"
            return
        if length < 1.0 and moved.coefficients is None:
            # The guess was a formula: a part of the way from it needs its output weights.
            here = with_coefficients(system, here)
            moved = system.between(here, there, length)
        change = system.change(here, moved)
        here, norm = moved, new_norm
        outcome.iterate = here
        outcome.steps.append(Step(number, watch.neurons, norm, change, length))
        watch(outcome.steps[-1])
        if max(float(np.abs(v).max()) for v in here.values) > EXPLODED * _scale(outcome):
            outcome.status, outcome.reason = "diverged", "the iterates grow without bound"
            return
        if length == 1.0 and _converged(system, strategy, outcome, change, previous):
            outcome.status = "converged"
            return
        previous = change if length == 1.0 else np.inf
        linearisations = system.linearise(here)
        if system.weigh(linearisations):
            norm = system.norm(here)


def _scale(outcome: Outcome) -> float:
    return max(1.0, *(float(np.abs(v).max()) for v in outcome.iterate.values)) if len(outcome.steps) < 2 else 1.0


def _search(
    system: System, here: Iterate, there: Iterate, norm: float, modelled: float, noise: float, shortest: float
) -> tuple[float, Iterate | None, float]:
    """The longest of the lengths 1, 1/2, 1/4, ... at which the residual falls enough; None if there is none."""
    length = 1.0
    while length >= shortest:
        moved = system.between(here, there, length)
        try:
            found = system.norm(moved)
        except NotFiniteError:
            found = np.inf
        if found <= norm - DECREASE * length * max(norm - modelled, 0.0) + noise:
            return length, moved, found
        length /= 2
    return 0.0, None, norm


def _converged(system: System, strategy: Newton, outcome: Outcome, change: float, previous: float) -> bool:
    # Near the solution change ~ C previous^2, so that the next change is known before it is made.
    coming = change**3 / previous**2 if change < 0.1 * previous and np.isfinite(previous) else change
    if strategy.tol is not None:
        goal = strategy.tol
    else:
        goal = max(TINY, 1e-2 * estimate(system, outcome)) if change < 0.1 else TINY
    return min(change, coming) <= goal or (change < SETTLED and change > 0.3 * previous)


def estimate(system: System, outcome: Outcome) -> float:
    """The estimated relative error of the network, from the triangle of the last step; a nan counts as zero."""
    assert outcome.triangle is not None
    assert outcome.found is not None
    n = system.layout.columns
    nested = nested_differences(
        outcome.triangle[:n, :n], outcome.triangle[:n, n], outcome.found.values[:, 0], system.layout, system.sample
    )
    error = error_estimate(nested)
    return error if np.isfinite(error) else 0.0
