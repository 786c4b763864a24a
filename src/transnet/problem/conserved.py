"""Conservation laws u_t + f_x = 0, whose solutions may jump: `conserved` asks for the one with entropy."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.equations import expressions_of


class Conserved(sp.Function):
    """u_t + f_x with the arguments u, f, x and t. Made by `conserved`."""

    nargs = 4

    def doit(self, **hints: Any) -> sp.Expr:
        """The law where the solution is smooth."""
        u, flux, x, t = self.args
        return sp.diff(u, t) + sp.diff(flux, x)

    def _latex(self, printer: Any) -> str:
        u, flux, x, t = map(printer._print, self.args)
        return rf"\partial_{{{t}}} {u} + \partial_{{{x}}} \left({flux}\right)"

    def _sympystr(self, printer: Any) -> str:
        return f"conserved({printer._print(self.args[0])}, {printer._print(self.args[1])})"


@explained
def conserved(u: sp.Expr, flux: sp.Expr) -> sp.Expr:
    r"""The left-hand side $u_t + f(u)_x$ of a conservation law, whose solution may have shocks.

    Among those that conserve u, the solution is the limit of small viscosity. Written with `sympy.diff` the equation
    asks for a smooth solution instead.

    Parameters
    ----------
    u : unknown
        A function of one coordinate of space and of time, in this order: `tn.unknown("u", x, t)`.
    flux : expression
        A formula of u.
    """
    if not isinstance(u, AppliedUndef) or len(u.args) != 2:
        raise ProblemError(
            f"tn.conserved takes an unknown of one coordinate and time, tn.unknown('u', x, t), not {shown(u)}. In more "
            f"coordinates shocks are not solved: use finite volumes."
        )
    flux = formula_of(flux, "The flux of tn.conserved", ProblemError)
    if flux.has(sp.Derivative):
        raise ProblemError(
            "The flux of tn.conserved has a derivative, as a law with viscosity does. Its solutions are smooth: state "
            "it with sympy.diff."
        )
    return Conserved(u, flux, *u.args)


def is_conserved(problem: Any) -> bool:
    """Whether a problem states a conservation law as such."""
    return any(e.has(Conserved) for q in problem.equations for e in expressions_of(q))
