"""A problem as a flat list of statements: one scalar equation each, and the place where it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Literal

import sympy as sp
from sympy.logic.boolalg import Boolean

from transnet.problem import Condition, Lagged, Problem
from transnet.problem.condition import Stated
from transnet.problem.stated import stated_equation
from transnet.problem.surfaces import along_surface, refuse_across
from transnet.remember import Remembered
from transnet.rows.elsewhere import compiled_with_places
from transnet.rows.equation import Equation
from transnet.rows.jumps import refuse_jumps

Kind = Literal["equation", "condition", "data"]


@dataclass(frozen=True, eq=False)
class Statement:
    """One scalar equation and where it holds.

    Parameters
    ----------
    label : str
        What it is called in reports.
    equation : Equation
        The compiled equation.
    source : condition or None
        The condition it comes from; None for an equation of the interior.
    """

    label: str
    equation: Equation
    source: Condition | None = None

    @property
    def kind(self) -> Kind:
        """Whether it is an equation of the interior, a condition, or data to be fitted."""
        if self.source is None:
            return "equation"
        return "data" if self.source.fitted else "condition"

    @property
    def weight(self) -> float | None:
        """The user's weight, None for the automatic one."""
        return None if self.source is None else self.source.weight

    @property
    def noise(self) -> float | None:
        """The standard deviation of measured values, where it is known."""
        return None if self.source is None else self.source.noise

    @property
    def averaged(self) -> bool:
        """Whether it is a mean over the domain: a single row, whatever the number of its points."""
        return self.source is not None and self.source.averaged

    @property
    def part(self) -> str | None:
        """The part of the boundary on which it holds; None if it holds elsewhere."""
        return None if self.source is None else self.source.boundary

    @property
    def where(self) -> Boolean | None:
        """Where on that part it holds; None for all of it."""
        return None if self.source is None else self.source.where


_compiled: Remembered[Problem, tuple[Statement, ...]] = Remembered()


def statements_of(problem: Problem, lagged: bool = True) -> tuple[Statement, ...]:
    """The statements of a problem; the symbolic work is done once for each problem.

    Parameters
    ----------
    lagged : bool
        Whether factors marked `tn.lagged` are held; Newton's iteration takes no notice of the markers.
    """
    found = _compiled.get(problem, True, lambda: _compile(problem, True))
    if lagged or not any(s.equation.lagged for s in found):
        return found
    return _compiled.get(problem, False, lambda: _compile(problem, False))


def share_statements(problem: Problem, moved: Problem) -> None:
    """Let a problem that says the same on another domain have the statements of this one, where none depends on it."""
    found = statements_of(problem)
    placed = any(s.equation.places for s in found) or any(c.boundary is None for c in problem.conditions)
    if not placed and problem.coordinates == moved.coordinates:
        _compiled.get(moved, True, lambda: found)


def _compile(problem: Problem, lagged: bool) -> tuple[Statement, ...]:
    made: list[Statement] = []

    def add(stated: Stated, source: Condition | None) -> None:
        expression = stated.expression
        if not lagged:
            expression = expression.replace(Lagged, lambda argument: argument)
        if source is None:
            expression = along_surface(expression, problem.domain, problem.coordinates)
            refuse_across(expression, problem)
        equation = compiled_with_places(expression, problem, stated.text)
        made.append(Statement(stated.label, equation, source))

    for equation in problem.equations:
        for stated in stated_equation(equation):
            add(stated, None)
    for statement in made:
        refuse_jumps(problem, statement.equation)
    inside = tuple(made)

    def order(unknown: sp.Expr, coordinate: sp.Symbol) -> int:
        number, axis = problem.unknowns.index(unknown), problem.coordinates.index(coordinate)
        found = (index[axis] for s in inside for k, index in s.equation.slots if k == number)
        return max(found, default=1) or 1

    for condition in problem.conditions:
        for stated in condition.stated(problem, order):
            add(stated, condition)
    return tuple(made)


def distinct_labels(labels: Sequence[str]) -> list[str]:
    """The labels with numbers behind those that stand there before: the same statement may be made twice."""
    found: list[str] = []
    for label in labels:
        candidates = chain([label], (f"{label} ({number})" for number in count(2)))
        found.append(next(c for c in candidates if c not in found))
    return found
