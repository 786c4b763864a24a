"""Ctrl-C and the signal to terminate: both end a solve with what it has found."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn


class Terminated(KeyboardInterrupt):
    """The process was asked to end by SIGTERM: what a cluster sends before it takes a machine away."""


def raise_it(number: int, frame: Any = None) -> NoReturn:
    """A handler of signals that raises KeyboardInterrupt, or Terminated."""
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM raise `Terminated` meanwhile, in the main thread and where the program has no handler of its own."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, raise_it)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def handled(hold: bool) -> Iterator[list[int]]:
    """Take both signals: their numbers are put on a list, and unless they are on `hold` they are raised as well.

    Outside of the main thread, to which alone signals come, the list stays empty.
    """
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def handler(number: int, frame: Any) -> None:
        came.append(number)
        if not hold:
            raise_it(number)

    both = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, handler) for number in both]
    try:
        yield came
    finally:
        for number, old in zip(both, before, strict=True):
            signal.signal(number, old)
