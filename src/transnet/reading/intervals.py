"""Bounds of a formula over a box, by interval arithmetic on its tree: never too narrow, quick, and often enough."""

from __future__ import annotations

from collections.abc import Mapping
from math import atan, exp, inf, isnan, log, tanh

import sympy as sp

Interval = tuple[float, float]
EVERYTHING: Interval = (-inf, inf)
MONOTONE = {sp.exp: exp, sp.tanh: tanh, sp.atan: atan}
"""Increasing functions, which map ends to ends."""
OVERFLOW = 700.0
"""Exponents above this are infinite."""


def interval(expression: sp.Expr, box: Mapping[sp.Symbol, Interval]) -> Interval:
    """The least and the largest value that a formula can have in a box; symbols that are not in it are unbounded."""
    low, high = _bounds(expression, box)
    return (-inf if isnan(low) else low, inf if isnan(high) else high)


def _bounds(e: sp.Expr, box: Mapping[sp.Symbol, Interval]) -> Interval:
    if e.is_number:
        try:
            value = float(e)
        except (TypeError, ValueError, OverflowError):
            return EVERYTHING
        return value, value
    if isinstance(e, sp.Symbol):
        return box.get(e, EVERYTHING)
    inner = [interval(a, box) for a in e.args] if not isinstance(e, sp.Piecewise) else []
    if isinstance(e, sp.Add):
        return sum(a for a, _ in inner), sum(b for _, b in inner)
    if isinstance(e, sp.Mul):
        found = (1.0, 1.0)
        for other in inner:
            ends = [_times(a, b) for a in found for b in other]
            found = min(ends), max(ends)
        return found
    if isinstance(e, sp.Pow):
        return _power(inner[0], e.exp)
    if isinstance(e, sp.Abs):
        a, b = inner[0]
        return (0.0 if a <= 0 <= b else min(abs(a), abs(b))), max(abs(a), abs(b))
    if isinstance(e, sp.Max | sp.Min):
        pick = max if isinstance(e, sp.Max) else min
        return pick(a for a, _ in inner), pick(b for _, b in inner)
    if isinstance(e, sp.exp):
        return _exponential(inner[0][0]), _exponential(inner[0][1])
    if isinstance(e, sp.tanh | sp.atan):
        return tuple(MONOTONE[type(e)](end) for end in inner[0])  # type: ignore[return-value]
    if isinstance(e, sp.log):
        a, b = inner[0]
        return (log(a) if a > 0 else -inf), (log(b) if 0 < b < inf else inf)
    if isinstance(e, sp.sin | sp.cos | sp.sign | sp.erf):
        return -1.0, 1.0
    if isinstance(e, sp.Heaviside):
        return 0.0, 1.0
    if isinstance(e, sp.cosh):
        a, b = (min(abs(v), OVERFLOW) for v in inner[0])
        return 1.0, 0.5 * exp(max(a, b)) + 1.0
    if isinstance(e, sp.Piecewise):
        branches = [interval(v, box) for v, _ in e.args]
        return min(a for a, _ in branches), max(b for _, b in branches)
    return EVERYTHING


def _exponential(end: float) -> float:
    return 0.0 if end < -OVERFLOW else inf if end > OVERFLOW else exp(end)


def _times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def _power(base: Interval, exponent: sp.Expr) -> Interval:
    if not exponent.is_number or not exponent.is_real:
        return EVERYTHING
    n, (a, b) = float(exponent), base
    if n != int(n) or n % 2 == 0:
        even = n == int(n)
        least = 0.0 if a <= 0 <= b else min(abs(a), abs(b))
        a, b = (least, max(abs(a), abs(b))) if even else (max(a, 0.0), max(b, 0.0))
    elif a <= 0 <= b and n < 0:
        return EVERYTHING
    try:
        ends = [inf if end == 0 and n < 0 else end**n for end in (a, b)]
    except OverflowError:
        return EVERYTHING
    return min(ends), max(ends)
