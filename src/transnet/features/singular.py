"""Functions with singularities outside of the domain or at its corners, for problems in the plane.

Plane waves are entire functions: around a hole, and towards a corner, they converge slowly. The functions

    Re or Im of  zeta^alpha (log zeta)^p conj(z)^j,   z = P (y_1 - c_1) + Q (y_2 - c_2)

and, with p = 2, those of z^alpha log|z| conj(z)^j, take over there: with alpha = -k the poles inside a hole, with
alpha = k pi / omega the singular functions of a corner of opening omega. The complex numbers P and Q are such that z
is a conformal coordinate of the physical plane, so that all functions with j = 0 are harmonic; those with j > 0 follow
the lower-order terms of an operator. The branch is cut along the negative real axis of zeta, in one of two planes:

    zeta = z / (1 + s z)            at corners: the cut is a ray from c, or for s > 0 the segment from z = 0 to -1/s;
    zeta = (z + (z^2 - f^2)^1/2)/2  in holes: the outside of the segment from -f to f, around which whole powers and
                                    the real part of the logarithm have one value; for f = 0 this is z.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from transnet.errors import TransnetError
from transnet.features.sincos import sincos

SMALLEST = 1e-60
"""|z| at the singularity itself: values there are finite, and derivatives are what they are that close to it."""
MOST_BARS = 16
"""The highest power of conj(z): what `singularities` asks for stays below, and a damaged file is noticed."""
CANCELLED = 1e-15
"""The part of its terms below which a factor of the operator is rounding."""
MultiIndex = tuple[int, ...]
Terms = Sequence[tuple[MultiIndex, np.ndarray | float]]


class Frame(NamedTuple):
    """The plane in which functions of one point are analytic: its origin c, P and Q, and s or f of the cut."""

    c_1: float
    c_2: float
    p_real: float
    p_imaginary: float
    q_real: float
    q_imaginary: float
    s: float = 0.0
    f: float = 0.0


class Function(NamedTuple):
    """One singular function: the real or the imaginary part of zeta^alpha (log)^p conj(z)^j in a frame.

    `log` is 0 without a logarithm, 1 with log zeta and 2 with log|z|. A function that is `late` comes after the
    neurons: an estimate that compares a network with its own leading columns sees what the late functions, the highest
    of their series, still change.
    """

    frame: Frame
    alpha: float
    log: int = 0
    bars: int = 0
    imaginary: int = 0
    late: bool = False


FIELDS = (*Frame._fields, *Function._fields[1:])


@dataclass(frozen=True, eq=False)
class Singular:
    """Singular functions of the plane, those that are late last: `singular["alpha"]` are the exponents of all.

    Parameters
    ----------
    table : (F, 13) array
        The numbers of each function, in the order of `FIELDS`, as files hold them; `Singular.of` makes it.
    """

    table: np.ndarray = field(default_factory=lambda: np.empty((0, len(FIELDS))))

    def __post_init__(self) -> None:
        table = np.array(self.table, dtype=float)
        if table.ndim != 2 or table.shape[1] != len(FIELDS) or not np.isfinite(table).all():
            raise TransnetError(
                f"Singular features are a table of finite numbers with the columns {', '.join(FIELDS)}."
            )
        object.__setattr__(self, "table", table)
        allowed = {"log": range(3), "imaginary": (0, 1), "late": (0, 1), "bars": range(MOST_BARS + 1)}
        known = all(np.isin(self[name], list(values)).all() for name, values in allowed.items())
        if not (known and (np.diff(self["late"]) >= 0).all()):
            raise TransnetError(
                f"In a table of singular features 'log' is 0, 1 or 2, 'imaginary' and 'late' are 0 or 1, 'bars' is "
                f"from 0 to {MOST_BARS}, and the late functions are last."
            )
        if ((self["log"] == 2) & ((self["s"] != 0) | (self["f"] != 0))).any():
            raise TransnetError("Singular features with log|z|, log = 2, are those of points: s and f are zero.")
        table.setflags(write=False)

    @classmethod
    def of(cls, functions: Iterable[Function]) -> Singular:
        """Those of records; the late ones are put last."""
        rows = [(*f.frame, *f[1:]) for f in sorted(functions, key=lambda f: f.late)]
        return cls(np.array(rows, dtype=float).reshape(-1, len(FIELDS)))

    def __getitem__(self, name: str) -> np.ndarray:
        """One number of every function: (F,)."""
        return self.table[:, FIELDS.index(name)]

    def __len__(self) -> int:
        return len(self.table)

    def __add__(self, other: Singular) -> Singular:
        both = np.concatenate([self.table, other.table])
        return Singular(both[np.argsort(both[:, FIELDS.index("late")], kind="stable")])

    @property
    def early(self) -> int:
        """How many functions come before the neurons."""
        return int(np.sum(self["late"] == 0))

    def __repr__(self) -> str:
        return f"Singular({len(self)} functions at {len(np.unique(self.table[:, :2], axis=0))} points)"

    def part(self, which: slice | np.ndarray) -> Singular:
        """Some of the functions."""
        return Singular(self.table[which])

    @cached_property
    def by_frame(self) -> list[tuple[Frame, np.ndarray]]:
        """The frames, and which functions belong to each."""
        frames, number = np.unique(self.table[:, : len(Frame._fields)], axis=0, return_inverse=True)
        return [(Frame(*map(float, f)), np.flatnonzero(number.ravel() == k)) for k, f in enumerate(frames)]

    @cached_property
    def _groups(self) -> list[_Group]:
        """Those around points, and those around segments."""
        round_ = self["f"] == 0
        return [_Group(which, self) for which in map(np.flatnonzero, (round_, ~round_)) if len(which)]

    def apply(self, points: np.ndarray, terms: Terms) -> np.ndarray:
        """sum_k c_k(y) D^k phi(y) of every function at every point: (n, 2) -> (F, n)."""
        return self.apply_each(points, [terms])[0]

    def apply_each(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The same for several operators, which share the powers and logarithms."""
        results = [np.zeros((len(self), len(points))) for _ in several]
        # In the middle of a hole, which is not in the domain, nothing is finite.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            for group in self._groups:
                for result, values in zip(results, group.apply(points, several), strict=True):
                    result[group.rows] = values
        return results


NOTHING = Singular()
"""No singular functions: what most spaces have."""


class _Group:
    """Functions of several points, all of one kind: those of one point share z and its logarithm."""

    def __init__(self, rows: np.ndarray, functions: Singular) -> None:
        self.rows, table = rows, functions.table[rows]
        width = len(Frame._fields)
        frames, of_frame = np.unique(table[:, :width], axis=0, return_inverse=True)
        self.centre = frames[:, :2]
        self.p_factor = (frames[:, 2] + 1j * frames[:, 3])[:, None]
        self.q_factor = (frames[:, 4] + 1j * frames[:, 5])[:, None]
        self.s, self.f = frames[:, 6, None], frames[:, 7, None]
        # Real and imaginary parts share the complex function.
        exponents = np.column_stack([of_frame.ravel(), table[:, width : width + 3]])
        unique, number = np.unique(exponents, axis=0, return_inverse=True)
        self.number = number.ravel()
        self.frame, self.powers = unique[:, 0].astype(int), unique[:, 3].astype(int)
        self.alpha, self.logs, self.moduli = unique[:, 1, None], unique[:, 2] > 0, unique[:, 2] == 2
        self.imaginary = functions["imaginary"][rows].astype(int)

    def apply(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The rows of these functions for each operator."""
        operators = [self._factors(terms) for terms in several]
        z = self.p_factor * (points[:, 0] - self.centre[:, [0]]) + self.q_factor * (points[:, 1] - self.centre[:, [1]])
        z[np.abs(z) < SMALLEST] = SMALLEST
        order = max((n for factors in operators for n, _ in factors), default=-1)
        analytic = self._analytic(z, order) if order >= 0 else []
        bars = [np.ones_like(z)]
        for _ in range(max(self.powers, default=0)):
            bars.append(bars[-1] * np.conj(z))
        barred = np.stack(bars)
        found = []
        for factors in operators:
            total = np.zeros((len(self.alpha), len(points)), dtype=complex)
            for (n, m), c in factors.items():
                # d^m / d zbar^m of zbar^j.
                which = slice(None) if m == 0 else np.flatnonzero(self.powers >= m)
                frame, powers = self.frame[which], self.powers[which]
                term = c[frame] * analytic[n][which]
                if len(bars) > 1:
                    term *= barred[powers - m, frame]
                if m > 0:
                    term *= np.array([_falling(float(j), m) for j in powers])[:, None]
                total[which] += term
            if self.moduli.any() and factors:
                total[self.moduli] = self._moduli(z[self.frame[self.moduli]], factors)
            found.append(total.view(float).reshape(*total.shape, 2)[self.number, :, self.imaginary])
        return found

    def _moduli(self, z: np.ndarray, factors: Mapping[tuple[int, int], np.ndarray]) -> np.ndarray:
        """The functions with log|z| = (log z + log conj(z)) / 2: each half is a product."""
        alpha, powers = self.alpha[self.moduli], self.powers[self.moduli][:, None].astype(float)
        logs, total = np.log(z), np.zeros(z.shape, dtype=complex)
        for (order, bars), c in factors.items():
            plain, logged = _power(alpha, z, logs, order)
            there, there_logged = _power(powers, z, logs, bars)
            half = logged * np.conj(there) + plain * np.conj(there_logged)
            total += 0.5 * c[self.frame[self.moduli]] * half
        return total

    def _factors(self, terms: Terms) -> dict[tuple[int, int], np.ndarray]:
        """The operator in z and zbar: the factor of d_z^n d_zbar^m for each (n, m), (frames, 1) or (frames, n).

        By the chain rule d_1 = P d_z + conj(P) d_zbar and d_2 = Q d_z + conj(Q) d_zbar. Where the operator annihilates
        analytic functions, as Laplace's does, the factors cancel before anything large is multiplied by them.
        """
        p, q = self.p_factor, self.q_factor
        most = None if self.moduli.any() else max(self.powers, default=0)
        found: dict[tuple[int, int], np.ndarray] = {}
        sizes: dict[tuple[int, int], np.ndarray] = {}
        for (k, m), c in terms:
            for a in range(k + 1):
                for b in range(m + 1):
                    if most is not None and a + b > most:
                        continue
                    weight = comb(k, a) * comb(m, b) * p ** (k - a) * np.conj(p) ** a
                    weight = weight * q ** (m - b) * np.conj(q) ** b
                    key = (k + m - a - b, a + b)
                    found[key] = found.get(key, 0.0) + weight * c
                    sizes[key] = sizes.get(key, 0.0) + np.abs(weight * c)
        # What cancels does so to rounding, which is no reason to evaluate derivatives.
        return {key: c for key, c in found.items() if (np.abs(c) > CANCELLED * sizes[key]).any()}

    def _analytic(self, z: np.ndarray, order: int) -> list[np.ndarray]:
        """The derivatives up to an order of zeta^alpha (log zeta)^p, by Leibniz' rule: a list of (functions, n)."""
        logs, values = self._around_segment(z, order) if self.f.any() else self._from_corner(z, order)
        if self.logs.any():
            plain = [v[self.logs] for v in values]
            here = self.frame[self.logs]
            for n in range(order + 1):
                values[n][self.logs] = sum(comb(n, k) * logs[k][here] * plain[n - k] for k in range(n + 1))
        return values

    def _from_corner(self, z: np.ndarray, order: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The derivatives of log zeta and zeta^alpha, zeta = z / (1 + s z)."""
        cut = bool(self.s.any())
        damped = 1.0 + self.s * z if cut else None
        inverse = 1.0 / z
        logs = [np.log(z) if damped is None else np.log(z) - np.log(damped)]
        far = None if damped is None else self.s / damped
        for n in range(1, order + 1):
            logs.append(_falling(-1.0, n - 1) * (inverse**n if far is None else inverse**n - far**n))
        power = _exponential(self.alpha, logs[0], self.frame)
        near = [_falling(self.alpha, n) * (inverse**n)[self.frame] if n else 1.0 for n in range(order + 1)]
        if far is None:
            return logs, [power * factor if n else power for n, factor in enumerate(near)]
        there = [_falling(-self.alpha, n) * (far**n)[self.frame] if n else 1.0 for n in range(order + 1)]
        return logs, [power * sum(comb(n, k) * near[k] * there[n - k] for k in range(n + 1)) for n in range(order + 1)]

    def _around_segment(self, z: np.ndarray, order: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The same for zeta = (z + (z^2 - f^2)^1/2) / 2, by the equation (z^2 - f^2) F'' + z F' = alpha^2 F.

        With z = f cosh t the powers are exponentials of t. Differentiated n times the equation gives each derivative
        from the two before it.
        """
        root = np.sqrt(z - self.f) * np.sqrt(z + self.f)
        zeta = 0.5 * (z + root)
        logs = [np.log(zeta), 1.0 / root]
        here, there = z[self.frame], root[self.frame]
        values = [_exponential(self.alpha, logs[0], self.frame)]
        values.append(self.alpha * values[0] / there)
        for n in range(order - 1):
            values.append(((self.alpha**2 - n**2) * values[n] - (2 * n + 1) * here * values[n + 1]) / there**2)
            logs.append((-(n**2) * logs[n] - (2 * n + 1) * z * logs[n + 1]) / root**2)
        return logs[: order + 1], values[: order + 1]


def _exponential(alpha: np.ndarray, logs: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """zeta^alpha from log zeta of its frame, by real functions: a third of the time of the complex exponential."""
    sine, cosine = sincos(alpha * logs.imag[frame])
    size = np.exp(alpha * logs.real[frame])
    result = np.empty(size.shape, dtype=complex)
    np.multiply(size, cosine, out=result.real)
    np.multiply(size, sine, out=result.imag)
    return result


def _power(alpha: np.ndarray, z: np.ndarray, logs: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The n-th derivatives of z^alpha and z^alpha log z, by Leibniz' rule."""
    power = np.exp((alpha - n) * logs)
    others = sum(comb(n, k) * _falling(-1.0, k - 1) * _falling(alpha, n - k) for k in range(1, n + 1))
    plain = _falling(alpha, n) * power
    return plain, plain * logs + others * power


def _falling(alpha: np.ndarray | float, n: int) -> np.ndarray | float:
    """alpha (alpha - 1) ... (alpha - n + 1)."""
    result = alpha * 0.0 + 1.0
    for k in range(n):
        result = result * (alpha - k)
    return result
