"""The state that an iteration leaves behind, and its progress output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from transnet.iterate.system import Iterate
from transnet.linalg.least_squares import Coefficients
from transnet.solution.diagnostics import Status, Step

Progress = bool | Callable[[Step], None] | None
QUIET_SECONDS = 1.0
"""Seconds up to which an iteration shows no progress."""


@dataclass(eq=False)
class Outcome:
    """The state of an iteration; kept up to date, so that an interruption leaves the last iterate.

    Parameters
    ----------
    iterate : Iterate
        The last good iterate.
    status : Status
        How it ended.
    triangle, found : optional
        [R | c] of the last linearised solve and its solution.
    reason : str
        What went wrong, in words.
    coarse : bool
        Whether a larger network continues from here, so that going below the error of this one is pointless.
    remaining : float
        The relative error that the iteration left, if it converged.
    notes : list of str
        Decisions made on the way, for the report.
    """

    iterate: Iterate
    status: Status = "limit reached"
    triangle: np.ndarray | None = None
    found: Coefficients | None = None
    steps: list[Step] = field(default_factory=list)
    reason: str = ""
    coarse: bool = False
    remaining: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def change(self) -> float:
        """The relative change in the last step."""
        return self.steps[-1].change if self.steps else float("inf")


class Watch:
    """Reports every step: to a callable, by printing, or (by default) by printing after one second.

    By default it prints to a terminal only, so that scripts stay silent.
    """

    def __init__(self, progress: Progress, neurons: int) -> None:
        self.progress, self.neurons = progress, neurons
        self._start = perf_counter()
        self._waiting: list[str] = []
        self._header = f"{'step':>5} {'neurons':>8} {'residual':>10} {'change':>10} {'length':>8} {'seconds':>8}"
        self._terminal = sys.stderr.isatty() or "ipykernel" in sys.modules

    def __call__(self, step: Step) -> None:
        if callable(self.progress):
            self.progress(step)
            return
        if self.progress is False or (self.progress is None and not self._terminal):
            return
        elapsed = perf_counter() - self._start
        if not self._waiting:
            self._waiting.append(self._header)
        self._waiting.append(
            f"{step.number:>5} {step.neurons:>8} {step.residual:>10.2e} {step.change:>10.2e} {step.length:>8.3g} "
            f"{elapsed:>8.1f}"
        )
        if self.progress or elapsed > QUIET_SECONDS:
            print("\n".join(line for line in self._waiting if line), file=sys.stderr, flush=True)
            self._waiting = [""]
