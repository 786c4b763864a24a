"""The kinds of conditions: each knows its expressions, its texts, its mathematics, its place, and its form in files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from transnet.arrays import constant
from transnet.errors import ProblemError
from transnet.problem.complex import real_and_imaginary
from transnet.problem.condition import Condition, Draw, Order, Placed, Reader, Stated, Writer, register
from transnet.problem.equations import expressions_of, shortened, text_of, written
from transnet.problem.latex import aligned, latex_of_expression, plain_text

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


class _Equations(Condition):
    """What On and At share: equations."""

    equations: tuple[Any, ...]

    @abstractmethod
    def place(self) -> str:
        """Where they hold, in a label."""

    def expressions(self) -> list[sp.Expr]:
        return [r for equation in self.equations for r in expressions_of(equation)]

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        return [s for equation in self.equations for s in stated_equation(equation, f"{self.place()}: ")]

    def of(self, put: Callable[[Any], Any]) -> Condition:
        return replace(self, equations=tuple(put(e) for e in self.equations))  # type: ignore[type-var]


def stated_equation(equation: Any, place: str = "") -> list[Stated]:
    """The scalar equations of one equation: a vector equation has several."""
    parts, text = expressions_of(equation), text_of(equation)
    entries = [f" [{k}]" for k in range(len(parts))] if len(parts) > 1 else [""]
    return [Stated(f"{place}{shortened(text)}{e}", text, r) for e, r in zip(entries, parts, strict=True)]


@register
@dataclass(frozen=True)
class On(_Equations):
    """Equations that hold on a part of the boundary; made by `on`."""

    has_normal: ClassVar[bool] = True

    part: str
    equations: tuple[Any, ...]
    where: Boolean | None = None
    weight: float | None = None

    def place(self) -> str:
        return self.part + ("" if self.where is None else f" where {self.where}")

    def lines(self) -> list[tuple[Any, str]]:
        return [(e, f"on {self.place()}") for e in self.equations]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        chosen = "" if self.where is None else rf",\ {sp.latex(self.where)}"
        return [(aligned(e), rf"\text{{on {plain_text(self.part)}}}{chosen}") for e in self.equations]

    def check(self, problem: Problem) -> None:
        problem.domain.resolve(self.part)
        extra = set() if self.where is None else self.where.free_symbols - set(problem.coordinates)
        if extra:
            raise ProblemError(f"The condition {self.where} on '{self.part}' uses {_names(extra)}, not a coordinate.")

    def same_place(self, other: Any) -> bool:
        return bool(self.part == other.part and self.where == other.where)

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        surface = draw.surface(self.part, self.where)
        return Placed(surface.points, surface.normals)

    def stored(self, writer: Writer) -> dict[str, Any]:
        where = None if self.where is None else writer.formula(self.where)
        return {"on": self.part, "equations": writer.equations(self.equations), "where": where, "weight": self.weight}

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import on

        where = None if reader["where"] is None else reader.formula("where")
        return on(reader["on"], *reader.equations(), where=where, weight=reader["weight"])


class _Points(Condition):
    """What At and Data share: points, and the names of their columns where they come from a data frame."""

    points: np.ndarray
    names: tuple[str, ...] | None

    def in_order(self, coordinates: Sequence[sp.Symbol]) -> Condition:
        wanted = [c.name for c in coordinates]
        if self.names is None or sorted(wanted) != sorted(self.names):
            return self
        columns = [self.names.index(name) for name in wanted]
        return replace(self, points=self.points[:, columns], names=None)  # type: ignore[type-var]

    def place(self) -> str:
        return "1 point" if len(self.points) == 1 else f"{len(self.points)} points"

    def check(self, problem: Problem) -> None:
        points, domain = self.points, problem.domain
        if points.shape[1] != domain.dimension:
            raise ProblemError(
                f"The condition '{self.kind}' has points with {points.shape[1]} columns, but the problem has "
                f"{domain.dimension} coordinates: {_names(problem.coordinates)}. Give an array of shape "
                f"(n, {domain.dimension}), one row for each point."
            )
        outside = ~domain.nearly_contains(points)
        if outside.any():
            raise ProblemError(
                f"The condition '{self.kind}' has the point ({', '.join(f'{c:g}' for c in points[outside][0])}) "
                f"outside of the domain {domain}. The columns are {', '.join(map(str, problem.coordinates))}: check "
                f"their order and units."
            )

    def same_place(self, other: Any) -> bool:
        return np.array_equal(self.points, other.points)

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        return Placed(self.points)

    def _latex_place(self) -> str:
        one = f"({', '.join(f'{c:g}' for c in self.points[0])})"
        return rf"\text{{at {one if len(self.points) == 1 else self.place()}}}"


@register
@dataclass(frozen=True, eq=False)
class At(_Points, _Equations):
    """Equations that hold at given points; made by `at`."""

    points: np.ndarray
    equations: tuple[Any, ...]
    weight: float | None = None
    names: tuple[str, ...] | None = None

    def lines(self) -> list[tuple[Any, str]]:
        return [(e, f"at {self.place()}") for e in self.equations]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        return [(aligned(e), self._latex_place()) for e in self.equations]

    def stored(self, writer: Writer) -> dict[str, Any]:
        writer.array("points", self.points)
        return {"at": len(self.points), "equations": writer.equations(self.equations), "weight": self.weight}

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import at

        return at(reader.array("points"), *reader.equations(), weight=reader["weight"])


@register
@dataclass(frozen=True, eq=False)
class Data(_Points):
    """Measured values of an expression at points; made by `data`."""

    fitted: ClassVar[bool] = True

    expression: sp.Expr
    points: np.ndarray
    values: np.ndarray
    weight: float | None = None
    names: tuple[str, ...] | None = None
    noise: float | None = None

    def expressions(self) -> list[sp.Expr]:
        return [self.expression]

    def real_parts(self) -> list[Condition]:
        if not np.iscomplexobj(self.values) and not self.expression.has(sp.I):
            return [self]
        values = (self.values.real, self.values.imag)
        pairs = zip(real_and_imaginary(self.expression), values, strict=True)
        return [replace(self, expression=e, values=constant(v)) for e, v in pairs if e.has(AppliedUndef)]

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        text = written(self.expression)
        return [Stated(f"data: {shortened(text)}", f"{text} = data", self.expression)]

    def lines(self) -> list[tuple[Any, str]]:
        level = "" if self.noise is None else f" with noise {self.noise:g}"
        return [(f"{written(self.expression)} measured", f"at {self.place()}{level}")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        return [(rf"{latex_of_expression(self.expression)} &\approx \text{{data}}", self._latex_place())]

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        return Placed(self.points, values=self.values)

    def stored(self, writer: Writer) -> dict[str, Any]:
        writer.array("points", self.points)
        writer.array("values", self.values)
        return {"data": writer.formula(self.expression), "weight": self.weight, "noise": self.noise}

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import data

        measured, points = reader.formula("data"), reader.array("points")
        return data(measured, points, reader.array("values"), reader["weight"], reader["noise"])


@register
@dataclass(frozen=True)
class Mean(Condition):
    """The mean value of an expression over the domain; made by `mean`."""

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

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import mean

        return mean(reader.formula("mean"), reader.formula("value"), reader["weight"])

    def of(self, put: Callable[[Any], Any]) -> Condition:
        return replace(self, expression=put(self.expression))


@register
@dataclass(frozen=True)
class Periodic(Condition):
    """Unknowns that are periodic in a coordinate; made by `periodic`."""

    coordinate: sp.Symbol
    unknowns: tuple[sp.Expr, ...] = field(default=())
    weight: float | None = None

    def expressions(self) -> list[sp.Expr]:
        return []

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        found = []
        for u in self.unknowns or problem.unknowns:
            for n in range(order(u, self.coordinate)):
                expression = sp.diff(u, self.coordinate, n) if n else u
                text = f"{written(expression)} periodic in {self.coordinate}"
                found.append(Stated(text, text, expression))
        return found

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"periodic in {self.coordinate}", "")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        which = ", ".join(latex_of_expression(u) for u in self.unknowns or problem.unknowns)
        return [(rf"{which} &\ \text{{periodic}}", rf"\text{{in }} {sp.latex(self.coordinate)}")]

    def faces(self, problem: Problem) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The parts of the boundary that it identifies: those where the coordinate is smallest, and largest."""
        return problem.domain.ends(problem.coordinates.index(self.coordinate))

    def check(self, problem: Problem) -> None:
        if self.coordinate not in problem.coordinates:
            raise ProblemError(
                f"A periodic condition is in {self.coordinate}, which is not a coordinate of the problem: "
                f"{_names(problem.coordinates)}."
            )
        if not all(self.faces(problem)):
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
        which = [u.func.__name__ for u in self.unknowns]
        return {"periodic": self.coordinate.name, "unknowns": which, "weight": self.weight}

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import periodic

        return periodic(reader.coordinate("periodic"), *reader.unknowns("unknowns"), weight=reader["weight"])


def _names(symbols: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, symbols)))
