"""Coordinates that are fixed by their names, as in `solution.along(..., t=0.5)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from transnet.errors import ProblemError


def refuse_strange(names: Sequence[str], fixed: Mapping[str, object]) -> None:
    """Raise if a keyword is not the name of a coordinate."""
    strange = [n for n in fixed if n not in names]
    if strange:
        raise ProblemError(f"'{strange[0]}' is neither an option nor a coordinate; these are {', '.join(names)}.")


def held(names: Sequence[str], fixed: Mapping[str, float]) -> dict[int, float]:
    """The fixed values by the number of the coordinate."""
    refuse_strange(names, fixed)
    return {list(names).index(n): float(v) for n, v in fixed.items()}
