"""Times at which a slab has to end because something switches there, or something short begins or ends.

A load that lasts a thousandth of the time lies between the stages of a long slab, and the march would step over it; the
polynomials of a slab across a switch agree with richer ones and are wrong. Formulas are read for such times; functions
that are not formulas are evaluated at many times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.problem import Given, has_any
from transnet.rows.equation import Equation
from transnet.rows.sharp import NARROW, sharp_places
from transnet.rows.unseen import SMALL, TALL
from transnet.slabs.evolution import Evolution, Passing

MOMENTS = 20_001
PLACES = 8
"""The number of times at which functions that are not formulas are evaluated, and of points in space at each."""
FORCED = 33
"""Times between two stops at which the size of sources is evaluated."""
MOST = 100
"""If there are more short intervals than this they are a fast oscillation, which slabs resolve."""
WIDER = 2.0
"""How much longer than a short interval the slabs around it are."""
BEFORE = 2e-15
"""How far before a switch a slab ends, in units of the largest time."""
TOGETHER = 1e-7
"""Times closer than this part of the whole are one: a search finds places no better."""
WIDTHS_AROUND = 4.0
"""How many widths of a peak or a step in time the slabs around it begin and end away from it."""


Stated = Sequence[tuple[Equation, np.ndarray]]
"""Equations and conditions, and points of space at which those that are no formulas are evaluated."""


def stated_on_box(evolution: Evolution) -> Stated:
    """What an evolution on a box states."""
    space = evolution.bounds
    count = PLACES if space.shape[1] else 1
    inside = space[0] + np.ptp(space, axis=0) * np.random.default_rng(0).random((count, space.shape[1]))
    if evolution.region is not None:
        inside = evolution.region.interior(PLACES, "quasi", 0)
    found = [(s.equation, inside) for s in evolution.equations]
    for side in evolution.sides:
        wall = inside.copy()
        if evolution.region is None:
            wall[:, side.axis] = side.place
        else:
            wall = evolution.region.boundary(side.part, PLACES, "quasi", 0).points
        found.append((side.statement.equation, wall))
    return found


def stops_of(evolution: Passing, stated: Stated, values: Sequence[Any]) -> tuple[float, ...]:
    """The times at which something switches, begins or ends, in order."""
    low, high = sorted((evolution.start, evolution.stop))
    box = evolution.problem.domain.bounds.copy()
    box[:, evolution.axis] = low, high
    found: list[float] = []
    for equation, _ in stated:
        found += _read(evolution, equation, values, box)
    found += _sampled(evolution, stated, values)
    inside = np.unique([t for t in found if low < t < high])
    inside = inside[np.diff(inside, prepend=-np.inf) > TOGETHER * (high - low)]
    return tuple(float(t) for t in (inside if evolution.stop >= evolution.start else inside[::-1]))


def forcing_of(evolution: Passing, stated: Stated, values: Sequence[Any], stops: Sequence[float]) -> float:
    """How large the statements are for unknowns that are zero, times all time: the scale of a solution that begins
    with zero."""
    ends = np.unique([evolution.start, *stops, evolution.stop])
    times = np.concatenate([np.linspace(a, b, FORCED) for a, b in pairwise(ends)])
    found = 0.0
    for equation, points in stated:
        where = evolution.joined(points, times)
        try:
            value = np.abs(equation.residual(where, np.zeros_like(where), values))
        except ProblemError:
            continue
        found = max(found, float(np.max(value)))
    return found * abs(evolution.stop - evolution.start)


def _read(evolution: Passing, equation: Equation, values: Sequence[Any], box: np.ndarray) -> list[float]:
    """The times in a formula: of switches at the same time everywhere, and around what is short in time."""
    found: list[float] = []
    span = float(np.ptp(box[:, evolution.axis]))
    for places in sharp_places(evolution.problem, equation, values, box):
        if evolution.axis not in places.axes:
            continue
        own = places.axes.index(evolution.axis)
        times, widths = places.centres[:, own], places.widths[:, own]
        if places.axes == (evolution.axis,) or np.ptp(times) < NARROW * span:
            short = widths < NARROW * span
            # The last stage of a slab is its end: it has to be on the near side of a switch.
            around = np.maximum(WIDTHS_AROUND * widths[short], BEFORE * np.abs(box[:, evolution.axis]).max())
            if places.kind in ("jump", "kink"):
                found += [*(times[short] - np.sign(evolution.stop - evolution.start) * around)]
                continue
            found += [*(times[short] - around), *(times[short] + around)]
    return found


def _sampled(evolution: Passing, stated: Stated, values: Sequence[Any]) -> list[float]:
    low, high = sorted((evolution.start, evolution.stop))
    times = np.linspace(low, high, MOMENTS)
    short = np.zeros(MOMENTS, dtype=bool)
    for equation, points in stated:
        if not has_any(equation.expression, (Given,)):
            continue
        where = evolution.joined(points, times)
        normals = np.zeros_like(where)
        try:
            functions = [equation.residual(where, normals, values)]
            functions += equation.jacobian(where, normals, values) if equation.linear else []
        except ProblemError:
            continue
        for function in functions:
            if np.ndim(function):
                short |= _short(np.asarray(function).reshape(-1, MOMENTS))
    return _ends(short, times)


def _short(values: np.ndarray) -> np.ndarray:
    """The times at which functions of time (places, moments) are far from their usual values."""
    height = np.abs(values - np.median(values, axis=1, keepdims=True))
    there = (height > TALL * height.max()).any(axis=0) if height.max() > 0 else np.zeros(values.shape[1], dtype=bool)
    return there if 0 < there.mean() < SMALL else np.zeros(len(there), dtype=bool)


def _ends(short: np.ndarray, times: np.ndarray) -> list[float]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], short, [False]]).astype(int)))
    first, last = edges[::2], edges[1::2] - 1
    if not 0 < len(first) <= MOST:
        return []
    around = np.maximum(WIDER * 0.5 * (last - first), 1.0)
    found = np.concatenate([first - around, last + around])
    return [float(t) for t in times[0] + (times[1] - times[0]) * found]
