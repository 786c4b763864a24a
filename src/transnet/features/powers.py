"""Values and derivatives of singular functions, zeta^alpha (log zeta)^p conj(z)^j, in the frames of `singular`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np

from transnet.features.sincos import sincos

SMALLEST = 1e-60
"""|z| at the singularity itself: values there are finite, and derivatives are those at this distance."""
CANCELLED = 1e-15
"""The part of its terms below which a factor of the operator is rounding."""
FEW = 100
"""Poles up to which exponentials are as fast as products."""
MultiIndex = tuple[int, ...]
Terms = Sequence[tuple[MultiIndex, np.ndarray | float]]


class Group:
    """Functions at several points, all of one kind: those at one point share z and its logarithm.

    Parameters
    ----------
    rows : (F,) array
        Which functions of their table they are.
    frames : (F, 8) array
        The frame of each.
    exponents : (F, 4) array
        alpha, p, j and the imaginary part of alpha of each.
    imaginary : (F,) array
        1 for the imaginary part, 0 for the real part.
    """

    def __init__(self, rows: np.ndarray, frames: np.ndarray, exponents: np.ndarray, imaginary: np.ndarray) -> None:
        self.rows = rows
        frames, of_frame = distinct_rows(frames)
        self.centre = frames[:, :2]
        self.p_factor = (frames[:, 2] + 1j * frames[:, 3])[:, None]
        self.q_factor = (frames[:, 4] + 1j * frames[:, 5])[:, None]
        self.s, self.f = frames[:, 6, None], frames[:, 7, None]
        # Real and imaginary parts share the complex function.
        unique, self.number = distinct_rows(np.column_stack([of_frame, exponents]))
        self.moduli, self.logs = unique[:, 2] >= 2, (unique[:, 2] > 0) & (unique[:, 2] < 3)
        self.frame, self.powers = unique[:, 0].astype(int), np.where(self.moduli, 0, unique[:, 3]).astype(int)
        self.alpha, self.beside = unique[:, 1, None], unique[:, 3, None]
        if unique[:, 4].any():
            self.alpha = self.alpha + 1j * unique[:, 4, None]
        self.imaginary = imaginary.astype(int)
        pole = (unique[:, 1] < 0) & (unique[:, 1] == np.round(unique[:, 1])) & (unique[:, 4] == 0)
        self._poles, self._others = np.flatnonzero(pole), np.flatnonzero(~pole)

    @classmethod
    def of_points(cls, frames: np.ndarray, alpha: np.ndarray, logs: np.ndarray, bars: np.ndarray) -> Group:
        """Functions whose frame and exponents belong to each of n points, which are given relative to its origin.

        Parameters
        ----------
        frames : (n, 8) array
        alpha : (F, n) array
        logs, bars : (F,) arrays
            Whether they have a logarithm, and their powers of conj(z). The real and imaginary parts of each follow.
        """
        group = cls.__new__(cls)
        count = len(alpha)
        group.rows = np.arange(2 * count)
        group.centre = np.zeros((1, 2))
        group.p_factor = (frames[:, 2] + 1j * frames[:, 3])[None]
        group.q_factor = (frames[:, 4] + 1j * frames[:, 5])[None]
        group.s, group.f = frames[None, :, 6], np.zeros((1, 1))
        group.number, group.imaginary = np.repeat(np.arange(count), 2), np.tile([0, 1], count)
        group.moduli, group.logs = np.zeros(count, dtype=bool), logs
        group.frame, group.powers = np.zeros(count, dtype=int), bars
        group.alpha, group.beside = alpha, bars[:, None]
        group._poles, group._others = np.zeros(0, dtype=int), np.arange(count)
        return group

    def _placed(self, points: np.ndarray) -> np.ndarray:
        """z of every frame at points: (frames, n)."""
        z = self.p_factor * (points[:, 0] - self.centre[:, [0]]) + self.q_factor * (points[:, 1] - self.centre[:, [1]])
        z[np.abs(z) < SMALLEST] = SMALLEST
        return z

    def summed(self, points: np.ndarray, several: Sequence[Terms], alpha: np.ndarray) -> list[np.ndarray]:
        """Their sums with factors (F, c) for each operator: (n, c) each."""
        operators = [self._factors(terms) for terms in several]
        numbers = all(np.shape(c)[1:] == (1,) for factors in operators for c in factors.values())
        if not numbers or self.powers.any() or self.moduli.any():
            return [values.T @ alpha for values in self.apply(points, several)]
        order = max((n for factors in operators for n, _ in factors), default=-1)
        analytic = self._analytic(self._placed(points), order) if order >= 0 else []
        factor = np.zeros((len(self.alpha), alpha.shape[1]), dtype=complex)
        np.add.at(factor, self.number, alpha * np.where(self.imaginary, -1j, 1.0)[:, None])  # Im w = Re(-i w)
        found = []
        for factors in operators:
            total = np.zeros((len(points), alpha.shape[1]))
            for (n, _), c in factors.items():
                total += (analytic[n].T @ (c[self.frame] * factor)).real
            found.append(total)
        return found

    def apply(self, points: np.ndarray, several: Sequence[Terms]) -> list[np.ndarray]:
        """The rows of these functions for each operator."""
        operators = [self._factors(terms) for terms in several]
        z = self._placed(points)
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
                    term *= np.array([falling(float(j), m) for j in powers])[:, None]
                total[which] += term
            if self.moduli.any() and factors:
                total[self.moduli] = self._moduli(z[self.frame[self.moduli]], factors)
            found.append(total.view(float).reshape(*total.shape, 2)[self.number, :, self.imaginary])
        return found

    def _moduli(self, z: np.ndarray, factors: Mapping[tuple[int, int], np.ndarray]) -> np.ndarray:
        """The functions with log|z| = (log z + log conj(z)) / 2: each half is a product; and those with any powers."""
        alpha, powers = self.alpha[self.moduli].real, self.beside[self.moduli]
        logged_too = self.logs[self.moduli][:, None]
        logs, total = np.log(z), np.zeros(z.shape, dtype=complex)
        for (order, bars), c in factors.items():
            plain, logged = _power(alpha, z, logs, order)
            there, there_logged = _power(powers, z, logs, bars)
            half = 0.5 * (logged * np.conj(there) + plain * np.conj(there_logged))
            total += c[self.frame[self.moduli]] * np.where(logged_too, half, plain * np.conj(there))
        return total

    def _factors(self, terms: Terms) -> dict[tuple[int, int], np.ndarray]:
        """The operator in z and zbar: the factor of d_z^n d_zbar^m for each (n, m), (frames, 1) or (frames, n).

        By the chain rule d_1 = P d_z + conj(P) d_zbar and d_2 = Q d_z + conj(Q) d_zbar. If the operator annihilates
        analytic functions, as Laplace's does, the factors cancel before they multiply anything large.
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
        # Factors that cancel do so only to rounding, which is no reason to evaluate derivatives.
        return {
            key: c
            for key, c in found.items()
            if abs(c.flat[0]) > CANCELLED * sizes[key].flat[0] or (np.abs(c) > CANCELLED * sizes[key]).any()
        }

    def _analytic(self, z: np.ndarray, order: int) -> list[np.ndarray]:
        """The derivatives up to an order of zeta^alpha (log zeta)^p, by Leibniz' rule: a list of (functions, n)."""
        logs, values = self._around_segment(z, order) if self.f.any() else self._from_corner(z, order)
        if self.logs.any():
            which = np.flatnonzero(self.logs)
            plain = [v[which] for v in values]
            here = [log[self.frame[which]] for log in logs]
            for n in range(order + 1):
                total = here[0] * plain[n]
                for k in range(1, n + 1):
                    term = here[k] * plain[n - k]
                    total += term if k == n else comb(n, k) * term
                values[n][which] = total
        return values

    def _from_corner(self, z: np.ndarray, order: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The derivatives of log zeta and zeta^alpha, zeta = z / (1 + s z)."""
        cut = bool(self.s.any())
        damped = 1.0 + self.s * z if cut else None
        inverse = 1.0 / z
        logs = [_log(z) if damped is None else _log(z) - _log(damped)]
        far = None if damped is None else self.s / damped
        for n in range(1, order + 1):
            logs.append(falling(-1.0, n - 1) * (inverse**n if far is None else inverse**n - far**n))
        power = self._power(logs[0], inverse if damped is None else damped * inverse)
        near = [falling(self.alpha, n) * (inverse**n)[self.frame] if n else 1.0 for n in range(order + 1)]
        if far is None:
            return logs, [power * factor if n else power for n, factor in enumerate(near)]
        there = [falling(-self.alpha, n) * (far**n)[self.frame] if n else 1.0 for n in range(order + 1)]
        return logs, [power * sum(comb(n, k) * near[k] * there[n - k] for k in range(n + 1)) for n in range(order + 1)]

    def _power(self, logs: np.ndarray, inverse: np.ndarray) -> np.ndarray:
        """zeta^alpha of every function, from the logarithm of zeta and from 1 / zeta.

        Poles of many holes are products, which take a quarter of the time of exponentials.
        """
        if len(self._poles) < FEW:
            return _exponential(self.alpha, logs, self.frame)
        result = np.empty((len(self.alpha), logs.shape[1]), dtype=complex)
        if len(self._others):
            result[self._others] = _exponential(self.alpha[self._others], logs, self.frame[self._others])
        order = -self.alpha[self._poles, 0].real
        frames, which = np.unique(self.frame[self._poles], return_inverse=True)
        base = inverse[frames]
        product = base.copy()
        for k in range(1, int(order.max()) + 1):
            if k > 1:
                product *= base
            here = order == k
            result[self._poles[here]] = product[which[here]]
        return result

    def _around_segment(self, z: np.ndarray, order: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """The same for zeta = (z + (z^2 - f^2)^1/2) / 2, by the equation (z^2 - f^2) F'' + z F' = alpha^2 F.

        With z = f cosh t the powers are exponentials of t. Differentiated n times the equation gives each derivative
        from the two before it.
        """
        root = np.sqrt(z - self.f) * np.sqrt(z + self.f)
        zeta = 0.5 * (z + root)
        logs = [_log(zeta), 1.0 / root]
        here, there = z[self.frame], root[self.frame]
        values = [_exponential(self.alpha, logs[0], self.frame)]
        values.append(self.alpha * values[0] / there)
        for n in range(order - 1):
            values.append(((self.alpha**2 - n**2) * values[n] - (2 * n + 1) * here * values[n + 1]) / there**2)
            logs.append((-(n**2) * logs[n] - (2 * n + 1) * z * logs[n + 1]) / root**2)
        return logs[: order + 1], values[: order + 1]


def _log(z: np.ndarray) -> np.ndarray:
    """log z by real functions: a tenth of the time of the complex logarithm."""
    result = np.empty(z.shape, dtype=complex)
    np.log(np.abs(z), out=result.real)
    np.arctan2(z.imag, z.real, out=result.imag)
    return result


def distinct_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different rows of a table in their order, and the index of each row among them, in a tenth of the time of
    np.unique."""
    places: dict[tuple[float, ...], int] = {}
    number = [places.setdefault(row, len(places)) for row in map(tuple, rows.tolist())]
    return np.array(list(places), dtype=float).reshape(len(places), rows.shape[1]), np.array(number, dtype=int)


def _exponential(alpha: np.ndarray, logs: np.ndarray, frame: np.ndarray) -> np.ndarray:
    """zeta^alpha from log zeta of its frame, by real functions: a third of the time of the complex exponential."""
    if np.iscomplexobj(alpha):
        return np.asarray(np.exp(alpha * logs[frame]))
    sine, cosine = sincos(alpha * logs.imag[frame])
    size = np.exp(alpha * logs.real[frame])
    result = np.empty(size.shape, dtype=complex)
    np.multiply(size, cosine, out=result.real)
    np.multiply(size, sine, out=result.imag)
    return result


def _power(alpha: np.ndarray, z: np.ndarray, logs: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The n-th derivatives of z^alpha and z^alpha log z, by Leibniz' rule."""
    power = np.exp((alpha - n) * logs)
    others = sum(comb(n, k) * falling(-1.0, k - 1) * falling(alpha, n - k) for k in range(1, n + 1))
    plain = falling(alpha, n) * power
    return plain, plain * logs + others * power


def falling(alpha: np.ndarray | float, n: int) -> np.ndarray | float:
    """alpha (alpha - 1) ... (alpha - n + 1)."""
    result = alpha * 0.0 + 1.0
    for k in range(n):
        result = result * (alpha - k)
    return result
