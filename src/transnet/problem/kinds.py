"""Conditions on the boundary and at points: equations on a part, equations at points, and measured values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from transnet.arrays import constant
from transnet.errors import ProblemError
from transnet.problem.complex import real_and_imaginary
from transnet.problem.condition import Condition, Draw, Order, Placed, Reader, Stated, Writer, more, names_of, register
from transnet.problem.equations import shortened, written
from transnet.problem.latex import aligned, latex_of_expression, plain_text
from transnet.problem.stated import Equations

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


@register
@dataclass(frozen=True)
class On(Equations):
    """Equations that hold on a part of the boundary; made by `on`."""

    has_normal: ClassVar[bool] = True

    part: str
    equations: tuple[Any, ...]
    where: Boolean | None = None
    weight: float | None = None

    @property
    def boundary(self) -> str:
        return self.part

    def place(self) -> str:
        return self.part + ("" if self.where is None else f" where {self.where}")

    def lines(self) -> list[tuple[Any, str]]:
        return [(e, f"on {self.place()}") for e in self.equations]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        chosen = "" if self.where is None else rf",\ {sp.latex(self.where)}"
        return [(aligned(e), rf"\text{{on {plain_text(self.part)}}}{chosen}") for e in self.equations]

    def check(self, problem: Problem) -> None:
        if not problem.domain.resolve(self.part):
            raise ProblemError(f"{problem.domain} is a closed surface and has no boundary: leave out what holds on it.")
        extra = set() if self.where is None else self.where.free_symbols - set(problem.coordinates)
        if extra:
            raise ProblemError(f"The condition {self.where} on '{self.part}' uses {names_of(extra)}, not a coordinate.")

    def on_part(self, part: str) -> On:
        return replace(self, part=part)

    def same_place(self, other: Any) -> bool:
        return bool(self.part == other.part and self.where == other.where)

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        surface = draw.surface(self.part, self.where)
        return Placed(surface.points, surface.normals)

    def stored(self, writer: Writer) -> dict[str, Any]:
        where = None if self.where is None else writer.formula(self.where)
        return {"on": self.part, "equations": writer.equations(self.equations), "where": where, "weight": self.weight}

    def entry(self, writer: Writer) -> str | dict[str, Any]:
        if self.weight is not None:
            return self.stored(writer)
        inside = "" if self.where is None else f" where {writer.formula(self.where)}"
        return f"{', '.join(writer.equations(self.equations))} on {self.part}{inside}"

    def call(self, text: Callable[[Any], str]) -> str:
        inside = "" if self.where is None else f", where={text(self.where)}"
        return f"tn.on({self.part!r}, {', '.join(map(text, self.equations))}{inside}{more(weight=self.weight)})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import on

        where = None if reader["where"] is None else reader.formula("where")
        return on(reader["on"], *reader.equations(), where=where, weight=reader["weight"])


class _Points(Condition):
    """What At and Data share: points, and the names of their columns if they come from a data frame."""

    points: np.ndarray
    names: tuple[str, ...] | None

    @property
    def at_points(self) -> np.ndarray:
        return self.points

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
                f"{domain.dimension} coordinates: {names_of(problem.coordinates)}. Give an array of shape "
                f"(n, {domain.dimension}), one row for each point."
            )
        outside = ~domain.nearly_contains(points)
        if outside.any():
            raise ProblemError(
                f"The condition '{self.kind}' has the point ({', '.join(f'{c:g}' for c in points[outside][0])}) "
                f"outside the domain {domain}. The columns are {', '.join(map(str, problem.coordinates))}: check "
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
class At(_Points, Equations):
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

    def entry(self, writer: Writer) -> str | dict[str, Any]:
        equations = writer.equations(self.equations)
        return {"at": self.points.tolist(), "equations": equations, "weight": self.weight}

    def call(self, text: Callable[[Any], str]) -> str:
        equations = ", ".join(map(text, self.equations))
        return f"tn.at({self.points.tolist()!r}, {equations}{more(weight=self.weight)})"

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

    @property
    def measured(self) -> np.ndarray:
        return self.values

    def expressions(self) -> list[sp.Expr]:
        return [self.expression]

    def tangent(self, put: Callable[[Any], Any]) -> Condition:
        return replace(self, expression=put(self.expression), values=constant(np.zeros_like(self.values)))

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        noise = None if self.noise is None else self.noise / divisor
        return replace(self, expression=put(self.expression), values=self.values / divisor, noise=noise)

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

    def call(self, text: Callable[[Any], str]) -> str:
        points, values = self.points.tolist(), self.values.tolist()
        return f"tn.data({text(self.expression)}, {points!r}, {values!r}{more(weight=self.weight, noise=self.noise)})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        from transnet.problem.conditions import data

        measured, points = reader.formula("data"), reader.array("points")
        return data(measured, points, reader.array("values"), reader["weight"], reader["noise"])
