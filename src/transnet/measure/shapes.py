"""The shapes that files can have, by name: what makes them, and of what kind each argument is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

S = TypeVar("S", bound=Callable[..., Any])


class Shape(NamedTuple):
    """A shape by name: `arguments` says of each argument whether it is a "number", "numbers" or a "text"."""

    make: Callable[..., Any]
    arguments: Mapping[str, str]


SHAPES: dict[str, Shape] = {}
"""By name."""


def register(made: S, arguments: Mapping[str, str] | None = None) -> S:
    """Make a shape known to files by its name: a subclass of `Domain` that states its `arguments`, or a function."""
    SHAPES[made.__name__] = Shape(made, arguments or getattr(made, "arguments", {}))
    return made
