"""Heat equations that run backward: u_t + u_xx = 0 from its initial values is not well posed.

The mode sin(k x) grows like exp(k^2 t), so the slightest roughness of the data takes over at once. A network of bounded
bandwidth still gives a smooth answer, and its own estimate shows nothing wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.counts import LOOKS
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.problem import Problem
from transnet.rows.statements import Statement, statements_of
from transnet.solution.diagnostics import Residual

CONFLICT = 0.01
"""The relative residual of a condition that does not hold; that of a network that is merely too small is less."""
VIOLATED = 0.1
"""The relative residual of an equation that does not hold at all, because the conditions do."""


def backward(problem: Problem, statements: Sequence[Statement], parameters: Sequence[Any]) -> Message | None:
    """Return a message if the equation diffuses against the direction of time in which it is started."""
    equations = [s for s in statements if s.kind == "equation"]
    if len(equations) != 1 or len(problem.unknowns) != 1 or not equations[0].equation.linear:
        return None
    equation = equations[0].equation
    if not equation.slots:  # no unknown is left in it
        return None
    for axis, coordinate in enumerate(problem.coordinates):
        orders = [index[axis] for _, index in equation.slots]
        others = [tuple(2 * int(i == k) for i in range(len(problem.coordinates))) for k in _others(problem, axis)]
        first = tuple(int(i == axis) for i in range(len(problem.coordinates)))
        if max(orders) != 1 or max(sum(index) for _, index in equation.slots) != 2:
            continue
        faces = problem.domain.ends(axis)
        started = [_stated(problem, statements, face) for face in faces]
        if not all(faces) or started[0] == started[1]:
            continue
        points = problem.domain.interior(LOOKS, "quasi", 0)
        try:
            found = equation.jacobian(points, None, parameters)
        except ProblemError:
            continue
        terms = {index: np.broadcast_to(c, len(points)) for (_, index), c in zip(equation.slots, found, strict=True)}
        diffusion = [terms[index] for index in others if index in terms]
        if first not in terms or not diffusion:
            continue
        direction = 1.0 if started[0] else -1.0
        ratio = [direction * terms[first] * c for c in diffusion]
        if all(np.all(r >= 0) for r in ratio) and any(np.all(r > 0) for r in ratio):
            start = ", ".join(map(repr, faces[0 if started[0] else 1]))
            return Message(
                AccuracyWarning,
                f"The equation is a backward heat equation: started on {start} it amplifies fine structure without "
                f"bound along {coordinate}, so no answer depends continuously on the data. The solution returned is "
                f"one of many smooth functions that nearly satisfy it. Check the sign of the derivative with respect "
                f"to {coordinate}, or state the condition at the other end.",
            )
    return None


def at_both_ends(problem: Problem, residuals: Sequence[Residual]) -> Message | None:
    """A message if an equation of first order in time cannot satisfy its final values beside its initial ones."""
    last = stated_at_both_ends(problem)
    far = [r for r in residuals if r.relative > CONFLICT]
    if not any(r.relative > VIOLATED or r.label.startswith(f"{part}:") for r in far for part in last):
        return None
    return Message(AccuracyWarning, said_of_both_ends(last))


def said_of_both_ends(last: Sequence[str]) -> str:
    """The text that says that values are stated at the final time as well as at the initial one, and what to do."""
    whole = (
        " ('boundary' includes both ends of time; 'sides' is the boundary in space alone)" if "boundary" in last else ""
    )
    return (
        f"Values are stated at the final time as well as at the initial one, on {last[0]!r}{whole}. An equation of "
        f"first order in t is determined by its initial values: unless the final ones follow from them, the two "
        f"contradict each other. Leave the final condition out."
    )


def stated_at_both_ends(problem: Problem) -> tuple[str, ...]:
    """The parts at the final time with a condition beside the initial one, for one equation of first order."""
    if "t" not in (names := [c.name for c in problem.coordinates]) or len(problem.unknowns) != 1:
        return ()
    axis = names.index("t")
    equations = [s for s in statements_of(problem) if s.kind == "equation"]
    orders = {index[axis] for s in equations for _, index in s.equation.slots}
    if max(orders, default=0) != 1:
        return ()
    ends = problem.domain.ends(axis)
    stated = [c.boundary for c in problem.conditions if c.boundary is not None]
    last = tuple(part for part in stated if set(problem.domain.resolve(part)) & set(ends[1]))
    return last if any(set(problem.domain.resolve(part)) & set(ends[0]) for part in stated) else ()


def _others(problem: Problem, axis: int) -> list[int]:
    return [k for k in range(len(problem.coordinates)) if k != axis]


def _stated(problem: Problem, statements: Sequence[Statement], face: Sequence[str]) -> bool:
    """Whether a condition holds on one of the parts of a face."""
    parts = [s.part for s in statements if s.part is not None]
    return any(set(problem.domain.resolve(part)) & set(face) for part in parts)
