"""Every point of a wall needs as many conditions as there are solutions that decay into the domain behind it.

That is half the order for an elliptic or parabolic equation, and the number of incoming characteristics for a
hyperbolic one (`facts/symbol.py`). Of the conditions stated there the independent ones count: u = 0 already says that
its derivative along the wall is zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.facts.stated import Holding, Material, time_axis
from transnet.facts.symbol import FREQUENCIES, degrees_of, determinant, signs_of_roots, symbol_along
from transnet.tolerances import SAME

ON_PART = 2_000
"""Points on a part of which conditions hold on portions only, at which these are looked at."""
GAP = 0.002
"""The portion of a part without enough conditions that is told: a sample at the end of a portion may lie on either side
of it, as at the points where what flows along a wall begins to flow in."""


@dataclass(frozen=True)
class Bare:
    """Parts of the boundary with fewer conditions than they need: which, how many are needed and there at least."""

    parts: tuple[str, ...]
    needed: int
    stated: int
    portion: bool
    order: int


def bare_parts(stated: Material) -> Bare | None:
    """The parts of the boundary that have fewer conditions than the equations need at each of their points."""
    problem = stated.whole
    time = time_axis(problem)
    if problem.domain.dimension == 1:
        return None
    periodic = {p for c in problem.conditions if c.period is not None for p in c.parts(problem)}
    found: list[Bare] = []
    for part in stated.parts:
        if part in periodic:
            continue
        here = [c for c in stated.conditions if part in c.parts]
        surface = problem.domain.boundary(
            part, ON_PART if any(c.where is not None for c in here) else LOOKS, "quasi", 0
        )
        wall = stated.own(surface) & (True if time is None else np.abs(surface.normals[:, time]) <= SAME)
        points, normals = surface.points[wall], surface.normals[wall]
        if not len(points):
            continue
        try:
            found += _bare(stated, part, here, points, normals, time)
        except ProblemError:  # a coefficient without a value on the boundary
            continue
    if not found:
        return None
    worst = min(found, key=lambda b: b.stated)
    alike = [b for b in found if (b.stated, b.needed, b.portion) == (worst.stated, worst.needed, worst.portion)]
    return Bare(tuple(b.parts[0] for b in alike), worst.needed, worst.stated, worst.portion, worst.order)


def _bare(
    stated: Material, part: str, here: Sequence[Holding], points: np.ndarray, normals: np.ndarray, time: int | None
) -> list[Bare]:
    """What is missing on a part, looked at on each of the portions on which the same conditions hold."""
    holding = np.array([c.holds(points, stated.problem.coordinates) for c in here]).reshape(len(here), len(points))
    _, portions = np.unique(holding, axis=1, return_inverse=True)
    lacking, needed, least, order = 0.0, 0, len(here), 0
    for portion in np.unique(portions):
        mine = np.flatnonzero(portions.ravel() == portion)
        few = mine[:: max(1, len(mine) // LOOKS)]
        wanted, degree = needed_at(stated, points[few], normals[few], time)
        if not wanted.any():
            continue
        there = independent(stated, here, points[few], normals[few])
        short = there < wanted
        if short.any():
            lacking += len(mine) / len(points) * float(short.mean())
            least = min(least, int(there[short].min()))
            needed, order = max(needed, int(wanted[short].max())), degree
    return [Bare((part,), needed, least, lacking < 1 - GAP, order)] if lacking > GAP else []


def needed_at(stated: Material, points: np.ndarray, normals: np.ndarray, time: int | None) -> tuple[np.ndarray, int]:
    """How many conditions each of the points of a wall needs, and the order across it; 0 if that is not sure."""
    counts = [_decaying(stated, points, normals, time, size, positive=False) for size in FREQUENCIES]
    if None in counts:
        counts = [_decaying(stated, points, normals, time, size, positive=True) for size in FREQUENCIES]
    known = [c for c in counts if c is not None]
    if len(known) < len(FREQUENCIES) or len({order for _, order in known}) > 1:
        return np.zeros(len(points), dtype=int), 0
    needed = np.min([c for c, _ in known], axis=0)
    # A nonlinear equation is of the kind that it is for every state.
    alike = all(s.equation.linear for s in stated.equations)
    return needed if alike else np.full(len(points), needed.min()), known[0][1]


def _decaying(
    stated: Material, points: np.ndarray, normals: np.ndarray, time: int | None, size: float, positive: bool
) -> tuple[np.ndarray, int] | None:
    """The number of solutions that decay behind each point, and the order; zeros if that is not sure."""
    rng = np.random.default_rng(0)
    problem = stated.problem
    d = points.shape[1]
    inward = -normals * np.ptp(problem.domain.bounds, axis=0)
    inward = size * inward / np.linalg.norm(inward, axis=1, keepdims=True)
    beside = 1j * size * rng.uniform(0.5, 1.5, (len(points), d)) * rng.choice([-1.0, 1.0], (len(points), d))
    if time is not None:
        beside[:, time] = size * rng.uniform(0.5, 1.5, len(points))
    inside = problem.domain.interior(len(points), "quasi", 0)[: len(points)]
    try:
        on, behind = (
            determinant(symbol_along(problem, stated.equations, p, None, inward, beside, rng, positive), stated.fields)
            for p in (points, inside)
        )
    except ProblemError:
        return None
    order = int(degrees_of(on).min())
    if order < degrees_of(behind).max():
        return np.zeros(len(points), dtype=int), 0  # the leading coefficient vanishes on the wall
    decaying, _, neither = np.array([signs_of_roots(polynomial) for polynomial in on]).T
    return (decaying, order) if not neither.any() else (np.zeros(len(points), dtype=int), 0)


def independent(stated: Material, here: Sequence[Holding], points: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """How many independent conditions hold at each of the points of a wall."""
    rng = np.random.default_rng(0)
    beside = rng.uniform(0.5, 1.5, points.shape)
    count = np.zeros(len(points))
    if not here:
        return count
    sizes = np.ptp(stated.problem.domain.bounds, axis=0)
    symbol = symbol_along(
        stated.problem, [c.statement for c in here], points, normals, normals * sizes, beside, rng, positive=True
    )
    for row, c in enumerate(here):
        holds = c.holds(points, stated.problem.coordinates)
        symbol[~holds, row] = 0.0
        # Statements about values elsewhere, such as an integral, are conditions too.
        places = c.statement.equation.places
        count += holds & (bool(places) and all(p is not None for p in places))
    rows = symbol.reshape(len(points), len(here), -1)
    # Conditions on unknowns in different units are still independent.
    largest = np.abs(rows).max(axis=2, keepdims=True)
    return count + np.linalg.matrix_rank(rows / np.where(largest > 0, largest, 1.0))
