"""Conditions on the whole domain: a mean value, and periodicity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.errors import ProblemError
from transnet.problem.complex import real_and_imaginary
from transnet.problem.condition import Condition, Draw, Order, Placed, Reader, Stated, Writer, more, names_of, register
from transnet.problem.equations import shortened, written
from transnet.problem.latex import latex_of_expression

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


@register
@dataclass(frozen=True)
class Mean(Condition):
    """The mean value of an expression over the domain; made by `mean`."""

    averaged: ClassVar[bool] = True

    expression: sp.Expr
    value: Any = 0
    weight: float | None = None

    def expressions(self) -> list[sp.Expr]:
        return [self.expression - sp.sympify(self.value)]

    def real_parts(self) -> list[Condition]:
        if not self.expressions()[0].has(sp.I):
            return [self]
        pairs = zip(real_and_imaginary(self.expression), real_and_imaginary(sp.sympify(self.value)), strict=True)
        return [replace(self, expression=e, value=v) for e, v in pairs if e.has(AppliedUndef)]

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        text = f"mean of {written(self.expression)} = {written(self.value)}"
        return [Stated(shortened(text), text, self.expressions()[0])]

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"mean of {written(self.expression)} = {written(self.value)}", "")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        left = rf"\frac{{1}}{{|\Omega|}}\int_\Omega {latex_of_expression(self.expression)}"
        return [(rf"{left} &= {latex_of_expression(sp.sympify(self.value))}", "")]

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        nodes, weights = draw.average()
        return Placed(nodes, weights=weights[None, :])

    def stored(self, writer: Writer) -> dict[str, Any]:
        value = writer.formula(sp.sympify(self.value))
        return {"mean": writer.formula(self.expression), "value": value, "weight": self.weight}

    def call(self, text: Callable[[Any], str]) -> str:
        return f"tn.mean({text(self.expression)}, {text(self.value)}{more(weight=self.weight)})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import mean

        return mean(reader.formula("mean"), reader.formula("value"), reader["weight"])

    def tangent(self, put: Callable[[Any], Any]) -> Condition:
        return replace(self, expression=put(self.expressions()[0]), value=0)

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        value = self.value if divisor == 1.0 else sp.sympify(self.value) / sp.Float(divisor)
        return replace(self, expression=put(self.expression), value=value)


@register
@dataclass(frozen=True)
class Periodic(Condition):
    """Unknowns that are periodic in a coordinate; made by `periodic`."""

    coordinate: sp.Symbol
    unknowns: tuple[sp.Expr, ...] = field(default=())
    weight: float | None = None

    @property
    def period(self) -> sp.Symbol:
        return self.coordinate

    def expressions(self) -> list[sp.Expr]:
        return []

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        found = []
        unknowns = self.unknowns or problem.unknowns
        # Derivative by derivative: both parts of a complex unknown follow each other, as in other complex statements.
        for n in range(max(order(u, self.coordinate) for u in unknowns)):
            for u in (v for v in unknowns if order(v, self.coordinate) > n):
                expression = sp.diff(u, self.coordinate, n) if n else u
                text = f"{written(expression)} periodic in {self.coordinate}"
                found.append(Stated(text, text, expression))
        return found

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"periodic in {self.coordinate}", "")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        which = ", ".join(latex_of_expression(u) for u in self.unknowns or problem.unknowns)
        return [(rf"{which} &\ \text{{periodic}}", rf"\text{{in }} {sp.latex(self.coordinate)}")]

    def parts(self, problem: Problem) -> tuple[str, ...]:
        low, high = problem.domain.ends(problem.coordinates.index(self.coordinate))
        return (*low, *high)

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        return self  # in all units

    def check(self, problem: Problem) -> None:
        if self.coordinate not in problem.coordinates:
            raise ProblemError(
                f"A periodic condition is in {self.coordinate}, which is not a coordinate of the problem: "
                f"{names_of(problem.coordinates)}."
            )
        if not all(problem.domain.ends(problem.coordinates.index(self.coordinate))):
            raise ProblemError(
                f"The domain {problem.domain} has no two opposite faces across {self.coordinate}, so it cannot be "
                f"periodic in it. Periodic domains are an Interval or a Box, or a product with one."
            )
        for u in self.unknowns:
            if u not in problem.unknowns:
                raise ProblemError(f"A periodic condition names {u}, which is not an unknown of the problem.")

    def same_place(self, other: Any) -> bool:
        return bool(self.coordinate == other.coordinate)

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        here, there = draw.faces(self.coordinate)
        return Placed(here, images=there)

    def stored(self, writer: Writer) -> dict[str, Any]:
        return {"periodic": self.coordinate.name, "unknowns": writer.unknowns(self.unknowns), "weight": self.weight}

    def call(self, text: Callable[[Any], str]) -> str:
        names = [text(self.coordinate), *map(text, self.unknowns)]
        return f"tn.periodic({', '.join(names)}{more(weight=self.weight)})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import periodic

        phase = None if reader["phase"] is None else reader.formula("phase")
        unknowns = reader.unknowns("unknowns")
        return periodic(reader.coordinate("periodic"), *unknowns, phase=phase, weight=reader["weight"])
