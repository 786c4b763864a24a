"""Conditions that say different things about the same points, so that no function satisfies them all."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.counts import SAMPLE
from transnet.errors import Message, ProblemError, UniquenessWarning
from transnet.geometry import Surface
from transnet.problem import Problem
from transnet.rows.points import portion
from transnet.rows.statements import Statement
from transnet.tolerances import BESIDE, SAME


def contradictions(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> list[Message]:
    """Messages for pairs of conditions with the same left side, different right sides, and points in common."""
    linear = [s for s in statements if s.part is not None and s.equation.linear]
    found = (contradiction(problem, a, b, parameters) for a, b in combinations(linear, 2))
    return [message for message in found if message]


def contradiction(problem: Problem, a: Statement, b: Statement, parameters: Sequence[Any]) -> Message | None:
    """A message if two linear conditions on the boundary contradict each other."""
    of_a, of_b = (() if s.part is None else problem.domain.resolve(s.part) for s in (a, b))
    shared = [part for part in of_a if part in of_b]
    found = (_compare(problem, part, a, b, parameters) for part in shared)
    return next((message for message in found if message), None)


def _compare(problem: Problem, part: str, a: Statement, b: Statement, parameters: Sequence[Any]) -> Message | None:
    surface = problem.domain.boundary(part, SAMPLE, "quasi", 0)
    for s in (a, b):
        surface = portion(surface, s.where, problem.coordinates)
    if not len(surface.points):
        return None
    slots = list(dict.fromkeys((*a.equation.slots, *b.equation.slots)))
    try:
        (left_a, right_a), (left_b, right_b) = (_sides(s, surface, parameters, slots) for s in (a, b))
    except ProblemError:  # reported where the condition is imposed
        return None
    size = np.sum(left_b**2, axis=1)
    factor = np.sum(left_a * left_b, axis=1) / np.where(size > 0, size, 1.0)
    same = np.linalg.norm(left_a - factor[:, None] * left_b, axis=1) <= SAME * np.linalg.norm(left_a, axis=1)
    gap = np.abs(right_a - factor * right_b)
    scale = max(float(np.abs(right_a).max()), float(np.abs(factor * right_b).max()))
    differ = same & (factor != 0) & (gap > BESIDE * scale)
    if not differ.any():
        return None
    worst = int(np.argmax(np.where(differ, gap, 0.0)))
    where = ", ".join(f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, surface.points[worst], strict=True))
    text = (
        f"Two conditions contradict each other on '{part}': '{a.label}' and '{b.label}' differ by {gap[worst]:.3g} at "
        f"{where}. A later condition does not replace an earlier one: both are imposed, and what is returned is a "
        f"compromise."
    )
    return Message(UniquenessWarning, text, {"separate": True})


def _sides(
    s: Statement, at: Surface, parameters: Sequence[Any], slots: Sequence[Slot]
) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients of the slots (n, slots) and the right-hand side (n,) of a linear condition at points."""
    left = np.zeros((len(at.points), len(slots)))
    for slot, c in zip(s.equation.slots, s.equation.jacobian(at.points, at.normals, parameters), strict=True):
        left[:, slots.index(slot)] = c
    return left, 0.0 - s.equation.residual(at.points, at.normals, parameters)
