"""A problem in other units: unknowns v = u / s in place of u, and statements divided by numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.problem.by_piece import Inside
from transnet.problem.condition import Condition
from transnet.problem.kinds import At, Data, On
from transnet.problem.problem import Problem
from transnet.problem.whole import Mean, Periodic

RESTATED = (On, At, Data, Mean, Periodic)
"""The conditions that can be written in other units."""


def in_units(problem: Problem, units: Sequence[float], divisor: float = 1.0) -> Problem:
    """The same problem for unknowns that are s times smaller, with all its statements divided by a number.

    Parameters
    ----------
    units : sequence of float
        s for each unknown; powers of two change no digits.
    """
    sizes = dict(zip((u.func for u in problem.unknowns), units, strict=True))
    equations = [_equation(e, sizes, divisor) for e in problem.equations]
    return Problem(
        problem.domain, equations, [_condition(c, sizes, divisor) for c in problem.conditions], problem.unknowns
    )


def _condition(condition: Condition, sizes: Mapping[Any, float], divisor: float) -> Condition:
    match condition:
        case On() | At():
            return replace(condition, equations=tuple(_equation(e, sizes, divisor) for e in condition.equations))
        case Data():
            noise = None if condition.noise is None else condition.noise / divisor
            expression = _scaled(condition.expression, sizes, divisor)
            return replace(condition, expression=expression, values=condition.values / divisor, noise=noise)
        case Mean():
            value = sp.sympify(condition.value) / sp.Float(divisor)
            return replace(condition, expression=_scaled(condition.expression, sizes, divisor), value=value)
        case _:
            return condition


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
