"""The leading part of an elliptic system at a corner, applied to sums of powers of the distance to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from transnet.features.powers import falling
from transnet.tolerances import EPS, ROUNDED

MultiIndex = tuple[int, ...]
Row = Sequence[tuple[int, MultiIndex, float]]
"""One equation or condition: the terms c D^k u_i as (i, k, c)."""

SAME_ROOT = 1e-4
"""Roots of the determinant that are closer, relative to their size, are one of higher multiplicity: rounding separates
the halves of a double root by 1e-8."""
GOLDEN, MORE = 0.6180339887498949, 6
"""Angles at which sums are evaluated: multiples of the golden ratio, this many more than there are functions."""


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

    def smallest(self, lam: np.ndarray) -> np.ndarray:
        """The smallest singular value for functions of norm one, at each lambda."""
        return smallest_singular_value(*self.matrices(lam), lam, max(self.orders))


def smallest_singular_value(rows: np.ndarray, values: np.ndarray, lam: np.ndarray, order: int) -> np.ndarray:
    """The smallest singular value of rows for functions of norm one, at each lambda; infinite where they coincide."""
    r = np.asarray(np.linalg.qr(values, mode="r"))
    sizes = np.abs(np.diagonal(r, axis1=1, axis2=2))
    apart = sizes.min(axis=1) > EPS * sizes.max(axis=1)
    found = np.full(len(lam), np.inf)
    r, rows = r[apart], rows[apart]
    scaled = np.swapaxes(np.linalg.solve(np.swapaxes(r, 1, 2), np.swapaxes(rows, 1, 2)), 1, 2)
    found[apart] = np.linalg.svd(scaled, compute_uv=False)[:, -1] / np.maximum(np.abs(lam[apart]), 1.0) ** order
    return found
