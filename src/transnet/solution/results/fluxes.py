"""The flux of the stated operator through a part of the boundary.

For an equation with the second derivatives sum_ij a_ij d_ij u the conormal derivative is n.(a grad u): for div(k grad
u) it is k du/dn, whichever sign the operator is stated with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.arguments import Held
from transnet.calls import explained
from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.problem import Lagged, expressions_of
from transnet.problem.operators import normal
from transnet.solution.quantities import expression_of
from transnet.solution.results.integrals import over_part

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


@explained
def flux(self: Solution, part: str, of: Any = None, **fixed: Held) -> Any:
    """The flux through a part of the boundary, out of the domain where it is positive.

    Parameters
    ----------
    part : str
        A part of the boundary, or "boundary" for all of it.
    of : unknown, str or vector, optional
        For an unknown the conormal derivative n.(a grad u) is integrated, with the coefficients a of its second
        derivatives in the stated equation, taken positive: k du/dn for div(k grad u) = f as for -div(k grad u) = f.
        (Heat flows out at the rate of minus this.) A vector F gives the integral of n.F. Needed if there are several
        unknowns.
    fixed
        Coordinates that are fixed: `solution.flux("rim", t=0.5)`.
    """
    coordinates = self.problem.coordinates
    if isinstance(of, sp.MatrixBase | Sequence) and not isinstance(of, str):
        field = [expression_of(self, f) for f in of]
        space = [c for c in coordinates if c.name != "t"]
        axes = space if len(field) == len(space) else list(coordinates)
        if len(field) != len(axes):
            raise ProblemError(f"The field has {len(field)} components, one for each of {', '.join(map(str, axes))}.")
        return over_part(self, _dot(normal(*axes), field), part, fixed)
    return over_part(self, conormal(self, of), part, fixed)


def conormal(solution: Solution, of: Any = None) -> sp.Expr:
    """n.(a grad u) for the equation stated for an unknown."""
    problem = solution.problem
    if of is None and len(solution.fields) > 1:
        raise ProblemError(
            f"There are several unknowns. Say of which: flux(part, {solution.fields[0]!r}); the flux of a field is "
            f"flux(part, ({', '.join(solution.fields[:2])})), and the force of a flow is force(part)."
        )
    whole = expression_of(solution, solution.fields[0] if of is None else of)
    if whole not in problem.unknowns and whole not in solution.groups.values():
        raise ProblemError(f"{of} is neither an unknown nor a vector. The unknowns are {', '.join(solution.fields)}.")
    # The coefficients of a complex unknown are those of its real part, in equations with complex numbers.
    unknown = next(u for u in problem.unknowns if whole.has(u)) if whole.has(sp.I) else whole
    space = [c for c in problem.coordinates if c.name != "t"]
    for expression in stated(problem):
        a = second_order(expression, unknown, space)
        if any(entry != 0 for entry in a):
            gradient = [sp.diff(whole, c) for c in space]
            flow = _dot(normal(*space), list(a * sp.Matrix(gradient)))
            return flow if positive(solution, a.trace()) else -flow
    raise ProblemError(
        f"No equation has second derivatives of {unknown}, so it has no conormal derivative. Integrate what you mean: "
        f"solution.integral(tn.normal_derivative(u), over='{problem.domain.parts[0]}')."
    )


def stated(problem: Any) -> list[sp.Expr]:
    """The equations as expressions that are zero, without markers and with derivatives evaluated."""
    found = [e.doit() for equation in problem.equations for e in expressions_of(equation)]
    return [e.replace(Lagged, lambda argument: argument).doit() for e in found]


def second_order(expression: sp.Expr, unknown: sp.Expr, axes: Sequence[sp.Symbol]) -> sp.Matrix:
    """The symmetric matrix a of the terms sum_ij a_ij d_ij u."""
    a = sp.zeros(len(axes), len(axes))
    for i, x in enumerate(axes):
        for j, y in enumerate(axes[: i + 1]):
            a[i, j] = a[j, i] = coefficient(expression, sp.diff(unknown, x, y)) / (1 if i == j else 2)
    return a


def coefficient(expression: sp.Expr, term: sp.Expr) -> sp.Expr:
    """The derivative of an expression with respect to a derivative of an unknown."""
    if not expression.has(term):
        return sp.Integer(0)
    symbol = sp.Dummy()
    # As SymPy expressions higher derivatives contain lower ones, but they are not terms of the equation.
    hidden = {d: sp.Dummy() for d in expression.atoms(sp.Derivative) if d != term}
    named = expression.xreplace({**hidden, term: symbol})
    return sp.diff(named, symbol).xreplace({symbol: term, **{v: k for k, v in hidden.items()}})


def positive(solution: Solution, expression: sp.Expr) -> bool:
    """Whether an expression is positive inside the domain, on average."""
    points = solution.problem.domain.interior(LOOKS)
    return float(np.mean(solution.value_of(expression, points))) >= 0


def _dot(first: Any, second: Sequence[sp.Expr]) -> sp.Expr:
    return sp.Add(*(a * b for a, b in zip(first, second, strict=True)))
