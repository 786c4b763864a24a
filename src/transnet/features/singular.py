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

SMALLEST = 1e-60
"""|z| at the singularity itself: values there are finite, and derivatives are what they are that close to it."""
MOST_BARS = 8
"""The highest power of conj(z): what `singularities` asks for stays below, and a damaged file is noticed."""
MultiIndex = tuple[int, ...]


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
    def _bases(self) -> list[_Base]:
        return [_Base(frame, which, self) for frame, which in self.by_frame]

    def apply(self, points: np.ndarray, terms: Sequence[tuple[MultiIndex, np.ndarray | float]]) -> np.ndarray:
        """sum_k c_k(y) D^k phi(y) of every function at every point: (n, 2) -> (F, n)."""
        result = np.zeros((len(self), len(points)))
        # In the middle of a hole, which is not in the domain, nothing is finite.
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            for base in self._bases:
                result[base.rows] = base.apply(points, terms)
        return result


NOTHING = Singular()
"""No singular functions: what most spaces have."""


class _Base:
    """The functions of one point: they share z and its logarithm."""

    def __init__(self, frame: Frame, rows: np.ndarray, functions: Singular) -> None:
        self.centre, self.rows, self.s, self.f = (frame.c_1, frame.c_2), rows, frame.s, frame.f
        self.p_factor = complex(frame.p_real, frame.p_imaginary)
        self.q_factor = complex(frame.q_real, frame.q_imaginary)
        # Real and imaginary parts share the complex function.
        exponents = np.stack([functions[name][rows] for name in ("alpha", "log", "bars")], axis=1)
        unique, self.number = np.unique(exponents, axis=0, return_inverse=True)
        self.number = self.number.ravel()
        self.alpha, self.logs, self.powers = unique[:, 0, None], unique[:, 1] > 0, unique[:, 2].astype(int)
        self.moduli = unique[:, 1] == 2
        self.imaginary = functions["imaginary"][rows] == 1

    def apply(self, points: np.ndarray, terms: Sequence[tuple[MultiIndex, np.ndarray | float]]) -> np.ndarray:
        """The rows of these functions."""
        factors = self._factors(terms)
        z = self.p_factor * (points[:, 0] - self.centre[0]) + self.q_factor * (points[:, 1] - self.centre[1])
        z[np.abs(z) < SMALLEST] = SMALLEST
        total = np.zeros((len(self.alpha), len(z)), dtype=complex)
        if factors:
            analytic = self._analytic(z, max(order for order, _ in factors))
            for (order, bars), c in factors.items():
                # d^bars / d zbar^bars of zbar^j.
                falling = np.array([_falling(float(j), bars) for j in self.powers])[:, None]
                if falling.any():
                    rest = np.maximum(self.powers - bars, 0)[:, None]
                    total += (falling * c) * np.conj(z) ** rest * analytic[order]
            if self.moduli.any():
                total[self.moduli] = self._moduli(z, factors)
        chosen = total[self.number]
        return np.where(self.imaginary[:, None], chosen.imag, chosen.real)

    def _moduli(self, z: np.ndarray, factors: Mapping[tuple[int, int], np.ndarray | complex]) -> np.ndarray:
        """The functions with log|z| = (log z + log conj(z)) / 2: each half is a product."""
        alpha, powers = self.alpha[self.moduli], self.powers[self.moduli][:, None].astype(float)
        logs, total = np.log(z), np.zeros((len(alpha), len(z)), dtype=complex)
        for (order, bars), c in factors.items():
            plain, logged = _power(alpha, z, logs, order)
            there, there_logged = _power(powers, z, logs, bars)
            total += 0.5 * c * (logged * np.conj(there) + plain * np.conj(there_logged))
        return total

    def _factors(
        self, terms: Sequence[tuple[MultiIndex, np.ndarray | float]]
    ) -> dict[tuple[int, int], np.ndarray | complex]:
        """The operator in z and zbar: the factor of d_z^n d_zbar^m for each (n, m).

        By the chain rule d_1 = P d_z + conj(P) d_zbar and d_2 = Q d_z + conj(Q) d_zbar. Where the operator annihilates
        analytic functions, as Laplace's does, the factors cancel before anything large is multiplied by them.
        """
        p, q = self.p_factor, self.q_factor
        found: dict[tuple[int, int], np.ndarray | complex] = {}
        for (k, m), c in terms:
            for a in range(k + 1):
                for b in range(m + 1):
                    if a + b > max(self.powers, default=0) and not self.moduli.any():
                        continue
                    weight = comb(k, a) * comb(m, b) * p ** (k - a) * p.conjugate() ** a
                    weight *= q ** (m - b) * q.conjugate() ** b
                    key = (k + m - a - b, a + b)
                    found[key] = found.get(key, 0.0) + weight * c
        return found

    def _analytic(self, z: np.ndarray, order: int) -> list[np.ndarray]:
        """The derivatives up to an order of zeta^alpha (log zeta)^p, by Leibniz' rule: a list of (functions, n)."""
        logs, values = self._around_segment(z, order) if self.f else self._from_corner(z, order)
        if self.logs.any():
            plain = [v[self.logs] for v in values]
            for n in range(order + 1):
                values[n][self.logs] = sum(comb(n, k) * logs[k] * plain[n - k] for k in range(n + 1))
        return values

    def _from_corner(self, z: np.ndarray, order: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The derivatives of log zeta and zeta^alpha, zeta = z / (1 + s z)."""
        damped, inverse = 1.0 + self.s * z, 1.0 / z
        logs = [np.log(z) - np.log(damped)]
        logs += [_falling(-1.0, n - 1) * (inverse**n - (self.s / damped) ** n) for n in range(1, order + 1)]
        power = np.exp(self.alpha * logs[0])
        near = [_falling(self.alpha, n) * inverse**n for n in range(order + 1)]
        if self.s == 0.0:
            return logs, [power * factor for factor in near]
        far = [_falling(-self.alpha, n) * (self.s / damped) ** n for n in range(order + 1)]
        return logs, [power * sum(comb(n, k) * near[k] * far[n - k] for k in range(n + 1)) for n in range(order + 1)]

    def _around_segment(self, z: np.ndarray, order: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The same for zeta = (z + (z^2 - f^2)^1/2) / 2, by the equation (z^2 - f^2) F'' + z F' = alpha^2 F.

        With z = f cosh t the powers are exponentials of t. Differentiated n times the equation gives each derivative
        from the two before it.
        """
        root = np.sqrt(z - self.f) * np.sqrt(z + self.f)
        zeta = 0.5 * (z + root)
        logs = [np.log(zeta), 1.0 / root]
        values = [np.exp(self.alpha * logs[0])]
        values.append(self.alpha * values[0] / root)
        for n in range(order - 1):
            values.append(((self.alpha**2 - n**2) * values[n] - (2 * n + 1) * z * values[n + 1]) / root**2)
            logs.append((-(n**2) * logs[n] - (2 * n + 1) * z * logs[n + 1]) / root**2)
        return logs[: order + 1], values[: order + 1]


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
