"""Arrays that stay as they are, as what a value keeps is its own and nobody writes into it; and nearest points."""

from __future__ import annotations

from typing import Any

import numpy as np


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
