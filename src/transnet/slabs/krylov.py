"""A linearised slab solved without its matrix: GMRES, preconditioned by the slab with averaged coefficients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

STEPS = 30
"""The most steps of a Krylov iteration: a slab that needs more is too long."""
ACCURACY = 1e-2
"""The residual at which it ends: Newton's steps, and the refinement of the error, take care of the rest."""
EXHAUSTED = 1e-14
"""A new direction smaller than this part of the residual is rounding."""


def krylov(
    averaged: Callable[[np.ndarray], np.ndarray], applied: Callable[[np.ndarray], np.ndarray], residual: np.ndarray
) -> np.ndarray:
    """The solution x of A x = residual for A = `applied` and its approximate inverse `averaged`."""
    first = averaged(residual)
    size = float(np.linalg.norm(first))
    if size == 0.0 or not np.isfinite(size):
        return first
    basis = [first / size]
    columns = np.zeros((STEPS + 1, STEPS))
    right = np.zeros(STEPS + 1)
    right[0] = size
    weights: Any = ()
    for j in range(STEPS):
        v = averaged(applied(basis[j]))
        for i, b in enumerate(basis):
            columns[i, j] = float(np.vdot(b, v))
            v = v - columns[i, j] * b
        columns[j + 1, j] = float(np.linalg.norm(v))
        count = j + 1
        weights, *_ = np.linalg.lstsq(columns[: count + 1, :count], right[: count + 1], rcond=None)
        left = float(np.linalg.norm(columns[: count + 1, :count] @ weights - right[: count + 1]))
        if left <= ACCURACY * size or columns[j + 1, j] <= EXHAUSTED * size:
            break
        basis.append(v / columns[j + 1, j])
    return np.asarray(sum(w * b for w, b in zip(weights, basis, strict=False)))
