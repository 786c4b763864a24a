"""Functions of space that are singular along a straight edge.

In a plane across an edge solutions are sums of Re or Im z^alpha, with a logarithm if alpha is whole. Along the edge
their factors vary, and so do the functions: with a power of the coordinate t along the edge

    H = sum_j (-1)^j  k! / (k - 2j)!  t^(k-2j)  |z|^(2j) z^alpha / (4^j j! (alpha + 1) ... (alpha + j))

is harmonic, and so is its derivative by alpha, which begins with t^k z^alpha log z. Functions with conj(z)^b, b > 0,
are plain products t^k z^alpha conj(z)^b: they represent what terms of lower order add.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, factorial
from typing import NamedTuple

import numpy as np

from transnet.counts import HIGHEST
from transnet.errors import TransnetError
from transnet.features.multipoles import OF_MULTIPOLES, Multipoles
from transnet.features.powers import Terms, distinct_rows, falling
from transnet.features.singular import Chart, Function, FunctionTable, Singular


class EdgeFunction(NamedTuple):
    """The real or the imaginary part of a function with t^k z^alpha (log z)^p conj(z)^b.

    The edge runs along the coordinate number `axis`; z = P (y_i - c_1) + Q (y_j - c_2) with the two other coordinates
    in their order, and t = `unit` (y_axis - c_t).
    """

    axis: int
    c_1: float
    c_2: float
    p_real: float
    p_imaginary: float
    q_real: float
    q_imaginary: float
    c_t: float
    unit: float
    alpha: float
    log: int
    bars: int
    power: int
    imaginary: int


FIELDS = EdgeFunction._fields
LINE = FIELDS.index("alpha")
"""The number of fields that describe the edge."""


@dataclass(frozen=True, eq=False)
class EdgeFunctions(FunctionTable):
    """Functions of some edges: a table of their numbers, in the order of `FIELDS`."""

    table: np.ndarray = field(default_factory=lambda: np.empty((0, len(FIELDS))))

    def __post_init__(self) -> None:
        table = np.array(self.table, dtype=float)
        if table.ndim != 2 or table.shape[1] != len(FIELDS) or not np.isfinite(table).all():
            raise TransnetError(
                f"Functions of edges are a table of finite numbers with the columns {', '.join(FIELDS)}."
            )
        whole = table[:, [0, *range(LINE + 1, len(FIELDS))]]
        if not ((whole == np.floor(whole)) & (whole >= 0) & (whole <= [2, 1, HIGHEST, HIGHEST, 1])).all():
            raise TransnetError(
                f"In a table of functions of edges 'axis' is from 0 to 2, 'log' and 'imaginary' are 0 or 1, and "
                f"'bars' and 'power' are from 0 to {HIGHEST}."
            )
        object.__setattr__(self, "table", table)
        table.setflags(write=False)

    @classmethod
    def of(cls, functions: Iterable[EdgeFunction]) -> EdgeFunctions:
        """Those of records."""
        return cls(np.array(list(functions), dtype=float).reshape(-1, len(FIELDS)))

    def __repr__(self) -> str:
        return f"EdgeFunctions({len(self)} functions along {len(self.lines)} edges)"

    @cached_property
    def lines(self) -> list[_Line]:
        """The edges, each with its functions."""
        frames, number = distinct_rows(self.table[:, :LINE])
        return [_Line.of(frame, np.flatnonzero(number == k), self.table) for k, frame in enumerate(frames)]

    def apply_each(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The same for several operators, which share the powers and logarithms."""
        results = [np.zeros((len(self), len(points))) for _ in several]
        for line in self.lines:
            line.add(points, several, results)
        return results


@dataclass(frozen=True, eq=False)
class _Line:
    """An edge: its plane functions, and the sums of powers along it times these that its functions are.

    Function number `rows[i]` has for each power m of t the row `sums[m][i]` of factors of the plane functions.
    """

    axis: int
    centre: float
    unit: float
    plane: Singular
    rows: np.ndarray
    sums: dict[int, np.ndarray]

    @classmethod
    def of(cls, frame: np.ndarray, rows: np.ndarray, table: np.ndarray) -> _Line:
        across = Chart(*frame[1:7].tolist())
        places: dict[tuple[float, int, int, int], int] = {}
        entries: list[tuple[int, int, int, float]] = []
        for i, (alpha, *others) in enumerate(table[rows, LINE:].tolist()):
            log, bars, power, imaginary = map(int, others)
            for j in range(power // 2 + 1 if bars == 0 else 1):
                factor = (-1) ** j * factorial(power) / factorial(power - 2 * j) / 4**j / factorial(j)
                factor /= float(falling(alpha + j, j))
                parts = [(log, factor)]
                if log and j:
                    parts.append((0, -factor * sum(1 / (alpha + i) for i in range(1, j + 1))))
                for with_log, value in parts:
                    key = (alpha + j, with_log, bars + j, imaginary)
                    entries.append((power - 2 * j, i, places.setdefault(key, len(places)), value))
        sums = {m: np.zeros((len(rows), len(places))) for m in sorted({m for m, _, _, _ in entries})}
        for m, i, k, value in entries:
            sums[m][i, k] += value
        plane = Singular.of(Function(across, alpha, log, bars, imaginary) for alpha, log, bars, imaginary in places)
        return cls(int(frame[0]), float(frame[7]), float(frame[8]), plane, rows, sums)

    def add(self, points: np.ndarray, several: Sequence[Terms], results: Sequence[np.ndarray]) -> None:
        """Add the functions of this edge to the rows of several operators."""
        others = [j for j in range(3) if j != self.axis]
        t = self.unit * (points[:, self.axis] - self.centre)
        needed = list(dict.fromkeys(tuple(index[j] for j in others) for terms in several for index, _ in terms))
        plane = self.plane.apply_each(points[:, others], [[(index, 1.0)] for index in needed])
        known = dict(zip(needed, plane, strict=True))
        ready: dict[tuple[int, ...], np.ndarray] = {}
        for result, terms in zip(results, several, strict=True):
            for index, c in terms:
                if index not in ready:
                    n = index[self.axis]
                    total = np.zeros((len(self.rows), len(points)))
                    for m, factors in self.sums.items():
                        if m >= n:
                            along = self.unit**n * factorial(n) * comb(m, n) * t ** (m - n)
                            total += (factors @ known[tuple(index[j] for j in others)]) * along
                    ready[index] = total
                result[self.rows] += c * ready[index]


AnySingular = Singular | Multipoles | EdgeFunctions
"""Singular functions of the plane, of balls in space, or of edges in space."""


def read_singular(table: np.ndarray) -> AnySingular:
    """Singular functions from their table in a file, whose kind its number of columns shows."""
    columns = np.shape(table)[1] if np.ndim(table) == 2 else 0
    if columns == len(OF_MULTIPOLES):
        return Multipoles(table)
    return EdgeFunctions(table) if columns == len(FIELDS) else Singular(table)
