"""Values elsewhere and integrals in an equation: each becomes a slot of its own, whose place is not the node.

D^k u at a place p(y), or the integral of a kernel K(y, z) D^k u(z), is linear in u: a weighted sum of values at places
that depend on the node y. The equation gets one more slot, and the rows of that slot are those of the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.geometry import Domain, Product
from transnet.problem import NormalComponent, Problem
from transnet.problem.elsewhere import Over
from transnet.rows.compile import compile_equation
from transnet.rows.equation import Equation
from transnet.rows.known_integrals import known_integral
from transnet.rows.places import Limit, SlotPlace
from transnet.tolerances import SAME

KINKS = (sp.Abs, sp.Heaviside, sp.Piecewise, sp.Min, sp.Max, sp.sign)
"""Functions that make a kernel such as exp(-|x - s|) less than smooth at s = x: the integral is split there."""


def compiled_with_places(expression: sp.Expr, problem: Problem, text: str) -> Equation:
    """Compile an equation in which unknowns may have other arguments than their own, and be integrated."""
    finder = _Finder(problem, text)
    local = finder.localised(expression)
    unknowns = (*problem.unknowns, *finder.stand_ins)
    equation = compile_equation(local, unknowns, problem.coordinates, problem.parameters, text)
    return with_places(equation, len(problem.unknowns), tuple(finder.slots), tuple(finder.places))


def with_places(equation: Equation, unknowns: int, slots: Sequence[Any], places: Sequence[SlotPlace]) -> Equation:
    """The equation with its stand-ins replaced by the slots and places that they stand for."""
    if not places:
        return equation
    own = tuple(s if s[0] < unknowns else slots[s[0] - unknowns] for s in equation.slots)
    where = tuple(None if s[0] < unknowns else places[s[0] - unknowns] for s in equation.slots)
    again = (equation.made_of, unknowns, tuple(slots), tuple(places))
    return replace(equation, slots=own, places=where, made_with=again)


class _Finder:
    def __init__(self, problem: Problem, text: str) -> None:
        self.problem, self.text = problem, text
        self.own = {u.func: u for u in problem.unknowns}
        self.stand_ins: list[sp.Expr] = []
        self.slots: list[Any] = []
        self.places: list[SlotPlace] = []

    def localised(self, expression: sp.Expr) -> sp.Expr:
        """The expression with a stand-in for everything that is not at the node."""
        found: dict[sp.Basic, sp.Expr] = {}

        def walk(e: sp.Basic) -> None:
            if isinstance(e, sp.Integral | Over):
                found[e] = self.integral(e)
            elif isinstance(e, AppliedUndef | sp.Derivative | sp.Subs) and self._elsewhere(e):
                found[e] = self.stand_in(*self.slot(e))
            elif not isinstance(e, sp.Derivative):
                for argument in e.args:
                    walk(argument)

        walk(expression)
        return expression.xreplace(found) if found else expression

    def _elsewhere(self, e: sp.Basic) -> bool:
        if isinstance(e, AppliedUndef):
            return e.func in self.own and e != self.own[e.func]
        if isinstance(e, sp.Derivative):
            return isinstance(e.expr, AppliedUndef) and self._elsewhere(e.expr)
        return isinstance(e, sp.Subs) and bool(e.atoms(AppliedUndef))

    def slot(self, e: sp.Basic) -> tuple[Any, tuple[sp.Expr, ...]]:
        """Which derivative of which unknown, and where."""
        bound: dict[sp.Basic, sp.Expr] = {}
        if isinstance(e, sp.Subs):
            bound = dict(zip(e.variables, e.point, strict=True))
            e = e.expr
        by = dict(e.variable_count) if isinstance(e, sp.Derivative) else {}
        call = e.expr if isinstance(e, sp.Derivative) else e
        if not isinstance(call, AppliedUndef) or call.func not in self.own or not set(by) <= set(call.args):
            raise ProblemError(
                f"The equation '{self.text}' contains {e}, which is not a value of an unknown or of its derivative at "
                f"a place. Write u.subs(x, a) or sp.diff(u, x).subs(x, a)."
            )
        own = self.own[call.func]
        coordinates, middle = self.problem.coordinates, self.problem.domain.bounds.mean(axis=0)
        there = dict(zip(own.args, call.args, strict=True))
        at = tuple(
            there[c].xreplace(bound) if c in there else sp.Float(m) for c, m in zip(coordinates, middle, strict=True)
        )
        index = tuple(int(by.get(there[c], 0)) if c in there else 0 for c in coordinates)
        return (self.problem.unknowns.index(own), index), at

    def stand_in(self, slot: Any, at: tuple[sp.Expr, ...], weight: sp.Expr = sp.S.One, **where: Any) -> sp.Expr:
        extra = {s for e in (weight, *at) for s in e.free_symbols} & set(self.problem.parameters)
        if extra:
            raise ProblemError(
                f"The equation '{self.text}' has the parameter {sorted(map(str, extra))[0]} in a place or a kernel. "
                f"Put a number there, or a factor in front of the integral."
            )
        made = sp.Function(f"elsewhere{len(self.places)}")(*self.problem.coordinates)
        self.stand_ins.append(made)
        self.slots.append(slot)
        self.places.append(SlotPlace(at, weight, **where))
        return made

    # -- integrals -----------------------------------------------------------------------------------------------------
    def integral(self, e: sp.Integral | Over) -> sp.Expr:
        """The sum of stand-ins for an integral."""
        integrand, where = self._bound(e)
        bound = {s for s, _, _ in where.get("limits", ())} | set(where["region"][2] if "region" in where else ())
        integrand = sp.expand(integrand.doit())
        atoms = [a for a in _tops(integrand) if a.atoms(AppliedUndef)]
        dummies = {a: sp.Dummy() for a in atoms}
        inside = integrand.xreplace(dummies)
        kernels = [sp.diff(inside, d) for d in dummies.values()]
        if any(k.free_symbols & set(dummies.values()) for k in kernels):
            raise ProblemError(
                f"The equation '{self.text}' integrates something that is not linear in the unknowns. Make it an "
                f"unknown of its own: w with the equation sp.Eq(w, u**2), and integrate w."
            )
        total = sp.Integer(0)
        for atom, kernel in zip(atoms, kernels, strict=True):
            slot, at = self.slot(atom)
            factor, weight = kernel.as_independent(*bound, *self.problem.coordinates, as_Add=False)
            for limits in self._cut(where.get("limits", ()), weight, at):
                total += factor * self.stand_in(slot, at, weight, **({**where, "limits": limits} if limits else where))
        known = inside.xreplace(dict.fromkeys(dummies.values(), sp.Integer(0)))
        return total + (self._known(known, where) if known != 0 else 0)

    def _known(self, known: sp.Expr, where: dict[str, Any]) -> sp.Expr:
        """The integral of a term without an unknown: by numbers, and by SymPy only if a limit is infinite."""
        if "region" in where:
            raise ProblemError(
                f"The equation '{self.text}' integrates a term without an unknown over a region. Take it out of the "
                f"integral, as a number."
            )
        limits = where["limits"]
        if not any(end.is_infinite for _, *ends in limits for end in ends):
            return known_integral(known, limits, len(self.places))
        for limit in reversed(limits):
            known = sp.integrate(known, limit)
        if known.has(sp.Integral):
            raise ProblemError(f"SymPy cannot work out the integral of a known function in '{self.text}'.")
        return known

    def _cut(self, limits: tuple[Limit, ...], weight: sp.Expr, at: tuple[sp.Expr, ...]) -> list[tuple[Limit, ...]]:
        """The limits, in two parts if the kernel has a kink at the node."""
        if len(limits) == 1 and weight.has(*KINKS):
            symbol, low, high = limits[0]
            for c, place in zip(self.problem.coordinates, at, strict=True):
                if place == symbol and c in weight.free_symbols and c not in (low, high):
                    return [((symbol, low, c),), ((symbol, c, high),)]
        return [limits]

    def _bound(self, e: sp.Integral | Over) -> tuple[sp.Expr, dict[str, Any]]:
        """The integrand in symbols of its own, and the region of integration."""
        problem = self.problem
        if isinstance(e, sp.Integral):
            if any(len(limit) != 3 for limit in e.limits):
                raise ProblemError(f"The integral {e} has no limits. Write tn.integral(..., over=(s, 0, x)).")
            new = {limit[0]: sp.Dummy(str(limit[0]), real=True) for limit in e.limits}
            limits = [(new[s], sp.sympify(a).xreplace(new), sp.sympify(b).xreplace(new)) for s, a, b in e.limits]
            return e.function.xreplace(new), {"limits": tuple(reversed(limits))}
        expression, bound = e.args[0], e.bound
        if not bound:
            if e.place:
                return self._over_part(e)
            symbols = tuple(sp.Dummy(c.name, real=True) for c in problem.coordinates)
            if {NormalComponent(c) for c in problem.coordinates} & expression.free_symbols:
                raise ProblemError(
                    f"The equation '{self.text}' integrates something with the normal over the domain, which has none. "
                    f"Name a part of the boundary: tn.integral(..., over='boundary')."
                )
            moved = expression.xreplace(dict(zip(problem.coordinates, symbols, strict=True)))
            return moved, {"region": (problem.domain, "", symbols)}
        new = {c: sp.Dummy(c.name, real=True) for c in bound}
        axes = {c: self._axis(c, expression) for c in bound}
        moved = expression.xreplace(new)
        factor = _factor(problem.domain, {problem.coordinates[a].name for a in axes.values()})
        if factor is not None and len(bound) > 1:
            ordered = sorted(bound, key=lambda c: axes[c])
            return moved, {"region": (factor, "", tuple(new[c] for c in ordered))}
        low, high = problem.domain.bounds
        if not np.isclose(problem.domain.volume, np.prod(high - low), rtol=SAME):
            raise ProblemError(
                f"The range of {', '.join(map(str, bound))} in the domain {problem.domain} depends on the other "
                f"coordinates. Give limits, over=(s, 0, x), or integrate over all coordinates of space."
            )
        return moved, {"limits": tuple((new[c], sp.Float(low[a]), sp.Float(high[a])) for c, a in axes.items())}

    def _over_part(self, e: Over) -> tuple[sp.Expr, dict[str, Any]]:
        """The integrand on a part of the boundary; for a domain in space and time, at each time."""
        problem = self.problem
        problem.domain.resolve(e.place)
        space = {c.name for c in problem.coordinates if c.name != "t"}
        where = _factor(problem.domain, space) or problem.domain
        if e.place != "boundary" and e.place not in (*where.parts, *where.aliases):
            where = problem.domain
        bound = [c for c in problem.coordinates if c.name in space or where is problem.domain]
        new: dict[sp.Basic, sp.Basic] = {c: sp.Dummy(c.name, real=True) for c in bound}
        new |= {NormalComponent(c): sp.Dummy(f"n_{c.name}", real=True) for c in bound}
        return e.args[0].xreplace(new), {"region": (where, e.place, tuple(new.values()))}

    def _axis(self, symbol: sp.Symbol, expression: sp.Expr) -> int:
        """The coordinate that is integrated over: the symbol itself, or the one that it replaces in an unknown."""
        if symbol in self.problem.coordinates:
            return self.problem.coordinates.index(symbol)
        for call in expression.atoms(AppliedUndef):
            if call.func in self.own and symbol in call.args:
                return self.problem.coordinates.index(self.own[call.func].args[call.args.index(symbol)])
        raise ProblemError(
            f"The equation '{self.text}' integrates over {symbol}, which is not a coordinate "
            f"({', '.join(map(str, self.problem.coordinates))}) and has no limits. Write over=({symbol}, 0, 1)."
        )


def _factor(domain: Domain, names: set[str]) -> Domain | None:
    """The factor of a product with exactly these coordinates."""
    if set(domain.names) == names:
        return domain
    if isinstance(domain, Product):
        return _factor(domain.first, names) or _factor(domain.second, names)
    return None


def _tops(e: sp.Basic) -> Iterable[sp.Basic]:
    """The outermost values of unknowns and their derivatives in an expression."""
    if isinstance(e, AppliedUndef | sp.Derivative | sp.Subs):
        return [e]
    if isinstance(e, sp.Integral | Over):
        raise ProblemError(f"{e} stands inside another integral. Write them as one, over several symbols.")
    return list(dict.fromkeys(t for a in e.args for t in _tops(a)))
