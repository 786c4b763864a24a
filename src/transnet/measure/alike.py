"""Shapes with equal content share what is known about them: corners, measures, arcs, samples of a surface.

A program that states its domain again for every solve, or a notebook cell that is run again, then pays for it once.
Other caches find a domain by its equality, which is that of its content, as long as one of them lives.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any


@lru_cache(maxsize=16)
def first_alike(domain: Any) -> Any:
    """The first of all shapes with the same content, among the sixteen used last: programs use one or two."""
    return domain


def learn_from_another(domain: Any) -> None:
    """Share what was found out about an equal shape, if there was one."""
    if type(domain).__eq__ is object.__eq__:
        return  # compared by identity
    try:
        twin = first_alike(domain)
    except TypeError:
        return  # a shape from outside that has no hash
    if twin is domain:
        return
    for name, value in list(vars(twin).items()):
        if isinstance(getattr(type(twin), name, None), cached_property):
            vars(domain).setdefault(name, value)
