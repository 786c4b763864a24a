"""Checks of the numbers that define shapes; each error says what is wrong and how to fix it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from transnet.arrays import detached
from transnet.calls import shown
from transnet.errors import GeometryError

LARGEST, SMALLEST = 1e100, 1e-100
"""Lengths between which squares and cubes neither overflow nor underflow."""
REACH = 10.0
"""How far the window of an infinite coordinate reaches, if nothing is said."""
TIME = "t"
"""The coordinate that is time: its ends are not left or right, bottom or top."""
TIMES = (TIME, "time", "tau")
"""Names of coordinates that may be time if there are others; a single coordinate may have any name."""


def number(value: object, what: str) -> float:
    """A finite float (SymPy numbers such as pi are welcome)."""
    try:
        result = float(value)  # type: ignore[arg-type]
    except OverflowError:
        result = np.inf
    except Exception as error:
        raise GeometryError(f"{what} is {shown(value)}, which is not a number. Give a real number.") from error
    if not np.isfinite(result):
        raise GeometryError(f"{what} is {result}: it must be finite. Check how the number was computed.")
    if abs(result) > LARGEST:
        raise GeometryError(f"{what} is {result:g}: above {LARGEST:g} areas overflow. Choose another unit of length.")
    return result + 0.0  # turns -0.0 into 0.0, which would print as another part name


def positive(value: object, what: str) -> float:
    """A finite float above zero."""
    result = number(value, what)
    if result <= 0:
        raise GeometryError(f"{what} is {result:g}: it must be positive, or the domain is empty.")
    if result < SMALLEST:
        raise GeometryError(f"{what} is {result:g}: below {SMALLEST:g} areas vanish. Choose another unit of length.")
    return result


def finite_vector(values: Sequence[object], what: str) -> tuple[float, ...]:
    """A tuple of finite floats."""
    try:
        entries = tuple(values)
    except TypeError as error:
        raise GeometryError(f"{what} is {shown(values)}. Give one number per coordinate, e.g. (0, 0).") from error
    return tuple(number(value, f"entry {i} of {what}") for i, value in enumerate(entries))


def ranges(shape: str, sides: Mapping[str, Sequence[object]]) -> tuple[tuple[str, float, float], ...]:
    """Coordinate ranges given as keywords, x=(0, 1), as (name, low, high)."""
    result = []
    for name, side in sides.items():
        try:
            low, high = side
        except (TypeError, ValueError) as error:
            raise GeometryError(
                f"The range of '{name}' is {shown(side)}. Give its two ends: {shape}({name}=(0, 1))."
            ) from error
        a, b = number(low, f"the lower end of '{name}'"), number(high, f"the upper end of '{name}'")
        if not a < b:
            why = "reversed" if a > b else "empty"
            raise GeometryError(
                f"The range of '{name}', ({a:g}, {b:g}), is {why}. Give the lower end first, below the upper."
            )
        positive(b - a, f"The length of the range of '{name}'")
        result.append((name, a, b))
    return tuple(result)


Infinite = frozenset[tuple[int, int]]
"""The ends at infinity: the number of the coordinate, and 0 for its lower end or 1 for its upper."""


def open_ranges(
    shape: str, sides: Mapping[str, Sequence[object]], reach: object
) -> tuple[tuple[tuple[str, float, float], ...], Infinite]:
    """Coordinate ranges of which ends may be infinite, x=(0, oo): a window of that reach, and which ends are."""
    infinite, window = set(), dict(sides)
    given = list(reach) if isinstance(reach, list | tuple) else None
    for axis, (name, side) in enumerate(sides.items()):
        ends = list(side) if isinstance(side, list | tuple) else []
        far = [len(ends) == 2 and _at(end) == sign for end, sign in zip(ends, (-np.inf, np.inf), strict=False)]
        if not any(far):
            continue
        if name == TIME:
            raise GeometryError(
                "Time must end: an evolution is followed from its start to a given moment, t=(0, 10). For what it "
                "tends to, solve the steady problem."
            )
        if given is not None and not given:
            raise GeometryError(f"The reach of a {shape} is one number, or one for each coordinate that is infinite.")
        length = positive(reach if given is None else given.pop(0), f"The reach along '{name}'")
        infinite |= {(axis, end) for end in (0, 1) if far[end]}
        if all(far):
            window[name] = (-length, length)
        elif far[1]:
            window[name] = (ends[0], number(ends[0], f"the lower end of '{name}'") + length)
        else:
            window[name] = (number(ends[1], f"the upper end of '{name}'") - length, ends[1])
    return ranges(shape, window), frozenset(infinite)


def _at(end: object) -> float:
    try:
        return float(end)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return np.nan


def refuse_unnamed(shape: str, unnamed: Sequence[object]) -> None:
    """Raise if the ranges of coordinates are given without the names of the coordinates."""
    if unnamed:
        given = ", ".join(map(shown, unnamed))
        example = "Interval(x=(0, 1))" if shape == "Interval" else "Box(x=(0, 1), y=(0, 2))"
        raise GeometryError(
            f"{shape}({given}) does not say which coordinates these are. Name each, with its range: {example}."
        )


def center(values: object) -> tuple[float, ...]:
    """The coordinates of a centre; a plain number was most likely meant for a radius."""
    if np.ndim(values) == 0:  # type: ignore[arg-type]
        raise GeometryError(
            f"The center is {shown(values)}, where one number for each coordinate is needed, such as (0, 0). A radius "
            f"is given by its name, such as Disk(radius=1) or Annulus(inner=0.5, outer=1)."
        )
    return finite_vector(values, "the center")  # type: ignore[arg-type]


def points_array(points: ArrayLike, dimension: int) -> np.ndarray:
    """Points as a float array of shape (n, dimension)."""
    try:
        array = np.asarray(detached(points), dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise GeometryError(
            f"Points are an array of numbers, one point per row, such as [[0.5, 0.5]], not {shown(points)}."
        ) from None
    if array.ndim != 2 or array.shape[1] != dimension:
        raise GeometryError(
            f"Points of shape {array.shape} do not fit a domain with {dimension} coordinate(s). "
            f"Give an array of shape (n, {dimension}), one point per row; a single point is [[...]]."
        )
    return array


def end_names(name: str, low: float, high: float) -> tuple[str, str]:
    """The names of the two end parts of a coordinate: "x=0" and "x=1", or "x=oo"."""
    digits = "g" if f"{low:g}" != f"{high:g}" else "r"  # six do not distinguish the ends of a short interval far away
    low_text, high_text = (f"{v:g}" if digits == "g" else repr(v) for v in (low, high))
    return f"{name}={low_text.replace('inf', 'oo')}", f"{name}={high_text.replace('inf', 'oo')}"


def range_text(low: float, high: float) -> str:
    """A range as it is shown: (0, 1), or (0, oo)."""
    return f"({low:g}, {high:g})".replace("inf", "oo")
