"""Arrays that stay as they are, nearest points, and sizes that can be divided by."""

from __future__ import annotations

from typing import Any

import numpy as np

NOTHING = 1e-6
"""An unknown smaller than this part of the largest is nothing beside it: it is not resolved relative to itself."""


def constant(values: Any, dtype: Any = float) -> np.ndarray:
    """A copy of values as an array that cannot be written to: later changes of the original change nothing.

    What is read from a file when it is needed stays there.
    """
    if isinstance(values, np.memmap) and values.dtype == dtype and not values.flags.writeable:
        return values
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def nearest(points: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each of some points the distance to the nearest of a few others, and its number.

    For at most some thousand of them: SciPy's trees are faster then only if they are imported already.
    """
    number = np.argmin(np.sum(others**2, axis=1) - 2.0 * (points @ others.T), axis=1)
    return np.linalg.norm(points - others[number], axis=1), number


def floored(sizes: np.ndarray, part: float = NOTHING) -> np.ndarray:
    """The sizes of unknowns (u, ...) to divide by: one that is zero, or nearly, is measured by the largest."""
    largest = sizes.max(axis=0, initial=0.0)
    return np.maximum(sizes, np.where(largest > 0, part * largest, 1.0))
