"""What is known of a shape serves the next one that is alike: corners, measures, arcs, samples of a surface.

A program that states its domain anew for every solve, or a cell of a notebook that is run again, then pays for it once.
What others keep for a domain they find by its equality, which is that of its content, while one of them lives.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .domain import Domain


@lru_cache(maxsize=16)
def first_alike(domain: Domain) -> Domain:
    """The first of all shapes with the same content, of the sixteen that were used last: programs use one or two."""
    return domain


def learn_from_another(domain: Domain) -> None:
    """If there was one alike, what was found out about that one is then known of this one, too."""
    if type(domain).__eq__ is object.__eq__:
        return  # told from others by its identity
    try:
        twin = first_alike(domain)
    except TypeError:
        return  # a shape from outside that has no hash
    if twin is domain:
        return
    for name, value in list(vars(twin).items()):
        if isinstance(getattr(type(twin), name, None), cached_property):
            vars(domain).setdefault(name, value)
