"""Sizes of arrays that neither overflow nor underflow, whatever the units of a problem."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np


def rms(values: np.ndarray, axis: int | None = None) -> Any:
    """The root mean square; numbers whose squares would overflow or underflow are scaled first."""
    array = np.asarray(values, dtype=float)
    if axis is None and array.size:
        flat = array.ravel()
        whole = float(flat @ flat) / array.size
        if SMALL**2 < whole < LARGE**2:
            return np.float64(sqrt(whole))
    elif axis == 0 and array.ndim == 2 and array.size:
        squares = np.einsum("ij,ij->j", array, array) / len(array)
        if all(
            SMALL**2 < s < LARGE**2 for s in (squares.tolist() if len(squares) < 4 else (squares.min(), squares.max()))
        ):
            return np.sqrt(squares)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        count = array.size if axis is None else array.shape[axis]
        plain = np.sqrt(np.add.reduce(array * array, axis=axis) / max(count, 1))
    if array.size and plain.min() > SMALL and plain.max() < LARGE:
        return plain
    largest = np.abs(array).max(axis=axis, initial=0.0)
    safe = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
    with np.errstate(under="ignore", invalid="ignore", over="ignore"):
        scaled = array / (safe if axis is None else np.expand_dims(safe, axis))
        return safe * np.sqrt(np.mean(np.square(scaled), axis=axis)) if array.size else plain


def each_rms(values: np.ndarray) -> Any:
    """The root mean squares of columns (n, k) -> (k,), or of one (n,)."""
    return rms(values) if values.ndim == 1 else rms(values, axis=0)


SMALL, LARGE = 1e-140, 1e140
"""Between these a root mean square can be trusted: no square has overflowed or underflowed."""
