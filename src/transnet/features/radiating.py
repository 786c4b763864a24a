"""Functions that solve Helmholtz' or Laplace's equation outside bodies of the plane and decay or radiate there.

With polar coordinates r, theta around a centre inside a body, for Laplace(u) + k^2 u = 0,

    F_n = H_n(k r) exp(i n theta)   (k not zero; H is the Hankel function of the first kind, outgoing, for i k < 0 the
                                     decaying K_n up to a factor),
    F_n = r^-|n| exp(i n theta), F_0 = log r   (k = 0).

With d_+- = d_x +- i d_y the derivatives of one are others: d_+ F_n = -k F_(n+1), d_- F_n = k F_(n-1), and for k = 0
d_+ F_n = -2 n F_(n+1) for n > 0, d_+ F_0 = F_1, d_+ F_n = 0 for n < 0. Each is divided by its size on the body, so that
high orders neither overflow nor vanish: the recurrence in n is that of the quotients.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import ClassVar

import numpy as np
from scipy.special import hankel1, j0, j1, jv, k0, k1, y0, y1

from transnet.features.powers import SMALLEST
from transnet.features.spherical import TINIEST, AroundCentres


@dataclass(frozen=True, eq=False)
class Radiating(AroundCentres):
    """Such functions of the plane."""

    axes: ClassVar[int] = 2
    most: ClassVar[int] = 2_000
    words: ClassVar[str] = "orders"

    @cached_property
    def index(self) -> np.ndarray:
        """The centre and the order n of each function, (F, 2): the lowest orders of all centres first."""
        found = [
            (k, n)
            for k, (low, high) in enumerate(self.orders.tolist())
            for n in range(-high, high + 1)
            if abs(n) >= low
        ]
        found.sort(key=lambda f: abs(f[1]))
        return np.array(found, dtype=int).reshape(-1, 2)

    @property
    def logs(self) -> np.ndarray:
        """The functions that are logarithms."""
        return np.flatnonzero((self.index[:, 1] == 0) & (self.wavenumber == 0) & (not self.regular))

    @property
    def turns(self) -> np.ndarray:
        """The factors with which the functions are real where n = 0 and k is imaginary: those of i^(n+1) H_n(i x)
        and of i^-n J_n(i x)."""
        n = self.index[:, 1]
        return 1j ** ((-n if self.regular else n + 1) % 4)

    def derivatives(self, points: np.ndarray, indices: list[tuple[int, int]]) -> list[np.ndarray]:
        """D^k of every function at points for several multi-indices: (F, n) complex each."""
        found = [np.zeros((len(self), len(points)), dtype=complex) for _ in indices]
        steps = max((sum(i) for i in indices), default=0)
        for k, centre in enumerate(self.centres):
            mine = np.flatnonzero(self.index[:, 0] == k)
            orders = self.index[mine, 1]
            top = int(self.orders[k, 1]) + steps
            values, ratios = self._around(points - centre, float(self.radii[k]), top)
            for out, index in zip(found, indices, strict=True):
                for plus, minus, factor in _ladder(index):
                    shift = orders + plus - minus
                    rise = self._rise(orders, plus, minus) * factor
                    # Sizes of |n| are relative to that of order zero.
                    scale = np.exp(ratios[np.abs(shift)] - ratios[np.abs(orders)])
                    out[mine] += (rise * scale)[:, None] * values[shift + top]
        return found

    def summed(self, points: np.ndarray, indices: list[tuple[int, int]], factors: np.ndarray) -> list[np.ndarray]:
        """D^k of the sum of all functions with complex factors (F, c): (n, c) each."""
        return [values.T @ factors for values in self.derivatives(points, indices)]

    def _rise(self, orders: np.ndarray, plus: int, minus: int) -> np.ndarray:
        """The factor of d_+^p d_-^q F_n = factor F_(n+p-q)."""
        if self.wavenumber:
            return np.full(len(orders), (-self.wavenumber) ** plus * self.wavenumber**minus, dtype=complex)
        if plus and minus:
            return np.zeros(len(orders), dtype=complex)
        steps, away = plus + minus, orders if plus else -orders
        factor = np.ones(len(orders), dtype=complex)
        for step in range(steps):
            n = away + step
            factor *= np.maximum(-2.0 * n, 0.0) if self.regular else np.where(n > 0, -2.0 * n, n == 0)
        return factor

    def _around(self, away: np.ndarray, radius: float, top: int) -> tuple[np.ndarray, np.ndarray]:
        """F_n / s_n for n = -top..top at points around a centre, and log s_n for n = 0..top, s_n = |F_n| at radius."""
        r = np.maximum(np.hypot(*away.T), SMALLEST)
        turn = (away[:, 0] + 1j * away[:, 1]) / r
        up = np.empty((top + 1, len(r)), dtype=complex)
        if self.regular:
            orders = np.arange(top + 2)
            if self.wavenumber:
                k = self.wavenumber if self.wavenumber.imag else self.wavenumber.real
                rim = np.abs(jv(orders, k * radius))
                # The next order as well: this one may be zero on the rim.
                sizes = np.log(np.maximum(np.hypot(rim[:-1], rim[1:]), TINIEST))
                up[:] = jv(orders[:-1, None], k * r) * np.exp(-sizes)[:, None]
            else:
                sizes = orders[:-1] * np.log(radius)
                up[:] = (r / radius) ** orders[:-1, None]
        elif not self.wavenumber:
            sizes = -np.arange(top + 1) * np.log(radius)
            up[0] = np.log(r)
            up[1:] = (radius / r) ** np.arange(1, top + 1)[:, None]
            sizes[0] = 0.0
        else:
            sizes = _log_sizes(self.wavenumber * radius, top)
            x = self.wavenumber * r
            for n, first in enumerate(_first_two(x)[: top + 1]):
                up[n] = first * np.exp(-sizes[n])
            for n in range(1, top):
                up[n + 1] = (2 * n * np.exp(sizes[n] - sizes[n + 1])) / x * up[n]
                up[n + 1] -= np.exp(sizes[n - 1] - sizes[n + 1]) * up[n - 1]
        turns = turn ** np.arange(top + 1)[:, None]
        signs = (-1.0) ** np.arange(top, 0, -1)[:, None] if self.wavenumber else 1.0  # H_-n = (-1)^n H_n
        down = signs * up[:0:-1] * turns[:0:-1].conj()
        return np.concatenate([down, up * turns]), sizes

    def around(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Angles and weights of an integral over all directions."""
        return 2.0 * np.pi * np.arange(count) / count, np.full(count, 2.0 * np.pi / count)

    def far(self, angles: np.ndarray) -> np.ndarray:
        """The factor f of exp(i k r) / sqrt(r) in every function far away, at angles of any shape: (F, ...)."""
        if np.ndim(angles) != 1:
            return self.far(np.ravel(angles)).reshape(len(self), *np.shape(angles))
        ways = np.stack([np.cos(angles), np.sin(angles)])
        k, n = self.index.T
        delay = np.exp(-1j * self.wavenumber * (self.centres[k] @ ways))
        sizes = [_log_sizes(self.wavenumber * r, int(o[1])) for r, o in zip(self.radii, self.orders, strict=True)]
        size = np.array([sizes[c][abs(m)] for c, m in self.index.tolist()])
        front = np.sqrt(2.0 / (np.pi * self.wavenumber)) * np.exp(-0.25j * np.pi)
        return np.asarray(
            front * (np.exp(-size) * (-1j) ** (n % 4))[:, None] * np.exp(1j * np.outer(n, angles)) * delay
        )


def _first_two(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """H_0 and H_1, for real arguments by functions that are much faster than those for complex ones."""
    if np.isrealobj(x) or not np.any(x.imag):
        x = np.real(x)
        return j0(x) + 1j * y0(x), j1(x) + 1j * y1(x)
    if not np.any(x.real):
        x = np.imag(x)
        return -2j / np.pi * k0(x), -2.0 / np.pi * k1(x)
    return hankel1(0, x), hankel1(1, x)


def _ladder(index: tuple[int, int]) -> list[tuple[int, int, complex]]:
    """D^(a, b) as a sum of factors of d_+^p d_-^q: d_x = (d_+ + d_-) / 2, d_y = (d_+ - d_-) / 2i."""
    a, b = index
    found: dict[tuple[int, int], complex] = {}
    for i in range(a + 1):
        for j in range(b + 1):
            factor = comb(a, i) * comb(b, j) * 0.5 ** (a + b) * (-1j) ** b * (-1) ** (b - j)
            key = (i + j, a + b - i - j)
            found[key] = found.get(key, 0.0) + factor
    return [(p, q, f) for (p, q), f in found.items() if f != 0]


def _log_sizes(x: complex, top: int) -> np.ndarray:
    """log |H_n(x)| for n = 0..top, by the recurrence of the quotients of neighbours, which does not overflow."""
    found = np.empty(top + 1)
    last, here = (complex(h[0]) for h in _first_two(np.array([x])))
    found[0] = np.log(abs(last))
    quotient = here / last
    for n in range(1, top + 1):
        found[n] = found[n - 1] + np.log(abs(quotient))
        quotient = 2 * n / x - 1.0 / quotient
    return found
