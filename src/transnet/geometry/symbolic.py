"""Shapes whose sizes are symbols: `tn.Disk(radius=r)`. They become shapes with numbers when the symbols have values.

Such a shape remembers how it is made. Names of coordinates and parts do not depend on the values: they are those of a
shape with arbitrary ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.measure.pen import Pen

from ..calls import shown
from ..errors import GeometryError
from .domain import Domain

DISK = 2
"""The coordinates of a disk."""
TRIES = 400
"""Random values that are tried until a shape can be made: that a hole lies inside a plate is one in three or so."""


def symbols_in(value: Any) -> frozenset[sp.Symbol]:
    """The symbols without a value in an argument of a shape."""
    if isinstance(value, Sized):
        return value.symbols
    if isinstance(value, sp.Basic | sp.MatrixBase):
        if any(len(f.args) != 1 or not f.args[0].is_Symbol for f in value.atoms(AppliedUndef)):
            raise GeometryError(f"A size of a shape is a number or a formula of parameters, not {shown(value)}.")
        return frozenset(value.free_symbols)
    if isinstance(value, Mapping):
        return frozenset().union(*map(symbols_in, value.values()))
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        return frozenset().union(*map(symbols_in, value))
    return frozenset()


def functions_in(value: Any) -> frozenset[sp.Expr]:
    """The unknown functions in an argument of a shape."""
    if isinstance(value, Sized):
        return value.functions
    if isinstance(value, sp.Basic | sp.MatrixBase):
        return frozenset(value.atoms(AppliedUndef))
    if isinstance(value, Mapping):
        return frozenset().union(*map(functions_in, value.values()))
    return frozenset().union(*map(functions_in, value)) if isinstance(value, list | tuple) else frozenset()


class Sized(Domain):
    """A shape with symbols for sizes: `make(*args, **keywords)` with numbers for them.

    Parameters
    ----------
    symbols : frozenset of sympy.Symbol
        Those that need a value.
    """

    def __init__(
        self,
        make: Callable[..., Any],
        args: tuple[Any, ...],
        keywords: Mapping[str, Any],
        symbols: frozenset[sp.Symbol],
    ) -> None:
        self.make, self.args, self.keywords, self.symbols = make, args, dict(keywords), symbols

    @cached_property
    def functions(self) -> frozenset[sp.Expr]:
        """Unknown functions among its sizes, as s(t) in `tn.Interval(x=(0, s))`."""
        return functions_in((self.args, self.keywords))

    @property
    def time(self) -> sp.Symbol | None:
        """The coordinate on which its sizes depend: the domain moves."""
        return next((s for s in sorted(self.symbols, key=str) if s.name in self.names), None)

    def with_values(self, values: Mapping[Any, float]) -> Any:
        """The shape for these values of its symbols, by symbol or by name."""
        by_name = {str(k): v for k, v in values.items()}
        missing = sorted({s.name for s in self.symbols} - set(by_name))
        if missing:
            raise GeometryError(
                f"{', '.join(missing)} in the shape {self} has no value. Give it when solving: "
                f"parameters={{{missing[0]}: 0.5}}."
            )
        numbers: dict[sp.Basic, sp.Expr] = {s: sp.Float(float(by_name[s.name])) for s in self.symbols}
        numbers |= {f: sp.Float(float(by_name.get(f.func.__name__, 1.0))) for f in self.functions}

        def put(value: Any) -> Any:
            if isinstance(value, Sized):
                return value.with_values(by_name)
            if isinstance(value, sp.Basic | sp.MatrixBase):
                made = value.xreplace({f: numbers[f] for f in self.functions}).subs(numbers)
                return made if made.free_symbols or not made.is_number else float(made)
            if isinstance(value, Mapping):
                return {k: put(v) for k, v in value.items()}
            if isinstance(value, list | tuple):
                return type(value)(map(put, value))
            return [put(v) for v in value] if isinstance(value, np.ndarray) and value.dtype == object else value

        return self.make(*map(put, self.args), **{k: put(v) for k, v in self.keywords.items()})

    @cached_property
    def example(self) -> Any:
        """The shape with some values for which it can be made."""
        free = {f.func.__name__ for f in self.functions}
        rng, names = np.random.default_rng(0), sorted({s.name for s in self.symbols} | free)
        for _ in range(TRIES):
            try:
                return self.with_values(dict(zip(names, np.exp(rng.standard_normal(len(names))), strict=True)))
            except GeometryError as reason:
                last = reason
        raise GeometryError(f"No values of {', '.join(names)} were found for which {self} is a shape: {last}")

    @property
    def names(self) -> tuple[str | None, ...]:
        return tuple(self.example.names)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.example.parts)

    @property
    def _other_names(self) -> Mapping[str, tuple[str, ...]]:
        return dict(self.example._other_names)

    def resolve(self, part: str) -> tuple[str, ...]:
        return tuple(self.example.resolve(part))

    @property
    def bounds(self) -> np.ndarray:
        raise self._unknown("Its extent")

    @property
    def volume(self) -> float:
        raise self._unknown("Its size")

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        raise self._unknown("What is inside")

    def text(self, pen: Pen) -> str:
        """The recipe in the formula language; only simple shapes have one."""
        name = self.make.__name__
        if name == "Product":
            return f"({' * '.join(shape.text(pen) for shape in self.args)})"

        def words(value: Any) -> str:
            if isinstance(value, list | tuple):
                return f"({', '.join(map(words, value))})"
            return pen.formula(sp.sympify(value))

        if name in ("Interval", "Box"):
            sides = ", ".join(f"{key}={words(value)}" for key, value in self.keywords.items())
            return f"{pen.prefix}{name}({sides})"
        if name != "Ball":
            pen.refuse(f"the domain {self}")
        given = dict(zip(("center", "radius", "name"), self.args, strict=False)) | self.keywords
        shown = [f"{key}={words(given[key])}" for key in ("center", "radius") if key in given]
        shown += [f"name={pen.quoted(given['name'])}"] if given.get("name") else []
        return f"{pen.prefix}{'Disk' if self.dimension == DISK else name}({', '.join(shown)})"

    def _unknown(self, what: str) -> GeometryError:
        names = sorted(s.name for s in self.symbols)
        return GeometryError(
            f"{what} depends on {', '.join(names)}, which has no value: use domain.with_values({{{names[0]}: 0.5}}), "
            f"or give parameters={{{names[0]}: 0.5}} when solving."
        )

    def __repr__(self) -> str:
        if self.make.__name__ == "Product":
            return " * ".join(map(str, self.args))
        given = [*map(str, self.args), *(f"{k}={v}" for k, v in self.keywords.items())]
        return f"{self.make.__name__}({', '.join(given)})"


def sized(
    make: Callable[..., Any], args: tuple[Any, ...], keywords: Mapping[str, Any], bound: Any = ()
) -> Sized | None:
    """The shape with symbols that a call would make; None if all is numbers. Coordinates, which are keywords, and
    `bound` symbols, need no value."""
    found = symbols_in(args) | symbols_in(keywords)
    if not found:
        return None
    own = {*keywords, *map(str, bound)}
    left = frozenset(s for s in found if s.name not in own)
    return Sized(make, args, keywords, left) if left else None
