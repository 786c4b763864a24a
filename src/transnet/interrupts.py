"""Ctrl-C and SIGTERM: both end a solve with what it has found."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
BYTES = 16
"""The most signals that are read at once."""
LAG = 0.05
"""Seconds within which a waiting thread notices a signal: ten times Python's switching interval of 0.005."""


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM, which a cluster sends before it takes a machine away."""


def raise_it(number: int, frame: Any = None) -> NoReturn:
    """A signal handler that raises KeyboardInterrupt, or Terminated."""
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


class _Asked:
    """Whether a solve of this process was ended by SIGTERM: the program is to end when the result is saved."""

    process: int | None = None


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM raise `Terminated` meanwhile, in the main thread and if the program has no handler of its own.

    A solve ends with what it has found. The signal stays due: it ends the program as soon as a solution is saved, or
    before another solve begins.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    end_if_asked()

    def handler(number: int, frame: Any) -> NoReturn:
        _Asked.process = os.getpid()
        raise_it(number)

    signal.signal(signal.SIGTERM, handler)
    try:
        yield
    except BaseException:
        _Asked.process = None  # the program learns of it by an exception
        raise
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def end_if_asked() -> None:
    """End the program by the SIGTERM that ended a solve of it, unless it handles that signal itself by now."""
    if _Asked.process == os.getpid():
        _Asked.process = None
        signal.raise_signal(signal.SIGTERM)


PATIENCE = "Interrupted: the running computation cannot be stopped halfway and is finished first. Please wait."
"""What is printed on the second press."""


@contextmanager
def heard() -> Iterator[Callable[[], bool]]:
    """Print a line on the second Ctrl-C or SIGTERM, and yield a function that says whether a signal has arrived.

    Python handles signals between two of its own steps, and a LAPACK call is a single step; a thread that waits for the
    signal numbers notices them at once. If the program has such a listener already, nothing is printed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.set_wakeup_fd(-1)
    if before != -1:
        signal.set_wakeup_fd(before)
        yield lambda: False
        return
    listener = _Listener.here()
    listener.presses = 0
    signal.set_wakeup_fd(listener.mouth, warn_on_full_buffer=False)
    try:
        yield listener.pressed
    finally:
        signal.set_wakeup_fd(-1)


class _Listener:
    """A thread that waits for signal numbers; one for the life of a process, as starting one takes a while."""

    _here: _Listener | None = None

    def __init__(self) -> None:
        self.process, self.presses = os.getpid(), 0
        ear, self.mouth = os.pipe()
        if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12 on, and needs it for no pipe
            os.set_blocking(self.mouth, False)
        threading.Thread(target=self._listen, args=(ear,), daemon=True).start()

    @classmethod
    def here(cls) -> _Listener:
        """The listener of this process: a fork has the pipe of its parent, but not the thread."""
        if cls._here is None or cls._here.process != os.getpid():
            cls._here = cls()
        return cls._here

    def pressed(self) -> bool:
        """Whether a signal has arrived; the thread is given time to notice the last one."""
        time.sleep(LAG)
        return self.presses > 0

    def _listen(self, ear: int) -> None:
        while numbers := os.read(ear, BYTES):
            news = sum(number in (signal.SIGINT, signal.SIGTERM) for number in numbers)
            if self.presses < 2 <= self.presses + news:
                print(f"\n{PATIENCE}", file=sys.stderr, flush=True)
            self.presses += news


@contextmanager
def handled(hold: bool) -> Iterator[list[int]]:
    """Handle both signals: their numbers are appended to a list, and unless they are on `hold` they are raised as well.

    Outside the main thread, which alone receives signals, the list stays empty.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def handler(number: int, frame: Any) -> None:
        came.append(number)
        if not hold:
            raise_it(number)

    # A handler that was not set from Python cannot be restored, so it is left alone.
    both = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) is not None]
    before = [signal.signal(number, handler) for number in both]
    try:
        yield came
    finally:
        for number, old in zip(both, before, strict=True):
            signal.signal(number, old)


def undisturbed(call: Callable[[], T]) -> T:
    """Call something to its end; a signal that comes meanwhile is delivered afterwards.

    For imports: an interruption while a compiled module initialises becomes an ImportError, and a second import of it
    may fail for the rest of the process.
    """
    came: list[int] = []
    try:
        with handled(hold=True) as came:
            return call()
    finally:
        for number in dict.fromkeys(came):
            signal.raise_signal(number)
