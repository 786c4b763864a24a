"""Picard's iteration: the lagged factors are held at the last iterate, the rest is one linear solve (paper, 3.4).

Anderson's acceleration combines the last few iterates, with weights that add up to one, so that the differences made by
the steps cancel as far as possible. The factors of the next step are held at that combination.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import NotFiniteError, ProblemError
from transnet.iterate.guess import with_coefficients
from transnet.iterate.newton import SETTLED, newton_estimate, rounding_of_values
from transnet.iterate.outcome import Outcome, Watch
from transnet.iterate.strategy import refuse_settings, register
from transnet.iterate.system import Iterate, System
from transnet.linalg.sizes import rms
from transnet.solution.diagnostics import Step
from transnet.tolerances import PRECISION

GROWTH = 1e3
"""A residual this much above the smallest one so far, for several steps, is divergence."""
CLOSE = 0.1
"""Below this change the estimated error of the network decides when to end."""
BELOW = 0.1
"""The iteration ends when its remaining error is this part of the estimated error."""
SLOW, FALLING = 0.9, 0.7
"""Changes, or estimates, that fall by less than the first from step to step, and residuals that fall by less than the
second over the given number of steps, have stopped falling."""
ALIKE = 1e-10
"""Directions of earlier steps that are smaller than this are rounding, and not combined."""
PATIENCE = 3
ENDURANCE = 5
"""This many steps that do not lower the residual, and are below the network's own error, end the iteration."""


@register
@explained
@dataclass(frozen=True)
class Picard:
    """Picard's iteration: the factors marked `tn.lagged(...)` are taken from the last iterate (paper, section 3.4).

    Parameters
    ----------
    steps : int
        At most this many.
    tol : float, optional
        The relative error of the iteration at which to stop; by default a tenth of the estimated error of the network.
    relaxation : float
        How far to go towards the new iterate; 1 is the full step.
    memory : int
        How many earlier iterates are combined with the new one so that its change is smallest (Anderson's
        acceleration); 0 is the paper's plain iteration, which converges linearly.
    cascade : bool
        Whether to take the first steps on a smaller network if the network is large.
    """

    name: ClassVar[str] = "picard"
    lagged: ClassVar[bool] = True

    steps: int = 100
    tol: float | None = None
    relaxation: float = 1.0
    memory: int = 5
    cascade: bool = True

    def __post_init__(self) -> None:
        refuse_settings(self.steps, self.tol)
        if not 0 < self.relaxation < 2:
            raise ProblemError(f"Picard's relaxation must lie between 0 and 2, not {shown(self.relaxation)}.")
        if self.memory < 0:
            raise ProblemError(f"Picard's memory is a number of iterates, 0 or more, not {shown(self.memory)}.")

    def iterate(self, system: System, outcome: Outcome, watch: Watch) -> None:
        picard(system, self, outcome, watch)


def picard(system: System, strategy: Picard, outcome: Outcome, watch: Watch) -> None:
    """Iterate from `outcome.iterate`, keeping the outcome up to date with the iterate of the smallest residual."""
    here = outcome.iterate
    linearisations = system.linearise(here)
    system.weigh(linearisations)
    best, previous, worse, rising = np.inf, np.inf, 0, 0
    norms: list[float] = []
    owns: list[float] = []
    history: list[tuple[np.ndarray, Iterate]] = []
    for number in range(1, strategy.steps + 1):
        triangle, found = system.solve(linearisations)
        there = system.iterate(found.values[:, 0])
        if strategy.relaxation != 1.0:
            here = with_coefficients(system, here)
            there = system.between(here, there, strategy.relaxation)
        try:
            with np.errstate(over="ignore"):
                norm = system.norm(there)
            linearisations = system.linearise(there)
        except NotFiniteError as error:
            outcome.status, outcome.reason = "diverged", f"an iterate left the equations' domain: {error}"
            return
        change = system.change(here, there)
        history = [*history[-strategy.memory :], (_difference(here, there), there)] if change < 2 * previous else []
        here = there
        outcome.triangle, outcome.found = triangle, found
        outcome.steps.append(Step(number, watch.neurons, norm, change, strategy.relaxation))
        if norm <= best or change < SETTLED:
            best, outcome.iterate, worse = min(norm, best), here, 0
        elif norm > GROWTH * best or not np.isfinite(norm):
            worse += 1
        watch(outcome.steps[-1])
        if worse >= PATIENCE:
            outcome.status, outcome.reason = "diverged", "the residual grows from step to step"
            return
        rate = min(change / previous, 1.0) if 0 < previous < np.inf else 1.0 if previous else 0.0
        remaining = change * rate / (1.0 - rate) if rate < 1.0 else np.inf
        own = newton_estimate(system, outcome) if change < CLOSE else 0.0
        goal = max(PRECISION, (1.0 if outcome.coarse else BELOW) * own) if strategy.tol is None else strategy.tol
        # Steps that no longer shrink and are below the network's own error, or of the size of rounding, end the
        # iteration. While the held factors are off, the data may not fit together, and the estimate falls with the
        # steps.
        rising = rising + 1 if rate > SLOW else 0
        owns = [*owns[-4:], own]
        falling = own < SLOW * owns[max(len(owns) - 2, 0)] or own < 0.5 * owns[0]
        level = strategy.tol is not None or (len(owns) > 1 and not falling)
        exhausted = strategy.tol is None and rate > 0.5 and change <= 0.5 * own
        settled = rising >= 2 and change < max(SETTLED, rounding_of_values(here))
        norms.append(norm)
        tired = len(norms) > ENDURANCE and min(norms[-ENDURANCE:]) > FALLING * min(norms[:-ENDURANCE])
        if (level and (min(change, remaining) <= goal or (exhausted and tired))) or settled:
            outcome.status, outcome.remaining = "converged", min(change, remaining)
            return
        previous = change
        if strategy.memory and len(history) > 1:
            mixed = system.mixed([g for _, g in history], _least([f for f, _ in history]))
            with contextlib.suppress(NotFiniteError):
                linearisations = system.linearise(mixed)
                here = mixed
        if system.weigh(linearisations):
            best = system.norm(outcome.iterate)


def _difference(here: Iterate, there: Iterate) -> np.ndarray:
    """The size of a step, each unknown relative to its size."""
    sizes = [float(rms(v)) or 1.0 for v in there.values]
    return np.concatenate([(q - p) / s for p, q, s in zip(here.values, there.values, sizes, strict=True)])


def _least(differences: list[np.ndarray]) -> np.ndarray:
    """Weights that add up to one and minimise the combined difference."""
    last = differences[-1]
    others = np.stack([last - f for f in differences[:-1]], axis=1)
    weights = np.linalg.lstsq(others, last, rcond=ALIKE)[0]
    return np.append(weights, 1.0 - weights.sum())
