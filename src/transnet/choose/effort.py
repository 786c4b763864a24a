"""How far a solve goes: a tolerance, a time, or six digits and more where they are nearly free."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import Any

from transnet.progress import on_terminal

GOOD = 1e-6
"""What a plain solve aims at: six digits."""
ENOUGH = 2e-10
"""The error to which it continues while the next network is small: about ten digits."""
ACCEPTABLE = 1e-5
"""An estimated error above this raises a warning when no tolerance was asked for."""
FREE = 0.12
"""The predicted seconds of a level that costs next to nothing: 700 columns."""
QUIET = 1.0
"""Seconds before progress is shown."""


@dataclass(frozen=True)
class Effort:
    """What is asked of a solve, and when it started.

    Parameters
    ----------
    tol : float, optional
        The relative error to reach.
    seconds : float, optional
        The time after which the best is returned.
    """

    tol: float | None = None
    seconds: float | None = None
    begun: float = field(default_factory=monotonic)

    @property
    def goal(self) -> float:
        """The error at which nothing more is wanted, whatever it costs."""
        return ENOUGH if self.tol is None else self.tol

    def left(self) -> float:
        """The seconds that are left."""
        return inf if self.seconds is None else self.seconds - (monotonic() - self.begun)

    @property
    def spent(self) -> str:
        """The time limit in words, if it is exceeded."""
        over = self.seconds is not None and self.tol is not None
        return f" within {self.seconds:g} s" if over else ""


class Shown:
    """Shows on a terminal or in a notebook, after one second, what is being solved and the estimate so far.

    Parameters
    ----------
    progress : bool, callable or None
        True shows it from the beginning, False or a callable never does.
    watch : callable, optional
        Called with each solution as well.
    """

    def __init__(self, progress: Any, watch: Any = None) -> None:
        terminal = on_terminal() or "ipykernel" in sys.modules
        self.shows = progress is True or (progress is None and terminal)
        self.quiet = 0.0 if progress is True else QUIET
        self.watch, self.begun, self.width = watch, monotonic(), 0
        self.stage, self.best = "", inf

    def begins(self, method: str, level: int) -> None:
        """A level of a method is being solved."""
        self.stage = f"{method}, level {level}"
        known = "" if self.best == inf else f"best so far {self.best:.1e}, "
        self._line(f"{self.stage}: solving ({known}{{:.1f}} s)")

    def __call__(self, solution: Any) -> None:
        self.best = min(self.best, solution.error)
        stage = f"{self.stage}: " if self.stage else ""
        self._line(f"{stage}{solution.size}, estimated error {solution.error:.1e} after {{:.1f}} s")
        if self.watch is not None:
            self.watch(solution)

    def _line(self, text: str) -> None:
        seconds = monotonic() - self.begun
        if self.shows and seconds >= self.quiet:
            text = text.format(seconds)
            sys.stderr.write("\r" + text.ljust(self.width))
            sys.stderr.flush()
            self.width = len(text)

    def done(self) -> None:
        """End the line, if there is one."""
        if self.width:
            sys.stderr.write("\n")
            sys.stderr.flush()
