"""What a user passes as a formula, as SymPy: an expression or a number, but never a string, which SymPy would
execute."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from numbers import Number
from types import ModuleType
from typing import Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import TransnetError

ELEMENTARY = (
    sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.atan2, sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.acosh,
    sp.atanh, sp.exp, sp.log, sp.Abs, sp.sign, sp.Min, sp.Max, sp.Piecewise, sp.Heaviside,
)  # fmt: skip
"""Functions that NumPy has."""
MOST_DIGITS = 300
"""The most digits of an exact number: more do not fit into a float."""


def formula_of(value: Any, what: str, error: type[TransnetError]) -> sp.Expr:
    """A value as a SymPy expression, or an error that says it is not one."""
    if isinstance(value, Number | np.number) and not isinstance(value, bool):
        value = sp.sympify(value)
    if not isinstance(value, sp.Expr):
        raise error(f"{what} must be a SymPy expression or a number, not {shown(value)}.")
    for number in value.atoms(sp.Rational):
        if max(abs(number.p), number.q) >= 10**MOST_DIGITS:
            raise error(f"{what} has a number of more than {MOST_DIGITS} digits. Write it as a decimal: 1e30.")
    return value


@lru_cache(maxsize=1)
def numpy_names() -> ModuleType:
    """The namespace of compiled formulas: NumPy, with SymPy's names for some of its functions.

    SymPy's own table, "numpy", imports everything that NumPy has, down to f2py, which takes a tenth of a second the
    first time.
    """
    found = ModuleType("numpy")  # by which SymPy decides how to print formulas
    vars(found).update({name: value for name, value in vars(np).items() if not name.startswith("_")})
    vars(found).update(numpy=np, I=1j, Heaviside=np.heaviside, Abs=abs)
    return found


def compiled_formula(symbols: Sequence[sp.Symbol], formula: Any, modules: Any = None) -> Callable[..., Any]:
    """A formula as a function of arrays, one for each symbol.

    Symbols without names take their place: a name may mean something to NumPy, and two may be the same to Python.
    """
    plain = [sp.Dummy() for _ in symbols]
    ready = sp.sympify(formula).xreplace(dict(zip(symbols, plain, strict=True)))
    return sp.lambdify(plain, ready, numpy_names() if modules is None else modules)


def array_modules(expressions: Sequence[Any], known: Collection[str] = ()) -> list[Any]:
    """Where the functions of expressions are found: in NumPy and, only if needed, in SciPy, which is slow to import.

    Parameters
    ----------
    known : collection of str
        Functions that belong to neither.
    """
    functions = set().union(*(sp.sympify(e).atoms(sp.Function) for e in expressions))
    plain = all(isinstance(f, ELEMENTARY) or f.func.__name__ in known for f in functions)
    return [numpy_names()] if plain else ["scipy", "numpy"]
