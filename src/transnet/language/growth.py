"""Bounds for the size of a derivative, known before SymPy computes it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

TWICE = (sp.tan, sp.cot, sp.sec, sp.csc, sp.tanh, sp.coth, sp.sech, sp.csch, sp.besselj, sp.bessely, sp.besseli,
         sp.besselk, sp.Abs, sp.sign, sp.Max, sp.Min)  # fmt: skip
"""Functions whose derivative has two terms of their kind."""
ENOUGH = 10**9
"""Sizes above this are not distinguished."""

Sizes = tuple[int, ...]
"""The sizes (nodes) of an expression and of its derivatives of order 1, 2, ...; zero if there is none."""


def sizes(expression: Any, order: int, known: dict[Any, Sizes] | None = None) -> Sizes:
    """Upper bounds for the sizes of an expression and its derivatives, as SymPy writes them.

    Sums add up. A product of n factors has a term for each way to deal out the derivatives to the factors. For f(g) it
    is f'(g) g' that is differentiated again.
    """
    known = {} if known is None else known
    if isinstance(expression, sp.MatrixBase):
        expression = sp.Tuple(*expression)
    if expression not in known:
        known[expression] = _sizes(expression, order, known)
    return known[expression]


def _sizes(expression: Any, order: int, known: dict[Any, Sizes]) -> Sizes:
    nothing = (0,) * order
    if isinstance(expression, AppliedUndef | sp.Derivative):
        return (1,) * (order + 1)
    if not expression.args:
        return (1, int(isinstance(expression, sp.Symbol)), *nothing[1:])[: order + 1]
    parts = [sizes(a, order, known) for a in expression.args]
    if not any(any(p[1:]) for p in parts):
        return (min(1 + sum(p[0] for p in parts), ENOUGH), *nothing)
    if isinstance(expression, sp.Mul):
        return _product(parts, order)
    if isinstance(expression, sp.Add | sp.Tuple | sp.Piecewise) or not isinstance(expression, sp.Expr):
        return tuple(min(sum(p[k] for p in parts) + 1, ENOUGH) for k in range(order + 1))
    inner = tuple(min(sum(p[k] for p in parts), ENOUGH) for k in range(order + 1))
    found = [inner[0] + 1]
    twice = 2 if isinstance(expression, TWICE) or len([p for p in parts if any(p[1:])]) > 1 else 1
    for k in range(1, order + 1):
        total = sum(twice * (found[j] + 2) + inner[k - j] for j in range(k) if inner[k - j])
        found.append(min(total, ENOUGH))
    return tuple(found)


def _product(parts: Sequence[Sizes], order: int) -> Sizes:
    """Terms and their sizes, factor by factor."""

    def times(so_far: tuple[Sizes, Sizes], factor: Sizes) -> tuple[Sizes, Sizes]:
        terms, total = so_far
        number, size = [0] * (order + 1), [0] * (order + 1)
        for k in range(order + 1):
            for j in range(k + 1):
                if factor[j]:
                    number[k] += terms[k - j]
                    size[k] += total[k - j] + terms[k - j] * (factor[j] + 1)
        return tuple(min(n, ENOUGH) for n in number), tuple(min(s, ENOUGH) for s in size)

    one: tuple[Sizes, Sizes] = ((1, *(0,) * order), (0,) * (order + 1))
    return reduce(times, parts, one)[1]
