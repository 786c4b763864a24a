"""Progress of long runs: one line on standard error that is rewritten, and nothing at all for short ones."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType

QUIET = 2.0
"""Seconds before anything is shown."""
PAUSE = 0.2
"""Seconds between two updates of the line."""


def on_terminal() -> bool:
    """Whether somebody reads standard error as it is written; services and windows of Python have none at all."""
    return sys.stderr is not None and sys.stderr.isatty()


class ProgressLine:
    """Counts what is done of a total: `with ProgressLine("rows", 1000) as p: p.advance(10)`.

    Parameters
    ----------
    what : str
        What is counted.
    total : int
        How many there are.
    show : bool, optional
        Always or never; by default if standard error is a terminal.
    quiet : float
        Seconds before the line appears.
    """

    def __init__(self, what: str, total: int, show: bool | None = None, quiet: float = QUIET) -> None:
        self.what, self.total, self.done = what, total, 0
        self._show = on_terminal() if show is None else show
        self._begun, self._quiet, self._last, self._shown = monotonic(), quiet, 0.0, False

    def advance(self, count: int = 1) -> None:
        """Count this many more as done."""
        self.done += count
        now = monotonic()
        if self._show and now - self._begun >= self._quiet and (now - self._last >= PAUSE or self.done >= self.total):
            left = (now - self._begun) * (self.total - self.done) / max(self.done, 1)
            sys.stderr.write(f"\r{self.what}: {self.done} of {self.total}, about {left:.0f} s left ")
            sys.stderr.flush()
            self._last, self._shown = now, True

    def show(self, text: str) -> None:
        """Show a text instead of the count, if there is no total."""
        now = monotonic()
        if self._show and now - self._begun >= self._quiet and now - self._last >= PAUSE:
            sys.stderr.write(f"\r{text}")
            sys.stderr.flush()
            self._last, self._shown = now, True

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown:
            sys.stderr.write("\n")
