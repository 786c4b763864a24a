"""The exponents at a corner of any elliptic system with constant coefficients and any conditions on its edges.

Close to a corner the solution is a sum of functions whose i-th unknown is r^(lambda + d_i) f_i(theta), where the
leading part of the system and the conditions on the two edges hold with zero right-hand sides. With the roots mu of the
determinant of the leading part, of multiplicity m, each is a sum of

    z^a conj(z)^j,   z = x + mu y,   j < m,   a + j = lambda + d_i .

For most lambda there is no such sum; the exponents are the complex numbers lambda for which there is one. For a clamped
plate these are Williams', sin^2((lambda - 1) omega) = (lambda - 1)^2 sin^2 omega, for slow flow Moffatt's. They are
found, for any such system, as the zeros of the smallest singular value of the equations and conditions applied to the
sums: on a grid in the complex plane, and then by Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from transnet.features.powers import falling
from transnet.tolerances import ROUNDED

MultiIndex = tuple[int, ...]
Row = Sequence[tuple[int, MultiIndex, float]]
"""One equation or condition: the terms c D^k u_i as (i, k, c)."""

SAME_ROOT = 1e-4
"""Roots of the determinant that are closer, relative to their size, are one of higher multiplicity: rounding separates
the halves of a double root by 1e-8."""
WHOLE = 1e-7
"""How close to a whole number an exponent counts as whole; sums are then distinguished by their limits."""
BESIDE = 1e-4
"""The distance from a whole number at which it is tested whether that is an exponent."""
GRID, FINE = 0.1, 0.02
"""The spacing of the grid and of points on the real line, in units of pi / omega, or this if it is larger: real
exponents of reentrant corners may be as close as 0.1."""
GOLDEN, MORE = 0.6180339887498949, 6
"""Angles at which sums are evaluated: multiples of the golden ratio, this many more than there are functions."""
HIGH = 3.0
"""Imaginary parts, times the opening, are below the logarithm of twice the exponent plus this."""
NEWTON = 12
"""The most steps of Newton's method from a point of the grid."""
CONVERGED = 1e-9
"""The largest residual of equations and conditions at an exponent."""
LEAST = 0.01
"""How far above the lowest real part an exponent must be: rigid motions are there, as double zeros."""
KNOWN = 1e-6
"""Exponents that are closer are the same; the slope is taken this far beside one."""
TAKES_PART = 1e-6
"""A function whose share of a sum is smaller does not belong to it."""
OFFSET = 0.37
"""Where the grid begins, in units of its step, so that no whole or half number lies on it."""
STILL = 1e-14
"""A relative step of Newton's method that ends it."""


@dataclass(frozen=True)
class Power:
    """An exponent of a corner, with a nonnegative imaginary part, and the functions in its sums.

    Parameters
    ----------
    value : complex
        lambda.
    parts : tuple of (unknown, root, j)
        The functions z^(lambda + d_i - j) conj(z)^j of the unknown i, z = x + mu y with the root of that number.
    """

    value: complex
    parts: tuple[tuple[int, int, int], ...]


class _Plane(NamedTuple):
    """z = x + mu y at angles, and z^lambda there."""

    mu: complex
    z: np.ndarray
    power: np.ndarray


@dataclass(frozen=True, eq=False)
class Sector:
    """The leading part of a system at a corner.

    Parameters
    ----------
    equations : sequence of rows
        As many as there are unknowns.
    edges : two sequences of rows
        The conditions on the edges at `angles`.
    angles : (float, float)
        The directions of the edges; the domain is between them, anticlockwise.
    """

    equations: Sequence[Row]
    edges: tuple[Sequence[Row], Sequence[Row]]
    angles: tuple[float, float]
    unknowns: int

    @cached_property
    def orders(self) -> tuple[int, ...]:
        """t_i, the relative smoothness of the unknowns: the least for which s_k + t_i bounds all orders."""
        order = np.full((self.unknowns, self.unknowns), -np.inf)
        for k, row in enumerate(self.equations):
            for unknown, index, _ in row:
                order[k, unknown] = max(order[k, unknown], sum(index))
        best: tuple[float, int, tuple[int, ...]] = (np.inf, 0, ())
        for t in product(range(int(order.max()) + 1), repeat=self.unknowns):
            if max(t) == order.max():
                total = sum(t) + float((order - np.array(t)).max(axis=1).sum())
                best = min(best, (total, -sum(t), t))
        return best[2]

    @property
    def lowest(self) -> float:
        """Above this real part the energy is finite."""
        return 0.5 * max(self.orders) - 1.0

    @cached_property
    def offsets(self) -> np.ndarray:
        """d_i = t_i - max t."""
        return np.array(self.orders) - max(self.orders)

    def leading(self, row: Row) -> Row:
        """The most singular terms of a row."""
        most = max(sum(index) - self.orders[unknown] for unknown, index, _ in row)
        return [term for term in row if sum(term[1]) - self.orders[term[0]] == most]

    @cached_property
    def roots(self) -> list[tuple[complex, int]]:
        """The roots mu of the determinant in the upper half plane, with their multiplicities."""
        n = self.unknowns
        size = sum(max(sum(i) for _, i, _ in row) for row in self.equations) + 1
        samples = np.exp(2j * np.pi * np.arange(size) / size)
        matrix = np.zeros((size, n, n), dtype=complex)
        for k, row in enumerate(self.equations):
            for unknown, index, c in self.leading(row):
                matrix[:, k, unknown] += c * samples ** index[1]
        coefficients = np.fft.fft(np.linalg.det(matrix)) / size  # of mu^0, mu^1, ...
        big = np.abs(coefficients).max()
        if big == 0:
            return []
        coefficients = np.where(np.abs(coefficients) > ROUNDED * big, coefficients, 0.0)[::-1]
        upper = sorted((r for r in np.roots(coefficients) if r.imag > SAME_ROOT), key=lambda r: (r.real, r.imag))
        if 2 * len(upper) != sum(self.orders) + sum(self._shifts):
            return []  # not elliptic
        found: list[list[complex]] = []
        for root in upper:
            for group in found:
                if abs(np.mean(group) - root) < SAME_ROOT * abs(root):
                    group.append(root)
                    break
            else:
                found.append([root])
        return [(complex(np.mean(group)), len(group)) for group in found]

    @cached_property
    def _shifts(self) -> list[int]:
        """s_k of the equations."""
        return [max(sum(index) - self.orders[unknown] for unknown, index, _ in row) for row in self.equations]

    @cached_property
    def functions(self) -> list[tuple[int, int, int, bool]]:
        """All functions: the unknown, the root, j, and whether the conjugate of mu is meant."""
        return [
            (unknown, k, j, conjugate)
            for unknown in range(self.unknowns)
            for k, (_, multiplicity) in enumerate(self.roots)
            for j in range(multiplicity)
            for conjugate in (False, True)
        ]

    @cached_property
    def well_posed(self) -> bool:
        """Whether there are as many conditions on each edge as an elliptic system requires."""
        half = sum(m for _, m in self.roots)
        return half > 0 and len(self.edges[0]) == len(self.edges[1]) == half

    def _planes(self, lam: np.ndarray, angles: np.ndarray) -> dict[tuple[int, bool], _Plane]:
        """z^lambda, and the factors of its derivatives, in the plane of each root and of its conjugate."""
        middle = 0.5 * sum(self.angles)
        found = {}
        for k, (mu, _) in enumerate(self.roots):
            turn = np.conj(np.cos(middle) + mu * np.sin(middle))
            z = np.cos(angles) + mu * np.sin(angles)
            log = np.log(np.abs(z)) + 1j * (np.angle(z * turn) - np.angle(turn))
            found[k, False] = _Plane(mu, z, np.exp(lam[:, None] * log))
            found[k, True] = _Plane(np.conj(mu), np.conj(z), np.exp(lam[:, None] * np.conj(log)))
        return found

    def _values(self, lam: np.ndarray, row: Row, planes: dict[tuple[int, bool], _Plane]) -> np.ndarray:
        """A row for all functions at points of the unit circle: (lambdas, angles, functions)."""
        made = np.zeros((*planes[0, False].power.shape, len(self.functions)), dtype=complex)
        for column, (unknown, k, j, conjugate) in enumerate(self.functions):
            mu, z, power = planes[k, conjugate]
            offset = int(self.offsets[unknown]) - j
            factors: dict[int, np.ndarray] = {}  # of the derivatives of z^a, without the power itself
            for number, (p, q), c in row:
                if number != unknown:
                    continue
                for b, d in product(range(p + 1), range(q + 1)):
                    if b + d <= j:
                        n, m = p + q - b - d, b + d
                        factor = c * comb(p, b) * comb(q, d) * mu ** (q - d) * np.conj(mu) ** d * falling(j, m)
                        factors[n] = factors.get(n, 0.0) + factor * z ** (offset - n) * np.conj(z) ** (j - m)
            if factors:
                made[:, :, column] = power * sum(falling((lam + offset)[:, None], n) * f for n, f in factors.items())
        return made

    def matrices(self, lam: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The equations and conditions applied to the functions, and the functions themselves, for each lambda."""
        first, second = self.angles
        # At angles at which no two powers of e^(i theta) coincide.
        inside = first + (second - first) * np.mod(GOLDEN * (np.arange(len(self.functions) + MORE) + 0.5), 1.0)
        planes = self._planes(lam, inside)
        rows = [self._values(lam, self.leading(row), planes) for row in self.equations]
        values = [self._values(lam, [(unknown, (0, 0), 1.0)], planes) for unknown in range(self.unknowns)]
        for angle, stated in zip(self.angles, self.edges, strict=True):
            planes = self._planes(lam, np.array([angle]))
            rows += [self._values(lam, self.leading(row), planes) for row in stated]
        return np.concatenate(rows, axis=1), np.concatenate(values, axis=1)

    def has(self, powers: Sequence[Power]) -> bool:
        """Whether the exponents of another sector are exponents of this one."""
        values = np.array([p.value for p in powers])
        values = np.where([_is_whole(p.value) for p in powers], values + BESIDE, values)
        return not len(values) or bool(self.smallest(values).max() < 3.0 * BESIDE)

    def smallest(self, lam: np.ndarray) -> np.ndarray:
        """The smallest singular value for functions of norm one, at each lambda."""
        rows, values = self.matrices(lam)
        r = np.linalg.qr(values, mode="r")
        scaled = np.swapaxes(np.linalg.solve(np.swapaxes(r, 1, 2), np.swapaxes(rows, 1, 2)), 1, 2)
        return np.linalg.svd(scaled, compute_uv=False)[:, -1] / np.maximum(np.abs(lam), 1.0) ** max(self.orders)

    def powers(self, degree: float) -> list[Power]:
        """The exponents with finite energy up to a degree, in increasing order."""
        low = self.lowest
        found: dict[tuple[float, float], complex] = {}
        for start in [*self._minima(degree, FINE, line=True), *self._minima(degree, GRID)]:
            value = self._newton(start)
            if value is None or not low + LEAST < value.real <= degree + WHOLE or _is_whole(value):
                continue
            if all(abs(value - other) > KNOWN for other in found.values()):
                found[value.real, value.imag] = value
        wholes = np.arange(int(np.floor(low)) + 1, int(degree) + 1)
        if len(wholes):
            beside = self.smallest(wholes + BESIDE)
            farther = self.smallest(wholes + 4.0 * BESIDE)
            for n, near_one, far_one in zip(wholes.tolist(), beside, farther, strict=True):
                if near_one < 0.5 * far_one:
                    found[float(n), 0.0] = complex(n)
        return [Power(value, self._parts(value)) for _, value in sorted(found.items())]

    def _minima(self, degree: float, spacing: float, line: bool = False) -> list[complex]:
        """Where the smallest singular value has local minima on a grid, or on the real line."""
        opening = self.angles[1] - self.angles[0]
        step = spacing * max(np.pi / opening, 1.0)
        along = np.arange(self.lowest + OFFSET * step, degree + step, step)
        high = 0.0 if line else (np.log(2.0 * degree) + HIGH) / opening + 2 * step
        # From real numbers Newton's method would not leave the axis; everything below the axis mirrors what is above.
        across = np.arange(0.0, high + 0.5 * step, step) + (0.0 if line else 0.25 * step)
        grid = along[:, None] + 1j * across
        size = self.smallest(grid.ravel()).reshape(grid.shape)
        wide = np.pad(size, ((0, 0), (1, 0)), "edge")
        padded = np.pad(wide, ((1, 1), (0, 1)), constant_values=np.inf)
        shifts = product((0, 1, 2), repeat=2)
        near = [padded[i : i + len(along), j : j + len(across)] for i, j in shifts]
        return list(map(complex, grid[size <= np.min(near, axis=0)]))

    def _newton(self, lam: complex) -> complex | None:
        """Newton's method for T(lambda) c = 0 and one normalisation of c."""
        c = None
        for _ in range(NEWTON):
            rows, values = self.matrices(np.array([lam, lam + KNOWN, lam - KNOWN]))
            scale = 1.0 / np.linalg.norm(values[0], axis=0)
            t, slope = rows[0] * scale, (rows[1] - rows[2]) * scale / (2 * KNOWN)
            if c is None:
                c = np.linalg.svd(t)[2][-1].conj()
            # T(lam + d) (c + e) = 0 to first order, and e is orthogonal to c.
            system = np.concatenate([np.concatenate([t, (slope @ c)[:, None]], axis=1), [[*c.conj(), 0.0]]])
            move = np.linalg.lstsq(system, np.concatenate([-t @ c, [0.0]]), rcond=None)[0]
            c = c + move[:-1]
            c /= np.linalg.norm(c)
            lam += complex(move[-1])
            if abs(move[-1]) > 1.0 or not np.isfinite(lam):
                return None
            if abs(move[-1]) < STILL * max(abs(lam), 1.0):
                break
        if self.smallest(np.array([lam]))[0] > CONVERGED:
            return None
        lam = complex(lam.real, abs(lam.imag))
        return complex(lam.real, 0.0) if lam.imag < WHOLE else lam

    def _parts(self, lam: complex) -> tuple[tuple[int, int, int], ...]:
        if _is_whole(lam):
            return tuple(dict.fromkeys(f[:3] for f in self.functions))
        rows, values = self.matrices(np.array([lam]))
        scale = 1.0 / np.linalg.norm(values[0], axis=0)
        _, sizes, vectors = np.linalg.svd(rows[0] * scale)
        sums = np.abs(vectors[sizes <= max(CONVERGED * sizes[0], sizes[-1])])
        share = sums.max(axis=0)
        return tuple(
            dict.fromkeys(f[:3] for f, s in zip(self.functions, share, strict=True) if s > TAKES_PART * share.max())
        )


def _is_whole(lam: complex) -> bool:
    return abs(lam - round(lam.real)) < KNOWN
