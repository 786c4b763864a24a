"""Periodicity up to a phase: u(x + L) = exp(i q) u(x), as waves in a periodic structure have it (Bloch, Floquet)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp

from transnet.errors import ProblemError
from transnet.problem.complex import complex_pairs, complex_unknown, in_given_names
from transnet.problem.condition import Condition, Draw, Order, Placed, Stated, Writer, more
from transnet.problem.equations import written
from transnet.problem.latex import latex_of_expression
from transnet.problem.whole import Periodic

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


@dataclass(frozen=True)
class Bloch(Condition):
    """Complex unknowns that are periodic in a coordinate up to the factor exp(i phase); made by `periodic`."""

    kind: ClassVar[str] = "periodic"

    coordinate: sp.Symbol
    phase: sp.Expr
    unknowns: tuple[sp.Expr, ...] = field(default=())
    weight: float | None = None

    @property
    def symbols(self) -> set[sp.Symbol]:
        return set(self.phase.free_symbols)

    @property
    def turn(self) -> tuple[sp.Symbol, sp.Expr]:
        return self.coordinate, self.phase

    def expressions(self) -> list[sp.Expr]:
        return []

    def check(self, problem: Problem) -> None:
        Periodic(self.coordinate, self.unknowns).check(problem)
        within = {k for pair in complex_pairs(problem).values() for k in pair}
        real = [
            u for k, u in enumerate(problem.unknowns) if k not in within and u in (self.unknowns or problem.unknowns)
        ]
        if real:
            raise ProblemError(
                f"tn.periodic({self.coordinate}, phase={self.phase}) multiplies the unknown by a complex factor, but "
                f"{real[0]} is real. Make it complex: tn.unknown('{real[0].func.__name__}', "
                f"{', '.join(map(str, real[0].args))}, complex=True)."
            )
        if self.phase.free_symbols & set(problem.coordinates):
            raise ProblemError(
                f"The phase {self.phase} of a periodic condition is a number or a parameter, the same on all of a face."
            )

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        low = sp.Float(float(problem.domain.bounds[0][problem.coordinates.index(self.coordinate)]))
        found = []
        for name, (re, im) in complex_pairs(problem).items():
            pair = [problem.unknowns[re], problem.unknowns[im]]
            if self.unknowns and not set(pair) & set(self.unknowns):
                continue
            for n in range(order(pair[0], self.coordinate)):
                here = [sp.diff(u, self.coordinate, n) if n else u for u in pair]
                there = [d.subs(self.coordinate, low) for d in here]
                whole = complex_unknown(name, pair[0].args)
                shown = written(in_given_names(sp.diff(whole, self.coordinate, n) if n else whole))
                text = f"{shown} periodic in {self.coordinate} up to the phase {self.phase}"
                c, s = sp.cos(self.phase), sp.sin(self.phase)
                found.append(Stated(f"{text} [0]", text, here[0] - c * there[0] + s * there[1]))
                found.append(Stated(f"{text} [1]", text, here[1] - s * there[0] - c * there[1]))
        return found

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"periodic in {self.coordinate} up to the phase {self.phase}", "")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        which = ", ".join(latex_of_expression(u) for u in self.unknowns or problem.unknowns)
        factor = rf"e^{{\mathrm{{i}} {sp.latex(self.phase)}}}"
        return [(rf"{which} &\ \text{{periodic up to }} {factor}", rf"\text{{in }} {sp.latex(self.coordinate)}")]

    def parts(self, problem: Problem) -> tuple[str, ...]:
        return Periodic(self.coordinate).parts(problem)

    def of(self, put: Callable[[Any], Any], divisor: float = 1.0) -> Condition:
        return self  # in all units

    def same_place(self, other: Any) -> bool:
        return bool(self.coordinate == other.coordinate)

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        return Placed(draw.faces(self.coordinate)[1])

    def stored(self, writer: Writer) -> dict[str, Any]:
        found = Periodic(self.coordinate, self.unknowns, self.weight).stored(writer)
        return {**found, "phase": writer.formula(self.phase)}

    def call(self, text: Callable[[Any], str]) -> str:
        names = [text(self.coordinate), *map(text, self.unknowns)]
        return f"tn.periodic({', '.join(names)}, phase={text(self.phase)}{more(weight=self.weight)})"
