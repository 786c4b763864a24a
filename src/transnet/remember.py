"""Caches that live as long as the value they belong to, shared by all threads."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from threading import RLock
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

Owner = TypeVar("Owner")
Found = TypeVar("Found")


class Guard:
    """A lock that can be copied and pickled with what it guards: the copy has a lock of its own."""

    def __init__(self) -> None:
        self._lock = RLock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[type[Guard], tuple[()]]:
        return Guard, ()


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
