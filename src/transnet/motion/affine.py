"""How a domain moves: x = M(t) y + c(t) with y in a domain at rest, and derivatives by the chain rule.

M and c may contain unknown functions of time: the front of a free boundary.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import GeometryError, ProblemError
from transnet.geometry import Ball, Box, Domain, Interval
from transnet.geometry.csg import Combination
from transnet.geometry.product import Product
from transnet.geometry.symbolic import Sized
from transnet.problem.unknowns import NormalComponent

REFUSED = (
    "Domains whose sizes depend on time move by an affine map, x = M(t) y + c(t): intervals, boxes, disks and balls, "
    "and combinations of these that move together, such as both circles of a ring growing by the same factor; or "
    "tn.moving(domain, velocity) with a velocity that is linear in the coordinates."
)


@dataclass(frozen=True, eq=False)
class Motion:
    """x = matrix y + shift, with y in a domain at rest.

    Parameters
    ----------
    space : tuple of symbols
        The coordinates x; the same symbols stand for y.
    time : symbol
    matrix, shift : sympy matrices
        Formulas of time, and of unknown functions of time.
    """

    space: tuple[sp.Symbol, ...]
    time: sp.Symbol
    matrix: sp.Matrix
    shift: sp.Matrix

    @cached_property
    def place(self) -> sp.Matrix:
        """x as formulas of y and t."""
        return sp.Matrix(self.matrix * sp.Matrix(self.space) + self.shift)

    @cached_property
    def inverse(self) -> sp.Matrix:
        return sp.Matrix(sp.simplify(self.matrix.inv()))

    @cached_property
    def drift(self) -> sp.Matrix:
        """The speed of x in units of y: y_t = -drift at a place x at rest."""
        return sp.Matrix(self.inverse * sp.diff(self.place, self.time))

    def derived(self, expression: sp.Expr, coordinate: sp.Symbol) -> sp.Expr:
        """The derivative by x or t, at rest in the laboratory, of an expression of y and t."""
        if coordinate == self.time:
            moved = sum(w * sp.diff(expression, y) for w, y in zip(self.drift, self.space, strict=True))
            return sp.diff(expression, self.time) - moved
        if coordinate not in self.space:
            return sp.diff(expression, coordinate)
        i = self.space.index(coordinate)
        return sum((self.inverse[j, i] * sp.diff(expression, y) for j, y in enumerate(self.space)), sp.Integer(0))

    def pulled(self, expression: Any) -> Any:
        """What holds at y for what holds at x."""
        expression = sp.sympify(expression)
        if isinstance(expression, sp.Equality):
            return sp.Eq(self.pulled(expression.lhs), self.pulled(expression.rhs), evaluate=False)
        if isinstance(expression, sp.MatrixBase):
            return expression.applyfunc(self.pulled)
        if expression.has(sp.Integral, sp.Subs) or any(
            isinstance(a, AppliedUndef) and not all(s.is_Symbol for s in a.args) for a in expression.atoms(AppliedUndef)
        ):
            raise ProblemError(
                "Integrals of an unknown, and its values elsewhere, are not solved on a domain that moves."
            )
        expression = expression.doit()
        derivatives = {}
        for d in expression.atoms(sp.Derivative):
            made = d.expr
            for c, n in d.variable_count:
                for _ in range(int(n)):
                    made = self.derived(made, c) if set(self.space) & set(d.expr.free_symbols) else sp.diff(made, c)
            derivatives[d] = made
        holders = {d: sp.Dummy() for d in derivatives}
        held = expression.xreplace(holders)
        fields = {f: sp.Dummy() for f in held.atoms(AppliedUndef)}
        there = dict(zip(self.space, self.place, strict=True)) | self._normals
        back = {v: k for k, v in fields.items()} | {holders[d]: made for d, made in derivatives.items()}
        return held.xreplace(fields).xreplace(there).xreplace(back)

    @cached_property
    def _normals(self) -> dict[sp.Basic, sp.Expr]:
        """The normals of the laboratory in terms of those at rest."""
        n = sp.Matrix([NormalComponent(c) for c in self.space])
        turned = self.inverse.T * n
        even = self.matrix == self.matrix[0, 0] * sp.eye(len(self.space))
        length = sp.sqrt(sum(e**2 for e in turned))
        return dict(zip(n, n if even else turned / length, strict=True))


def motion_of(domain: Sized, rest: Callable[[Any], Any], space: tuple[sp.Symbol, ...], time: sp.Symbol) -> Motion:
    """The motion of a domain with sizes that depend on time; `rest` gives their values for the domain at rest."""
    if domain.make is not Product or time.name not in domain.args[1].names or len(domain.args[1].names) != 1:
        raise GeometryError(f"A domain that moves is a product with time, shape * tn.Interval(t=(0, 1)), not {domain}.")
    found = _affine(domain.args[0], rest, space)
    if found is None:
        raise GeometryError(f"No motion of {domain.args[0]} is known. {REFUSED}")
    return Motion(space, time, *found)


def _affine(shape: Any, rest: Callable[[Any], Any], space: tuple[sp.Symbol, ...]) -> tuple[sp.Matrix, sp.Matrix] | None:
    """M and c of a shape; None if they are not known."""
    d = len(space)
    if not isinstance(shape, Sized):
        return sp.eye(d), sp.zeros(d, 1)
    make, args, named = shape.make, shape.args, shape.keywords
    if make is carried_along:
        return sp.Matrix(args[1]), sp.Matrix(args[2])
    if make in (Interval, Box) and len(named) == d:
        ends = [tuple(map(sp.sympify, named[c.name])) for c in space]
        scales = [(b - a) / rest(b - a) for a, b in ends]
        return sp.diag(*scales), sp.Matrix([a - m * rest(a) for m, (a, _) in zip(scales, ends, strict=True)])
    if make is Ball:
        given = dict(zip(("center", "radius", "name"), args, strict=False)) | named
        centre = sp.Matrix(list(map(sp.sympify, given.get("center", [0] * d))))
        radius = sp.sympify(given.get("radius", 1))
        scale = radius / rest(radius)
        return scale * sp.eye(d), centre - scale * centre.applyfunc(rest)
    if make is Combination:
        both = [_affine(s, rest, space) for s in args[1:3]]
        if None not in both and all(sp.simplify(p - q).is_zero_matrix for p, q in zip(*both, strict=True)):
            return both[0]
    return None


def carried_along(domain: Domain, matrix: Any, shift: Any) -> Domain:
    """The shape that is carried along, at rest."""
    return domain
