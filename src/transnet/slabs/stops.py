"""Times at which a slab has to end because something short begins or ends there.

A load that lasts a thousandth of the time lies between the stages of a long slab, and the march would step over it.
Formulas are cheap: they are evaluated at many times first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.rows.unseen import SMALL, TALL, may_be_steep
from transnet.slabs.evolution import Evolution

MOMENTS = 20_001
PLACES = 8
"""The number of times at which formulas are evaluated, and of points in space at each."""
MOST = 100
"""If there are more short intervals than this they are a fast oscillation, which slabs resolve."""
WIDER = 2.0
"""How much longer than a short interval the slabs around it are."""


def stops_of(evolution: Evolution, values: Sequence[Any]) -> tuple[float, ...]:
    """The times at which something short begins or ends, in order."""
    low, high = sorted((evolution.start, evolution.stop))
    times = np.linspace(low, high, MOMENTS)
    short = np.zeros(MOMENTS, dtype=bool)
    space = evolution.bounds
    inside = space[0] + np.ptp(space, axis=0) * np.random.default_rng(0).random((PLACES, space.shape[1]))
    places = [(s.equation, inside) for s in evolution.equations]
    for side in evolution.sides:
        wall = inside.copy()
        wall[:, side.axis] = side.place
        places.append((side.statement.equation, wall))
    for equation, points in places:
        if not may_be_steep(equation):
            continue
        where = evolution.joined(points[: PLACES if space.shape[1] else 1], times)
        normals = np.zeros_like(where)
        try:
            functions = [equation.residual(where, normals, values)]
            functions += equation.jacobian(where, normals, values) if equation.linear else []
        except ProblemError:
            continue
        for function in functions:
            if np.ndim(function):
                short |= _short(np.asarray(function).reshape(-1, MOMENTS))
    return _ends(short, times, evolution.stop >= evolution.start)


def _short(values: np.ndarray) -> np.ndarray:
    """The times at which functions of time (places, moments) are far from their usual values."""
    height = np.abs(values - np.median(values, axis=1, keepdims=True))
    there = (height > TALL * height.max()).any(axis=0) if height.max() > 0 else np.zeros(values.shape[1], dtype=bool)
    return there if 0 < there.mean() < SMALL else np.zeros(len(there), dtype=bool)


def _ends(short: np.ndarray, times: np.ndarray, forward: bool) -> tuple[float, ...]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], short, [False]]).astype(int)))
    first, last = edges[::2], edges[1::2] - 1
    if not 0 < len(first) <= MOST:
        return ()
    around = np.maximum(WIDER * 0.5 * (last - first), 1.0)
    found = np.concatenate([first - around, last + around])
    found = np.sort(times[0] + (times[1] - times[0]) * found)
    found = found[(found > times[0]) & (found < times[-1])]
    return tuple(float(t) for t in (found if forward else found[::-1]))
