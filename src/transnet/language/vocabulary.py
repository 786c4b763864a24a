"""The names that a formula may use besides its own: constants and functions, each with its numerical value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from transnet.lazy import special

CONSTANTS = {"pi": (sp.pi, math.pi), "E": (sp.E, math.e)}
IMAGINARY = "I"
"""The imaginary unit, unless the problem uses that name: the infected in an epidemic, a current."""


@dataclass(frozen=True)
class Known:
    """A function: in SymPy, in floating point, and the number of its arguments."""

    symbolic: Callable[..., Any]
    numeric: Callable[..., float]
    least: int = 1
    most: int = 1


def _reciprocal(f: Callable[[float], float]) -> Callable[[float], float]:
    return lambda x: 1.0 / f(x)


def _sign(x: float) -> float:
    return math.copysign(1.0, x) if x else 0.0


FUNCTIONS: dict[str, Known] = {
    "sin": Known(sp.sin, math.sin),
    "cos": Known(sp.cos, math.cos),
    "tan": Known(sp.tan, math.tan),
    "cot": Known(sp.cot, _reciprocal(math.tan)),
    "sec": Known(sp.sec, _reciprocal(math.cos)),
    "csc": Known(sp.csc, _reciprocal(math.sin)),
    "asin": Known(sp.asin, math.asin),
    "acos": Known(sp.acos, math.acos),
    "atan": Known(sp.atan, math.atan),
    "atan2": Known(sp.atan2, math.atan2, 2, 2),
    "sinh": Known(sp.sinh, math.sinh),
    "cosh": Known(sp.cosh, math.cosh),
    "tanh": Known(sp.tanh, math.tanh),
    "coth": Known(sp.coth, _reciprocal(math.tanh)),
    "sech": Known(sp.sech, _reciprocal(math.cosh)),
    "csch": Known(sp.csch, _reciprocal(math.sinh)),
    "asinh": Known(sp.asinh, math.asinh),
    "acosh": Known(sp.acosh, math.acosh),
    "atanh": Known(sp.atanh, math.atanh),
    "exp": Known(sp.exp, math.exp),
    "log": Known(sp.log, math.log),
    "sqrt": Known(sp.sqrt, math.sqrt),
    "abs": Known(sp.Abs, abs),
    "sign": Known(sp.sign, _sign),
    "heaviside": Known(sp.Heaviside, lambda x: 0.5 + 0.5 * _sign(x)),
    "re": Known(sp.re, float),
    "im": Known(sp.im, lambda x: 0.0),
    "conj": Known(sp.conjugate, float),
    "erf": Known(sp.erf, math.erf),
    "erfc": Known(sp.erfc, math.erfc),
    "max": Known(sp.Max, max, 2, 6),
    "min": Known(sp.Min, min, 2, 6),
    "besselj": Known(sp.besselj, lambda n, z: special.jv(n, z), 2, 2),
    "bessely": Known(sp.bessely, lambda n, z: special.yv(n, z), 2, 2),
    "besseli": Known(sp.besseli, lambda n, z: special.iv(n, z), 2, 2),
    "besselk": Known(sp.besselk, lambda n, z: special.kv(n, z), 2, 2),
}
"""By the name used when a formula is printed."""

NUMERIC = {known.symbolic: known.numeric for known in FUNCTIONS.values()}
"""The numerical version of a function, by its SymPy class."""

SLOW = dict.fromkeys((sp.besselj, sp.bessely, sp.besseli, sp.besselk), 15)
"""Functions that take as long as this many others: Bessel functions, measured against a sine."""

OTHER_NAMES = {"ln": "log", "Abs": "abs", "Heaviside": "heaviside", "Max": "max", "Min": "min", "arctan": "atan",
               "arcsin": "asin", "arccos": "acos", "arctan2": "atan2", "conjugate": "conj"}  # fmt: skip

OPERATORS = (
    "diff", "laplacian", "biharmonic", "grad", "div", "curl", "dot", "normal_derivative", "dn", "lagged", "where",
    "conserved", "jump", "integral", "subs", "advect", "by_piece", "surface_laplacian", "surface_gradient",
    "surface_divergence",
)  # fmt: skip
"""Calls that are more than a function of numbers."""

RESERVED = frozenset({"on", "at", "where", "in", "and", "or", "not", "mean", "periodic", "Eq"})
"""Words of the language that no coordinate, unknown, parameter or definition may use."""
