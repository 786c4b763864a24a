"""More features of space where the last coefficients are largest: higher degrees, more waves, or more pieces."""

from __future__ import annotations

import numpy as np

from transnet.slabs.axes import Fourier, Polynomials
from transnet.slabs.space import Space

DEGREES = {1: (12, 16, 20, 24, 30), 2: (10, 14, 18, 22, 28), 3: (8, 10, 12)}
"""Degrees along each axis that are tried before an axis is cut, by the dimension of space."""
HIGHER = {1: (), 2: (36, 46, 60, 80), 3: (16, 20, 26)}
"""Further degrees for rows without a matrix: a step of theirs takes milliseconds where a matrix takes minutes."""
PIECE = 16
"""The degree on pieces."""
MODES = {1: 60, 2: 13, 3: 4}
WAVES = {1: 60, 2: 96, 3: 16}
PIECES = 80
"""The most Fourier modes along an axis, with a matrix and without one, and the most pieces, which replace waves on a
line if more would be needed."""
BEHIND = 0.1
"""Axes and pieces whose tails are smaller than this part of the largest stay unchanged."""
FROM_WAVES = 8
"""Pieces that replace waves if there are too many of them."""


def tails_of(space: Space, relative: np.ndarray) -> list[np.ndarray]:
    """For each axis the size of the last coefficients on each of its pieces."""
    shape = [a.columns for a in space.axes]
    squares = (relative**2 * space.masses).reshape(-1, *shape).sum(axis=0)
    found = []
    for k, axis in enumerate(space.axes):
        others = tuple(j for j in range(len(shape)) if j != k)
        found.append(axis.tails(np.sqrt(squares.sum(axis=others))))
    return found


def finer(space: Space, relative: np.ndarray, free: bool) -> Space | None:
    """The space with more features along the axis on which the last coefficients are largest; None at the limits.

    `free` says that its rows need no matrix, so there may be many more features.
    """
    shape, tails = [a.columns for a in space.axes], tails_of(space, relative)
    largest = max((float(t.max()) for t in tails), default=0.0)
    changed, axes = False, list(space.axes)
    most = (WAVES if free else MODES)[len(shape)] if shape else 0
    degrees = (*DEGREES[len(shape)], *(HIGHER[len(shape)] if free else ())) if shape else ()
    for k, (axis, tail) in enumerate(zip(space.axes, tails, strict=True)):
        if tail.max() < BEHIND * largest:
            continue
        if isinstance(axis, Fourier):
            if axis.modes < most:
                axes[k], changed = Fourier(axis.low, axis.high, min(most, axis.modes + axis.modes // 2)), True
            elif len(shape) == 1:
                axes[k] = Polynomials(tuple(np.linspace(axis.low, axis.high, FROM_WAVES + 1).tolist()), PIECE, True)
                changed = True
            continue
        longer = next((d for d in degrees if d > axis.degree), None)
        if len(axis.edges) == 2 and longer is not None:
            axes[k], changed = Polynomials(axis.edges, longer), True
        elif len(shape) == 1 and len(axis.edges) <= PIECES:
            if len(axis.edges) == 2:
                axes[k] = Polynomials(tuple(np.linspace(axis.edges[0], axis.edges[1], 4).tolist()), PIECE)
            else:
                axes[k] = axis.split(tail > BEHIND * tail.max())
            changed = True
    return Space(tuple(axes)) if changed else None
