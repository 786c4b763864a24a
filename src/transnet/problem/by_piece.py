"""What differs from piece to piece: coefficients by piece, jumps across interfaces, equations of one piece.

The derivative of a coefficient by piece is kept as a `Slope`: inside a piece it is the derivative of the piece's own
value, and across an interface it preserves what was under the divergence: the flux, which is continuous there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.symbol import Str

from transnet.arguments import Formula
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.formulas import formula_of


class ByPiece(sp.Expr):
    """A value for each piece; made by `by_piece`. Its arguments are the names and the values."""

    is_commutative = True
    _op_priority = 20.0  # precedence over SymPy's own operators, so that results are of this class again

    def __new__(cls, names: sp.Tuple, *values: sp.Expr) -> ByPiece:
        return super().__new__(cls, names, *values)

    @property
    def names(self) -> tuple[str, ...]:
        """The pieces that have a value."""
        return tuple(n.name for n in self.args[0].args)

    @property
    def values(self) -> dict[str, sp.Expr]:
        """The value of each piece."""
        return dict(zip(self.names, self.args[1:], strict=True))

    def diff(self, *symbols: Any, **assumptions: Any) -> sp.Expr:
        """The derivative, including the jumps: a `Slope`."""
        result: sp.Expr = self
        for s in symbols:
            name, count = (s[0], int(s[1])) if isinstance(s, tuple | sp.Tuple) else (s, 1)
            if isinstance(name, int | sp.Integer):
                raise ProblemError("Differentiate coefficients by piece as in sympy.diff(k, (x, 2)).")
            for _ in range(count):
                result = self._eval_derivative(name) if result is self else sp.diff(result, name)
        return result

    def _eval_derivative(self, s: sp.Symbol) -> sp.Expr:
        # Dummies stand for unknowns and their derivatives, on which a coefficient by piece does not depend.
        return sp.Integer(0) if isinstance(s, sp.Dummy) else Slope(self, s)

    def _made(self, values: Iterable[Any]) -> sp.Expr:
        """New values for the same pieces; zero if all of them are."""
        made = [sp.sympify(v) for v in values]
        return ByPiece(self.args[0], *made) if any(v != 0 for v in made) else sp.Integer(0)

    def _mapped(self, function: Callable[[sp.Expr], Any]) -> sp.Expr:
        return self._made(function(v) for v in self.args[1:])

    def _with(self, other: Any, function: Callable[[sp.Expr, sp.Expr], Any]) -> sp.Expr | None:
        """Combine the values of each piece with the other operand, if that has no unknown; otherwise None."""
        try:
            other = sp.sympify(other)
        except sp.SympifyError:
            return NotImplemented
        if isinstance(other, ByPiece) and other.args[0] == self.args[0]:
            pairs = zip(self.args[1:], other.args[1:], strict=True)
            return self._made(function(a, b) for a, b in pairs)
        if isinstance(other, sp.Expr) and not other.has(AppliedUndef, ByPiece, Slope) and not other.has(sp.Dummy):
            return self._mapped(lambda v: function(v, other))
        return None

    def __neg__(self) -> sp.Expr:
        return self._mapped(lambda v: -v)

    def __add__(self, other: Any) -> sp.Expr:
        made = self._with(other, lambda a, b: a + b)
        return sp.Add(self, other) if made is None else made

    def __radd__(self, other: Any) -> sp.Expr:
        return self.__add__(other)

    def __sub__(self, other: Any) -> sp.Expr:
        made = self._with(other, lambda a, b: a - b)
        return sp.Add(self, -sp.sympify(other)) if made is None else made

    def __rsub__(self, other: Any) -> sp.Expr:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> sp.Expr:
        if isinstance(other, sp.MatrixBase):
            return other.applyfunc(self.__mul__)
        made = self._with(other, lambda a, b: a * b)
        return sp.Mul(self, other) if made is None else made

    def __rmul__(self, other: Any) -> sp.Expr:
        return self.__mul__(other)

    def __truediv__(self, other: Any) -> sp.Expr:
        made = self._with(other, lambda a, b: a / b)
        return sp.Mul(self, 1 / sp.sympify(other)) if made is None else made

    def __rtruediv__(self, other: Any) -> sp.Expr:
        return (self**-1).__mul__(other)

    def __pow__(self, other: Any, mod: Any = None) -> sp.Expr:
        made = self._with(other, lambda a, b: a**b)
        return sp.Pow(self, other) if made is None else made

    def _sympystr(self, printer: Any) -> str:
        inner = ", ".join(f"{n}={printer._print(v)}" for n, v in self.values.items())
        return f"by_piece({inner})"

    def _latex(self, printer: Any) -> str:
        rows = r" \\ ".join(rf"{printer._print(v)} & \text{{{n}}}" for n, v in self.values.items())
        return rf"\begin{{cases}} {rows} \end{{cases}}"


class Slope(sp.Expr):
    """The derivative of a coefficient by piece, including its jumps: Slope(k, x) is dk/dx."""

    is_commutative = True

    def __new__(cls, of: ByPiece, *symbols: sp.Symbol) -> Slope:
        return super().__new__(cls, of, *sorted(symbols, key=sp.default_sort_key))

    def diff(self, *symbols: Any, **assumptions: Any) -> sp.Expr:
        """One more derivative."""
        more = []
        for s in symbols:
            more += [s[0]] * int(s[1]) if isinstance(s, tuple | sp.Tuple) else [s]
        if any(isinstance(s, sp.Dummy) for s in more):
            return sp.Integer(0)
        return Slope(self.args[0], *self.args[1:], *more)

    def _eval_derivative(self, s: sp.Symbol) -> sp.Expr:
        return self.diff(s)

    def _sympystr(self, printer: Any) -> str:
        return f"diff({', '.join(printer._print(a) for a in self.args)})"

    def _latex(self, printer: Any) -> str:
        return printer._print(sp.Derivative(sp.Function("k")(*self.args[1:]), *self.args[1:]))


class Jump(sp.Function):
    """The value of an expression on the second side of an interface minus that on the first; made by `jump`."""

    nargs = 1

    @classmethod
    def eval(cls, argument: sp.Expr) -> sp.Expr | None:
        return sp.Integer(0) if not argument.has(AppliedUndef, ByPiece) else None


@dataclass(frozen=True)
class Inside:
    """An equation that holds in one piece only; made by `inside`."""

    piece: str
    equation: Any


@explained
def by_piece(values: Mapping[str, Any] | None = None, /, **more: Any) -> Any:
    """A coefficient that differs from piece to piece: `k = tn.by_piece(core=1000, shell=1)`.

    It is an expression like any other. The values may be formulas of the coordinates, and of the unknowns:
    `tn.by_piece(core=1 + u**2, shell=1)`. The argument of a divergence, as in `tn.div(k * tn.grad(u))`, is the flux
    that is continuous from piece to piece.

    Parameters
    ----------
    values : mapping, optional
        Values by the names of the pieces, for names that are not Python identifiers.
    more
        Values by the names of the pieces.
    """
    stated = {**(values or {}), **more}
    if not stated:
        raise ProblemError("by_piece needs a value for each piece: tn.by_piece(core=1000, shell=1).")
    made = {}
    for name, value in stated.items():
        made[str(name)] = formula_of(value, f"The value of by_piece for {shown(name)}", ProblemError)
        if not isinstance(made[str(name)], sp.Expr):
            raise ProblemError(
                f"The value of by_piece for '{name}' is {value}. Give a number or a formula; an equation of one piece "
                f"is tn.inside('{name}', equation)."
            )
    names = sp.Tuple(*(Str(n) for n in made))
    # Values with unknowns are multiplied by an indicator of their piece.
    beside = [
        sp.Mul(ByPiece(names, *(sp.Integer(n == name) for n in made)), value, evaluate=False)
        for name, value in made.items()
        if value.has(AppliedUndef)
    ]
    plain = [sp.Integer(0) if value.has(AppliedUndef) else value for value in made.values()]
    if not beside:
        return ByPiece(names, *plain)
    return sp.Add(*beside, *([ByPiece(names, *plain)] if any(v != 0 for v in plain) else []))


@explained
def jump(expression: Formula) -> Any:
    """The jump of an expression across an interface: its value on the second side minus that on the first.

    On "core|shell" the first side is the core, the second the shell, and the normal points from the first to the
    second: `tn.on("core|shell", sp.Eq(tn.jump(u), g), sp.Eq(tn.jump(k * tn.normal_derivative(u)), h))`.
    """
    if isinstance(expression, list | tuple | sp.MatrixBase):
        return sp.Matrix([jump(e) for e in expression])
    return Jump(formula_of(expression, "What tn.jump is taken of", ProblemError))


@explained
def inside(piece: str, equation: Any) -> Inside:
    """An equation that holds in one piece only, among the equations of a problem: `tn.inside("core", equation)`."""
    if not isinstance(piece, str):
        raise ProblemError(f"The first argument of tn.inside is the name of a piece, not {shown(piece)}.")
    return Inside(piece, equation)


def in_piece(expression: sp.Expr, name: str) -> sp.Expr:
    """The expression as it reads in one piece."""
    if not expression.has(ByPiece, Slope):
        return expression

    def value(*arguments: Any) -> sp.Expr:
        stated = ByPiece(*arguments).values
        if name not in stated:
            raise ProblemError(
                f"by_piece({', '.join(f'{n}=...' for n in stated)}) has no value for the piece '{name}'. Give one."
            )
        return stated[name]

    expression = expression.replace(Slope, lambda k, *symbols: sp.diff(value(*k.args), *symbols))
    return expression.replace(ByPiece, value)
