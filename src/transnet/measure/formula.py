"""A SymPy formula of the coordinates, and its gradient, as functions of points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from numpy.polynomial import Chebyshev

from transnet.formulas import array_modules
from transnet.measure.contour import Field, Gradient

Curved = Callable[[np.ndarray], np.ndarray]


def _slope(formula: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The derivative; that of a step, such as floor(x), is zero."""
    found = sp.diff(formula, symbol).replace(sp.DiracDelta, lambda *_: sp.S.Zero)
    return found.replace(sp.Derivative, lambda *_: sp.S.Zero)


def compiled_level(formula: sp.Expr, names: Sequence[str]) -> tuple[Field, Gradient]:
    """The formula as a function from points (n, d) to values (n,), and its gradient, exact, to (n, d)."""
    # The formula's own symbols may carry assumptions such as real=True, so they are found by name.
    own = {str(symbol): symbol for symbol in formula.free_symbols}
    # Real ones without names take their place: |x| of others has no slope, and any name may mean something to NumPy.
    symbols = [sp.Dummy(real=True) for _ in names]
    formula = formula.xreplace({own[name]: s for name, s in zip(names, symbols, strict=True) if name in own})
    gradient_of = [_slope(formula, symbol) for symbol in symbols]
    modules = array_modules([formula, *gradient_of])
    value = sp.lambdify(symbols, formula, modules, cse=True)
    slopes = sp.lambdify(symbols, gradient_of, modules, cse=True)

    def field(points: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(value(*points.T), float), len(points))

    def gradient(points: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            columns = slopes(*points.T)
        return np.stack([np.broadcast_to(np.asarray(c, float), len(points)) for c in columns], axis=-1)

    return field, gradient


def compiled_pair(symbol: sp.Symbol, x: sp.Expr, y: sp.Expr) -> tuple[Callable[..., np.ndarray], ...]:
    """Two formulas of a parameter, and their derivatives, as functions of arrays (n,) with values (n, 2)."""
    pairs = ((x, y), (sp.diff(x, symbol), sp.diff(y, symbol)))
    return tuple(partial(_stacked, sp.lambdify(symbol, pair, array_modules(pair), cse=True)) for pair in pairs)


recent_pair = lru_cache(maxsize=128)(compiled_pair)
"""A curve of another problem is not compiled again: that takes longer than many solves."""


def _stacked(both: Callable[[np.ndarray], Any], t: np.ndarray) -> np.ndarray:
    found = np.empty((*np.shape(t), 2))
    found[..., 0], found[..., 1] = both(t)
    return found


def differentiated(f: Curved, a: float, b: float, count: int, degree: int) -> Curved:
    """The derivative of a function that is smooth on each of some pieces of its range."""
    ends = np.linspace(a, b, count + 1)
    pieces = [Chebyshev.interpolate(f, degree, domain=[p, q]).deriv() for p, q in pairwise(ends)]

    def derivative(t: np.ndarray) -> np.ndarray:
        panel = np.clip(np.searchsorted(ends, t, side="right") - 1, 0, count - 1)
        result = np.empty_like(t)
        for k in np.unique(panel):
            result[panel == k] = pieces[k](t[panel == k])
        return result

    return derivative
