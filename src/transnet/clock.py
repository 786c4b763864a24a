"""Where the time of a solve goes."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


class Clock:
    """Adds up where the time goes, in seconds."""

    def __init__(self, seconds: Callable[[], float] = perf_counter) -> None:
        self.laps: dict[str, float] = {}
        self._seconds = seconds
        self._last = seconds()

    def lap(self, name: str) -> None:
        now = self._seconds()
        self.laps[name] = self.laps.get(name, 0.0) + now - self._last
        self._last = now
