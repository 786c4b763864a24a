"""Descent: L-BFGS on half the squared weighted residual, in a basis that makes the rows orthonormal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transnet.calls import explained
from transnet.errors import NotFiniteError, ProblemError
from transnet.iterate.guess import with_coefficients
from transnet.iterate.outcome import Outcome, Watch
from transnet.iterate.strategy import refuse_settings, register
from transnet.iterate.system import System
from transnet.lazy import optimize
from transnet.linalg import lapack
from transnet.linalg.least_squares import Coefficients
from transnet.solution.diagnostics import Step
from transnet.tolerances import PRECISION

SETTLED = 1e-3
"""A final change below this counts as convergence."""
WASTED = 1e-3
"""If the iterations in a basis reduce the residual by less than this, a new one is not worth it."""
CAUTION = 0.1
"""The largest derivative at which a descent ends, in units of the tolerance for their norm."""


@register
@explained
@dataclass(frozen=True)
class Descent:
    """L-BFGS on half the squared weighted residual, over the output weights (the paper's second approach).

    The weights are expressed in the basis that makes the rows of the linearisation at the start orthonormal, without
    which a gradient method does not get anywhere: the condition number of the rows is near 1e16.

    Parameters
    ----------
    steps : int
        At most this many iterations.
    tol : float
        The norm of the gradient, relative to the weighted residual at the start, at which to stop.
    memory : int
        How many pairs of vectors L-BFGS keeps.
    refresh : int
        After how many iterations the basis is renewed from the linearisation at the iterate.
    """

    name: ClassVar[str] = "descent"
    lagged: ClassVar[bool] = False
    cascade: ClassVar[bool] = True

    steps: int = 500
    tol: float = 1e-9
    memory: int = 20
    refresh: int = 50

    def __post_init__(self) -> None:
        refuse_settings(self.steps, self.tol)
        if self.memory < 1 or self.refresh < 1:
            raise ProblemError("Descent needs a memory and a refresh of at least 1.")

    def iterate(self, system: System, outcome: Outcome, watch: Watch) -> None:
        descent(system, self, outcome, watch)


def descent(system: System, strategy: Descent, outcome: Outcome, watch: Watch) -> None:
    """Iterate from `outcome.iterate`, keeping the outcome up to date."""
    here = outcome.iterate = with_coefficients(system, outcome.iterate)
    linearisations = system.linearise(here)
    system.weigh(linearisations)
    start = norm = system.norm(here)
    done = 0
    while done < strategy.steps:
        outcome.triangle, _ = system.solve(linearisations)
        before = norm
        gradient = _run(system, strategy, outcome, watch, min(strategy.refresh, strategy.steps - done), start)
        here = outcome.iterate
        norm = system.norm(here)
        assert here.coefficients is not None
        outcome.found = Coefficients(here.coefficients[:, None], None, "L-BFGS")
        linearisations = system.linearise(here)
        if gradient <= strategy.tol or norm > (1.0 - WASTED) * before:
            settled = gradient <= strategy.tol or outcome.change < SETTLED
            outcome.status = "converged" if settled else "stalled"
            outcome.reason = "" if settled else "the gradient method no longer reduces the residual"
            break
        done = len(outcome.steps)
    # The error estimate needs the rows at the end, not at the start of the last run.
    outcome.triangle, _ = system.solve(linearisations)


def _run(system: System, strategy: Descent, outcome: Outcome, watch: Watch, steps: int, start: float) -> float:
    """One run in the basis of the outcome's triangle; returns the norm of the gradient in that basis at its end."""
    n = system.basis.columns
    assert outcome.triangle is not None
    basis = np.asfortranarray(outcome.triangle[:n, :n])
    # A diagonal entry at the level of rounding would turn rounding into huge coefficients.
    diagonal = np.diag(basis)
    floor = PRECISION * np.abs(diagonal).max()
    np.fill_diagonal(basis, np.where(np.abs(diagonal) < floor, floor, diagonal))
    origin = outcome.iterate.coefficients
    assert origin is not None

    # The variable is the residual in the orthonormal basis, relative to its norm at the start: of order one.
    def at(b: np.ndarray) -> np.ndarray:
        return origin + start * lapack.dtrtrs(basis, b[:, None])[0][:, 0]

    def objective(b: np.ndarray) -> tuple[float, np.ndarray]:
        try:
            value, gradient = system.gradient(system.iterate(at(b)))
        except NotFiniteError:
            return np.inf, np.zeros(n)
        return value / start**2, lapack.dtrtrs(basis, gradient[:, None], trans=1)[0][:, 0] / start

    def accepted(b: np.ndarray) -> None:
        there = system.iterate(at(b))
        change = system.change(outcome.iterate, there)
        outcome.iterate = there
        outcome.steps.append(Step(len(outcome.steps) + 1, watch.neurons, system.norm(there), change, 1.0))
        watch(outcome.steps[-1])

    options = {"maxiter": steps, "maxcor": strategy.memory, "ftol": 0.0, "gtol": CAUTION * strategy.tol / n**0.5}
    found = optimize.minimize(objective, np.zeros(n), jac=True, method="L-BFGS-B", callback=accepted, options=options)
    return float(np.linalg.norm(found.jac))
