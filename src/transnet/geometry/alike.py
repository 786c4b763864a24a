"""What is known of a shape serves the next one that is alike: corners, measures, arcs, samples of a surface.

A program that states its domain anew for every solve, or a cell of a notebook that is run again, then pays for it once.
What others keep for a domain they find by its equality, which is that of its content, while one of them lives.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .domain import Domain

KEPT = 16
"""Shapes that are kept, those that were used last."""

_kept: OrderedDict[Domain, Domain] = OrderedDict()
_lock = Lock()


def learn_from_another(domain: Domain) -> None:
    """If there was one alike, what was found out about that one is then known of this one, too."""
    twin = _twin(domain)
    if twin is None or twin is domain:
        return
    for name, value in list(vars(twin).items()):
        if isinstance(getattr(type(twin), name, None), cached_property):
            vars(domain).setdefault(name, value)


def is_known(domain: Domain) -> bool:
    """Whether one alike was kept, so that it need not be checked again."""
    try:
        with _lock:
            return domain in _kept
    except TypeError:
        return False


def _twin(domain: Domain) -> Domain | None:
    """The one that is kept of all that are alike; None of shapes that are told from others by their identity."""
    if type(domain).__eq__ is object.__eq__:
        return None
    try:
        with _lock:
            twin = _kept.pop(domain, domain)
            _kept[twin] = twin
            if len(_kept) > KEPT:
                _kept.popitem(last=False)
    except TypeError:
        return None  # a shape from outside that has no hash
    return twin


def forget() -> None:
    """Keep nothing: for measurements."""
    with _lock:
        _kept.clear()
