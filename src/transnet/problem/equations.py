"""What an equation sets to zero, as scalar SymPy expressions, and as text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.printing.str import StrPrinter

from transnet.calls import shown
from transnet.counts import RECENT
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.by_piece import Inside
from transnet.problem.complex import in_given_names, real_equations
from transnet.remember import Recent

_recent: Recent[sp.Basic, list[sp.Expr]] = Recent(RECENT)


def expressions_of(equation: Any) -> list[sp.Expr]:
    """The scalar expressions that an equation sets to zero; a matrix equation has one for each entry."""
    return list(_recent.get(equation, _expressions_of)) if isinstance(equation, sp.Basic) else _expressions_of(equation)


def _expressions_of(equation: Any) -> list[sp.Expr]:
    if isinstance(equation, Inside):
        return expressions_of(equation.equation)
    if isinstance(equation, sp.Equality):
        left, right = equation.lhs, equation.rhs
    elif isinstance(equation, bool | np.bool_ | sp.logic.boolalg.BooleanAtom):
        refuse_truth(equation)
    elif isinstance(equation, str):
        raise ProblemError(f"The equation '{equation}' is a text. Write it with SymPy: sympy.Eq(left, right).")
    else:
        left, right = equation, sp.Integer(0)
        if not isinstance(equation, sp.Basic | sp.MatrixBase | int | float | np.number):
            raise ProblemError(f"{shown(equation)} is not an equation. Write sympy.Eq(left, right).")
        left = sp.sympify(left)
    if isinstance(left, sp.MatrixBase) or isinstance(right, sp.MatrixBase):
        size = left.shape if isinstance(left, sp.MatrixBase) else right.shape
        left = left if isinstance(left, sp.MatrixBase) else sp.ones(*size) * left
        right = right if isinstance(right, sp.MatrixBase) else sp.ones(*size) * right
        if left.shape != right.shape:
            raise ProblemError(f"The two sides of an equation have shapes {left.shape} and {right.shape}.")
        return [r for a, b in zip(left, right, strict=True) for r in real_equations(a - b)]
    if not isinstance(left, sp.Expr) or not isinstance(right, sp.Expr):
        raise ProblemError(f"{equation} is not an equation between expressions. Write sympy.Eq(left, right).")
    left, right = (formula_of(side, "A side of an equation", ProblemError) for side in (left, right))
    return real_equations(left - right)


def refuse_truth(equation: Any) -> None:
    """Raise for an equation that is True or False, as `u == 0` is."""
    if isinstance(equation, bool | np.bool_ | sp.logic.boolalg.BooleanAtom):
        cause = "both sides are the same" if equation else "a side is NaN, or one is a vector and the other is not"
        raise ProblemError(
            f"An equation is just {equation}, so it says nothing of an unknown. Either it was written left == right, "
            f"where sympy.Eq(left, right) is needed, or {cause}; or a derivative is zero, because it is by a symbol "
            f"that is no coordinate of the unknown (sympy.Symbol('x', real=True) is not sympy.Symbol('x')), or "
            f"because the unknown was made by sympy.Symbol: make it with u = tn.unknown('u', x, y)."
        )


def piece_of(equation: Any) -> str | None:
    """The piece in which alone an equation holds; None for all of them."""
    return equation.piece if isinstance(equation, Inside) else None


def text_of(equation: Any) -> str:
    """An equation as a person would write it."""
    if isinstance(equation, Inside):
        return f"{text_of(equation.equation)} inside {equation.piece}"
    if isinstance(equation, sp.Equality):
        return f"{written(equation.lhs)} = {written(equation.rhs)}"
    return f"{written(equation)} = 0"


def written(expression: Any) -> str:
    """An expression as a person would write it: u_xx for a derivative, and unknowns without their arguments."""
    return _printed(expression) if isinstance(expression, sp.Basic) else Written().doprint(in_given_names(expression))


@lru_cache(maxsize=RECENT)
def _printed(expression: sp.Basic) -> str:
    return Written().doprint(in_given_names(expression))


class Written(StrPrinter):
    """SymPy's own printer with derivatives as u_xx, and unknowns without their arguments."""

    def _print_Derivative(self, e: sp.Derivative) -> str:
        names = [v.name for v, n in e.variable_count for _ in range(int(n))]
        if not isinstance(e.expr, AppliedUndef) or any(len(name) > 1 for name in names):
            return f"diff({', '.join([self._print(e.expr), *names])})"
        return f"{e.expr.func.__name__}_{''.join(names)}"

    def _print_Function(self, e: sp.Function) -> str:
        own = isinstance(e, AppliedUndef) and all(isinstance(a, sp.Symbol) for a in e.args)
        return e.func.__name__ if own else super()._print_Function(e)


def shortened(text: str, width: int = 60) -> str:
    """A text cut to a width for tables."""
    return text if len(text) <= width else text[: width - 3] + "..."
