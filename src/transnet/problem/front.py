"""Parts of the boundary whose shape is unknown: one more condition holds on them, or they move with a stated speed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.problem.condition import Condition, Reader, Writer, register
from transnet.problem.inequality import is_inequality
from transnet.problem.kinds import On
from transnet.problem.latex import latex_of_expression, plain_text
from transnet.problem.unknowns import Curvature


def curvature() -> sp.Symbol:
    """The curvature of a front in the plane, for surface tension: `tn.front("rim", sp.Eq(p, s * tn.curvature()), ...)`.

    It is the divergence of the outward normal: 1/R on the circle around a disk, -1/R on that around a hole.
    """
    return Curvature()


@register
@dataclass(frozen=True)
class Front(On):
    """Conditions on a part of the boundary whose shape is unknown; made by `front`."""

    speed: sp.Expr | None = None

    @property
    def kind(self) -> str:
        return "front"

    def lines(self) -> list[tuple[Any, str]]:
        moves = [] if self.speed is None else [(f"normal speed {self.speed}", f"of {self.place()}")]
        return [*((e, f"on the front {self.place()}") for e in self.equations), *moves]

    def latex(self, problem: Any) -> list[tuple[str, str]]:
        place = rf"\text{{on {plain_text(self.part)}}}"
        moves = [] if self.speed is None else [(f"V_n &= {latex_of_expression(self.speed)}", place)]
        return [*super().latex(problem), *moves]

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        speed = None if self.speed is None else put(self.speed)
        return replace(self, equations=tuple(put(e) for e in self.equations), speed=speed)

    def expressions(self) -> list[sp.Expr]:
        return [*super().expressions(), *([] if self.speed is None else [self.speed])]

    def stored(self, writer: Writer) -> dict[str, Any]:
        speed = None if self.speed is None else writer.formula(self.speed)
        return {"front": self.part, "equations": writer.equations(self.equations), "speed": speed}

    def entry(self, writer: Writer) -> str | dict[str, Any]:
        return self.stored(writer)

    def call(self, text: Callable[[Any], str]) -> str:
        moves = "" if self.speed is None else f", speed={text(self.speed)}"
        return f"tn.front({self.part!r}, {', '.join(map(text, self.equations))}{moves})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        return front(
            reader["front"], *reader.equations(), speed=None if reader["speed"] is None else reader.formula("speed")
        )


@explained
def front(part: str, *equations: Any, speed: Any = None) -> Front:
    """A part of the boundary whose shape is part of the solution.

    The domain of the problem has a first guess of the shape, or the shape at the start. Without a speed the front is at
    rest, and one equation more than on a wall determines where: `tn.front("rim", sp.Eq(u, 0),
    sp.Eq(tn.normal_derivative(u), -2))`. With a speed it moves along its outward normal, in a domain times time:
    `tn.front("rim", sp.Eq(p, 0), speed=-tn.normal_derivative(p))`.

    Parameters
    ----------
    part : str
        A closed curve among `domain.parts`, of a domain in the plane.
    equations : sympy.Eq or expression
        What holds on it; `tn.curvature()` and `tn.normal(x, y)` may stand in it.
    speed : expression, optional
        Its speed along the outward normal.
    """
    from transnet.problem.conditions import on

    if any(map(is_inequality, equations)):
        raise ProblemError(f"tn.front('{part}') takes equations, not inequalities: {shown(equations)}.")
    made: Any = on(part, *equations)
    moves = None if speed is None else formula_of(speed, "The speed of a front", ProblemError)
    return Front(made.part, made.equations, speed=moves)
