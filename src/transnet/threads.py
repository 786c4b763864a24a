"""How many threads BLAS uses: one for small factorisations, all for large ones, whatever the environment says.

The threads of a BLAS library wait for each other. On a machine that does other things as well a small factorisation
then takes as long as the scheduler pleases: 200 neurons were measured to take 3 to 45 times as long as on one thread.
So a solve runs on one thread, and only factorisations of many columns, which gain from it, use all threads, and these
only while cores are idle.

The number of threads belongs to the whole process, and the scopes of several threads of a program share it: while any
large factorisation runs it is the original number, otherwise one, and after the last scope the original number again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache, wraps
from time import monotonic
from typing import Any, TypeVar

from transnet.interrupts import undisturbed
from transnet.remember import Guard

LARGE = 700
"""Columns above which a factorisation gains from threads (measured on two cores: 1.4 times at 1000, 1.8 at 2000)."""
RECENT = 0.2
"""Seconds for which cores are assumed to be idle: the threads of the last factorisation spin for a while."""

T = TypeVar("T", bound=Callable[..., Any])
Library = tuple[Callable[[], int], Callable[[int], Any]]


@lru_cache(maxsize=1)
def _libraries() -> list[Library]:
    """Functions that get and set the number of threads of the BLAS libraries: those of NumPy and SciPy are separate."""

    def found() -> list[Library]:
        if "scipy.linalg._flapack" not in sys.modules:
            import scipy.linalg.lapack  # noqa: F401  (both are loaded by now, or are missed)
        from threadpoolctl import ThreadpoolController

        return [_functions(lib) for lib in ThreadpoolController().lib_controllers if lib.user_api == "blas"]

    return undisturbed(found)


def _functions(library: Any) -> Library:
    # OpenBLAS is called directly: threadpoolctl only works for the first thread that calls it, and takes twice as long.
    if library.internal_api == "openblas" and library.threading_layer != "openmp":
        for prefix in ("", "scipy_"):
            for suffix in ("", "64_", "_64"):
                names = [f"{prefix}openblas_{verb}_num_threads{suffix}" for verb in ("get", "set")]
                if all(hasattr(library.dynlib, name) for name in names):
                    return getattr(library.dynlib, names[0]), getattr(library.dynlib, names[1])
    return library.get_num_threads, library.set_num_threads


class _Tally:
    """Counts who is inside a scope, and keeps the numbers of threads from before the first entered."""

    def __init__(self) -> None:
        self.lock = Guard()
        self.small = self.large = 0
        self.before: list[int] = []
        self.idle = -RECENT

    def change(self, small: int, large: int) -> None:
        with self.lock:
            if self.small == self.large == 0:
                self.before = [get() for get, _ in _libraries()]
            was = self.small > 0 and self.large == 0
            # Never below zero: a child that was forked inside a scope leaves it without having entered.
            self.small, self.large = max(self.small + small, 0), max(self.large + large, 0)
            single = self.small > 0 and self.large == 0
            if was != single:
                for (_, put), number in zip(_libraries(), self.before, strict=True):
                    if number > 1:
                        put(1 if single else number)

    def cores_are_idle(self) -> bool:
        """Whether another core is free, as far as the system says."""
        now = monotonic()
        if now - self.idle > RECENT and running() >= cores():
            return False
        self.idle = now
        return True


def cores() -> int:
    """The cores that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def running() -> int:
    """How many threads want a core at this moment, including this one; one if the system does not say."""
    try:
        with open("/proc/loadavg") as file:
            return int(file.read().split()[3].split("/")[0])
    except (OSError, ValueError, IndexError):
        return 1


_tally = _Tally()


def _forget() -> None:
    """In a child that was just forked nobody is inside a scope: the other threads are not there."""
    _tally.small = _tally.large = 0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


class _Scope(AbstractContextManager[None]):
    def __init__(self, small: int = 0, large: int = 0) -> None:
        self.small, self.large = small, large

    def __enter__(self) -> None:
        _tally.change(self.small, self.large)

    def __exit__(self, *_: object) -> None:
        if self.large:
            _tally.idle = max(_tally.idle, monotonic())
        _tally.change(-self.small, -self.large)


ONE = _Scope(small=1)
"""`with ONE:` runs BLAS on one thread; it may be entered many times and from many threads."""
_ALL, _AS_IT_IS = _Scope(large=1), nullcontext()


def for_columns(columns: int) -> AbstractContextManager[None]:
    """The scope of a factorisation with this many columns: all threads if there are many, otherwise unchanged."""
    return _ALL if columns > LARGE and _tally.cores_are_idle() else _AS_IT_IS


def on_one_thread(function: T) -> T:
    """Decorate a function to run BLAS on one thread, except for large factorisations."""

    @wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        with ONE:
            return function(*args, **keywords)

    return call  # type: ignore[return-value]
