"""Intervals and boxes with ends at infinity: the window in which they are sampled, and how far it reaches."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from transnet.measure.checks import Infinite
from transnet.measure.pen import Pen

Side = tuple[str, float, float]


def stated_sides(window: Iterable[Side], infinite: Infinite) -> tuple[Side, ...]:
    """The sides of a window with the ends that are infinite."""
    return tuple(
        (name, -inf if (axis, 0) in infinite else low, inf if (axis, 1) in infinite else high)
        for axis, (name, low, high) in enumerate(window)
    )


def reaches(domain: Any) -> dict[str, float]:
    """How far the window of an interval or a box reaches along each coordinate that is infinite."""
    found: dict[str, float] = {}
    for axis, (name, low, high) in enumerate(zip(domain.names, *domain.bounds, strict=True)):
        ends = [end for end in (0, 1) if (axis, end) in domain.infinite]
        if ends:
            found[name] = float(high - low) / len(ends)
    return found


def reach_text(domain: Any, pen: Pen) -> str:
    """The reach as an argument."""
    found = list(reaches(domain).values())
    if not found:
        return ""
    return f", reach={pen.number(found[0]) if len(found) == 1 else pen.numbers(found)}"
