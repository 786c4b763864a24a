"""Equations as scalar statements, and what the conditions made of equations share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from transnet.problem.condition import Condition, Order, Stated
from transnet.problem.equations import expressions_of, shortened, text_of

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


class Equations(Condition):
    """What On and At share: equations."""

    equations: tuple[Any, ...]

    @abstractmethod
    def place(self) -> str:
        """Where they hold, for a label."""

    def expressions(self) -> list[sp.Expr]:
        return [r for equation in self.equations for r in expressions_of(equation)]

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        return [s for equation in self.equations for s in stated_equation(equation, f"{self.place()}: ")]

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        return replace(self, equations=tuple(put(e) for e in self.equations))  # type: ignore[type-var]


def stated_equation(equation: Any, place: str = "") -> list[Stated]:
    """The scalar equations of one equation: a vector equation has several."""
    parts, text = expressions_of(equation), text_of(equation)
    entries = [f" [{k}]" for k in range(len(parts))] if len(parts) > 1 else [""]
    return [Stated(f"{place}{shortened(text)}{e}", text, r) for e, r in zip(entries, parts, strict=True)]
