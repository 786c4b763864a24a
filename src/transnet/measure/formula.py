"""A SymPy formula of the coordinates, and its gradient, as functions of points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from transnet.formulas import array_modules
from transnet.measure.contour import Field, Gradient


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
