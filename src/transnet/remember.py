"""Caches that live as long as the value they belong to, shared by all threads, and locks that survive a fork.

A process that is forked while other threads solve has their locks, but not the threads that would release them: each
lock of the library is replaced by a new one in the child.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Hashable
from functools import cached_property
from threading import RLock
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary, WeakSet

LOCK_FREE = (3, 12)
"""From this version of Python on, cached properties have no locks."""
Owner = TypeVar("Owner")
Found = TypeVar("Found")


_guards: WeakSet[Guard] = WeakSet()
"""All of them, for a child that is forked."""


class Guard:
    """A lock that can be copied and pickled with what it guards: the copy has a lock of its own."""

    def __init__(self) -> None:
        self._lock = RLock()
        _guards.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Guard], tuple[()]]:
        return Guard, ()


def _renewed() -> None:
    """New locks in a child that was just forked, except those that its own thread holds."""
    for guard in list(_guards):
        if not guard._lock._is_owned():  # type: ignore[attr-defined]
            guard._lock = RLock()
    if sys.version_info >= LOCK_FREE:
        return
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "transnet":
            for kind in [k for k in vars(module).values() if isinstance(k, type) and k.__module__ == name]:
                for held in [p for p in vars(kind).values() if isinstance(p, cached_property)]:
                    held.lock = RLock()  # type: ignore[attr-defined]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renewed)


def without_caches(value: object) -> dict[str, Any]:
    """The state of a value to copy or pickle: everything except its cached properties, which can be computed again."""
    return {k: v for k, v in vars(value).items() if not isinstance(getattr(type(value), k, None), cached_property)}


class Remembered(Generic[Owner, Found]):
    """Values by their owner and a key; each is made by one thread while others that need it wait."""

    def __init__(self) -> None:
        self._found: WeakKeyDictionary[Owner, dict[Hashable, Found]] = WeakKeyDictionary()
        self._lock = Guard()

    def get(self, owner: Owner, key: Hashable, make: Callable[[], Found]) -> Found:
        """The value for the owner and the key, made if there is none yet."""
        with self._lock:
            known = self._found.setdefault(owner, {})
            if key not in known:
                known[key] = make()
            return known[key]


class Recent(Generic[Owner, Found]):
    """What was made of the last few objects, by the objects themselves: for those that cannot be referred to weakly."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[int, tuple[Owner, Found]] = {}
        self._lock = Guard()

    def get(self, owner: Owner, make: Callable[[Owner], Found]) -> Found:
        """What was made of this very object, or is made now."""
        known = self._found.get(id(owner))
        if known is not None and known[0] is owner:
            return known[1]
        found = make(owner)
        with self._lock:
            while len(self._found) >= self._most:
                del self._found[next(iter(self._found))]
            self._found[id(owner)] = (owner, found)
        return found
