"""An equation of first order carries values along its characteristics, and each of these needs a condition at an end.

Which end does not matter where there is no time: the equation may be multiplied by -1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.errors import ProblemError
from transnet.facts.stated import Material, time_axis
from transnet.lazy import spatial

TRACED = 200
"""Characteristics that are followed."""
SHARE = 0.02
"""The part of them without a condition that is told: those that graze the end of a portion may be taken for others."""
STEP, STEPS = 0.01, 500
"""The length of a step, in units of the domain's box, and the most steps: what has not left by then may be closed."""
ON_PART = 1_000
"""Points of each part at which conditions are looked up."""


def unmet(stated: Material) -> np.ndarray | None:
    """A place in the domain (d,) whose characteristic has no condition at either end; None if there is none."""
    problem = stated.problem
    if problem.domain.dimension < 2 or time_axis(problem) is not None or stated.elsewhere or len(stated.equations) != 1:
        return None
    equation = stated.equations[0].equation
    if equation.order != 1 or not equation.linear or equation.places or problem is not stated.whole:
        return None
    begin = problem.domain.interior(TRACED, "quasi", 0)
    parameters = [1.0] * len(problem.parameters)
    size = np.ptp(problem.domain.bounds, axis=0)

    def direction(points: np.ndarray) -> np.ndarray:
        found = np.zeros(points.shape)
        for (_, index), c in zip(equation.slots, equation.jacobian(points, None, parameters), strict=True):
            if sum(index) == 1:
                found[:, index.index(1)] += np.broadcast_to(c, len(points))
        length = np.linalg.norm(found / size, axis=1, keepdims=True)
        return found / np.where(length > 0, length, 1.0)

    try:
        ends = [_followed(stated, begin, direction, step) for step in (-STEP, STEP)]
    except ProblemError:  # a coefficient without a value
        return None
    places, holds = _looked_up(stated)
    tree = spatial.cKDTree(places / size)
    met = np.zeros(len(begin), dtype=bool)
    for end in ends:
        closed = np.isnan(end[:, 0])
        met |= closed
        met[~closed] |= holds[tree.query(end[~closed] / size)[1]]
    return None if np.mean(~met) <= SHARE else begin[np.flatnonzero(~met)[0]]


def _followed(
    stated: Material, begin: np.ndarray, direction: Callable[[np.ndarray], np.ndarray], step: float
) -> np.ndarray:
    """Where curves from these points leave the domain, (n, d); nan where they do not."""
    points, ends = begin.copy(), np.full(begin.shape, np.nan)
    going = np.arange(len(begin))
    for _ in range(STEPS):
        here = points[going]
        ahead = here + step * direction(here + 0.5 * step * direction(here))
        out = ~stated.problem.domain.contains(ahead)
        ends[going[out]] = 0.5 * (here[out] + ahead[out])
        points[going] = ahead
        going = going[~out]
        if not len(going):
            break
    return ends


def _looked_up(stated: Material) -> tuple[np.ndarray, np.ndarray]:
    """Points of the boundary, and whether a condition holds at each."""
    places, holds = [], []
    for part in stated.parts:
        surface = stated.problem.domain.boundary(part, ON_PART, "quasi", 0)
        mine = [c.holds(surface.points, stated.problem.coordinates) for c in stated.conditions if part in c.parts]
        places.append(surface.points)
        holds.append(np.any(mine, axis=0) if mine else np.zeros(len(surface.points), dtype=bool))
    return np.concatenate(places), np.concatenate(holds)
