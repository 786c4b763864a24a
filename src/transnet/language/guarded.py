"""SymPy operations that cannot run away: every value knows its size, its depth and, if it is a number, its magnitude.

SymPy works out powers of integers and compares numbers as soon as they are written, so `9**9**9**9` or
`max(exp(exp(exp(9))), 1)` would never return. Here the magnitude is known in floating point before SymPy is called,
also if SymPy finds that a formula of the coordinates, such as 9 + x - x, is a number.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.language.errors import FormulaError
from transnet.language.growth import sizes
from transnet.language.vocabulary import NUMERIC, SLOW

LARGEST_EXPONENT = 1000
"""The largest numeric exponent of a power."""
LARGEST_COMPLEX_EXPONENT = 30
"""The largest exponent of a complex number, which SymPy multiplies out."""
MOST_BITS = 1000
"""The largest exact integer: one that still fits into a float."""
MOST_TERMS = 2_000
"""The most nodes of the expression for a formula, with its definitions expanded."""
DEEPEST = 100
"""The most levels of that expression."""
LARGEST_DERIVATIVE = 3_000
"""The largest size of a derivative that is computed: SymPy takes up to 0.3 s for one, and there may be some inside each
other."""
MOST_EXTREMA = 12
"""The most calls of max, min and where in one formula, with its definitions: SymPy compares their arguments
pairwise."""


PARTS = (sp.re, sp.im, sp.Abs, sp.conjugate)
"""Functions that take a complex number apart."""
EXACT = 10
"""The largest size of an exact number whose functions are exact: SymPy looks at nests of exact numbers in ever more
digits, which takes it minutes for fifteen levels of re(sqrt(1 + I*2))."""


@dataclass(frozen=True)
class Value:
    """An expression, its size and depth, its value if it is a number, and how often it takes a maximum or a choice."""

    expression: Any
    number: float | None = None
    size: int = 1
    depth: int = 1
    extrema: int = 0

    @property
    def is_vector(self) -> bool:
        return isinstance(self.expression, sp.MatrixBase)

    @property
    def is_condition(self) -> bool:
        return isinstance(self.expression, sp.logic.boolalg.Boolean) and not isinstance(self.expression, sp.Symbol)


def made(
    expression: Any, parts: Sequence[Value], number: float | None, offset: int, size: int = 1, extrema: int = 0
) -> Value:
    """The result of an operation on parts, with this much size of its own; refused if it is too large."""
    size += sum(p.size for p in parts)
    extrema += sum(p.extrema for p in parts)
    depth = 1 + max((p.depth for p in parts), default=0)
    if size > MOST_TERMS or depth > DEEPEST:
        raise FormulaError(
            f"The formula is too large: written out it has more than "
            f"{f'{MOST_TERMS} terms and factors' if size > MOST_TERMS else f'{DEEPEST} levels'}. Simplify it.",
            offset,
        )
    if extrema > MOST_EXTREMA:
        raise FormulaError(f"The formula has more than {MOST_EXTREMA} calls of max, min and where.", offset)
    if number is None and isinstance(expression, sp.Expr):
        if expression.is_number and expression.has(sp.I):  # it has no order, so it is not a number in what follows
            finite = cmath.isfinite(complex_number_of(expression))
            number = None if finite else math.nan
        elif expression.is_number:
            number = number_of(expression)
        else:
            _check_factor(expression, offset)
    if number is not None and not math.isfinite(number):
        raise FormulaError("A number in the formula is too large, or not defined.", offset)
    return Value(expression, number, size, depth, extrema)


def number_of(expression: sp.Expr) -> float:
    """The value of an expression without symbols in floating point; NaN if it has none.

    SymPy is never called for this: its exact numbers may be too large to compute.
    """
    try:
        if isinstance(expression, sp.Number | sp.NumberSymbol):
            return float(expression)
        numbers = [number_of(a) for a in expression.args]
        if isinstance(expression, sp.Add):
            return math.fsum(numbers)
        if isinstance(expression, sp.Mul):
            return math.prod(numbers)
        if isinstance(expression, sp.Pow):
            return float(numbers[0] ** numbers[1])
        return float(NUMERIC[expression.func](*numbers))
    except (ArithmeticError, TypeError, ValueError, KeyError):
        return math.nan


def complex_number_of(expression: sp.Expr) -> complex:
    """The same for a complex number; NaN for a function that Python does not have for complex numbers."""
    if not expression.has(sp.I):
        return complex(number_of(expression))
    if expression is sp.I:
        return 1j
    numbers = [complex_number_of(a) for a in expression.args]
    try:
        if isinstance(expression, sp.Add):
            return sum(numbers)
        if isinstance(expression, sp.Mul):
            return math.prod(numbers, start=1 + 0j)
        if isinstance(expression, sp.Pow):
            return complex(numbers[0] ** numbers[1])
        if isinstance(expression, sp.Abs | sp.re | sp.im | sp.conjugate):
            z = numbers[0]
            return complex({sp.Abs: abs(z), sp.re: z.real, sp.im: z.imag}.get(expression.func, z.conjugate()))
        return complex(getattr(cmath, expression.func.__name__)(*numbers))
    except (ArithmeticError, TypeError, ValueError, AttributeError):
        return complex(math.nan)


def _check_factor(expression: sp.Expr, offset: int) -> None:
    factor = expression.as_coeff_Mul()[0]
    try:
        finite = math.isfinite(float(factor))
    except (OverflowError, TypeError, ValueError):
        finite = False
    if not finite:
        raise FormulaError("A number in the formula is too large, or not defined.", offset)


def check_cost(value: Value, size: int, depth: int, offset: int) -> None:
    """Refuse an operation whose result would have about this size and depth, before SymPy is called."""
    made(None, (Value(None, None, size - 1, depth - 1),), None, offset)


def total(terms: Sequence[tuple[int, Value]], offset: int) -> Value:
    """The sum of terms with their signs, added at once."""
    parts = [v for _, v in terms]
    check_cost(parts[0], sum(p.size for p in parts), max(p.depth for p in parts), offset)
    _check_fractions(parts, offset)
    number = _sum_of_numbers(terms)
    vectors = [p.is_vector for p in parts]
    if any(vectors):
        if not all(vectors) or len({p.expression.shape for p in parts}) > 1:
            raise FormulaError("A sum needs numbers only, or vectors of the same length only.", offset)
        rows = [sp.Add(*(s * p.expression[i] for s, p in terms)) for i in range(len(parts[0].expression))]
        return made(sp.Matrix(rows), parts, None, offset)
    return made(sp.Add(*(s * p.expression for s, p in terms)), parts, number, offset)


def _check_fractions(parts: Sequence[Value], offset: int) -> None:
    """Refuse exact fractions whose common denominator would be huge."""
    factors = [p.expression.as_coeff_Mul()[0] for p in parts if isinstance(p.expression, sp.Expr)]
    bits = sum(int(f.q).bit_length() - 1 for f in factors if isinstance(f, sp.Rational))
    if bits > 4 * MOST_BITS:
        raise FormulaError("The exact fractions of this formula are too long. Write them as decimals: 0.25.", offset)


def _sum_of_numbers(terms: Sequence[tuple[int, Value]]) -> float | None:
    numbers = [s * v.number for s, v in terms if v.number is not None]
    return math.fsum(numbers) if len(numbers) == len(terms) else None


def product(factors: Sequence[tuple[bool, Value, int]], offset: int) -> Value:
    """The product of factors, each with whether it divides and its place."""
    parts = [v for _, v, _ in factors]
    check_cost(parts[0], sum(p.size for p in parts), max(p.depth for p in parts), offset)
    _check_fractions(parts, offset)
    number: float | None = 1.0
    scalars = []
    vector = None
    for divides, part, place in factors:
        if part.is_vector:
            if divides or vector is not None:
                raise FormulaError("A vector cannot be multiplied by a vector or divided by. Use dot(a, b).", place)
            vector = part.expression
            number = None
            continue
        if divides and (part.number == 0 or part.expression == 0):
            raise FormulaError("This divides by zero.", place)
        if number is not None:
            number = None if part.number is None else (number / part.number if divides else number * part.number)
        scalars.append(1 / part.expression if divides else part.expression)
    if number is not None and not math.isfinite(number):
        raise FormulaError("A number in the formula is too large.", offset)
    scalar = sp.Mul(*scalars)
    return made(scalar if vector is None else vector * scalar, parts, number, offset)


def power(base: Value, exponent: Value, offset: int) -> Value:
    """base ** exponent."""
    if base.is_vector or exponent.is_vector:
        raise FormulaError("A vector has no powers. Use dot(a, a).", offset)
    number = None
    if exponent.number is not None and abs(exponent.number) > LARGEST_EXPONENT:
        raise FormulaError(f"The exponent is too large: at most {LARGEST_EXPONENT} in absolute value.", offset)
    if exponent.number is not None and any(not p.exp.is_Rational for p in exponent.expression.atoms(sp.Pow)):
        raise FormulaError("This exponent is a tower of powers. Give it as a decimal number.", offset)
    if base.expression == 0 and exponent.number is None:
        raise FormulaError("A power of zero is not defined for every exponent.", offset)
    is_complex = base.expression.is_number and base.number is None
    if is_complex and exponent.number is not None and abs(exponent.number) > LARGEST_COMPLEX_EXPONENT:
        raise FormulaError(
            f"A complex number has powers of at most {LARGEST_COMPLEX_EXPONENT} here. Use exp(I*...).", offset
        )
    if base.number is not None and exponent.number is not None:
        number = _real_power(base.number, exponent.number, offset)
    factor = base.expression.as_coeff_Mul()[0]
    if exponent.number is not None and isinstance(factor, sp.Rational):
        bits = max(abs(int(factor.p)), int(factor.q)).bit_length() - 1
        if bits * abs(exponent.number) > MOST_BITS:
            raise FormulaError("This power is too large a number, or too small a one. Use decimals: 1e30.", offset)
    return made(sp.Pow(base.expression, exponent.expression), (base, exponent), number, offset)


def _real_power(base: float, exponent: float, offset: int) -> float:
    if base == 0 and exponent < 0:
        raise FormulaError("This divides by zero.", offset)
    if base < 0 and exponent != int(exponent):
        raise FormulaError("This is the root of a negative number, which is not real.", offset)
    try:
        return float(base**exponent)
    except OverflowError:
        raise FormulaError("This power is too large a number.", offset) from None


def applied(
    function: Callable[..., Any],
    numeric: Callable[..., float] | None,
    arguments: Sequence[Value],
    name: str,
    offset: int,
) -> Value:
    """A function of scalars."""
    for a in arguments:
        if a.is_vector or a.is_condition:
            raise FormulaError(f"{name} takes numbers, not a {'vector' if a.is_vector else 'condition'}.", offset)
    arguments = [_in_decimals(a) for a in arguments]
    check_cost(arguments[0], sum(a.size for a in arguments) + 1, max(a.depth for a in arguments) + 1, offset)
    number = None
    numbers = [a.number for a in arguments if a.number is not None]
    if len(numbers) == len(arguments):
        try:
            number = math.nan if numeric is None else float(numeric(*numbers))
        except (ValueError, OverflowError, ZeroDivisionError):
            number = math.nan
        if not math.isfinite(number):
            shown = ", ".join(f"{n:g}" for n in numbers)
            raise FormulaError(f"{name}({shown}) is not a real number of moderate size.", offset)
    extrema = int(name.lower() in ("max", "min"))
    made(None, arguments, number, offset, SLOW.get(function, 1), extrema)
    sides = [a.expression for a in arguments]
    found = taken_apart(function, *sides) if function in PARTS else function(*sides)
    size = max(SLOW.get(function, 1), written_out(found) - sum(a.size for a in arguments))
    return made(found, arguments, number, offset, size, extrema)


def taken_apart(function: Callable[..., Any], argument: sp.Expr) -> Any:
    """The real part, the imaginary part, the modulus or the conjugate. What is real in it is a letter meanwhile: SymPy
    expands all of that, too, and what is in that, in time that doubles with each level of a nest."""
    letters: dict[sp.Expr, sp.Dummy] = {}

    def hidden(e: sp.Expr) -> sp.Expr:
        if not isinstance(e, sp.Add | sp.Mul | sp.Pow | sp.Function) or isinstance(e, AppliedUndef):
            return e
        if e.has(sp.Symbol) and not e.has(sp.I) and e.is_extended_real:
            return letters.setdefault(e, sp.Dummy(real=True))
        return e.func(*map(hidden, e.args))

    short = hidden(argument)
    return function(short).xreplace({letter: e for e, letter in letters.items()})


def _in_decimals(value: Value) -> Value:
    """A long exact number as a decimal one."""
    if value.size <= EXACT or not value.expression.is_number:
        return value
    if value.number is not None:
        return replace(value, expression=sp.Float(value.number))
    z = complex_number_of(value.expression)
    return replace(value, expression=sp.Float(z.real) + sp.I * sp.Float(z.imag)) if cmath.isfinite(z) else value


def written_out(expression: sp.Basic) -> int:
    """The nodes of an expression written out: SymPy splits re(sqrt(1 + I*x)) into four times as many, with parts that
    it shares."""
    known: dict[sp.Basic, int] = {}
    pending = [expression]
    while pending:
        e = pending[-1]
        if e in known:
            pending.pop()
            continue
        open_ = [a for a in e.args if a not in known]
        if open_:
            pending += open_
            continue
        known[e] = 1 + sum(known[a] for a in e.args)
        pending.pop()
    return known[expression]


def check_derivative(value: Value, order: int, offset: int) -> int:
    """An upper bound for the size of a derivative; if that is huge the derivative is refused before it is computed."""
    size = sizes(value.expression, order)[order]
    if size * (1 + value.extrema) > LARGEST_DERIVATIVE:  # SymPy compares what is in maxima again
        raise FormulaError(
            f"The derivative of order {order} of so long a formula is too large to work out. Differentiate by hand, "
            f"or shorten it.",
            offset,
        )
    return size
