"""Functions with singularities outside the domain or at its corners, for problems in the plane.

Plane waves are entire functions: around a hole, and towards a corner, they converge slowly. The functions

    Re or Im of  zeta^alpha (log zeta)^p conj(z)^j,   z = P (y_1 - c_1) + Q (y_2 - c_2)

and, with p = 2, those of z^alpha log|z| conj(z)^j, and with p = 3 those of z^alpha conj(z)^j where j need not be whole,
take over there: with alpha = -k the poles inside a hole, with alpha = k pi / omega the singular functions of a corner
of opening omega; alpha may be complex. The complex numbers P and Q are such that z is a conformal coordinate of the
physical plane, so that all functions with j = 0 are harmonic; those with j > 0 represent the lower-order terms of an
operator, or a source that is singular at a point. The branch is cut along the negative real axis of zeta, in
one of two planes:

    zeta = z / (1 + s z)            at corners: the cut is a ray from c, or for s > 0 the segment from z = 0 to -1/s;
    zeta = (z + (z^2 - f^2)^1/2)/2  in holes: the outside of the segment from -f to f, around which whole powers and
                                    the real part of the logarithm have one value; for f = 0 this is z.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Self

import numpy as np

from transnet.counts import IN_CACHE
from transnet.errors import TransnetError
from transnet.features.placement import Placement
from transnet.features.powers import Group, Terms, distinct_rows

MOST_BARS = 16
"""The highest power of conj(z): `singularities` stays below it, and a damaged file is detected."""
LATE = 0.9
"""Functions above this part of the highest order come after the neurons."""


class Chart(NamedTuple):
    """The plane in which functions at one point are analytic: its origin c, P and Q, and s or f of the cut."""

    c_1: float
    c_2: float
    p_real: float
    p_imaginary: float
    q_real: float
    q_imaginary: float
    s: float = 0.0
    f: float = 0.0

    @classmethod
    def at(
        cls, point: np.ndarray, placement: Placement, mu: complex, turn: complex, s: float = 0.0, f: float = 0.0
    ) -> Chart:
        """The frame of the coordinate turn (x + mu y) from a point."""
        c = (point - placement.centre) / placement.scale
        p, q = turn * placement.scale[0], mu * turn * placement.scale[1]
        return cls(float(c[0]), float(c[1]), p.real, p.imag, q.real, q.imag, s, f)


class Function(NamedTuple):
    """One singular function: the real or the imaginary part of zeta^(alpha + i beta) (log)^p conj(z)^j in a frame.

    `log` is 0 without a logarithm, 1 with log zeta and 2 with log|z|; with 3 there is none, and with 2 and 3 `bars` may
    be any number, as in |z|^(1/2) = z^(1/4) conj(z)^(1/4). A `late` function comes after the neurons: an estimate that
    compares a network with its own leading columns then sees the effect of the late functions, the highest of their
    series. `unknown` is the unknown of a system that it belongs to, -1 for all.
    """

    frame: Chart
    alpha: float
    log: int = 0
    bars: float = 0
    imaginary: int = 0
    late: bool = False
    beta: float = 0.0
    unknown: int = -1

    def both(self) -> tuple[Function, Function]:
        """The real and the imaginary part."""
        return self, self._replace(imaginary=1)


FIELDS = (*Chart._fields, *Function._fields[1:])
"""The columns of a table of functions."""
LATER = {"beta": 0.0, "unknown": -1.0}
"""Columns missing in older files: the exponents are real there, and the functions belong to all unknowns."""
EXPONENTS = tuple(FIELDS.index(name) for name in ("alpha", "log", "bars", "beta"))


class FunctionTable:
    """Functions as a table of numbers, a row each. Those of space precede the neurons and belong to all unknowns."""

    table: np.ndarray

    def __len__(self) -> int:
        return len(self.table)

    @property
    def early(self) -> int:
        """How many functions come before the neurons."""
        return len(self)

    def of_unknown(self, unknown: int) -> Self:
        """The functions of one unknown, and those of all."""
        return self

    def apply(self, points: np.ndarray, terms: Terms) -> np.ndarray:
        """sum_k c_k(y) D^k phi(y) of every function at every point: (n, d) -> (F, n)."""
        return self.apply_each(points, [terms])[0]

    def apply_each(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The same for several operators, which share what they are made of."""
        raise NotImplementedError

    def summed(self, points: np.ndarray, several: Sequence[Terms], alpha: np.ndarray) -> list[np.ndarray]:
        """The sums of the functions with factors (F, c) for each operator: (n, c) each."""
        return [values.T @ alpha for values in self.apply_each(points, several)]


@dataclass(frozen=True, eq=False)
class Singular(FunctionTable):
    """Singular functions of the plane, the late ones last: `singular["alpha"]` are the exponents of all.

    Parameters
    ----------
    table : (F, 15) array
        The numbers of each function, in the order of `FIELDS`, as files hold them; `Singular.of` makes it.
    """

    table: np.ndarray = field(default_factory=lambda: np.empty((0, len(FIELDS))))

    def __post_init__(self) -> None:
        table = np.array(self.table, dtype=float)
        if table.ndim == 2 and table.shape[1] == len(FIELDS) - len(LATER):
            table = np.column_stack([table, *(np.full(len(table), value) for value in LATER.values())])
        if table.ndim != 2 or table.shape[1] != len(FIELDS) or not np.isfinite(table).all():
            raise TransnetError(
                f"Singular features are a table of finite numbers with the columns {', '.join(FIELDS)}."
            )
        object.__setattr__(self, "table", table)
        most = {"log": 3, "imaginary": 1, "late": 1, "bars": MOST_BARS}
        whole = table[:, [FIELDS.index(name) for name in most]]
        whole[self["log"] >= 2, -1] = 0.0
        known = (whole == np.floor(whole)) & (whole >= 0) & (whole <= list(most.values()))
        if not (known.all() and (np.diff(self["late"]) >= 0).all()):
            raise TransnetError(
                f"In a table of singular features 'log' is from 0 to 3, 'imaginary' and 'late' are 0 or 1, 'bars' is "
                f"from 0 to {MOST_BARS}, and the late functions are last."
            )
        if ((self["log"] >= 2) & ((self["s"] != 0) | (self["f"] != 0) | (self["beta"] != 0))).any():
            raise TransnetError(
                "Singular features with log|z|, log = 2 or 3, are those of points: s, f and beta are zero."
            )
        if ((self["f"] != 0) & (self["beta"] != 0)).any():
            raise TransnetError("Singular features around a segment, f > 0, have real exponents: beta is zero.")
        table.setflags(write=False)

    @classmethod
    def of(cls, functions: Iterable[Function]) -> Singular:
        """A table from records; the late ones are put last."""
        rows = [(*f.frame, *f[1:]) for f in sorted(functions, key=lambda f: f.late)]
        return cls(np.array(rows, dtype=float).reshape(-1, len(FIELDS)))

    def __getitem__(self, name: str) -> np.ndarray:
        """One number of every function: (F,)."""
        return self.table[:, FIELDS.index(name)]

    def __add__(self, other: Singular) -> Singular:
        both = np.concatenate([self.table, other.table])
        return Singular(both[np.argsort(both[:, FIELDS.index("late")], kind="stable")])

    @property
    def early(self) -> int:
        """How many functions come before the neurons."""
        return int(np.sum(self["late"] == 0))

    def __repr__(self) -> str:
        return f"Singular({len(self)} functions at {len(np.unique(self.table[:, :2], axis=0))} points)"

    def of_unknown(self, unknown: int) -> Singular:
        """The functions of one unknown, and those of all."""
        mine = (self["unknown"] == unknown) | (self["unknown"] == -1)
        return self if mine.all() else Singular(self.table[mine])

    def part(self, which: slice | np.ndarray) -> Singular:
        """Some of the functions."""
        return Singular(self.table[which])

    @cached_property
    def by_frame(self) -> list[tuple[Chart, np.ndarray]]:
        """The frames, and which functions belong to each."""
        frames, number = distinct_rows(self.table[:, : len(Chart._fields)])
        return [(Chart(*f), np.flatnonzero(number == k)) for k, f in enumerate(frames.tolist())]

    @cached_property
    def _groups(self) -> list[Group]:
        """The functions around points, and those around segments."""
        round_ = self["f"] == 0
        frames, exponents = self.table[:, : len(Chart._fields)], self.table[:, EXPONENTS]
        imaginary = self["imaginary"]
        return [
            Group(rows, frames[rows], exponents[rows], imaginary[rows])
            for rows in map(np.flatnonzero, (round_, ~round_))
            if len(rows)
        ]

    def apply_each(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The same for several operators, which share the powers and logarithms."""
        results = [np.zeros((len(self), len(points))) for _ in several]
        # In the middle of a hole, which is outside the domain, nothing is finite.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            for here, terms in self._chunks(points, several):
                for group in self._groups:
                    for result, values in zip(results, group.apply(points[here], terms), strict=True):
                        result[group.rows, here] = values
        return results

    def summed(self, points: np.ndarray, several: Sequence[Terms], alpha: np.ndarray) -> list[np.ndarray]:
        """The sums of the functions with factors (F, c) for each operator: (n, c) each.

        This takes a third of the time of the functions themselves: real and imaginary parts are summed as complex
        factors.
        """
        results = [np.zeros((len(points), alpha.shape[1])) for _ in several]
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            for here, terms in self._chunks(points, several):
                for group in self._groups:
                    sums = group.summed(points[here], terms, alpha[group.rows])
                    for result, values in zip(results, sums, strict=True):
                        result[here] += values
        return results

    def _chunks(self, points: np.ndarray, several: Sequence[Terms]) -> Iterator[tuple[slice, list[Terms]]]:
        """Some of the points at a time, with the operators there."""
        step = max(IN_CACHE // max(len(self), 1), 1)
        for start in range(0, len(points), step):
            here = slice(start, start + step)
            yield (
                here,
                [[(index, c if np.ndim(c) == 0 else np.asarray(c)[here]) for index, c in terms] for terms in several],
            )


NO_FUNCTIONS = Singular()
"""No singular functions, as in most spaces."""
