"""A problem as a flat list of statements: one scalar equation each, and the place where it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, Literal
from weakref import WeakKeyDictionary

import sympy as sp

from transnet.problem import At, Condition, Data, Lagged, Mean, On, Periodic, Problem, residuals, text_of, written
from transnet.rows.compile import Equation, compile_equation
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
        return "data" if isinstance(self.source, Data) else "condition"

    @property
    def weight(self) -> float | None:
        """The user's weight, None for the automatic one."""
        return None if self.source is None else self.source.weight


_compiled: WeakKeyDictionary[Problem, dict[bool, tuple[Statement, ...]]] = WeakKeyDictionary()


def statements_of(problem: Problem, lagged: bool = True) -> tuple[Statement, ...]:
    """The statements of a problem; the symbolic work is done once for each problem.

    Parameters
    ----------
    lagged : bool
        Whether factors marked `tn.lagged` are held; Newton's iteration takes no notice of the markers.
    """
    made = _compiled.setdefault(problem, {})
    if True not in made:
        made[True] = _compile(problem, True)
    if lagged not in made:
        marked = any(s.equation.lagged for s in made[True])
        made[lagged] = _compile(problem, lagged) if marked else made[True]
    return made[lagged]


def _compile(problem: Problem, lagged: bool) -> tuple[Statement, ...]:
    made = []

    def add(label: str, expression: sp.Expr, text: str, source: Condition | None) -> None:
        if not lagged:
            expression = expression.replace(Lagged, lambda argument: argument)
        equation = compile_equation(expression, problem.unknowns, problem.coordinates, problem.parameters, text)
        made.append(Statement(label, equation, source))

    def add_all(place: str, equation: Any, source: Condition | None) -> None:
        parts = residuals(equation)
        for k, expression in enumerate(parts):
            entry = f" [{k}]" if len(parts) > 1 else ""  # of a vector equation
            add(f"{place}{shortened(text_of(equation))}{entry}", expression, text_of(equation), source)

    for equation in problem.equations:
        add_all("", equation, None)
    for statement in made:
        refuse_jumps(problem, statement.equation)
    for condition in problem.conditions:
        match condition:
            case On(part=part, equations=equations, where=where):
                chosen = "" if where is None else f" where {where}"
                for equation in equations:
                    add_all(f"{part}{chosen}: ", equation, condition)
            case At(points=points, equations=equations):
                for equation in equations:
                    add_all("1 point: " if len(points) == 1 else f"{len(points)} points: ", equation, condition)
            case Data(expression=expression):
                add(f"data: {shortened(written(expression))}", expression, f"{written(expression)} = data", condition)
            case Mean(expression=expression, value=value):
                text = f"mean of {written(expression)} = {written(value)}"
                add(shortened(text), expression - sp.sympify(value), text, condition)
            case Periodic(coordinate=coordinate, unknowns=unknowns):
                orders = _orders_in(made, problem, coordinate)
                for u in unknowns or problem.unknowns:
                    for n in range(orders[problem.unknowns.index(u)]):
                        expression = sp.diff(u, coordinate, n) if n else u
                        text = f"{written(expression)} periodic in {coordinate}"
                        add(text, expression, text, condition)
    return tuple(made)


def _orders_in(statements: list[Statement], problem: Problem, coordinate: sp.Symbol) -> list[int]:
    """For each unknown, the highest order of its derivatives by the coordinate in the equations, at least one."""
    axis = problem.coordinates.index(coordinate)
    orders = [1] * len(problem.unknowns)
    for statement in statements:
        if statement.kind == "equation":
            for number, index in statement.equation.slots:
                orders[number] = max(orders[number], index[axis])
    return orders


def shortened(text: str, width: int = 60) -> str:
    """A text cut to a width for tables."""
    return text if len(text) <= width else text[: width - 3] + "..."


def distinct(labels: Sequence[str]) -> list[str]:
    """The labels with numbers behind those that stand there before: the same statement may be made twice."""
    found: list[str] = []
    for label in labels:
        candidates = chain([label], (f"{label} ({number})" for number in count(2)))
        found.append(next(c for c in candidates if c not in found))
    return found
