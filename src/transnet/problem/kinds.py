"""The kinds of conditions: each knows its expressions, its texts, its mathematics, and what must be true of its place.

A further kind is a subclass of `Condition` and one line of `rows.collocation`, which chooses its points.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from transnet.arrays import constant
from transnet.errors import ProblemError
from transnet.problem.complex import real_and_imaginary
from transnet.problem.equations import residuals, shortened, text_of, written
from transnet.problem.latex import aligned, latex_of_expression, plain_text

if TYPE_CHECKING:
    from transnet.problem.problem import Problem

Order = Callable[[sp.Expr, sp.Symbol], int]
"""The highest order of the derivatives of an unknown by a coordinate in the equations."""


class Stated(NamedTuple):
    """One scalar equation of a condition: what it is called in reports, in messages, and what is zero or measured."""

    label: str
    text: str
    expression: sp.Expr


class Condition(ABC):
    """Something that holds besides the equations."""

    weight: float | None
    fitted: ClassVar[bool] = False
    """Whether it is fitted, like data, rather than satisfied."""
    has_normal: ClassVar[bool] = False
    """Whether there is a normal where it holds."""

    @property
    def kind(self) -> str:
        """Its name in messages."""
        return type(self).__name__.lower()

    @abstractmethod
    def expressions(self) -> list[sp.Expr]:
        """The expressions of unknowns that are zero, or measured."""

    @abstractmethod
    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        """Its scalar equations."""

    @abstractmethod
    def lines(self) -> list[tuple[Any, str]]:
        """What holds, an equation or a text, and where."""

    @abstractmethod
    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        """The same as LaTeX, aligned at the sign."""

    def check(self, problem: Problem) -> None:  # noqa: B027  (most places need no check)
        """Raise ProblemError where it does not fit the problem."""

    def same_place(self, other: Any) -> bool:
        """Whether another condition of its kind holds at the same place."""
        return True

    def in_order(self, coordinates: Sequence[sp.Symbol]) -> Condition:
        """The same condition with what it has for each coordinate in this order."""
        return self

    def real_parts(self) -> list[Condition]:
        """Conditions for real values that say the same: two for a complex one."""
        return [self]


class _Equations(Condition):
    """What On and At share: equations."""

    equations: tuple[Any, ...]

    @abstractmethod
    def place(self) -> str:
        """Where they hold, in a label."""

    def expressions(self) -> list[sp.Expr]:
        return [r for equation in self.equations for r in residuals(equation)]

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        return [s for equation in self.equations for s in stated_equation(equation, f"{self.place()}: ")]


def stated_equation(equation: Any, place: str = "") -> list[Stated]:
    """The scalar equations of one equation: a vector equation has several."""
    parts, text = residuals(equation), text_of(equation)
    entries = [f" [{k}]" for k in range(len(parts))] if len(parts) > 1 else [""]
    return [Stated(f"{place}{shortened(text)}{e}", text, r) for e, r in zip(entries, parts, strict=True)]


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

    def _latex_place(self) -> str:
        one = f"({', '.join(f'{c:g}' for c in self.points[0])})"
        return rf"\text{{at {one if len(self.points) == 1 else self.place()}}}"


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


def _names(symbols: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, symbols)))
