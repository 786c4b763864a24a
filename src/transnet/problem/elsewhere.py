"""Integrals of unknowns and their values elsewhere, as expressions: `tn.integral(u, over=x)`, `u.subs(x, 0)`, `u(t/2)`.

An integral between limits is SymPy's own; one over a coordinate's whole range, over the domain or over a part of its
boundary, which have no limits before there is a domain, is an `Over`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.arguments import Formula
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of


class Over(sp.Expr):
    """The integral of an expression over the whole range of some coordinates, or over a place: made by `integral`.

    Its arguments are the expression, the coordinates that it binds (none for a place, which binds all) and the name of
    the place: a part of the boundary, or nothing for the domain.
    """

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        """The coordinates that are integrated over; empty for a place."""
        return tuple(self.args[1])

    @property
    def place(self) -> str:
        """A part of the boundary, or nothing for the whole domain."""
        return str(self.args[2])[1:]

    @property
    def free_symbols(self) -> set[sp.Basic]:
        if not self.bound:
            return {s for s in self.args[0].free_symbols if s not in _coordinates(self.args[0])}
        return self.args[0].free_symbols - set(self.bound)

    def _eval_derivative(self, s: sp.Symbol) -> sp.Expr:
        if s in self.bound or (not self.bound and not (self.place and s.name == "t")):
            return sp.Integer(0)
        return Over(self.args[0].diff(s), *self.args[1:])

    def doit(self, **hints: Any) -> sp.Expr:
        return self

    def _sympystr(self, printer: Any) -> str:
        over = ", ".join(map(str, self.bound)) or self.place or "the domain"
        return f"integral({printer._print(self.args[0])} over {over})"

    def _latex(self, printer: Any) -> str:
        if self.bound:
            steps = " ".join(rf"\, d {printer._print(b)}" for b in self.bound)
            return rf"\int {printer._print(self.args[0])} {steps}"
        where = rf"\text{{{self.place}}}" if self.place else r"\Omega"
        return rf"\int_{{{where}}} {printer._print(self.args[0])}"


class Bounded(sp.Integral):
    """An integral between limits that SymPy does not work out, which may take for ever: rows do it by numbers."""

    def doit(self, **hints: Any) -> sp.Expr:
        return Bounded(self.function.doit(**hints), *self.limits)

    @property
    def free_symbols(self) -> set[sp.Basic]:
        """Those of the function and of the limits that are not bound; SymPy's own rewrites the function to find them,
        which takes four times longer with each integral inside it."""
        found = set(self.function.free_symbols)
        for letter, *ends in self.limits:
            found = (found - {letter}).union(*(e.free_symbols for e in ends))
        return found

    @property
    def is_number(self) -> bool:
        return not self.free_symbols


def _coordinates(expression: sp.Expr) -> set[sp.Symbol]:
    found = {s for u in expression.atoms(AppliedUndef) for a in u.args for s in a.free_symbols}
    return {s for s in found if isinstance(s, sp.Symbol)}


@explained
def integral(expression: Formula, over: Any = None) -> sp.Expr:
    """An integral for use in an equation or a condition.

    Parameters
    ----------
    expression : sympy expression
        Linear in the unknowns.
    over : optional
        A coordinate, or several, for their whole range: `over=x`, `over=(x, y)`; the result does not depend on them. A
        symbol with limits, which may contain coordinates: `over=(s, 0, x)`, as in `sympy.Integral`. The name of a part
        of the boundary, in an evolution at each time; there the expression may contain the normal, as
        `tn.normal_derivative(u)` does. The whole domain by default.

    Examples
    --------
    Fredholm's equation: `sp.Eq(u, f + tn.integral(sp.exp(x * s) * u.subs(x, s), over=(s, 0, 1)))`. Volterra's has the
    limits `(s, 0, x)`. A pressure with zero mean at each time: `sp.Eq(tn.integral(p, over=(x, y)), 0)`.
    """
    if isinstance(expression, sp.MatrixBase):
        return expression.applyfunc(lambda e: integral(e, over))
    expression = formula_of(expression, "What tn.integral is taken of", ProblemError)
    if over is None or isinstance(over, str):
        return Over(expression, sp.Tuple(), sp.Symbol(f"_{over or ''}"))
    items = tuple(over) if isinstance(over, Iterable) else (over,)
    if len(items) == 3 and isinstance(items[0], sp.Symbol) and not all(isinstance(i, sp.Symbol) for i in items):
        return Bounded(expression, items)
    if all(isinstance(i, sp.Symbol) for i in items):
        if len(items) == 3 and set(items[1:]) & (expression.free_symbols - {items[0]}) and not _free(expression, items):
            return Bounded(expression, items)
        return Over(expression, sp.Tuple(*items), sp.Symbol("_"))
    raise ProblemError(
        f"over={shown(over)} is not something to integrate over. Give a coordinate, several, a symbol with its limits "
        f"(s, 0, x), or the name of a part of the boundary."
    )


def _free(expression: sp.Expr, items: Sequence[sp.Symbol]) -> bool:
    """Whether three symbols are three coordinates of an unknown, not a symbol and its limits."""
    return any(set(items) <= set(u.args) for u in expression.atoms(AppliedUndef))


def own_unknowns(expressions: Iterable[sp.Expr], names: Sequence[str | None]) -> set[sp.Expr]:
    """The unknowns with their own coordinates, among all the places where they are evaluated."""
    calls: dict[Any, set[sp.Expr]] = {}
    for expression in expressions:
        for call in expression.atoms(AppliedUndef):
            calls.setdefault(call.func, set()).add(call)
    found: set[sp.Expr] = set()
    for theirs in calls.values():
        plain = {c for c in theirs if all(isinstance(a, sp.Symbol) for a in c.args) and len(set(c.args)) == len(c.args)}
        known = {c for c in plain if all(a.name in names for a in c.args)}
        found |= known or plain or theirs
    return found
