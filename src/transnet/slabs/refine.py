"""More features of space where the last coefficients are largest: higher degrees, more waves, or more pieces."""

from __future__ import annotations

from math import ceil

import numpy as np

from transnet.basis.on_domain import DomainPolynomials
from transnet.slabs.axes import Fourier, Polynomials
from transnet.slabs.decay import AIMED, degree_needed, last_needed
from transnet.slabs.space import Space, space_along

FIRST_DEGREE = {1: 12, 2: 10, 3: 8}
"""The degree along each axis to begin with, by the dimension of space."""
HIGHEST = {1: (30, 30), 2: (28, 160), 3: (12, 26)}
WAVES = {1: (60, 60), 2: (13, 120), 3: (4, 16)}
"""The highest degree, and the most Fourier modes, along an axis: with a matrix and without one. A step without one
takes milliseconds where a matrix takes minutes."""
PIECE, PIECES = 16, 80
"""The degree on pieces, and the most pieces: on a line they replace polynomials and waves if more would be needed."""
LEAST, MOST = 1.25, (1.4, 2.0)
"""How many times as many features an axis gets at least and at most, with a matrix and without one, whatever the fall
of its coefficients says: with a matrix and 2 a cavity of Maxwell's takes twice as long."""
WORTH = 0.6
"""The part of the features that may be left when those that no longer count are dropped."""
BEHIND = 0.1
"""Axes and pieces whose tails are smaller than this part of the largest stay unchanged."""
CUTS = {False: 3, True: 8}
"""Pieces that replace polynomials or waves if there are too many of them."""


def lines_of(space: Space, relative: np.ndarray) -> list[np.ndarray]:
    """For each axis the sizes of the coefficients along it."""
    shape = [a.columns for a in space.axes]
    squares = (relative**2 * space.masses).reshape(-1, *shape).sum(axis=0)
    others = [tuple(j for j in range(len(shape)) if j != k) for k in range(len(shape))]
    return [np.sqrt(squares.sum(axis=o)) for o in others]


def tails_of(space: Space, relative: np.ndarray) -> list[np.ndarray]:
    """For each axis the size of the last coefficients on each of its pieces."""
    return [axis.tails(line) for axis, line in zip(space.axes, lines_of(space, relative), strict=True)]


def coarser(space: Space, relative: np.ndarray, wanted: float) -> Space | None:
    """The space of a box without features whose coefficients no longer count; None if there are few of them."""
    if len(space.axes) < 2:
        return None
    lines, fewest = lines_of(space, relative), FIRST_DEGREE[len(space.axes)]
    needed = [
        max(ceil(LEAST * last_needed(axis.by_count(line), wanted)), fewest)
        for axis, line in zip(space.axes, lines, strict=True)
    ]
    axes = [axis.of_count(min(axis.count, n)) for axis, n in zip(space.axes, needed, strict=True)]
    made = Space(tuple(axes))
    return made if made.columns < WORTH * space.columns else None


def finer(space: Space, relative: np.ndarray, free: bool, wanted: float) -> Space | None:
    """The space with more features along the axes on which the last coefficients are largest; None at the limits.

    `free` says that its rows need no matrix, so there may be many more features; `wanted` are tails that are small
    enough.
    """
    d, axes, changed = len(space.axes), list(space.axes), False
    lines = lines_of(space, relative)
    tails = [axis.tails(line) for axis, line in zip(axes, lines, strict=True)]
    largest = max((float(t.max()) for t in tails), default=0.0)
    for k, (axis, line, tail) in enumerate(zip(space.axes, lines, tails, strict=True)):
        if tail.max() < BEHIND * largest:
            continue
        waves, region = isinstance(axis, Fourier), isinstance(axis, DomainPolynomials)
        most = (
            axis.most(relative.shape[-2])
            if isinstance(axis, DomainPolynomials)
            else (WAVES if waves else HIGHEST)[d][free]
        )
        if len(axis.edges) == 2 and axis.count < most:
            needed = max(degree_needed(axis.by_count(line), wanted / AIMED), ceil(LEAST * axis.count))
            axes[k] = axis.of_count(min(needed, int(MOST[free] * axis.count), most))
        elif d == 1 and len(axis.edges) == 2 and not region:
            axes[k] = Polynomials(tuple(np.linspace(*axis.edges, CUTS[waves] + 1).tolist()), PIECE, waves)
        elif isinstance(axis, Polynomials) and d == 1 and len(axis.edges) <= PIECES:
            axes[k] = axis.split(tail > BEHIND * tail.max())
        changed = changed or axes[k] is not axis
    return space_along(axes) if changed else None
