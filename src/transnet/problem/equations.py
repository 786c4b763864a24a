"""What an equation or a condition sets to zero, as scalar SymPy expressions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

from transnet.errors import ProblemError
from transnet.problem.by_piece import Inside
from transnet.problem.conditions import At, Condition, Data, Mean, On


def residuals(equation: Any) -> list[sp.Expr]:
    """The scalar expressions that an equation sets to zero; a matrix equation has one an entry."""
    if isinstance(equation, Inside):
        return residuals(equation.equation)
    if isinstance(equation, sp.Equality):
        left, right = equation.lhs, equation.rhs
    elif equation in (True, False, sp.true, sp.false):
        same = equation in (True, sp.true)
        cause = "both sides are the same" if same else "a side is NaN, or one is a vector and the other is not"
        raise ProblemError(
            f"An equation is just {equation}, so it says nothing of an unknown. Either it was written left == right, "
            f"where sympy.Eq(left, right) is needed, or {cause}."
        )
    elif isinstance(equation, str):
        raise ProblemError(f"The equation '{equation}' is a text. Write it with SymPy: sympy.Eq(left, right).")
    else:
        try:
            left, right = sp.sympify(equation), sp.Integer(0)
        except (sp.SympifyError, TypeError):
            raise ProblemError(f"{equation!r} is not an equation. Write sympy.Eq(left, right).") from None
    if isinstance(left, sp.MatrixBase) or isinstance(right, sp.MatrixBase):
        size = left.shape if isinstance(left, sp.MatrixBase) else right.shape
        left = left if isinstance(left, sp.MatrixBase) else sp.ones(*size) * left
        right = right if isinstance(right, sp.MatrixBase) else sp.ones(*size) * right
        if left.shape != right.shape:
            raise ProblemError(f"The two sides of an equation have shapes {left.shape} and {right.shape}.")
        return [a - b for a, b in zip(left, right, strict=True)]
    if not isinstance(left, sp.Expr) or not isinstance(right, sp.Expr):
        raise ProblemError(f"{equation} is not an equation between expressions. Write sympy.Eq(left, right).")
    return [left - right]


def text_of(equation: Any) -> str:
    """An equation as a person would write it."""
    if isinstance(equation, Inside):
        return f"{text_of(equation.equation)} inside {equation.piece}"
    if isinstance(equation, sp.Equality):
        return f"{equation.lhs} = {equation.rhs}"
    return f"{equation} = 0"


def condition_expressions(condition: Condition) -> Iterator[sp.Expr]:
    """The expressions of a condition that are zero, or measured."""
    match condition:
        case On(equations=equations) | At(equations=equations):
            for equation in equations:
                yield from residuals(equation)
        case Data(expression=expression):
            yield expression
        case Mean(expression=expression, value=value):
            yield expression - sp.sympify(value)
