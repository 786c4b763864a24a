"""Functions that solve Helmholtz' or Laplace's equation outside bodies in space and radiate or decay there.

With spherical coordinates around a centre inside a body, and the spherical harmonics Y_lm,

    F_lm = h_l(k r) Y_lm   (k not zero; h is the spherical Hankel function of the first kind, outgoing or decaying),
    F_lm = r^-(l+1) Y_lm   (k = 0).

Derivatives of one are sums of others: with d_+- = d_x +- i d_y each of d_+, d_- and d_z changes l by one, and m by one,
minus one and zero. The radial factors are f' - l f/r = a f_(l+1) and f' + (l+1) f/r = b f_(l-1), with a = -k and b = k;
for k = 0 a = -(2l+1) and b = 0. Each is divided by its size on the body, as in the plane.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from transnet.counts import AT_ONCE
from transnet.errors import TransnetError
from transnet.features.powers import SMALLEST
from transnet.lazy import special
from transnet.measure.rules import sphere_rule

TINIEST = 1e-280
"""The smallest size of a function that is scaled: smaller ones are lost in underflow."""

Ladder = dict[tuple[int, int], np.ndarray]
"""A sum of functions: the factor of F_(l+p)(m+q) for each function (l, m), by (p, q)."""


@dataclass(frozen=True, eq=False)
class AroundCentres:
    """Functions around several centres, of the plane or of space.

    Parameters
    ----------
    wavenumber : complex
        k, with an imaginary part that is not negative; zero for Laplace's equation.
    centres : (c, d) array
    radii : (c,) array
        The distance from each centre at which its functions have about the size one.
    orders : (c, 2) array of int
        The lowest and the highest |n|, or degree l, around each centre.
    regular : bool
        Whether they are those inside a body instead: J_n(k r) exp(i n theta) or j_l(k r) Y_lm, for k = 0 powers of r.
    """

    axes: ClassVar[int]
    most: ClassVar[int]
    words: ClassVar[str]

    wavenumber: complex
    centres: np.ndarray
    radii: np.ndarray
    orders: np.ndarray
    regular: bool = False

    def __post_init__(self) -> None:
        shapes = [np.shape(a) for a in (self.centres, self.radii, self.orders)]
        name, count = type(self).__name__, len(self.radii)
        if shapes != [(count, self.axes), (count,), (count, 2)] or not (np.asarray(self.radii) > 0).all():
            raise TransnetError(
                f"{name} functions have a centre, a positive radius and two {self.words} for each centre."
            )
        low, high = np.asarray(self.orders).reshape(-1, 2).T
        if not ((low >= 0) & (low <= high) & (high <= self.most)).all():
            raise TransnetError(f"The {self.words} of {name} functions are 0 <= lowest <= highest <= {self.most}.")

    def __len__(self) -> int:
        return len(self.index)

    @cached_property
    def index(self) -> np.ndarray:
        """The centre and the numbers of each function."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class Spherical(AroundCentres):
    """Such functions of space."""

    axes: ClassVar[int] = 3
    most: ClassVar[int] = 200
    words: ClassVar[str] = "degrees"

    @cached_property
    def index(self) -> np.ndarray:
        """The centre, the degree l and the order m of each function, (F, 3): the lowest degrees of all first."""
        found = [
            (k, l, m)
            for k, (low, high) in enumerate(self.orders.tolist())
            for l in range(low, high + 1)
            for m in range(-l, l + 1)
        ]
        found.sort(key=lambda f: f[1])
        return np.array(found, dtype=int).reshape(-1, 3)

    @property
    def logs(self) -> np.ndarray:
        """The functions that grow like a logarithm: none in space."""
        return np.empty(0, dtype=int)

    @property
    def turns(self) -> np.ndarray:
        """The factors with which the functions are real where m = 0 and k is imaginary: those of i^l h_l(i x) and of
        i^-l j_l(i x)."""
        l = self.index[:, 1]
        return 1j ** ((-l if self.regular else l) % 4)

    def derivatives(self, points: np.ndarray, indices: list[tuple[int, ...]]) -> list[np.ndarray]:
        """D^k of every function at points for several multi-indices: (F, n) complex each."""
        found = [np.zeros((len(self), len(points)), dtype=complex) for _ in indices]
        for k in range(len(self.centres)):
            values, sizes = self._around(k, points, indices)
            for out, index in zip(found, indices, strict=True):
                for mine, at, factor in self._terms(k, index, sizes):
                    out[mine] += factor[:, None] * values[at]
        return found

    def summed(self, points: np.ndarray, indices: list[tuple[int, ...]], factors: np.ndarray) -> list[np.ndarray]:
        """D^k of the sum of all functions with complex factors (F, c): (n, c) each."""
        found = [np.zeros((len(points), factors.shape[1]), dtype=complex) for _ in indices]
        size = max(1, AT_ONCE // (int(self.orders.max(initial=0)) + 3) ** 2)
        for start in range(0, len(points), size):
            rows = slice(start, start + size)
            for k in range(len(self.centres)):
                values, sizes = self._around(k, points[rows], indices)
                for out, index in zip(found, indices, strict=True):
                    # Derivatives of the sum are sums of the same functions: the factors change, and nothing else.
                    changed = np.zeros((len(values), factors.shape[1]), dtype=complex)
                    for mine, at, factor in self._terms(k, index, sizes):
                        np.add.at(changed, at, factor[:, None] * factors[mine])
                    out[rows] += values.T @ changed
        return found

    def _around(self, k: int, points: np.ndarray, indices: list[tuple[int, ...]]) -> tuple[np.ndarray, np.ndarray]:
        """All functions around a centre that some derivatives need, at the place l^2 + l + m; log s_l."""
        top = int(self.orders[k, 1]) + max((sum(i) for i in indices), default=0)
        away = points - self.centres[k]
        radial, sizes = self._radial(away, float(self.radii[k]), top)
        degrees = np.repeat(np.arange(top + 1), 2 * np.arange(top + 1) + 1)
        return harmonics(away, top) * radial[degrees], sizes

    def _terms(
        self, k: int, index: tuple[int, ...], sizes: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """D^index of the functions around a centre: which functions, in which others, with which factors."""
        mine = np.flatnonzero(self.index[:, 0] == k)
        l, m = self.index[mine, 1:].T
        for (p, q), factor in self._ladder(l, m, index).items():
            used = factor != 0
            degree = l[used] + p
            yield mine[used], degree**2 + degree + m[used] + q, factor[used] * np.exp(sizes[degree] - sizes[l[used]])

    def _ladder(self, l: np.ndarray, m: np.ndarray, index: tuple[int, ...]) -> Ladder:
        """D^index of the functions (l, m) as a sum of others."""
        found: Ladder = {(0, 0): np.ones(len(l), dtype=complex)}
        for axis, times in enumerate(index):
            for _ in range(times):
                found = self._step(found, l, m, axis)
        return found

    def _step(self, before: Ladder, l: np.ndarray, m: np.ndarray, axis: int) -> Ladder:
        """d_x = (d_+ + d_-) / 2, d_y = (d_+ - d_-) / 2i or d_z of such a sum."""
        ways = [(0.5, 1), (0.5, -1)] if axis == 0 else [(-0.5j, 1), (0.5j, -1)] if axis == 1 else [(1.0, 0)]
        found: Ladder = {}
        for (p, q), factor in before.items():
            degree, order = np.maximum(l + p, 0), m + q
            up, down = self._factors(degree)
            for front, shift in ways:
                rises, falls = _sines(degree, order, shift)
                for dp, part in ((1, up * rises), (-1, down * falls)):
                    key = (p + dp, q + shift)
                    found[key] = found.get(key, 0.0) + front * factor * part
        return found

    def _factors(self, degree: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """a and b of f' - l f/r = a f_(l+1), f' + (l+1) f/r = b f_(l-1)."""
        k = self.wavenumber
        if k:
            return np.full(len(degree), -k, dtype=complex), np.full(len(degree), k, dtype=complex)
        size, zero = 2.0 * degree + 1, np.zeros(len(degree))
        return (zero, size) if self.regular else (-size, zero)

    def _radial(self, away: np.ndarray, radius: float, top: int) -> tuple[np.ndarray, np.ndarray]:
        """f_l(r) / s_l for l = 0..top at points around a centre, and log s_l, s_l = |f_l| at the radius."""
        r = np.maximum(np.sqrt((away**2).sum(axis=1)), SMALLEST)
        sizes = self._log_sizes(radius, top)
        if self.regular:
            degrees = np.arange(top + 1)[:, None]
            values = special.spherical_jn(degrees, self._k * r) if self.wavenumber else r**degrees
            return values * np.exp(-sizes)[:, None], sizes
        found = np.empty((top + 1, len(r)), dtype=complex)
        if not self.wavenumber:
            found[:] = (radius / r) ** np.arange(1, top + 2)[:, None]
            return found, sizes
        x = self.wavenumber * r
        wave = np.exp(1j * x) / x
        for n, first in enumerate((-1j * wave, -wave * (1.0 + 1j / x))[: top + 1]):
            found[n] = first * np.exp(-sizes[n])
        for n in range(1, top):
            found[n + 1] = ((2 * n + 1) * np.exp(sizes[n] - sizes[n + 1])) / x * found[n]
            found[n + 1] -= np.exp(sizes[n - 1] - sizes[n + 1]) * found[n - 1]
        return found, sizes

    @property
    def _k(self) -> complex:
        """The wave number, a real one as such: functions of real numbers are faster."""
        return self.wavenumber if np.imag(self.wavenumber) else float(np.real(self.wavenumber))

    def _log_sizes(self, radius: float, top: int) -> np.ndarray:
        if self.regular and self.wavenumber:
            rim = np.abs(special.spherical_jn(np.arange(top + 2), self._k * radius))
            return np.log(np.maximum(np.hypot(rim[:-1], rim[1:]), TINIEST))
        if self.regular:
            return np.arange(top + 1) * np.log(radius)
        if not self.wavenumber:
            return -np.arange(1, top + 2) * np.log(radius)
        x = complex(self.wavenumber * radius)
        found = np.empty(top + 1)
        found[0] = -x.imag - np.log(abs(x))
        quotient = -1j * (1.0 + 1j / x)  # h_1 / h_0
        for n in range(1, top + 1):
            found[n] = found[n - 1] + np.log(abs(quotient))
            quotient = (2 * n + 1) / x - 1.0 / quotient
        return found

    def around(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Directions and weights of an integral over all of them."""
        return sphere_rule(3, count // 2)

    def far(self, directions: np.ndarray) -> np.ndarray:
        """The factor f of exp(i k r) / r in every function far away, in directions (..., 3): (F, ...)."""
        length = np.linalg.norm(directions, axis=-1, keepdims=True)
        if np.shape(directions)[-1:] != (3,) or not (length > 0).all():
            raise TransnetError("Directions in space are vectors of three components that are not all zero.")
        if np.ndim(directions) != 2:
            return self.far(directions.reshape(-1, 3)).reshape(len(self), *directions.shape[:-1])
        directions = directions / length
        k, l, m = self.index.T
        delay = np.exp(-1j * self.wavenumber * (self.centres[k] @ directions.T))
        sizes = [self._log_sizes(float(r), int(o[1])) for r, o in zip(self.radii, self.orders, strict=True)]
        size = np.array([sizes[c][n] for c, n in zip(k.tolist(), l.tolist(), strict=True)])
        front = np.exp(-size) * (-1j) ** ((l + 1) % 4) / self.wavenumber
        values = harmonics(directions, int(self.orders.max(initial=0)))
        return np.asarray(front[:, None] * values[l**2 + l + m] * delay)


def _sines(l: np.ndarray, m: np.ndarray, shift: int) -> tuple[np.ndarray, np.ndarray]:
    """The factors of Y_(l+1)(m+shift) and Y_(l-1)(m+shift) in what d_+, d_- or d_z make of Y_lm."""
    up, down = (2.0 * l + 1) * (2.0 * l + 3), np.maximum((2.0 * l - 1) * (2.0 * l + 1), 1.0)
    if shift == 0:
        rises, falls, sign = (l + 1) ** 2 - m**2, l**2 - m**2, 1.0
    else:
        n = shift * m
        rises, falls, sign = (l + n + 1) * (l + n + 2), (l - n) * (l - n - 1), -float(shift)
    turned = 1.0 if shift == 0 else -sign
    return sign * np.sqrt(np.maximum(rises, 0) / up), turned * np.sqrt(np.maximum(falls, 0) / down)


def harmonics(away: np.ndarray, top: int) -> np.ndarray:
    """Y_lm, normalised, at the directions of points for l = 0..top and m = -l..l, at the place l^2 + l + m."""
    r = np.maximum(np.sqrt((away**2).sum(axis=1)), SMALLEST)
    turn, z = (away[:, 0] + 1j * away[:, 1]) / r, away[:, 2] / r
    found = np.empty(((top + 1) ** 2, len(r)), dtype=complex)
    corner = np.full(len(r), np.sqrt(0.25 / np.pi), dtype=complex)
    for m in range(top + 1):
        if m:
            corner = -np.sqrt((2 * m + 1) / (2 * m)) * turn * corner
        before, here = np.zeros(len(r), dtype=complex), corner
        for l in range(m, top + 1):
            if l > m:
                a = np.sqrt((4 * l**2 - 1) / (l**2 - m**2))
                b = np.sqrt(((l - 1) ** 2 - m**2) / (4 * (l - 1) ** 2 - 1))
                before, here = here, a * (z * here - b * before)
            found[l**2 + l + m] = here
            found[l**2 + l - m] = (-1) ** m * here.conj()
    return found
