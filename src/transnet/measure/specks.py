"""Holes and pieces of a level set that lie between the points of a grid.

What Max and Min are made of is read: where one of these formulas vanishes within a cell there is one. Any other formula
that is smooth on the scale of the cells has an extremum in such a hole, and its samples have one beside it: from each
of these the extremum is looked for on finer and finer grids, and a change of sign is a hole or a piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp

from transnet.reading import search
from transnet.reading.sharp import Sharp

SPECK, ACTIVE = 2.0, 1e-7
"""What is smaller than so many cells may be missed; a formula of Max or Min counts where it is the one that is zero, up
to this part of the largest value."""
MOST = 200
"""Extrema of the samples that are looked at, those closest to zero."""
FINER, POINTS, ROUNDS = 0.4, 5, 14
"""By how much the grids shrink around the best of their points, how many points they have along each axis, and how many
of them there are: the last is 2e-6 of a cell."""
ALONG = 401
"""Points along each axis through a speck by which its size is measured."""


def of_branches(
    formula: sp.Expr,
    names: Sequence[str],
    box: np.ndarray,
    value: Callable[[np.ndarray], np.ndarray],
    cell: np.ndarray,
    largest: float,
) -> tuple[np.ndarray, float] | None:
    """The middle and the size of a place, smaller than the cells, where one of the formulas in Max and Min vanishes."""
    known = {s.name: s for s in formula.free_symbols}
    symbols = [known[name] for name in names if name in known]
    if len(symbols) < len(names) or not formula.has(sp.Max, sp.Min):
        return None
    for branch in dict.fromkeys(a for m in formula.atoms(sp.Max, sp.Min) for a in m.args):
        places = search.places_of(Sharp("kink", branch), symbols, box)
        if places is None or len(places.axes) < len(names):
            continue
        active = places.centres[np.abs(value(places.centres)) <= ACTIVE * largest]
        size = np.ptp(active, axis=0) if len(active) else cell
        if len(active) and np.all(size < SPECK * cell) and np.all(size > 0):
            return active.mean(axis=0), float(size.max())
    return None


def between(
    value: Callable[[np.ndarray], np.ndarray], points: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, float] | None:
    """The middle (d,) and the size of a hole or a piece between the points of a grid (*cells, d); None if there is
    none."""
    d = points.shape[-1]
    cell = np.array([np.ptp(points[..., k]) / (points.shape[k] - 1) for k in range(d)])
    offsets = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, POINTS)] * d), axis=-1).reshape(-1, d)
    for sign in (1.0, -1.0):
        signed = np.where(np.isfinite(values), sign * values, np.nan)  # holes are where it is positive
        best = points[_peaks(signed)]
        order = np.argsort(-sign * value(best))[:MOST]
        best, half = best[order], 1.5 * cell
        for _ in range(ROUNDS if len(best) else 0):
            around = best[:, None, :] + half * offsets
            heights = sign * value(around.reshape(-1, d)).reshape(len(best), -1)
            heights = np.where(np.isfinite(heights), heights, -np.inf)
            highest = np.argmax(heights, axis=1)
            best = around[np.arange(len(best)), highest]
            half = FINER * half
        found = sign * value(best) > 0
        if found.any():
            place = best[np.argmax(found)]
            return place, _size(value, sign, place, cell)
    return None


def _peaks(values: np.ndarray) -> np.ndarray:
    """Which samples are negative, and larger than those beside them along each axis; none at the ends."""
    inner = (slice(1, -1),) * values.ndim
    found = np.zeros(values.shape, dtype=bool)
    here = values[inner]
    peak = here < 0
    for axis in range(values.ndim):
        for shift in (slice(None, -2), slice(2, None)):
            beside = tuple(shift if k == axis else slice(1, -1) for k in range(values.ndim))
            peak &= here >= values[beside]
    found[inner] = peak
    return found


def _size(value: Callable[[np.ndarray], np.ndarray], sign: float, place: np.ndarray, cell: np.ndarray) -> float:
    """The longest of the stretches along the axes in which a hole is."""
    lengths = []
    for axis in range(len(place)):
        line = np.tile(place, (ALONG, 1))
        line[:, axis] += np.linspace(-1.5, 1.5, ALONG) * cell[axis]
        lengths.append(float(np.mean(sign * value(line) > 0)) * 3.0 * cell[axis])
    return max(lengths)
