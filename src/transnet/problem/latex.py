"""A problem as mathematics: the equations and conditions as one LaTeX array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.problem.conditions import At, Data, Mean, On, Periodic

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


def latex(problem: Problem) -> str:
    """Equations, each with where it holds, aligned at their signs."""
    space = r"\text{in } \Omega"
    rows = [(_equation(e), space) for e in problem.equations]
    for condition in problem.conditions:
        match condition:
            case On(part=part, equations=equations, where=where):
                place = rf"\text{{on {_text(part)}}}" + ("" if where is None else rf",\ {sp.latex(where)}")
                rows += [(_equation(e), place) for e in equations]
            case At(points=points, equations=equations):
                rows += [(_equation(e), rf"\text{{at {_points(points)}}}") for e in equations]
            case Data(expression=expression, points=points):
                rows.append(
                    (rf"{latex_of_expression(expression)} &\approx \text{{data}}", rf"\text{{at {_points(points)}}}")
                )
            case Mean(expression=expression, value=value):
                left = rf"\frac{{1}}{{|\Omega|}}\int_\Omega {latex_of_expression(expression)}"
                rows.append((rf"{left} &= {latex_of_expression(sp.sympify(value))}", ""))
            case Periodic(coordinate=coordinate, unknowns=unknowns):
                which = ", ".join(latex_of_expression(u) for u in unknowns or problem.unknowns)
                rows.append((rf"{which} &\ \text{{periodic}}", rf"\text{{in }} {sp.latex(coordinate)}"))
    lines = r" \\ ".join(rf"{left} &&\quad {place}" for left, place in rows)
    return rf"\begin{{aligned}} {lines} \end{{aligned}}"


def latex_of(equation: Any) -> str:
    """One equation, without marks of alignment."""
    return _equation(equation).replace("&", "")


def _equation(equation: Any) -> str:
    if isinstance(equation, sp.Equality):
        return f"{latex_of_expression(equation.lhs)} &= {latex_of_expression(equation.rhs)}"
    return f"{latex_of_expression(sp.sympify(equation))} &= 0"


def latex_of_expression(expression: Any) -> str:
    """LaTeX with subscripts for derivatives and without the arguments of unknowns, as papers have it."""
    derivatives = {}
    for d in expression.atoms(sp.Derivative):
        if isinstance(d.expr, AppliedUndef):
            name = sp.latex(sp.Symbol(d.expr.func.__name__))
            name = f"{{{name}}}" if "_" in name or "^" in name else name
            derivatives[d] = sp.Symbol(f"{name}_{{{' '.join(sp.latex(v) for v in d.variables)}}}")
    bare = {f: sp.Symbol(f.func.__name__) for f in expression.atoms(AppliedUndef)}
    # SymPy takes a name with braces for LaTeX and leaves it alone.
    return sp.latex(expression.xreplace(derivatives).xreplace(bare))


def _text(part: str) -> str:
    special = {"_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$"}
    return "".join(special.get(c, c) for c in part)


def _points(points: np.ndarray) -> str:
    if len(points) == 1:
        return f"({', '.join(f'{c:g}' for c in points[0])})"
    return f"{len(points)} points"
