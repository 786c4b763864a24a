"""Multipoles: the harmonic functions outside balls in space.

    F_lm = (-1)^l (l-m)! P_l^m(cos theta) e^(i m phi) / r^(l+1),   0 <= m <= l.

Real and imaginary parts are taken, each of about the size of one on the ball; `Spherical` has their derivatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from transnet.counts import HIGHEST
from transnet.errors import TransnetError
from transnet.features.powers import Terms
from transnet.features.singular import FunctionTable
from transnet.features.spherical import Spherical


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
class Multipoles(FunctionTable):
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
        if not (known and (order >= imaginary).all() and (order <= degree).all() and (degree <= HIGHEST).all()):
            raise TransnetError(
                "A multipole has a degree l, an order m from 0 to l, and an imaginary part where m > 0."
            )
        object.__setattr__(self, "table", table)
        table.setflags(write=False)

    @classmethod
    def of(cls, functions: Iterable[Multipole]) -> Multipoles:
        """Those of records."""
        return cls(np.array(list(functions), dtype=float).reshape(-1, len(OF_MULTIPOLES)))

    def __repr__(self) -> str:
        return f"Multipoles({len(self)} functions around {len(self.balls)} points)"

    @cached_property
    def balls(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The centre and the units of each ball, and its functions."""
        frames, number = np.unique(self.table[:, :6], axis=0, return_inverse=True)
        return [(f[:3], f[3:], np.flatnonzero(number.ravel() == k)) for k, f in enumerate(frames)]

    def apply_each(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The same for several operators, which share the harmonics."""
        results = [np.zeros((len(self), len(points))) for _ in several]
        indices = list(dict.fromkeys(tuple(index) for terms in several for index, _ in terms))
        for centre, units, mine in self.balls:
            l, m, imaginary = self.table[mine, 6:].astype(int).T
            orders = np.array([[l.min(), l.max()]])
            functions = Spherical(0.0, np.zeros((1, 3)), np.ones(1), orders)
            known = functions.derivatives((points - centre) * units, indices)
            # F_lm / s_l of these, of those of the definition, and where they are: the numbers of (l, m) rise.
            factor = (-1.0) ** (l - m) * np.sqrt(4.0 * np.pi / (2.0 * l + 1.0))
            at = l**2 + l + m - l.min() ** 2
            for result, terms in zip(results, several, strict=True):
                for index, c in terms:
                    values = known[indices.index(tuple(index))][at]
                    parts = np.where(imaginary[:, None], values.imag, values.real)
                    result[mine] += c * (float(np.prod(units ** np.array(index))) * factor)[:, None] * parts
        return results
