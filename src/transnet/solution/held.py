"""What pictures and exports share: coordinates fixed by name, as in `t=0.5`, and the resolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral

from transnet.calls import shown
from transnet.errors import ProblemError

FINEST = 10_000
"""The most cells along a side: a map then has a hundred million of them."""


def refuse_strange(names: Sequence[str], fixed: Mapping[str, object]) -> None:
    """Raise if a keyword is not the name of a coordinate."""
    strange = [n for n in fixed if n not in names]
    if strange:
        raise ProblemError(f"'{strange[0]}' is neither an option nor a coordinate; these are {', '.join(names)}.")


def held(names: Sequence[str], fixed: Mapping[str, float]) -> dict[int, float]:
    """The fixed values by the number of the coordinate."""
    refuse_strange(names, fixed)
    try:
        return {list(names).index(n): float(v) for n, v in fixed.items()}
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"Coordinates are fixed at numbers, as in t=0.5, not {shown(dict(fixed))}.") from None


def fineness(resolution: int | None, usual: int) -> int:
    """The number of cells along the longest side: what was asked for, or the default."""
    if resolution is None:
        return usual
    if isinstance(resolution, bool) or not isinstance(resolution, Integral) or not 1 <= resolution <= FINEST:
        raise ProblemError(
            f"resolution is a number of cells along the longest side, from 1 to {FINEST}, not {shown(resolution)}."
        )
    return int(resolution)
