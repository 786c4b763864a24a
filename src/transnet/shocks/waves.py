"""Waves of a hyperbolic system u_t + f(u)_x = 0: shocks, fans and contacts that join two states.

A wave of the k-th kind changes the k-th speed l_k, an eigenvalue of f', by its strength. Where l_k grows it is a fan,
du/dl = r_k with r_k . grad l_k = 1; where it falls a shock, f(u) - f(a) = c (u - a). If l_k is constant along r_k the
wave is a contact, and its strength is the length of its path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

from transnet.counts import STEPS
from transnet.errors import ProblemError
from transnet.formulas import array_modules, compiled_formula

EXACT = 1e-12
"""The relative accuracy of fans and of Newton's method."""
TOGETHER = 10.0
"""Accuracies of single waves that add up to that of all."""
SHIFT = 1e-6
"""The change of a strength, relative to the speeds, from which derivatives are taken."""
DEGENERATE = 1e-9
"""A speed that changes by less than this part of it along its direction belongs to a contact."""
WEAK = 8
"""Steps in which a shock grows to its strength."""
SMALLEST = 1e-3
"""The least step from one state towards the other."""


@dataclass(frozen=True, eq=False)
class Wave:
    """A wave between two states.

    Parameters
    ----------
    before, after : (n,) arrays
    low, high : float
        Its speeds x/t; they are the same unless it is a fan.
    fan : callable, optional
        The state at a speed.
    """

    before: np.ndarray
    after: np.ndarray
    low: float
    high: float
    fan: Callable[[np.ndarray], np.ndarray] | None = None


@dataclass(frozen=True, eq=False)
class Hyperbolic:
    """A flux f of several unknowns, with its speeds and directions."""

    unknowns: tuple[sp.Symbol, ...]
    fluxes: tuple[sp.Expr, ...]

    @cached_property
    def _compiled(self) -> tuple[Any, Any, Any]:
        n = len(self.unknowns)
        f = sp.Matrix(self.fluxes)
        jacobian = f.jacobian(self.unknowns)
        along = sp.symbols(f"r0:{n}", cls=sp.Dummy)
        turned = jacobian.applyfunc(lambda e: sum(r * sp.diff(e, u) for r, u in zip(along, self.unknowns, strict=True)))
        made = []
        for symbols, matrix in ((self.unknowns, f), (self.unknowns, jacobian), ((*self.unknowns, *along), turned)):
            entries = [compiled_formula(symbols, e, array_modules([e])) for e in matrix]
            made.append((entries, matrix.shape))
        return tuple(made)  # type: ignore[return-value]

    def _at(self, which: int, *values: Any) -> np.ndarray:
        entries, shape = self._compiled[which]
        with np.errstate(all="ignore"):
            return np.array([float(e(*values)) for e in entries]).reshape(shape)

    def flux(self, u: np.ndarray) -> np.ndarray:
        """f."""
        return self._at(0, *u)[:, 0]

    def speeds(self, u: np.ndarray) -> np.ndarray:
        """The eigenvalues of f', from the least."""
        return self._split(u)[0]

    def _split(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        matrix = self._at(1, *u)
        if not np.isfinite(matrix).all():
            raise FloatingPointError
        values, right = np.linalg.eig(matrix)
        if np.abs(values.imag).max() > DEGENERATE * np.abs(values).max():
            raise FloatingPointError
        order = np.argsort(values.real)
        right = right.real[:, order]
        return values.real[order], right, np.linalg.inv(right)

    def direction(self, u: np.ndarray, k: int) -> tuple[np.ndarray, float]:
        """r_k of length one with its largest component positive, and r_k . grad l_k."""
        values, right, left = self._split(u)
        r = right[:, k] / np.linalg.norm(right[:, k])
        r = r * np.sign(r[np.abs(r).argmax()])
        rate = float(left[k] @ self._at(2, *u, *r) @ r / (left[k] @ r))
        return r, 0.0 if abs(rate) <= DEGENERATE * (np.abs(values).max() or 1.0) else rate

    def wave(self, before: np.ndarray, k: int, strength: float) -> Wave:
        """The k-th wave of a strength to the right of a state."""
        speed = float(self.speeds(before)[k])
        r, rate = self.direction(before, k)
        if rate == 0.0 or strength > 0:
            path = self._path(before, k, strength, rate == 0.0)
            after = path(np.array([strength]))[:, 0]
            if rate == 0.0:
                return Wave(before, after, speed, speed)
            return Wave(before, after, speed, speed + strength, lambda speeds: path(speeds - speed))
        if strength == 0.0:
            return Wave(before, before, speed, speed)
        # A strong shock is far from the tangent of its weak ones: they lead to it.
        states, speeds = [before, before + strength / WEAK * r / rate], [speed, speed + 0.5 * strength / WEAK]
        for part in range(1, WEAK + 1):
            u, c = self._shock(before, k, part * strength / WEAK, states[-1], speeds[-1])
            states, speeds = (
                [*states[:part], u, 2 * u - states[part - 1]],
                [*speeds[:part], c, 2 * c - speeds[part - 1]],
            )
        return Wave(before, u, c, c)

    def _path(self, before: np.ndarray, k: int, strength: float, contact: bool) -> Any:
        first, rising = self.direction(before, k)

        def slope(_: float, u: np.ndarray) -> np.ndarray:
            r, rate = self.direction(u, k)
            sign = np.sign(r @ first)
            if contact != (rate == 0.0) or sign * rate * rising < 0:
                raise ProblemError(
                    f"The {k + 1}th speed of the system neither grows nor falls all along its wave, as for a flux that "
                    f"is not convex. Such systems are not solved: use finite volumes."
                )
            return sign * r if contact else r / rate

        scale = np.abs(before).max()
        if strength == 0.0:
            return lambda at: np.repeat(before[:, None], len(at), axis=1)
        found = solve_ivp(slope, (0.0, strength), before, "DOP853", dense_output=True, rtol=EXACT, atol=EXACT * scale)
        return found.sol

    def _shock(
        self, before: np.ndarray, k: int, strength: float, guess: np.ndarray, c: float
    ) -> tuple[np.ndarray, float]:
        """f(u) - f(a) = c (u - a) with l_k(u) = l_k(a) + strength, by Newton's method."""
        start, target = self.flux(before), self.speeds(before)[k] + strength
        u, n = guess, len(before)
        for _ in range(STEPS):
            values, right, left = self._split(u)
            matrix = np.zeros((n + 1, n + 1))
            matrix[:n, :n] = self._at(1, *u) - c * np.eye(n)
            matrix[:n, n] = -(u - before)
            grads = [left[k] @ self._at(2, *u, *e) @ right[:, k] for e in np.eye(n)]
            matrix[n, :n] = grads
            miss = np.append(self.flux(u) - start - c * (u - before), values[k] - target)
            step = np.linalg.solve(matrix, miss)
            u, c = u - step[:n], c - float(step[n])
            if np.abs(step[:n]).max() <= EXACT * np.abs(u).max():
                return u, c
        raise FloatingPointError

    def waves(self, before: np.ndarray, strengths: Sequence[float] | np.ndarray) -> list[Wave]:
        """One wave of each kind, from left to right."""
        made: list[Wave] = []
        for k, strength in enumerate(strengths):
            made.append(self.wave(made[-1].after if made else before, k, float(strength)))
        return made

    def strengths(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Those of the waves that join two states: Newton's method, from one state towards the other."""
        found, reached, step = np.zeros(len(left)), 0.0, 1.0
        while reached < 1.0:
            part = min(1.0, reached + step)
            guess = found * (part / reached) if reached else self._first(left, part * (right - left))
            try:
                found, reached = self._joined(left, left + part * (right - left), guess), part
                step *= 2.0
            except (FloatingPointError, np.linalg.LinAlgError):
                step *= 0.5
                if step < SMALLEST:
                    raise ProblemError(
                        "No shocks, fans and contacts were found that join the two states. The speeds of the system "
                        "may not be real and distinct between them, or a vacuum may form."
                    ) from None
        return found

    def _first(self, left: np.ndarray, change: np.ndarray) -> np.ndarray:
        directions = [self.direction(left, k) for k in range(len(left))]
        parts = np.linalg.solve(np.stack([r for r, _ in directions], axis=1), change)
        return np.array([a * (rate or 1.0) for a, (_, rate) in zip(parts, directions, strict=True)])

    def _joined(self, left: np.ndarray, right: np.ndarray, strengths: np.ndarray) -> np.ndarray:
        scale = np.abs(left) + np.abs(right) + EXACT
        size = np.abs(self.speeds(left)).max()
        for _ in range(STEPS):
            end = self.waves(left, strengths)[-1].after
            miss = end - right
            if np.abs(miss / scale.max()).max() <= TOGETHER * EXACT:
                return strengths
            shift = SHIFT * size * np.where(strengths < 0, -1.0, 1.0)
            columns = [
                (self.waves(left, strengths + h * e)[-1].after - end) / h
                for h, e in zip(shift, np.eye(len(left)), strict=True)
            ]
            strengths = strengths - np.linalg.solve(np.stack(columns, axis=1), miss)
        raise FloatingPointError
