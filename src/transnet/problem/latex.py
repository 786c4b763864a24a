"""A problem as mathematics: the equations and conditions as one LaTeX array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.function import AppliedUndef

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


def latex(problem: Problem) -> str:
    """Equations, each with where it holds, aligned at their signs."""
    space = r"\text{in } \Omega"
    rows = [(aligned(e), space) for e in problem.equations]
    rows += [row for condition in problem.conditions for row in condition.latex(problem)]
    lines = r" \\ ".join(rf"{left} &&\quad {place}" for left, place in rows)
    return rf"\begin{{aligned}} {lines} \end{{aligned}}"


def latex_of(equation: Any) -> str:
    """One equation, without alignment marks."""
    return aligned(equation).replace("&", "")


def aligned(equation: Any) -> str:
    """One equation with an alignment mark at its equals sign."""
    if isinstance(equation, sp.Equality):
        return f"{latex_of_expression(equation.lhs)} &= {latex_of_expression(equation.rhs)}"
    return f"{latex_of_expression(sp.sympify(equation))} &= 0"


def latex_of_expression(expression: Any) -> str:
    """LaTeX with subscripts for derivatives and without the arguments of unknowns, as in papers."""
    derivatives = {}
    for d in expression.atoms(sp.Derivative):
        if isinstance(d.expr, AppliedUndef):
            name = sp.latex(sp.Symbol(d.expr.func.__name__))
            name = f"{{{name}}}" if "_" in name or "^" in name else name
            derivatives[d] = sp.Symbol(f"{name}_{{{' '.join(sp.latex(v) for v in d.variables)}}}")
    bare = {f: sp.Symbol(f.func.__name__) for f in expression.atoms(AppliedUndef)}
    # SymPy takes a name with braces for LaTeX and leaves it alone.
    return sp.latex(expression.xreplace(derivatives).xreplace(bare))


def plain_text(part: str) -> str:
    """A name with LaTeX's special characters escaped."""
    special = {"_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$"}
    return "".join(special.get(c, c) for c in part)
