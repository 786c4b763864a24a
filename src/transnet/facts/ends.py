"""The conditions on both ends of a coordinate together, against the order of the equations in it.

This is for what the walls do not decide: a single coordinate, whose conditions may all be at one end, and time. With
fewer the solution is not unique, or (Laplace's equation with value and flux on one side only) unique but not continuous
in the data. What a wave needs in time has to be stated at one of the two ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from transnet.counts import LOOKS
from transnet.errors import Message, ProblemError, UniquenessWarning
from transnet.facts.stated import Material, time_axis
from transnet.facts.symbol import FREQUENCIES, degrees_of, determinant, symbol_along
from transnet.facts.walls import independent
from transnet.problem import Problem

LEANING = 1e-3
"""The growth of a wave, relative to its frequency, of a hyperbolic equation with a term of lower order."""


def across(stated: Material, axis: int) -> Message | None:
    """A message if the conditions across a coordinate are too few, or those of a wave at both ends of time."""
    problem = stated.problem
    faces = problem.domain.ends(axis)
    if not all(faces) or problem is not stated.whole:
        return None
    try:
        needed, forward, backward = _order(stated, axis, [part for face in faces for part in face])
        at_ends = [_on_face(stated, face) for face in faces]
    except ProblemError:  # a coefficient without a value on the boundary
        return None
    total = sum(at_ends) + _elsewhere(stated, axis)
    if total < needed:
        return _message_of_faces(problem, problem.coordinates[axis], needed, total, faces)
    enough = (forward and at_ends[0] >= needed) or (backward and at_ends[1] >= needed)
    if needed < 2 or axis != time_axis(problem) or not (forward or backward) or enough or total > sum(at_ends):
        return None
    start, end = (", ".join(map(repr, face)) for face in faces)
    text = (
        f"The equations are of order {needed} in {problem.coordinates[axis]} and are determined by {needed} conditions "
        f"on {start}, but {at_ends[0] or 'none'} of them {'is' if at_ends[0] < 2 else 'are'} stated there, and "
        f"{at_ends[1]} on {end}: "
        f"between values at both ends of time a wave is not well posed, some waves can be added to it almost freely. "
        f"State the velocity at the start in place of the values at the end."
    )
    return Message(UniquenessWarning, text)


def _order(stated: Material, axis: int, parts: Sequence[str]) -> tuple[int, bool, bool]:
    """The degree of det D in s_axis, the least over the points; 0 where its leading coefficient changes sign. And
    whether no wave grows faster than it oscillates, forward along the axis and backward."""
    problem = stated.problem
    rng = np.random.default_rng(0)
    sampled = [problem.domain.interior(LOOKS, "quasi", 0)]
    sampled += [problem.domain.boundary(part, LOOKS, "quasi", 0).points for part in parts]
    points = np.concatenate(sampled)
    along = np.zeros(points.shape)
    along[:, axis] = 1.0
    beside = rng.uniform(0.5, 1.5, points.shape[1]) * rng.choice([-1.0, 1.0], points.shape[1])
    beside = np.where(along > 0, 0.0, beside)
    symbol = symbol_along(problem, stated.equations, points, None, along, beside, rng)
    total = determinant(symbol, stated.fields).real
    powers = degrees_of(total)
    leading = total[powers == powers.max(), powers.max()]
    if not powers.max() or np.ptp(np.sign(leading)):
        return 0, False, False
    if axis != time_axis(problem):
        return int(powers.min()), False, False
    size = FREQUENCIES[0]
    waves = symbol_along(problem, stated.equations, points, None, size * along, 1j * size * beside, rng)
    both = [_leaning(polynomial) for polynomial in determinant(waves, stated.fields)]
    return int(powers.min()), all(up <= LEANING for _, up in both), all(down <= LEANING for down, _ in both)


def _leaning(polynomial: np.ndarray) -> tuple[float, float]:
    degree = int(degrees_of(polynomial[None])[0])
    roots = np.roots(polynomial[degree::-1]) if degree else np.zeros(1)
    relative = roots.real / np.where(roots == 0, 1.0, np.abs(roots))
    return float((-relative).max()), float(relative.max())


def _on_face(stated: Material, face: Sequence[str]) -> int:
    """How many independent conditions there are on a face across an axis."""
    here = [c for c in stated.conditions if set(c.parts) & set(face)]
    if not here:
        return 0
    surface = stated.problem.domain.boundary(face[0], LOOKS, "quasi", 0)
    return int(independent(stated, here, surface.points, surface.normals).max())


def _elsewhere(stated: Material, axis: int) -> int:
    """How many conditions hold neither on the one face nor on the other, and count all the same."""
    count = 0
    for s in stated.elsewhere:
        assert s.source is not None
        count += s.source.period == stated.problem.coordinates[axis]
        count += 0 if s.source.at_points is None else len(s.source.at_points)
        count += s.averaged and stated.problem.domain.dimension == 1
    return count


def _message_of_faces(
    problem: Problem, coordinate: sp.Symbol, needed: int, stated: int, faces: tuple[tuple[str, ...], tuple[str, ...]]
) -> Message:
    one = len(problem.unknowns) == 1
    subject = (
        f"The equation is of order {needed} in {coordinate} and needs"
        if one
        else (f"The equations are together of order {needed} in {coordinate} and need")
    )
    start, end = (", ".join(map(repr, face)) for face in faces)
    time = coordinate.name == "t"
    place = f"on {start}" if time else f"on {start} and {end} together"
    have = "there is none" if stated == 0 else "there is only one" if stated == 1 else f"there are only {stated}"
    many = "as many conditions" if needed > 1 else "a condition"
    text = f"{subject} {many} {place}, but {have}: the problem does not determine {' and '.join(problem.names)}."
    if time and one and needed == 2:
        return Message(UniquenessWarning, text, {"rest": {"part": faces[0][0], "unknown": problem.names[0]}})
    return Message(UniquenessWarning, f"{text} Add what is missing there.")
