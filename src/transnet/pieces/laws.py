"""What holds in each material, on the boundary and across interfaces, compiled.

Coefficients by piece are replaced by the value of the material, and equal equations are compiled once. A condition
across an interface is an equation for twice as many unknowns: those of the first side and of the second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from transnet.geometry.partition import Pieces, shapes_of
from transnet.pieces.fluxes import flux_of, moment_of, orders_of
from transnet.pieces.replaced import Natural, Stated, about, not_replaced
from transnet.problem import (
    ByPiece,
    Condition,
    Jump,
    Lagged,
    NormalComponent,
    Problem,
    Slope,
    expressions_of,
    in_piece,
    piece_of,
    text_of,
)
from transnet.problem.equations import shortened
from transnet.remember import Remembered
from transnet.rows.compile import compile_equation
from transnet.rows.equation import Equation, with_numbers
from transnet.rows.statements import Statement


@dataclass(frozen=True, eq=False)
class Laws:
    """The statements of a problem by material and place."""

    problem: Problem
    _compiled: dict[Any, Equation] = field(default_factory=dict)
    _conditions: dict[Any, tuple[Statement, ...]] = field(default_factory=dict)
    _interfaces: dict[tuple[int, int], tuple[Statement, ...]] = field(default_factory=dict)
    _constants: dict[tuple[ByPiece, int], sp.Symbol] = field(default_factory=dict)
    _natural_of: dict[Any, Any] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in shapes_of(self.problem.domain))

    def here(self, expression: sp.Expr, material: int, side: int = 0) -> sp.Expr:
        """An expression as it reads in a material; constants by piece become parameters of that side."""
        replaced: dict[sp.Expr, sp.Expr] = {}
        for slope in expression.atoms(Slope):
            constant = all(v.is_number for v in slope.args[0].args[1:])
            replaced[slope] = sp.Integer(0) if constant else in_piece(slope, self.names[material])
        expression = expression.xreplace(replaced)
        values: dict[sp.Expr, sp.Expr] = {}
        for atom in expression.atoms(ByPiece):
            if all(v.is_number for v in atom.args[1:]):
                if (atom, side) not in self._constants:
                    self._constants[atom, side] = sp.Symbol(f"piece_{len(self._constants)}", real=True)
                values[atom] = self._constants[atom, side]
            else:
                values[atom] = atom.values[self.names[material]]
        return expression.xreplace(values)

    def compiled(
        self, expression: sp.Expr, text: str, materials: Sequence[int], unknowns: Sequence[sp.Expr] | None = None
    ) -> Equation:
        """An expression that is zero, compiled once however often it occurs, with the constants of its materials."""
        used = [(k, s) for k, s in self._constants.items() if expression.has(s)]
        key = (expression, unknowns is None)
        if key not in self._compiled:
            plain = expression.replace(Lagged, lambda argument: argument)
            parameters = (*self.problem.parameters, *(s for _, s in used))
            self._compiled[key] = compile_equation(
                plain, unknowns or self.problem.unknowns, self.problem.coordinates, parameters, text
            )
        numbers = [float(atom.values[self.names[materials[side]]]) for (atom, side), _ in used]
        place = 2 * len(self.problem.coordinates) + len(self.problem.parameters)
        return with_numbers(self._compiled[key], numbers, place) if numbers else self._compiled[key]

    def stated(self, material: int) -> list[tuple[str, sp.Expr]]:
        """The equations of a material as they were stated, with their texts and with coefficients by piece."""
        found = []
        for equation in self.problem.equations:
            if piece_of(equation) not in (None, self.names[material]):
                continue
            parts = expressions_of(equation)
            for k, expression in enumerate(parts):
                entry = f" [{k}]" if len(parts) > 1 else ""
                found.append((f"{text_of(equation)}{entry}", expression.doit()))
        return found

    @cached_property
    def equations(self) -> tuple[tuple[Statement, ...], ...]:
        """The equations of each material."""
        made = []
        for k in range(len(self.names)):
            made.append(
                tuple(
                    Statement(shortened(text), self.compiled(self.here(expression, k), text, [k]))
                    for text, expression in self.stated(k)
                )
            )
        return tuple(made)

    @cached_property
    def periodic(self) -> tuple[int, ...]:
        """The axes along which everything is periodic."""
        periods = {c.period for c in self.problem.conditions} - {None}
        return tuple(sorted(map(self.problem.coordinates.index, periods)))

    @property
    def statements(self) -> list[tuple[Statement, ...]]:
        """All statements: the equations of each material, the conditions, and those across interfaces."""
        groups: list[tuple[Statement, ...]] = [*self.equations]
        for condition in self.problem.conditions:
            if not condition.across:
                groups.append(self.condition(condition, 0))
        if isinstance(self.problem.domain, Pieces):
            groups += [self.interface(i, j) for i, j in self.problem.domain.interfaces]
        return groups

    @cached_property
    def linear(self) -> bool:
        """Whether every statement is linear."""
        return all(s.equation.linear for group in self.statements for s in group)

    def condition(self, condition: Condition, material: int) -> tuple[Statement, ...]:
        """A condition as it reads in a material."""
        key = (id(condition), material)
        if key not in self._conditions:
            place = f"{condition.boundary or condition.kind}: "
            made = []
            for expression in condition.expressions():
                text = f"{in_piece(expression, self.names[material])} = 0"
                equation = self.compiled(self.here(expression, material), text, [material])
                made.append(Statement(f"{place}{shortened(text)}", equation, condition))
            self._conditions[key] = tuple(made)
        return self._conditions[key]

    def orders(self, material: int) -> tuple[tuple[int, ...], ...]:
        """For each unknown and axis the highest order of its derivatives along that axis."""
        d = len(self.problem.coordinates)
        found = [[0] * d for _ in self.problem.unknowns]
        for statement in self.equations[material]:
            for unknown, index in statement.equation.slots:
                found[unknown] = [max(a, b) for a, b in zip(found[unknown], index, strict=True)]
        return tuple(map(tuple, found))

    # -- across interfaces -------------------------------------------------------------------------------------------
    @cached_property
    def sides(self) -> tuple[dict[sp.Expr, sp.Expr], dict[sp.Expr, sp.Expr]]:
        """The unknowns of the first and of the second side of an interface."""
        return tuple(
            {u: sp.Function(f"{u.func.__name__}__{side}")(*u.args) for u in self.problem.unknowns} for side in (1, 2)
        )  # type: ignore[return-value]

    def interface(self, first: int, second: int) -> tuple[Statement, ...]:
        """What holds across the interface of two materials: stated, or natural."""
        if (first, second) not in self._interfaces:
            self._interfaces[first, second] = self._made(first, second, self._stated_jumps(first, second))
        return self._interfaces[first, second]

    def _on_side(self, expression: sp.Expr, material: int, side: int) -> sp.Expr:
        return self.here(expression, material, side).doit().xreplace(self.sides[side])

    def _fluxes(self, material: int) -> tuple[dict[sp.Expr, int], list[tuple[sp.Expr, sp.Expr]]]:
        """The orders of the unknowns in a material, and the flux and moment of each of its equations."""
        equations = self.stated(material)
        key = tuple(e for _, e in equations)
        if key not in self._natural_of:
            coordinates = self.problem.coordinates
            orders = orders_of(key, coordinates)
            self._natural_of[key] = (
                orders,
                [(flux_of(e, coordinates, orders, text), moment_of(e, coordinates, orders)) for text, e in equations],
            )
        return self._natural_of[key]

    def _natural(self, first: int, second: int) -> list[Natural]:
        """Natural conditions as (kind, what they are of, jump): values of unknowns, and fluxes of equations."""
        found: list[Natural] = []
        both = [self._fluxes(m) for m in (first, second)]

        def jump(expressions: Sequence[sp.Expr]) -> sp.Expr:
            a, b = (self._on_side(e, m, k) for k, (e, m) in enumerate(zip(expressions, (first, second), strict=True)))
            return b - a

        for u in self.problem.unknowns:
            top = min(orders.get(u, 0) for orders, _ in both)
            if top >= 2:
                found.append(("value", u, jump([u, u])))
            if top >= 4:
                slope = sp.Add(*(NormalComponent(c) * sp.Derivative(u, c) for c in self.problem.coordinates))
                found.append(("value", u, jump([slope, slope])))
        for k, sides in enumerate(zip(both[0][1], both[1][1], strict=False)):
            for kind, pair in zip(("flux", "moment"), zip(*sides, strict=True), strict=True):
                if any(e != 0 for e in pair):
                    found.append((kind, k, jump(pair)))
        return found

    def _stated_jumps(self, first: int, second: int) -> list[Stated]:
        """Conditions of the user on an interface: those that hold on both sides count as two."""
        domain = self.problem.domain
        found: list[Stated] = []
        if not isinstance(domain, Pieces):
            return found
        for condition in self.problem.conditions:
            if condition.boundary is None or not condition.across:
                continue
            pair, turned = domain.interface(condition.boundary)
            if pair != (first, second):
                continue
            for _, text, expression in condition.stated(self.problem, lambda *_: 1):
                if turned:
                    expression = expression.xreplace({s: -s for s in expression.atoms(NormalComponent)})
                if expression.has(Jump):
                    two, jumping = self._two_sided(expression, first, second, turned)
                    found.append((text, two, jumping, False, condition))
                    continue
                for side, material in enumerate((first, second)):  # it holds on both sides
                    here = self._on_side(expression, material, side)
                    found.append((text, here, about(here, self.problem.coordinates), True, condition))
        return found

    def _two_sided(self, expression: sp.Expr, first: int, second: int, turned: bool) -> tuple[sp.Expr, set[sp.Expr]]:
        """A condition with jumps as an expression of both sides, and what jumps in it."""
        jumps, jumping = {}, set()
        for atom in sorted(expression.atoms(Jump), key=sp.default_sort_key):
            a, b = (self._on_side(atom.args[0], m, k) for k, m in enumerate((first, second)))
            jumping |= about(a, self.problem.coordinates) | about(b, self.problem.coordinates)
            jumps[atom] = (a - b if turned else b - a, sp.Dummy())
        marked = expression.xreplace({atom: dummy for atom, (_, dummy) in jumps.items()})
        sides = [self._on_side(marked, m, k) for k, m in enumerate((first, second))]
        both = (sides[0] + sides[1]) / 2  # outside jumps an unknown is the mean of its two sides
        return both.xreplace({dummy: value for value, dummy in jumps.values()}), jumping

    def _made(self, first: int, second: int, stated: Sequence[Stated]) -> tuple[Statement, ...]:
        place = f"{self.names[first]}|{self.names[second]}"
        natural = not_replaced(self._natural(first, second), stated, self.problem.coordinates, place)
        unknowns = [*self.sides[0].values(), *self.sides[1].values()]
        made = []
        for text, expression, _, _, condition in stated:
            equation = self.compiled(expression, text, [first, second], unknowns)
            made.append(Statement(f"{place}: {shortened(text)}", equation, condition))
        for kind, of, expression in natural:
            text = f"{kind} of {of} continuous" if kind == "value" else f"{kind} of equation {of} continuous"
            made.append(Statement(f"{place}: {text}", self.compiled(expression, text, [first, second], unknowns)))
        return tuple(made)


_laws: Remembered[Problem, Laws] = Remembered()


def known_laws(problem: Problem) -> Laws:
    """The laws of a problem, made once."""
    return _laws.get(problem, "", lambda: Laws(problem))
