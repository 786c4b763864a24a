"""What holds at infinity: a field tends to a given one, or waves run outwards (Sommerfeld's condition)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of
from transnet.geometry import Domain, Exterior
from transnet.geometry.partition import shapes_of
from transnet.problem.condition import KINDS, Condition, Draw, Order, Placed, Reader, Stated, Writer
from transnet.problem.equations import written
from transnet.problem.latex import latex_of_expression
from transnet.sections.windows import open_parts

if TYPE_CHECKING:
    from transnet.problem.problem import Problem


class Far(Condition):
    """What conditions at infinity share: an expression of the unknowns that decays or radiates there."""

    weight: float | None = None
    expression: sp.Expr

    @property
    def in_cells(self) -> bool:
        return True

    def expressions(self) -> list[sp.Expr]:
        return [self.expression]

    def stated(self, problem: Problem, order: Order) -> list[Stated]:
        return []  # the functions of the solution satisfy it, so it has no rows

    def placed(self, problem: Problem, draw: Draw) -> Placed:
        raise ProblemError("A condition at infinity has no points.")

    def check(self, problem: Problem) -> None:
        if exterior_of(problem.domain) is None and not open_parts(problem.domain):
            raise ProblemError(
                f"tn.{self.kind} states what holds at infinity, but the domain {problem.domain} is bounded. Use "
                f"tn.Exterior(body) for the plane outside a body, or x=(0, sp.oo) for a coordinate without an end, or "
                f"state what holds on the boundary."
            )

    def same_place(self, other: Any) -> bool:
        return True


@dataclass(frozen=True)
class AtInfinity(Far):
    """An expression that tends to zero at infinity; made by `at_infinity`."""

    expression: sp.Expr

    kind: ClassVar[str] = "at_infinity"

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"{written(self.expression)} -> 0", "at infinity")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        return [(rf"{latex_of_expression(self.expression)} &\to 0", r"\text{at infinity}")]

    def stored(self, writer: Writer) -> dict[str, Any]:
        return {"at_infinity": writer.formula(self.expression)}

    def call(self, text: Callable[[Any], str]) -> str:
        return f"tn.at_infinity({text(self.expression)})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        return at_infinity(reader.formula("at_infinity"))


@dataclass(frozen=True)
class Outgoing(Far):
    """An expression that consists of outgoing waves far away; made by `outgoing`."""

    expression: sp.Expr
    wavenumber: sp.Expr

    kind: ClassVar[str] = "outgoing"

    def expressions(self) -> list[sp.Expr]:
        # The wave number is among the parameters even where the equation has its square by another name.
        return [self.expression + 0 * self.wavenumber]

    def lines(self) -> list[tuple[Any, str]]:
        return [(f"{written(self.expression)} outgoing", f"with the wave number {self.wavenumber}")]

    def latex(self, problem: Problem) -> list[tuple[str, str]]:
        w, k = latex_of_expression(self.expression), sp.latex(self.wavenumber)
        return [(rf"\sqrt{{r}}\,(\partial_r - \mathrm{{i}} {k})\left({w}\right) &\to 0", r"\text{at infinity}")]

    def stored(self, writer: Writer) -> dict[str, Any]:
        return {"outgoing": writer.formula(self.expression), "k": writer.formula(self.wavenumber)}

    def call(self, text: Callable[[Any], str]) -> str:
        return f"tn.outgoing({text(self.expression)}, {text(self.wavenumber)})"

    @classmethod
    def read(cls, reader: Reader) -> Condition:
        return outgoing(reader.formula("outgoing"), reader.formula("k"))


KINDS["at_infinity"] = AtInfinity
KINDS["outgoing"] = Outgoing


@explained
def at_infinity(expression: sp.Expr, value: Any = 0) -> AtInfinity:
    """A field that tends to another at infinity: expression - value -> 0, for `tn.Exterior`.

    Parameters
    ----------
    expression : sympy expression
        The unknown.
    value : number or sympy expression
        What it tends to: a number, or a field that solves the equation, such as `x` for a uniform one. It may contain
        unknown numbers, `c = tn.unknown("c")`: in the plane values on the boundary leave no choice for the
        constant at infinity, `tn.at_infinity(u, c)`, or for the charge, `tn.at_infinity(u, c * sp.log(r))`.
    """
    if isinstance(expression, sp.Equality):
        expression, value = expression.lhs, expression.rhs
    field = formula_of(expression, "What tn.at_infinity states", ProblemError)
    return AtInfinity(_with_unknown(field, "at_infinity") - formula_of(value, "The value at infinity", ProblemError))


@explained
def outgoing(expression: sp.Expr, wavenumber: Any) -> Outgoing:
    """Waves that run outwards at infinity: sqrt(r) (d/dr - i k) expression -> 0 (Sommerfeld), for `tn.Exterior`.

    Parameters
    ----------
    expression : sympy expression
        The unknown, which is complex; without the incident wave, `u - sp.exp(sp.I * k * x)`, if u is the whole field.
    wavenumber : number or expression
        k, with Laplace(u) + k^2 u = 0. Times are exp(-i omega t); with the other convention it is -k.
    """
    field = _with_unknown(formula_of(expression, "What tn.outgoing states", ProblemError), "outgoing")
    k = formula_of(wavenumber, "The wave number of tn.outgoing", ProblemError)
    if k.has(AppliedUndef) or k == 0:
        raise ProblemError(
            f"The wave number of tn.outgoing is a number that is not zero, or a parameter, not {shown(wavenumber)}. "
            f"Without a frequency nothing runs outwards: state tn.at_infinity(u, 0)."
        )
    if not field.has(sp.I):
        raise ProblemError(
            f"Outgoing waves are complex, but {shown(field)} is real. Make the unknown complex: "
            f"tn.unknown('u', x, y, complex=True); its real part is the field at t = 0."
        )
    return Outgoing(field, k)


def _with_unknown(field: sp.Expr, what: str) -> sp.Expr:
    if not field.has(AppliedUndef):
        raise ProblemError(f"tn.{what} has no unknown in {shown(field)}. Write tn.{what}(u, ...).")
    return field


def exterior_of(domain: Domain) -> Exterior | None:
    """A domain that is unbounded, or its piece that is; None for a bounded one."""
    return next((shape for _, shape in shapes_of(domain) if isinstance(shape, Exterior)), None)


def check_infinity(problem: Problem) -> None:
    """An unbounded domain has conditions at infinity: one for each unknown, or those of each end of a box."""
    if ends := set(open_parts(problem.domain)):
        _check_ends(problem, ends)
    if exterior_of(problem.domain) is None:
        return
    far = [c for c in problem.conditions if isinstance(c, Far)]
    if not far:
        raise ProblemError(
            f"The domain {problem.domain} extends to infinity, and nothing is stated there: many solutions would do. "
            f"Add tn.at_infinity(u, 0) for a field that decays, or tn.outgoing(u, k) for waves."
        )
    stated = [u for c in far for u in c.expression.atoms(AppliedUndef) if u.args and u in problem.unknowns]
    twice = any(isinstance(c, Outgoing) for c in far) and len(far) > 1
    if twice or len(set(stated)) < len(stated):
        raise ProblemError(
            "There are two conditions at infinity, but one determines the field there. Leave out one of them."
        )


def _check_ends(problem: Problem, ends: set[str]) -> None:
    """Something holds at each end at infinity, and it is not a period."""
    named = {p for c in problem.conditions if c.boundary for p in problem.domain.resolve(c.boundary)}
    far = [c for c in problem.conditions if isinstance(c, Far)]
    if not far and not ends & named:
        raise ProblemError(
            f"The domain {problem.domain} extends to infinity, and nothing is stated there: many solutions would do. "
            f"Add tn.at_infinity(u, 0) for a field that decays, or tn.on('{min(ends)}', ...) for what it tends to at "
            f"one end."
        )
    if any(isinstance(c, Outgoing) for c in far) and problem.domain.dimension == 1:
        raise ProblemError(
            "tn.outgoing is for waves of the plane and of space: ends of a line at infinity take fields that decay or "
            "tend to given ones, tn.at_infinity(u, 0)."
        )
    periods = {c.period.name for c in problem.conditions if c.period is not None}
    along = {name.rsplit("=", 1)[0].split()[-1] for name in ends}
    if periods & along:
        raise ProblemError(
            f"The problem is periodic in {min(periods & along)}, which extends to infinity. Take one period, "
            f"{min(periods & along)}=(0, 1), as the domain."
        )


def refuse_unbounded(domain: Domain, what: str, ends: bool = True) -> None:
    """Raise an error if a domain is unbounded, for something that needs a bounded one; without `ends` boxes may be."""
    if exterior_of(domain) is not None or (ends and open_parts(domain)):
        raise ProblemError(
            f"{what} needs a bounded domain, but {domain} extends to infinity. Only tn.solve takes it; or leave the "
            f"bodies out of a large disk, and state what holds on its rim."
        )
