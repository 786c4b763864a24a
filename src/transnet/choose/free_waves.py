"""How fast waves oscillate that solve an equation without a source: networks and cells must resolve them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.problem import Problem
from transnet.rows.equation import Equation
from transnet.rows.points import inside_of
from transnet.rows.statements import statements_of


def free_waves(problem: Problem, numbers: Sequence[Any]) -> np.ndarray:
    """The highest frequency along each axis, in radians per unit of length: sqrt(c / a) for a u'' + c u, k for
    Helmholtz' equation; zero where the signs forbid waves, and for nonlinear equations."""
    inside = [s.equation for s in statements_of(problem) if s.source is None]
    return np.max([_of_equation(problem, equation, numbers) for equation in inside], axis=0)


def _of_equation(problem: Problem, equation: Equation, numbers: Sequence[Any]) -> np.ndarray:
    d = problem.domain.dimension
    found = np.zeros(d)
    if not equation.linear:
        return found
    factors = equation.jacobian(inside_of(problem.domain), None, tuple(numbers))
    terms = dict(zip(equation.slots, factors, strict=True))
    for u in {u for u, _ in equation.slots}:
        level = terms.get((u, (0,) * d), np.array(0.0))
        for axis in range(d):
            second = terms.get((u, tuple(2 * (k == axis) for k in range(d))))
            if second is None:
                continue
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(level * second > 0, level / second, 0.0)
            found[axis] = max(found[axis], float(np.sqrt(ratio.max(initial=0.0))))
    return found
