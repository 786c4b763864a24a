"""A problem in other units: unknowns v = u / s in place of u, and statements divided by numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.problem.by_piece import Inside
from transnet.problem.condition import Condition
from transnet.problem.problem import Problem


def restatable(condition: Condition) -> bool:
    """Whether a condition can be written in other units: its kind says how expressions are put into it."""
    return type(condition).of is not Condition.of


def in_units(problem: Problem, units: Sequence[float], divisor: float = 1.0) -> Problem:
    """The same problem for unknowns that are s times smaller, with all its statements divided by a number.

    Parameters
    ----------
    units : sequence of float
        s for each unknown; powers of two change no digits.
    """
    sizes = dict(zip((u.func for u in problem.unknowns), units, strict=True))

    def put(equation: Any) -> Any:
        return _equation(equation, sizes, divisor)

    conditions = [c.of(put, divisor) for c in problem.conditions]
    return Problem(problem.domain, [put(e) for e in problem.equations], conditions, problem.unknowns)


def _equation(equation: Any, sizes: Mapping[Any, float], divisor: float) -> Any:
    if isinstance(equation, Inside):
        return replace(equation, equation=_equation(equation.equation, sizes, divisor))
    if isinstance(equation, sp.Equality):
        sides = (_scaled(side, sizes, divisor) for side in (equation.lhs, equation.rhs))
        return sp.Equality(*sides, evaluate=False)
    return _scaled(equation, sizes, divisor)


def _scaled(expression: Any, sizes: Mapping[Any, float], divisor: float) -> Any:
    """Every unknown, and every derivative of one, times its unit; the whole divided."""
    expression = sp.sympify(expression)
    rules = {}
    for atom in expression.atoms(AppliedUndef, sp.Derivative):
        base = atom.expr if isinstance(atom, sp.Derivative) else atom
        if isinstance(base, AppliedUndef) and base.func in sizes:
            rules[atom] = sp.Float(sizes[base.func]) * atom
    scaled = expression.xreplace(rules)
    return scaled if divisor == 1.0 else scaled / sp.Float(divisor)
