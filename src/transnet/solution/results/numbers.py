"""Numbers with an estimate of their error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from transnet.tolerances import EPS, SAME

DIGITS, PLAIN = 16, (1e-3, 1e4)
"""Decimal digits of a double; errors between these are written without an exponent."""


Terms = tuple[tuple[float, Any], ...]
"""The differential of a number, dJ = sum_i a_i dF_i: pairs of the factor a_i and the functional F_i of the solution."""


class Number(float):
    """A number with an estimate of its error: `n < 3` and `f"{n:.9f}"` treat it as a plain float.

    Sums, products, quotients and powers with plain numbers or with each other are such numbers again: errors add up,
    and what the result is a result of is kept, so that `solution.gradient` can differentiate it.

    Attributes
    ----------
    value : float
        The number itself.
    error : float
        The estimated distance from the true value.
    of : tuple
        What it is a result of: its differential in terms of functionals of the solution.
    """

    error: float
    of: Terms

    def __new__(cls, value: float, error: float = float("nan"), of: Terms = ()) -> Number:
        number = super().__new__(cls, value)
        number.error = float(error)
        number.of = of
        return number

    def __getnewargs__(self) -> tuple[float, float]:  # type: ignore[override]
        return float(self), self.error

    def __add__(self, other: Any) -> Any:
        return _made(self, other, float(self) + float(other), 1.0, 1.0) if isinstance(other, Real) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _made(self, other, float(self) - float(other), 1.0, -1.0) if isinstance(other, Real) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _made(self, other, float(other) - float(self), -1.0, 1.0) if isinstance(other, Real) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Real):
            return NotImplemented
        a, b = float(self), float(other)
        return _made(self, other, a * b, b, a)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if not isinstance(other, Real):
            return NotImplemented
        a, b = float(self), float(other)
        return _made(self, other, a / b, 1 / b, -a / b**2)

    def __rtruediv__(self, other: Any) -> Any:
        if not isinstance(other, Real):
            return NotImplemented
        a, b = float(self), float(other)
        return _made(self, other, b / a, -b / a**2, 1 / a)

    def __pow__(self, other: Any, modulus: None = None) -> Any:
        value = float.__pow__(self, other)
        if isinstance(other, Number) or not isinstance(value, float):
            return value
        slope = 0.0 if other == 0 else float(other) * float(self) ** (float(other) - 1) if self or other >= 1 else 0.0
        return _made(self, 0.0, value, slope, 0.0)

    def __neg__(self) -> Number:
        return _made(self, 0.0, -float(self), -1.0, 0.0)

    def __abs__(self) -> Number:
        return _made(self, 0.0, abs(float(self)), math.copysign(1.0, self), 0.0)

    @property
    def value(self) -> float:
        return float(self)

    def __repr__(self) -> str:
        return told(float(self), self.error)

    __str__ = __repr__


class ComplexNumber(complex):
    """A complex number with an estimate of its error; otherwise it is a plain one."""

    error: float

    def __new__(cls, value: complex, error: float = float("nan")) -> ComplexNumber:
        number = super().__new__(cls, value)
        number.error = float(error)
        return number

    def __getnewargs__(self) -> tuple[complex, float]:
        return complex(self), self.error

    @property
    def value(self) -> complex:
        return complex(self)

    def __repr__(self) -> str:
        real, imaginary = (told(part, self.error, abs(self)).split(" ")[0] for part in (self.real, self.imag))
        sign = "" if imaginary.startswith("-") else "+"
        return f"{real}{sign}{imaginary}j" + (f" ± {_short(self.error)}" if np.isfinite(self.error) else "")

    __str__ = __repr__


def number(value: complex, error: float, of: Terms = ()) -> Any:
    """A number with its error, complex if it is."""
    return ComplexNumber(value, error) if np.iscomplexobj(value) else Number(value, error, of)  # type: ignore[arg-type]


def _made(a: Number, b: Any, value: float, by_a: float, by_b: float) -> Number:
    """The number f(a, b) with these partial derivatives."""
    error, terms = abs(by_a) * a.error, [(by_a * f, what) for f, what in a.of]
    if isinstance(b, Number):
        error += abs(by_b) * b.error
        terms += [(by_b * f, what) for f, what in b.of]
    return Number(value, error, tuple(terms))


class Extremum(Number):
    """The largest or smallest value, its error, and the `place` (d,) where it is taken."""

    place: np.ndarray
    names: tuple[str, ...]

    @classmethod
    def at(cls, value: float, error: float, place: np.ndarray, names: tuple[str, ...]) -> Extremum:
        """The value at a place."""
        made = cls(value, error)
        made.place, made.names = place, names
        return made

    def __repr__(self) -> str:
        near = SAME * np.abs(self.place).max(initial=0.0)
        where = ", ".join(f"{n} = {0 if abs(v) < near else v:.6g}" for n, v in zip(self.names, self.place, strict=True))
        return f"{told(float(self), self.error)} at {where}"

    __str__ = __repr__


@dataclass(frozen=True, eq=False)
class Numbers:
    """Several numbers with their errors: the components of a force, one for each moment, or values at points.

    It unpacks (`drag, lift = solution.force("cylinder")`), NumPy treats it as the array of its values.
    """

    value: np.ndarray
    error: np.ndarray
    of: tuple[Terms, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self.value)))

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> Any:
        value, error = self.value[index], self.error[index]
        if not self.of:
            return Numbers(value, error) if np.ndim(value) else number(value, float(error))
        kept = np.arange(len(self.of)).reshape(np.shape(self.value))[index]
        if np.ndim(value):
            return Numbers(value, error, tuple(self.of[k] for k in np.ravel(kept)))
        return number(value, float(error), self.of[int(kept)])

    def __array__(self, dtype: object = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.value, dtype=dtype, copy=copy)  # type: ignore[call-overload]

    def __add__(self, other: Any) -> Numbers:
        if not isinstance(other, Numbers):
            return self if isinstance(other, int) and other == 0 else NotImplemented  # `sum` begins with 0
        terms = tuple(a + b for a, b in zip(self.of, other.of, strict=False))
        return Numbers(self.value + other.value, self.error + other.error, terms)

    __radd__ = __add__

    def __mul__(self, factor: Any) -> Numbers:
        if not isinstance(factor, Real):
            return NotImplemented
        terms = tuple(tuple((float(factor) * f, what) for f, what in one) for one in self.of)
        return Numbers(self.value * factor, self.error * abs(factor), terms)

    __rmul__ = __mul__

    @cached_property
    def norm(self) -> Number:
        """The length of the vector."""
        size = float(np.linalg.norm(self.value))
        return Number(size, float(np.linalg.norm(self.error)))

    def __repr__(self) -> str:
        return "(" + ", ".join(map(repr, self)) + ")"


def told(value: float, error: float, whole: float | None = None) -> str:
    """A number with its correct digits and its error, 0.1405770150 ± 4e-12; `whole` is the size of what it is a part
    of."""
    if not np.isfinite(error) or not np.isfinite(value):
        return f"{value:.4g} ± unknown" if np.isinf(error) else f"{value:.10g}"
    size = max(abs(value), EPS * (whole or 0.0), 1e-300)
    digits = int(np.clip(np.ceil(np.log10(size / max(error, EPS * size))) + 1, 2, DIGITS))
    return f"{value:.{digits}g} ± {_short(error)}"


def _short(error: float) -> str:
    """One digit of an error: 2 or 0.03, and 4e-12 where that is shorter."""
    rounded = float(f"{error:.0e}")
    return f"{error:.0e}" if rounded < PLAIN[0] or rounded >= PLAIN[1] else f"{rounded:g}"
