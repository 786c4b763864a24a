"""From SymPy and domains back to the formula language, so that a problem can be kept as text.

Reading the text again gives an equal expression; anything the language cannot express is refused by name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, NoReturn

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, Not, Or

from transnet.errors import ProblemError
from transnet.geometry import Domain
from transnet.language.vocabulary import FUNCTIONS, RESERVED
from transnet.problem.by_piece import ByPiece, Jump, Slope
from transnet.problem.conserved import Conserved
from transnet.problem.elsewhere import Over
from transnet.problem.unknowns import Given, Lagged, NormalComponent, SurfaceLaplacian

IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")
BY_CLASS = {known.symbolic: name for name, known in FUNCTIONS.items() if isinstance(known.symbolic, type)}
CONSTANTS = {sp.pi: "pi", sp.E: "E", sp.I: "I"}


class NotWritable(ProblemError):
    """The formula language cannot express something; the text names it."""


def name_of(name: str) -> str:
    """A name that the language can read."""
    if not IDENTIFIER.match(name) or name in RESERVED:
        raise NotWritable(f"the name '{name}'")
    return name


def quoted(text: str) -> str:
    """A text in the quotes that it does not contain: the language has no escapes."""
    quote = "'" if '"' in text else '"'
    if quote in text or "\n" in text:
        raise NotWritable(f"the name {text!r}")
    return f"{quote}{text}{quote}"


def text_of_expression(e: Any) -> str:
    """A SymPy expression as a formula."""
    match e:
        case NormalComponent() | sp.Symbol():
            return name_of(e.name)
        case sp.Integer():
            return str(int(e)) if e >= 0 else f"({int(e)})"
        case sp.Rational():
            return f"({int(e.p)}/{int(e.q)})"
        case sp.Float():
            return text_of_number(float(e))
        case sp.Add():
            return f"({' + '.join(map(text_of_expression, e.args))})"
        case sp.Mul():
            return f"({'*'.join(map(text_of_expression, e.args))})"
        case sp.exp():
            return f"exp({text_of_expression(e.args[0])})"
        case sp.Pow(args=(base, exponent)):
            return f"({text_of_expression(base)}**{text_of_expression(exponent)})"
        case Given():
            raise NotWritable(f"the given function '{type(e).__name__}', which is Python code")
        case Lagged():
            return f"lagged({text_of_expression(e.args[0])})"
        case Conserved():
            return f"conserved({', '.join(map(text_of_expression, e.args[:2]))})"
        case SurfaceLaplacian():
            return f"surface_laplacian({', '.join(map(text_of_expression, e.args))})"
        case AppliedUndef():
            return name_of(e.func.__name__) + (f"({', '.join(map(text_of_expression, e.args))})" if e.args else "")
        case sp.Subs():
            there = (f"{text_of_expression(s)}, {text_of_expression(a)}" for s, a in zip(*e.args[1:], strict=True))
            return f"subs({text_of_expression(e.expr)}, {', '.join(there)})"
        case sp.Integral() if len(e.limits) == 1 and len(e.limits[0]) == 3:
            return f"integral({', '.join(map(text_of_expression, (e.function, *e.limits[0])))})"
        case Over():
            place = [quoted(e.place)] if e.place else []
            return f"integral({', '.join([*map(text_of_expression, (e.args[0], *e.bound)), *place])})"
        case ByPiece():
            values = [f"{quoted(n)}, {text_of_expression(v)}" for n, v in e.values.items()]
            return f"by_piece({', '.join(values)})"
        case Slope():
            return f"diff({', '.join(map(text_of_expression, e.args))})"
        case Jump():
            return f"jump({text_of_expression(e.args[0])})"
        case sp.Derivative():
            orders = ", ".join(f"{text_of_expression(v)}, {int(n)}" for v, n in e.variable_count)
            return f"diff({text_of_expression(e.expr)}, {orders})"
        case sp.Piecewise():
            return _pieces(list(e.args))
        case Relational(rel_op=sign) if sign in ("<", "<=", ">", ">="):
            return f"({text_of_expression(e.lhs)} {sign} {text_of_expression(e.rhs)})"
        case And() | Or():
            return f"({(' and ' if isinstance(e, And) else ' or ').join(map(text_of_expression, e.args))})"
        case Not():
            return f"(not {text_of_expression(e.args[0])})"
        case sp.Heaviside():
            return f"heaviside({text_of_expression(e.args[0])})"
    if e in CONSTANTS:
        return CONSTANTS[e]
    if type(e) in BY_CLASS:
        return f"{BY_CLASS[type(e)]}({', '.join(map(text_of_expression, e.args))})"
    raise NotWritable(f"{type(e).__name__} in '{str(e)[:60]}'")


def _pieces(pieces: list[Any]) -> str:
    value, condition = pieces[0].args
    if condition == sp.true:
        return text_of_expression(value)
    if len(pieces) == 1:
        raise NotWritable("a Piecewise that is not defined everywhere")
    return f"where({text_of_expression(condition)}, {text_of_expression(value)}, {_pieces(pieces[1:])})"


def text_of_equation(equation: Any) -> str:
    """An equation as `left = right`."""
    if isinstance(equation, sp.Equality):
        left, right = equation.lhs, equation.rhs
    else:
        left, right = sp.sympify(equation), sp.Integer(0)
    return f"{_side(left)} = {_side(right)}"


def _side(side: Any) -> str:
    if isinstance(side, sp.MatrixBase):
        return f"[{', '.join(map(text_of_expression, side))}]"
    return text_of_expression(side)


def text_of_number(value: float) -> str:
    """A float with all its digits."""
    if not math.isfinite(value):
        raise NotWritable(f"the number {value}")
    return repr(float(value)) if value >= 0 else f"({float(value)!r})"


class _Words:
    """The pen with which shapes write themselves."""

    prefix = ""
    number, formula = staticmethod(text_of_number), staticmethod(text_of_expression)

    def numbers(self, values: Iterable[float]) -> str:
        return f"({', '.join(map(text_of_number, values))},)"

    def ranges(self, sides: Iterable[tuple[str, float, float]]) -> str:
        ends = {math.inf: "oo", -math.inf: "-oo"}
        return ", ".join(
            f"{name_of(name)}=({', '.join(ends.get(v) or text_of_number(v) for v in side)},)" for name, *side in sides
        )

    def quoted(self, name: str) -> str:
        return quoted(name)

    def refuse(self, what: str) -> NoReturn:
        raise NotWritable(what)


def text_of_domain(domain: Domain) -> str:
    """A domain in Python's syntax."""
    return domain.text(_Words())
