"""Multipoles: the harmonic functions outside balls in space.

With d_+ = d_x + i d_y and d_- its conjugate the functions

    F_lm = d_z^(l-m) d_+^m (1/r) = (-1)^l (l-m)! P_l^m(cos theta) e^(i m phi) / r^(l+1),   0 <= m <= l,

are derivatives themselves, so that each derivative of one is a sum of others: d_+ raises m, d_z raises l alone, and as
1/r is harmonic d_+ d_- = -d_z^2, so that d_- lowers m. Real and imaginary parts are taken, each of about the size of
one on the ball.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import comb, factorial
from typing import NamedTuple

import numpy as np

from transnet.errors import TransnetError
from transnet.features.powers import SMALLEST, Terms

MOST_DEGREE = 30
"""The highest degree: a larger one in a file means that it is damaged."""

State = dict[tuple[int, int], complex]
"""A sum of functions F_lm by (l, m), m of either sign: F_l(-m) is the conjugate of F_lm."""


class Multipole(NamedTuple):
    """The real or the imaginary part of F_lm around a centre, with lengths in units of h / s along each axis."""

    c_1: float
    c_2: float
    c_3: float
    s_1: float
    s_2: float
    s_3: float
    degree: int
    order: int
    imaginary: int


OF_MULTIPOLES = Multipole._fields


@dataclass(frozen=True, eq=False)
class Multipoles:
    """Multipoles of some balls: a table of their numbers, in the order of `OF_MULTIPOLES`."""

    table: np.ndarray = field(default_factory=lambda: np.empty((0, len(OF_MULTIPOLES))))

    def __post_init__(self) -> None:
        table = np.array(self.table, dtype=float)
        if table.ndim != 2 or table.shape[1] != len(OF_MULTIPOLES) or not np.isfinite(table).all():
            raise TransnetError(
                f"Multipoles are a table of finite numbers with the columns {', '.join(OF_MULTIPOLES)}."
            )
        degree, order, imaginary = table[:, 6:].T
        known = (table[:, 6:] == np.floor(table[:, 6:])).all()
        if not (known and (order >= imaginary).all() and (order <= degree).all() and (degree <= MOST_DEGREE).all()):
            raise TransnetError(
                "A multipole has a degree l, an order m from 0 to l, and an imaginary part where m > 0."
            )
        object.__setattr__(self, "table", table)
        table.setflags(write=False)

    @classmethod
    def of(cls, functions: Iterable[Multipole]) -> Multipoles:
        """Those of records."""
        return cls(np.array(list(functions), dtype=float).reshape(-1, len(OF_MULTIPOLES)))

    def __len__(self) -> int:
        return len(self.table)

    def __repr__(self) -> str:
        return f"Multipoles({len(self)} functions around {len(self.balls)} points)"

    @property
    def early(self) -> int:
        """How many functions come before the neurons: all."""
        return len(self)

    def of_unknown(self, unknown: int) -> Multipoles:
        """Those of one unknown: all."""
        return self

    @cached_property
    def balls(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The centre and the units of each ball, and its functions."""
        frames, number = np.unique(self.table[:, :6], axis=0, return_inverse=True)
        return [(f[:3], f[3:], np.flatnonzero(number.ravel() == k)) for k, f in enumerate(frames)]

    def apply(self, points: np.ndarray, terms: Terms) -> np.ndarray:
        """sum_k c_k(y) D^k phi(y) of every function at every point: (n, 3) -> (F, n)."""
        return self.apply_each(points, [terms])[0]

    def apply_each(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The same for several operators, which share the harmonics."""
        results = [np.zeros((len(self), len(points))) for _ in several]
        highest = max((sum(index) for terms in several for index, _ in terms), default=0)
        for centre, units, mine in self.balls:
            table = self.table[mine, 6:].astype(int)
            harmonics = irregular((points - centre) * units, int(table[:, 0].max()) + highest)
            for result, terms in zip(results, several, strict=True):
                for index, c in terms:
                    scale = float(np.prod(units ** np.array(index)))
                    for k, (l, m, imaginary) in zip(mine.tolist(), table.tolist(), strict=True):
                        value = _summed(derivative(l, m, tuple(index)), harmonics) * (scale / size(l, m))
                        result[k] += c * (value.imag if imaginary else value.real)
        return results

    def summed(self, points: np.ndarray, several: Sequence[Terms], alpha: np.ndarray) -> list[np.ndarray]:
        """The sums of the functions with factors (F, c) for each operator: (n, c) each."""
        return [values.T @ alpha for values in self.apply_each(points, several)]


def size(degree: int, order: int) -> float:
    """The size of F_lm on the sphere of radius one, up to a factor that is the same for all orders."""
    return float(np.sqrt(float(factorial(degree + order)) * factorial(degree - order)))


def irregular(points: np.ndarray, degree: int) -> dict[tuple[int, int], np.ndarray]:
    """F_lm at points (n, 3) for all l up to a degree and 0 <= m <= l, by recurrence in l."""
    x, y, z = points.T
    square = np.maximum(x**2 + y**2 + z**2, SMALLEST)
    found: dict[tuple[int, int], np.ndarray] = {}
    turned = -(x + 1j * y) / square
    corner = (1 / np.sqrt(square)).astype(complex)
    for m in range(degree + 1):
        found[m, m] = corner
        before: np.ndarray | float = 0.0
        here = corner
        for l in range(m, degree):
            before, here = here, -((2 * l + 1) * z * here + (l + m) * (l - m) * before) / square
            found[l + 1, m] = here
        corner = corner * turned * (2 * m + 1)
    return found


@lru_cache(maxsize=20_000)
def derivative(degree: int, order: int, index: tuple[int, ...]) -> tuple[tuple[int, int, complex], ...]:
    """D^k F_lm as a sum of others: (l, m, factor), m of either sign."""
    a, b, c = index
    total: State = {}
    for p in range(a + 1):
        for q in range(b + 1):  # d_x = (d_+ + d_-) / 2, d_y = (d_+ - d_-) / 2i
            factor = comb(a, p) * comb(b, q) * 0.5 ** (a + b) * (-1j) ** b * (-1) ** (b - q)
            l, m, sign = degree + c, order, 1
            for _ in range(p + q):
                sign, l, m = (sign if m >= 0 else -sign), l + 1, m + 1
            for _ in range(a + b - p - q):
                sign, l, m = (sign if m <= 0 else -sign), l + 1, m - 1
            total[l, m] = total.get((l, m), 0.0) + sign * factor
    return tuple((l, m, f) for (l, m), f in total.items() if f != 0)


def _summed(state: Sequence[tuple[int, int, complex]], harmonics: dict[tuple[int, int], np.ndarray]) -> np.ndarray:
    parts = [f * (harmonics[l, m] if m >= 0 else np.conj(harmonics[l, -m])) for l, m, f in state]
    return np.sum(parts, axis=0)
