"""Coefficients that jump where they were differentiated: div(k grad u) with a k that jumps is refused.

SymPy differentiates a Piecewise branch by branch, so div(k grad u) is reduced to k lap(u) on both sides of a jump of k,
and the condition that the flux k du/dn is continuous is lost. The least-squares solution would then be smooth, satisfy
everything that remains, and be wrong. The finite differences of a given function that jumps miss the jump, with the
same effect.
"""

from __future__ import annotations

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.problem import Given, Problem, has_any, written
from transnet.rows.equation import Equation
from transnet.tolerances import HALVINGS

JUMPING = (sp.Piecewise, sp.Heaviside, sp.sign, sp.floor, sp.ceiling, sp.frac, Given)
"""What can jump."""
KINKED = (sp.Abs, sp.Max, sp.Min)
"""What has a kink, across which a source or one of its derivatives is not smooth."""
LINES = 96
NODES = 17
"""Lines along a coordinate on which a jump is searched for, and points on each."""
SMALL = 1e-3
"""A difference over a distance of rounding size, relative to the largest value, that counts as a jump."""


def may_jump(problem: Problem) -> bool:
    """Whether an equation has something that can jump."""
    return any(has_any(e, JUMPING) for e in problem.equations if isinstance(e, sp.Basic | sp.MatrixBase))


def may_be_rough(problem: Problem) -> bool:
    """Whether an equation has something that can jump or has a kink."""
    return may_jump(problem) or any(
        e.has(*KINKED) for e in problem.equations if isinstance(e, sp.Basic | sp.MatrixBase)
    )


def refuse_jumps(problem: Problem, equation: Equation) -> None:
    """Raise if the coefficient of a second or higher derivative jumps across a coordinate of that derivative."""
    for number, (slot, coefficient) in enumerate(zip(equation.slots, equation.coefficients_symbolic, strict=True)):
        index = slot[1]
        if sum(index) < 2 or not has_any(coefficient, JUMPING):
            continue
        for axis, order in enumerate(index):
            found = _jump(problem, equation, number, axis) if order else None
            if found is not None:
                raise ProblemError(_message(problem, equation, slot[0], index, *found), {"flux": True})


def _jump(problem: Problem, equation: Equation, number: int, axis: int) -> tuple[np.ndarray, float, float] | None:
    """A point where the coefficient of a slot jumps along an axis, and its values on both sides; None if there is
    none."""
    rng = np.random.default_rng(0)
    inside = problem.domain.interior(2 * LINES, "quasi", 0)
    low, high = inside[:LINES].copy(), inside[:LINES].copy()
    high[:, axis] = inside[LINES:, axis]
    steps = np.linspace(0.0, 1.0, NODES)[:, None, None]
    nodes = low + steps * (high - low)
    # A line that leaves the domain would need values where there are none.
    whole = problem.domain.contains(nodes.reshape(-1, inside.shape[1])).reshape(NODES, LINES).all(axis=0)
    parameters = list(rng.uniform(0.5, 1.5, len(problem.parameters)))
    state = list(rng.uniform(0.5, 1.5, len(equation.slots)))

    def values(points: np.ndarray) -> np.ndarray:
        c = equation.jacobian(points, None, parameters, state)[number]
        return np.broadcast_to(c, (len(points),))

    if not whole.any():
        return None
    nodes = nodes[:, whole]
    try:
        known = values(nodes.reshape(-1, inside.shape[1])).reshape(NODES, -1)
        largest = np.abs(known).max()
        column = np.arange(known.shape[1])
        start = np.argmax(np.abs(np.diff(known, axis=0)), axis=0)
        a, b = nodes[start, column], nodes[start + 1, column]
        at_a, at_b = known[start, column], known[start + 1, column]
        for _ in range(HALVINGS):  # towards the half in which the values differ more
            middle = 0.5 * (a + b)
            at_middle = values(middle)
            first = np.abs(at_middle - at_a) >= np.abs(at_b - at_middle)
            a, b = np.where(first[:, None], a, middle), np.where(first[:, None], middle, b)
            at_a, at_b = np.where(first, at_a, at_middle), np.where(first, at_middle, at_b)
    except ProblemError:  # values that are not finite are reported where the equation is imposed
        return None
    worst = int(np.argmax(np.abs(at_b - at_a)))
    if abs(at_b[worst] - at_a[worst]) <= SMALL * largest:
        return None
    before, behind = float(at_a[worst]), float(at_b[worst])
    return b[worst], *((before, behind) if a[worst, axis] <= b[worst, axis] else (behind, before))


def _message(
    problem: Problem, equation: Equation, unknown: int, index: tuple[int, ...], place: np.ndarray, a: float, b: float
) -> str:
    u = problem.unknowns[unknown]
    derivative = sp.Derivative(u, *((c, n) for c, n in zip(problem.coordinates, index, strict=True) if n))
    where = ", ".join(f"{c} = {v:.4g}" for c, v in zip(problem.coordinates, place, strict=True))
    values = "" if problem.parameters else f" from {a:.4g} to {b:.4g}"
    return (
        f"The coefficient of {written(derivative)} in '{equation.text}' jumps{values} near {where}. If it comes from "
        f"div(k grad u), that u and the flux k du/dn are continuous across the jump was lost when it was "
        f"differentiated, and the answer would be wrong. If the equation is meant as it stands, divide it by that "
        f"coefficient."
    )
