"""NumPy's functions of formulas: `np.sin(x)` of a coordinate is `sympy.sin(x)`.

NumPy asks an operand that has `__array_ufunc__` what to do. SymPy's expressions have none, so `np.sin(x)` ends in "loop
of ufunc does not support argument 0 of type Symbol which has no callable sin method". Here they get one. It answers
only calls on formulas and numbers; arrays are computed as NumPy does it without the attribute.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from numbers import Number
from typing import Any

import numpy as np
import sympy as sp

SAME = (
    "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "cbrt", "sign", "floor", "conjugate",
)  # fmt: skip
"""Functions of the same name in both."""
OTHER: dict[str, Callable[..., sp.Expr]] = {
    "arcsin": sp.asin, "arccos": sp.acos, "arctan": sp.atan, "arcsinh": sp.asinh, "arccosh": sp.acosh,
    "arctanh": sp.atanh, "arctan2": sp.atan2, "absolute": sp.Abs, "fabs": sp.Abs, "ceil": sp.ceiling,
    "maximum": sp.Max, "minimum": sp.Min, "fmax": sp.Max, "fmin": sp.Min, "heaviside": sp.Heaviside,
    "log2": lambda a: sp.log(a, 2), "log10": lambda a: sp.log(a, 10), "log1p": lambda a: sp.log(1 + a),
    "exp2": lambda a: 2**a, "expm1": lambda a: sp.exp(a) - 1, "hypot": lambda a, b: sp.sqrt(a**2 + b**2),
    "deg2rad": lambda a: sp.pi * a / 180, "radians": lambda a: sp.pi * a / 180,
    "rad2deg": lambda a: 180 * a / sp.pi, "degrees": lambda a: 180 * a / sp.pi,
}  # fmt: skip
"""Functions that SymPy names otherwise."""
COMPARISONS = {
    "less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge,
    "equal": operator.eq, "not_equal": operator.ne,
}  # fmt: skip
"""What `np.float64(2) < x` calls; NumPy would want to know whether it is true."""
FUNCTIONS = {name: getattr(sp, name) for name in SAME} | OTHER | COMPARISONS


def _of_formulas(self: sp.Expr, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
    function = FUNCTIONS.get(ufunc.__name__)
    # A number of NumPy's that is compared comes as an array without axes.
    scalars = [a.item() if isinstance(a, np.ndarray) and a.ndim == 0 else a for a in inputs]
    if function and method == "__call__" and not options and all(isinstance(a, sp.Expr | Number) for a in scalars):
        return function(*map(sp.sympify, scalars))
    arrays = (np.asarray(a) if isinstance(a, sp.Expr) else a for a in inputs)
    return getattr(ufunc, method)(*arrays, **options)


def accept_numpy_functions() -> None:
    """Let NumPy's functions take SymPy's formulas, unless SymPy does so itself."""
    if not hasattr(sp.Expr, "__array_ufunc__"):
        sp.Expr.__array_ufunc__ = _of_formulas
