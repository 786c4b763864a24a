"""What in a formula can be narrow, jump or bend, and the function whose maxima or zeros say where.

A needle exp(-((x - a)/w)^2) is zero at every sample that is not on it; its exponent is a parabola, whose maximum any
search finds. So formulas are read: in each summand and factor, at any depth, exponents and denominators say where they
peak, and arguments of sign, Heaviside, Max, Abs, floor, tanh and conditions where they jump, bend or are steep.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal

import sympy as sp
from sympy.core.relational import Relational

from transnet.reading.intervals import Interval, interval

Kind = Literal["peak", "jump", "kink", "step"]

FALL = 6.0
"""A factor whose logarithm varies by less over the box has no peak: a Gaussian of width w falls by (side/w)^2, one of
two fifths of the side by this."""
SLOPE = 10.0
"""A step like tanh whose argument varies by less over the box is not steep."""
POWER = 8
"""The least power of a formula that may be narrow: (1 - x^2)^n is as wide as 1/sqrt(n)."""
JUMPING = (sp.sign, sp.Heaviside)
STEPPING = (sp.tanh, sp.erf, sp.erfc, sp.atan, sp.coth)
ROUNDING = (sp.floor, sp.ceiling, sp.frac)
NEEDLES = (sp.exp, sp.cosh, sp.sech, sp.sinh, sp.csch)


@dataclass(frozen=True)
class Sharp:
    """Something sharp: of a "peak" the logarithm of its size, otherwise the function whose zeros are the places."""

    kind: Kind
    function: sp.Expr


def sharp_parts(
    expression: sp.Expr, box: Mapping[sp.Symbol, Interval], state: frozenset[sp.Symbol] = frozenset()
) -> tuple[Sharp, ...]:
    """What is sharp in a formula over a box.

    Parameters
    ----------
    box : mapping
        The bounds of each coordinate.
    state : frozenset of symbols
        Those that stand for the unknowns and their derivatives: factors that are one of them are left out, so that
        coefficients are seen; functions of them are read like any other, over all values.
    """
    return _read(expression, tuple(sorted(box.items(), key=lambda item: item[0].name)), state)


@lru_cache(maxsize=256)
def _read(
    expression: sp.Expr, box: tuple[tuple[sp.Symbol, Interval], ...], state: frozenset[sp.Symbol]
) -> tuple[Sharp, ...]:
    bounds = dict(box)
    variables = frozenset(bounds) | state
    return tuple(dict.fromkeys(_walk(expression, bounds, variables, state)))


def _walk(
    e: sp.Basic, box: Mapping[sp.Symbol, Interval], variables: frozenset[sp.Symbol], state: frozenset[sp.Symbol]
) -> Iterator[Sharp]:
    if not e.args or not e.free_symbols & variables:
        return
    if isinstance(e, sp.Piecewise):
        for value, condition in e.args:
            yield from _walk(value, box, variables, state)
            for relation in condition.atoms(Relational):
                yield from _zero("jump", relation.lhs - relation.rhs, box)
                yield from _walk(relation.lhs - relation.rhs, box, variables, state)
        return
    if not isinstance(e, sp.Add):
        yield from _peak(e, box, variables, state)
    for part in e.args if isinstance(e, sp.Add | sp.Mul) else (e,):
        if isinstance(part, sp.Add | sp.Mul | sp.Piecewise):
            yield from _walk(part, box, variables, state)
            continue
        yield from _edges(part, box, variables)
        for argument in part.args:
            # The logarithm of a power of a needle has been looked at as a whole.
            inner = argument.args if isinstance(part, sp.Pow) and isinstance(argument, NEEDLES) else (argument,)
            for one in inner:
                yield from _walk(one, box, variables, state)
        if isinstance(e, sp.Add):
            yield from _peak(part, box, variables, state)


def _peak(
    term: sp.Basic, box: Mapping[sp.Symbol, Interval], variables: frozenset[sp.Symbol], state: frozenset[sp.Symbol]
) -> Iterator[Sharp]:
    """The logarithm of the factors of a term that may be narrow, if it varies much."""
    narrow = [f for f in sp.Mul.make_args(term) if f not in state and _may_peak(f) and f.free_symbols & variables]
    size = sp.Add(*map(_logarithm, narrow))
    low, high = interval(size, box) if narrow else (0.0, 0.0)
    if high - low > FALL:
        yield Sharp("peak", size)


def _may_peak(factor: sp.Basic) -> bool:
    if isinstance(factor, sp.Pow):
        power = factor.exp
        return not power.is_number or bool(power.is_negative) or bool(power >= POWER) or _may_peak(factor.base)
    return isinstance(factor, NEEDLES)


def _logarithm(factor: sp.Expr) -> sp.Expr:
    """The logarithm of a factor's size, which neither under- nor overflows where the factor does."""
    if isinstance(factor, sp.exp):
        return factor.args[0]
    if isinstance(factor, sp.cosh | sp.sinh):
        return sp.Abs(factor.args[0])
    if isinstance(factor, sp.sech | sp.csch):
        return -sp.Abs(factor.args[0])
    if isinstance(factor, sp.Pow):
        return factor.exp * _logarithm(factor.base)
    return sp.log(sp.Abs(factor))


def _edges(e: sp.Basic, box: Mapping[sp.Symbol, Interval], variables: frozenset[sp.Symbol]) -> Iterator[Sharp]:
    if not e.args or not e.free_symbols & variables:
        return
    argument = e.args[0]
    if isinstance(e, JUMPING):
        yield from _zero("jump", argument, box)
    elif isinstance(e, sp.Abs):
        yield from _zero("kink", argument, box)
    elif isinstance(e, sp.Max | sp.Min):
        for a, b in combinations(e.args, 2):
            yield from _zero("kink", a - b, box)
    elif isinstance(e, ROUNDING):
        yield from _zero("jump", sp.sin(sp.pi * argument), box)
    elif isinstance(e, sp.Mod):
        yield from _zero("jump", sp.sin(sp.pi * argument / e.args[1]), box)
    elif isinstance(e, STEPPING):
        low, high = interval(argument, box)
        if high - low > SLOPE:
            yield from _zero("step", argument, box)
    elif isinstance(e, sp.Pow) and e.exp.is_number:
        if not e.exp.is_integer:
            yield from _zero("kink", e.base, box)
        elif e.exp.is_negative and isinstance(e.base, sp.Add):
            for term in e.base.args:  # 1/(1 + exp(g)) changes where exp(g) is as large as the rest
                needles = [f for f in sp.Mul.make_args(term) if isinstance(f, NEEDLES) and f.free_symbols & variables]
                rest = e.base - term
                if needles and not rest.has(*NEEDLES):
                    size = sp.Add(*map(_logarithm, sp.Mul.make_args(term)))
                    low, high = interval(size, box)
                    if high - low > SLOPE:
                        yield from _zero("step", size - sp.log(sp.Abs(rest)), box)


def _zero(kind: Kind, function: sp.Expr, box: Mapping[sp.Symbol, Interval]) -> Iterator[Sharp]:
    low, high = interval(function, box)
    if low <= 0 <= high:
        yield Sharp(kind, function)
