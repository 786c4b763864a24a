"""Newton's iteration: Gauss-Newton on the weighted residual, with a line search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transnet.calls import explained
from transnet.errors import NotFiniteError
from transnet.iterate.guess import with_coefficients
from transnet.iterate.outcome import Outcome, Watch
from transnet.iterate.strategy import refuse_settings, register
from transnet.iterate.system import Iterate, System
from transnet.judge.estimate import nested_error
from transnet.linalg.sizes import rms
from transnet.solution.diagnostics import Step
from transnet.tolerances import EPS, PRECISION

DECREASE = 1e-4
"""The part of the predicted decrease that a step must achieve (Armijo)."""
SETTLED = 1e-6
"""A change below this that no longer shrinks is rounding, not failure."""
IDLE = 1e-2
"""A step that reduces the residual by less than this is idle: only the network's own residual remains."""
SAFETY = 8.0
"""How far above the expected size of rounding errors a change still counts as rounding."""
PATIENCE = 6
"""This many idle steps end the iteration."""
NOISE_SETTLED = 1e-5
"""The relative change at which an iteration with noisy data ends: noise leaves two or three digits."""
MOVING = 1e-3
"""With noisy data, steps below this do not count as failure although the residual does not fall."""
EXPLODED = 1e10
"""A residual that has grown by this factor does not recover."""
CLOSE = 0.1
"""A change this small, or this much smaller than the one before, is in the range of quadratic convergence."""
BELOW = 1e-2
"""The iteration ends when the next change would be this part of the estimated error, to which it would add nothing."""
SHRINKING = 0.3
"""Changes that fall by less than this from step to step no longer converge quadratically."""
RISING = 1.2
"""If the residual rises by this factor when the step is halved, the best length has been passed."""
NEAR_ERROR = 10.0
"""Three idle steps end the iteration if the change is below this many estimated errors."""


@register
@explained
@dataclass(frozen=True)
class Newton:
    """Newton's iteration with a line search: quadratic near the solution.

    The rows of a step are J s_new = J s - F, so that each step is a complete least-squares solve for the new iterate;
    the weighted residual norm then decides how far to go towards it.

    Parameters
    ----------
    steps : int
        At most this many.
    tol : float, optional
        The relative change of the unknowns at which to stop; by default a hundredth of the estimated error.
    cascade : bool
        Whether to take the first steps on a smaller network if the network is large.
    shortest : float
        The shortest step that the line search tries, relative to the full Newton step.
    """

    name: ClassVar[str] = "newton"
    lagged: ClassVar[bool] = False

    steps: int = 30
    tol: float | None = None
    cascade: bool = True
    shortest: float = 2.0**-12

    def __post_init__(self) -> None:
        refuse_settings(self.steps, self.tol)

    def iterate(self, system: System, outcome: Outcome, watch: Watch) -> None:
        newton(system, self, outcome, watch)


def newton(system: System, strategy: Newton, outcome: Outcome, watch: Watch) -> None:
    """Iterate from `outcome.iterate`, keeping the outcome up to date."""
    here = outcome.iterate
    linearisations = system.linearise(here)
    system.weigh(linearisations)
    norm = system.norm(here)
    previous, smallest, scale, idle = np.inf, norm, 1.0, 0
    for number in range(1, strategy.steps + 1):
        triangle, found = system.solve(linearisations)
        if not np.isfinite(found.values).all():
            outcome.status, outcome.reason = "diverged", "the linearised problem has no finite solution"
            return
        there = system.iterate(found.values[:, 0])
        modelled = float(np.abs(triangle[-1, -1])) if len(triangle) > system.basis.columns else 0.0
        noise = rounding_of_rows(triangle, found.values[:, 0])
        length, moved, new_norm = _search(system, here, there, norm, modelled, noise, strategy.shortest)
        outcome.triangle, outcome.found = triangle, found
        if moved is None:
            settled = system.change(here, there) < max(SETTLED, rounding_of_values(there))
            outcome.status = "converged" if settled else "stalled"
            outcome.reason = "" if settled else "no step along Newton's direction reduces the residual"
            return
        if length < 1.0 and moved.coefficients is None:
            # The guess was a formula: a partial step from it needs its output weights.
            here = with_coefficients(system, here)
            moved = system.between(here, there, length)
        change = system.change(here, moved)
        here, norm = moved, new_norm
        outcome.iterate = here
        outcome.steps.append(Step(number, watch.neurons, norm, change, length))
        watch(outcome.steps[-1])
        largest = max(float(np.abs(v).max()) for v in here.values)
        scale = max(scale, largest) if number == 1 else scale
        if largest > EXPLODED * scale:
            outcome.status, outcome.reason = "diverged", "the iterates grow without bound"
            return
        idle = idle + 1 if norm > (1.0 - IDLE) * smallest else 0
        smallest = min(norm, smallest)
        _judge(system, strategy, outcome, change if length == 1.0 else np.inf, previous, idle)
        if outcome.status != "limit reached":
            return
        previous = change if length == 1.0 else np.inf
        linearisations = system.linearise(here)
        if system.weigh(linearisations):
            norm = smallest = system.norm(here)


def _search(
    system: System, here: Iterate, there: Iterate, norm: float, modelled: float, noise: float, shortest: float
) -> tuple[float, Iterate | None, float]:
    """How far to go, the iterate there and its residual; None if no step reduces the residual.

    The full Newton step if it achieves half of the decrease that the linearisation predicts, otherwise the best of the
    lengths 1, 1/2, 1/4, ...: a residual costs little compared with a step, and a step that barely passes may lead
    astray.
    """
    promised = max(norm - modelled, 0.0)
    best: tuple[float, Iterate | None, float] = (0.0, None, norm)
    length = 1.0
    while length >= shortest:
        moved = system.between(here, there, length)
        try:
            found = system.norm(moved)
        except NotFiniteError:
            found = np.inf
        if length == 1.0 and found <= norm - 0.5 * promised + noise:
            return 1.0, moved, found
        if found <= norm - DECREASE * length * promised + noise and (best[1] is None or found < best[2]):
            best = (length, moved, found)
        elif best[1] is not None and found > RISING * best[2]:
            break
        length /= 2
    return best


def _judge(system: System, strategy: Newton, outcome: Outcome, change: float, previous: float, idle: int) -> None:
    """Whether a step was the last: because it was small, or because nothing more can be gained."""
    # Near the solution change ~ C previous^2, so the next change can be predicted.
    quadratic = change < CLOSE * previous and np.isfinite(previous)
    coming = change**3 / previous**2 if quadratic else change
    error = newton_estimate(system, outcome) if change < CLOSE or idle else 0.0
    goal = strategy.tol
    if goal is None:
        goal = max(PRECISION, (1.0 if outcome.coarse else BELOW) * error)
    rounding = change < max(SETTLED, rounding_of_values(outcome.iterate)) and change > SHRINKING * previous
    # If the network is too small for the solution, the iteration ends at its own residual and the steps do not become
    # small. With noise the residual stays at the level of the noise, and only the steps count.
    if any(b.statement.noise is not None for b in system.blocks):
        goal, error = max(goal, NOISE_SETTLED), 0.0
        idle = idle if change > MOVING else 0
    exhausted = strategy.tol is None and (
        (idle >= 1 and change <= error) or (idle >= 3 and change <= NEAR_ERROR * error)
    )
    if coming <= goal or rounding or (exhausted and strategy.tol is None):
        outcome.status, outcome.remaining = "converged", coming
    elif idle >= PATIENCE:
        outcome.status, outcome.reason = "stalled", "the residual no longer falls"


def rounding_of_rows(triangle: np.ndarray, coefficients: np.ndarray) -> float:
    """The size of rounding errors in the weighted residual: those of sum_m a_jm alpha_m, with signs at random."""
    columns = np.linalg.norm(triangle[:, : len(coefficients)], axis=0)
    return SAFETY * EPS * float(np.linalg.norm(columns * coefficients) + np.linalg.norm(triangle[:, -1]))


def rounding_of_values(iterate: Iterate) -> float:
    """The size of rounding errors in the unknowns' values, relative to them; features are of order one."""
    if iterate.coefficients is None:
        return 0.0
    size = max(float(rms(v)) for v in iterate.values)
    return SAFETY * EPS * float(np.linalg.norm(iterate.coefficients)) / (size or 1.0)


def newton_estimate(system: System, outcome: Outcome) -> float:
    """The estimated relative error of the network, from the triangle of the last step; NaN counts as zero."""
    assert outcome.triangle is not None
    assert outcome.found is not None
    n, triangle = system.basis.columns, outcome.triangle
    error = nested_error(triangle[:n, :n], triangle[:n, n], outcome.found.values[:, 0], system.basis, system.sample)
    return error if np.isfinite(error) else 0.0
