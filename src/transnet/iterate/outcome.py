"""The state that an iteration leaves behind, and its progress output."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from transnet.iterate.system import Iterate
from transnet.linalg.least_squares import Coefficients
from transnet.progress import on_terminal
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
    """Reports every step: to a callable, as a table, or (by default) in one line of a terminal after one second."""

    def __init__(self, progress: Progress, neurons: int) -> None:
        self.progress, self.neurons = progress, neurons
        self._start = perf_counter()
        self._terminal = on_terminal() or "ipykernel" in sys.modules
        self._header = f"\n{'step':>5} {'neurons':>8} {'residual':>10} {'change':>10} {'length':>8} {'seconds':>8}\n"

    def __call__(self, step: Step) -> None:
        if callable(self.progress):
            self.progress(step)
            return
        elapsed = perf_counter() - self._start
        if self.progress is True:
            line = (
                f"{step.number:>5} {step.neurons:>8} {step.residual:>10.2e} {step.change:>10.2e} {step.length:>8.3g} "
                f"{elapsed:>8.1f}"
            )
            print(f"{self._header}{line}", file=sys.stderr, flush=True)
            self._header = ""
        elif self.progress is None and self._terminal and elapsed > QUIET_SECONDS:
            told = f"step {step.number} with {step.neurons} neurons: change {step.change:.1e} ({elapsed:.1f} s)"
            print(f"\r{told:<70}", end="", file=sys.stderr, flush=True)
