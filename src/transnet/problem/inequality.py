"""Inequalities: an obstacle that the unknown does not pass, in the domain or on a part of its boundary (Signorini)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import GreaterThan, LessThan, Relational, StrictGreaterThan, StrictLessThan
from sympy.logic.boolalg import Boolean

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.geometry.symbolic import Sized
from transnet.problem.condition import Condition, Draw, Order, Placed, Reader, Stated, Writer, names_of, register
from transnet.problem.equations import written
from transnet.problem.latex import latex_of_expression, plain_text

if TYPE_CHECKING:
    from transnet.problem.problem import Problem

ORDERED = (GreaterThan, LessThan, StrictGreaterThan, StrictLessThan)


def is_inequality(statement: Any) -> bool:
    """Whether this is left >= right or left <= right."""
    return isinstance(statement, ORDERED)


class Inequality(Condition):
    """What inequalities share. They have no rows: where one holds as an equation is found (see `transnet.contact`)."""

    weight: float | None = None
    relations: tuple[Relational, ...]

    @property
    def in_cells(self) -> bool:
        return True

    @property
    def gaps(self) -> tuple[sp.Expr, ...]:
        """What is not negative, of each relation."""
        return tuple(r.gts - r.lts for r in self.relations)

    def expressions(self) -> list[sp.Expr]:
        return list(self.gaps)

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        return []

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        raise ProblemError("An inequality has no points of its own: where it is an equation is part of the solution.")

    def place(self) -> str:
        """Where it holds."""
        return ""

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"{written(r.lhs)} {_sign(r)} {written(r.rhs)}", self.place()) for r in self.relations]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        place = rf"\text{{{plain_text(self.place())}}}" if self.place() else ""
        signs = {">=": r"\ge", "<=": r"\le"}
        return [
            (f"{latex_of_expression(r.lhs)} &{signs[_sign(r)]} {latex_of_expression(r.rhs)}", place)
            for r in self.relations
        ]

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        return replace(self, relations=tuple(r.func(put(r.lhs), put(r.rhs)) for r in self.relations))  # type: ignore[type-var]


@register
@dataclass(frozen=True)
class Obstacle(Inequality):
    """An inequality that holds in the whole domain; made by `obstacle`."""

    relations: tuple[Relational, ...]

    def place(self) -> str:
        return "everywhere"

    def stored(self, writer: Writer) -> dict[str, Any]:
        return {"obstacle": writer.formula(self.relations[0])}

    def call(self, text: Callable[[Any], str]) -> str:
        return f"tn.obstacle({text(self.relations[0])})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        return obstacle(reader.formula("obstacle"))

    def same_place(self, other: Any) -> bool:
        return False


@register
@dataclass(frozen=True)
class Unilateral(Inequality):
    """Inequalities on a part of the boundary, one or a complementary pair; made by `on`."""

    has_normal: ClassVar[bool] = True

    part: str
    relations: tuple[Relational, ...]
    where: Boolean | None = None

    @property
    def boundary(self) -> str:
        return self.part

    def place(self) -> str:
        return f"on {self.part}" + ("" if self.where is None else f" where {self.where}")

    def check(self, problem: Problem) -> None:
        problem.domain.resolve(self.part)
        extra = set() if self.where is None else self.where.free_symbols - set(problem.coordinates)
        if extra:
            raise ProblemError(f"The condition {self.where} on '{self.part}' uses {names_of(extra)}, not a coordinate.")

    def same_place(self, other: Any) -> bool:
        return bool(self.part == other.part and self.where == other.where)

    def entry(self, writer: Writer) -> str | dict[str, Any]:
        inside = "" if self.where is None else f" where {writer.formula(self.where)}"
        return f"{', '.join(map(writer.formula, self.relations))} on {self.part}{inside}"

    def stored(self, writer: Writer) -> dict[str, Any]:
        first, *second = map(writer.formula, self.relations)
        where = None if self.where is None else writer.formula(self.where)
        return {"unilateral": first, "and": second[0] if second else None, "part": self.part, "where": where}

    def call(self, text: Callable[[Any], str]) -> str:
        inside = "" if self.where is None else f", where={text(self.where)}"
        return f"tn.on({self.part!r}, {', '.join(map(text, self.relations))}{inside})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        relations = [reader.formula(key) for key in ("unilateral", "and") if reader[key] is not None]
        return unilateral(reader["part"], relations, None if reader["where"] is None else reader.formula("where"))


@explained
def obstacle(relation: Any) -> Obstacle:
    """An obstacle: `tn.obstacle(u >= psi)` or `tn.obstacle(u <= psi)` among the conditions.

    The equation, elliptic and of second order, then holds only where there is no contact. In contact u = psi, and what
    is left of the equation is the force of the obstacle, whose sign follows from that of the operator. The edge of the
    contact set is found with the solution. Two of them, one from each side, may be stated.

    Parameters
    ----------
    relation : sympy relation
        The unknown against a formula of the coordinates.
    """
    return Obstacle((_checked(relation, "tn.obstacle"),))


def unilateral(part: str, relations: Any, where: Boolean | None) -> Unilateral:
    """Inequalities on a part."""
    found = tuple(_checked(r, f"tn.on('{part}')") for r in relations)
    if len(found) > 2:
        raise ProblemError(
            f"tn.on('{part}') has {len(found)} inequalities. One says what is not passed, such as u >= 0; a second one "
            f"the force that there is in contact, such as traction <= 0. One of the two holds as an equation."
        )
    return Unilateral(part, found, where)


def _checked(relation: Any, what: str) -> Relational:
    if not is_inequality(relation):
        raise ProblemError(f"{what} takes an inequality such as u >= psi, not {shown(relation)}.")
    if not relation.has(AppliedUndef):
        raise ProblemError(f"The inequality {shown(relation)} contains no unknown.")
    closed = {StrictGreaterThan: GreaterThan, StrictLessThan: LessThan}.get(relation.func, relation.func)
    return closed(relation.lhs, relation.rhs)


def _sign(relation: Relational) -> str:
    return ">=" if isinstance(relation, GreaterThan) else "<="


def refuse_unsettled(problem: Problem, what: str) -> None:
    """Raise an error if a problem has inequalities or a domain that moves, for something that needs equations on a
    domain at rest."""
    found = next((c for c in problem.conditions if isinstance(c, Inequality)), None)
    if found is not None:
        raise ProblemError(
            f"{what} needs equations, but {found.lines()[0][0]} is an inequality: where it holds as an equation is "
            f"part of the solution. Only tn.solve finds it."
        )
    if isinstance(problem.domain, Sized) and problem.domain.time is not None:
        raise ProblemError(f"{what} needs a domain at rest, but {problem.domain} moves. Only tn.solve takes it.")
