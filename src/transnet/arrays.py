"""Arrays that stay as they are: what a value keeps is its own, and nobody writes into it."""

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
