"""Arrays from users: data frames are read by column name, masked values are refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.arrays import detached
from transnet.errors import ProblemError


def is_frame(values: Any) -> bool:
    """Whether something is a data frame, of pandas or another library: it has named columns."""
    return hasattr(values, "columns") and hasattr(values, "__getitem__") and not isinstance(values, np.ndarray)


def columns_of(frame: Any, names: Sequence[str], what: str) -> np.ndarray:
    """The columns of a data frame with these names, in this order: (n, len(names))."""
    there = [str(name) for name in frame.columns]
    missing = [name for name in names if name not in there]
    if missing:
        raise ProblemError(
            f"{what} got a data frame without a column {', '.join(map(repr, missing))}: its columns are "
            f"{', '.join(map(repr, there))}. Name the columns after the coordinates, or pass an array."
        )
    return np.column_stack([unmasked(np.asarray(frame[name]), what) for name in names])


def unmasked(values: Any, what: str) -> Any:
    """The values, unless some of them are masked: there is no number under a mask."""
    if np.ma.is_masked(values):
        raise ProblemError(
            f"{what} got a masked array: {int(np.ma.count_masked(values))} of its entries have no value. Remove the "
            f"rows that are masked first."
        )
    return detached(values)
