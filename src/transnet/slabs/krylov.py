"""A linearised slab solved without its matrix: GMRES, preconditioned by the slab with averaged coefficients."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot

import numpy as np

from transnet.tolerances import PRECISION

STEPS = 30
"""The most steps of a Krylov iteration: a slab that needs more is too long."""
ACCURACY = 1e-2
"""The residual at which it ends: Newton's steps, and the refinement of the error, take care of the rest."""


def krylov(
    averaged: Callable[[np.ndarray], np.ndarray],
    applied: Callable[[np.ndarray], np.ndarray],
    residual: np.ndarray,
    accuracy: float = ACCURACY,
    steps: int = STEPS,
) -> np.ndarray:
    """The solution x of A x = residual for A = `applied` and its approximate inverse `averaged`.

    The preconditioned residual falls to the accuracy, relative to where it began, or as far as the steps allow.
    """
    first = averaged(residual)
    size = float(np.linalg.norm(first))
    if size == 0.0 or not np.isfinite(size):
        return first
    directions = [first.ravel() / size]
    upper, right = np.zeros((steps, steps)), [size]
    turns: list[tuple[float, float]] = []
    for j in range(steps):
        v = averaged(applied(directions[j].reshape(first.shape))).ravel()
        basis = np.array(directions)
        column = basis @ v
        v = v - column @ basis
        again = basis @ v  # a second pass keeps the directions orthogonal
        v = v - again @ basis
        new, h = float(np.linalg.norm(v)), (column + again).tolist()
        for i, (c, s) in enumerate(turns):
            h[i], h[i + 1] = c * h[i] + s * h[i + 1], c * h[i + 1] - s * h[i]
        radius = hypot(h[j], new)
        if not 0.0 < radius < np.inf:
            break
        turns.append((h[j] / radius, new / radius))
        h[j] = radius
        upper[: j + 1, j] = h
        right.append(-turns[j][1] * right[j])
        right[j] *= turns[j][0]
        if abs(right[j + 1]) <= accuracy * size or new <= PRECISION * radius:
            break
        directions.append(v / new)
    count = len(turns)
    weights = np.linalg.solve(upper[:count, :count], right[:count])
    return np.asarray(weights @ np.array(directions[:count])).reshape(first.shape)
