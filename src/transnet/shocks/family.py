"""A family of characteristics: x = X(s) + f'(v(s)) (t - T(s)), each with the value v(s) that it carries.

Initial values are the family (s, 0, u0(s)), values at an end x = a are (a, s, g(s)), and a jump at x0 is the fan
(x0, t0, s) of all values between its sides. The integral U of u along x, U_x = u and U_t = -f(u), is known on each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.formulas import array_modules, compiled_formula
from transnet.linalg.least_squares import EPS
from transnet.tolerances import HALVINGS

s, t = sp.Symbol("s", real=True), sp.Symbol("t", real=True)
GAUSS = np.polynomial.legendre.leggauss(12)
"""The rule for what is integrated along a smooth part of the data."""


@dataclass(frozen=True, eq=False)
class Flux:
    """f as a formula of `value`."""

    value: sp.Symbol
    formula: sp.Expr

    def at(self, v: sp.Expr, order: int = 0) -> sp.Expr:
        """A derivative of f at a formula."""
        return sp.diff(self.formula, self.value, order).xreplace({self.value: v})


@dataclass(frozen=True, eq=False)
class Characteristics:
    """Characteristics that start on one smooth part of the data.

    Parameters
    ----------
    flux : Flux
    place, begin, value : expressions of s
        X, T and v.
    nodes : (k,) array
        Values of s, increasing; where J = dx/ds vanishes, and so characteristics begin to cross, it does so once
        between two of them.
    potential : float
        U at the first node.
    """

    flux: Flux
    place: sp.Expr
    begin: sp.Expr
    value: sp.Expr
    nodes: np.ndarray
    potential: float
    _made: dict[Any, Any] = field(default_factory=dict)

    def _values(self, name: Any, formula: sp.Expr, *at: np.ndarray) -> np.ndarray:
        if name not in self._made:
            self._made[name] = compiled_formula([s, t][: len(at)], formula, array_modules([formula]))
        return np.broadcast_to(np.asarray(self._made[name](*at), dtype=float), np.broadcast(*at).shape)

    @property
    def speed(self) -> sp.Expr:
        return self.flux.at(self.value, 1)

    @cached_property
    def jacobian(self) -> sp.Expr:
        """J = dx/ds at a fixed time."""
        return sp.diff(self.place + self.speed * (t - self.begin), s)

    def values(self, at: np.ndarray) -> np.ndarray:
        """v."""
        return self._values("v", self.value, at)

    def reached(self, at: np.ndarray, times: np.ndarray) -> np.ndarray:
        """x at a time; X before the beginning."""
        later = np.maximum(times - self._values("T", self.begin, at), 0.0)
        return self._values("X", self.place, at) + self._values("c", self.speed, at) * later

    @cached_property
    def _slope(self) -> sp.Expr:
        """dU/ds along the data."""
        return self.value * sp.diff(self.place, s) - self.flux.at(self.value) * sp.diff(self.begin, s)

    def _gained(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The integral of dU/ds between two places."""
        half = 0.5 * (high - low)
        at = 0.5 * (high + low)[:, None] + half[:, None] * GAUSS[0]
        return half * (self._values("U", self._slope, at) @ GAUSS[1])

    @cached_property
    def _sums(self) -> np.ndarray:
        gained = self._gained(self.nodes[:-1], self.nodes[1:])
        return self.potential + np.concatenate([[0.0], np.cumsum(gained)])

    @property
    def last(self) -> float:
        """U at the last node."""
        return float(self._sums[-1])

    def potentials(self, at: np.ndarray, times: np.ndarray) -> np.ndarray:
        """U where the characteristics from s are at a time."""
        k = np.clip(np.searchsorted(self.nodes, at, side="right") - 1, 0, len(self.nodes) - 2)
        v, c = self.values(at), self._values("c", self.speed, at)
        later = times - self._values("T", self.begin, at)
        along = (v * c - self._values("f", self.flux.at(self.value), at)) * later
        return self._sums[k] + self._gained(self.nodes[k], at) + along

    def through(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All characteristics through points (n, 2) of x and t: numbers of the points, and s."""
        x, time = points.T[:, :, None]
        ahead = self.reached(self.nodes[None, :], time) >= x
        folded = self._values("J", self.jacobian, self.nodes[None, :], time) > 0
        crossed = ahead[:, 1:] != ahead[:, :-1]
        number, k = np.nonzero(crossed)
        other, j = np.nonzero(~crossed & (folded[:, 1:] != folded[:, :-1]))
        low, high = self.nodes[k], self.nodes[k + 1]
        if len(other):  # two characteristics may pass between neighbouring nodes, one on each side of J = 0
            turn = self._halved(self.nodes[j], self.nodes[j + 1], lambda at: self._falls(at, points[other, 1]))
            both = (self.reached(turn, points[other, 1]) >= points[other, 0]) != ahead[other, j]
            other, j, turn = other[both], j[both], turn[both]
            number = np.concatenate([number, other, other])
            low, high = np.concatenate([low, self.nodes[j], turn]), np.concatenate([high, turn, self.nodes[j + 1]])
        return number, self._met(low, high, *points[number].T)

    def _met(self, low: np.ndarray, high: np.ndarray, x: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Where x is reached between low and high: Newton's method, halving where it leaves the bracket."""
        at = 0.5 * (low + high)
        first = self.reached(low, times) >= x if len(low) else low
        for _ in range(HALVINGS if len(low) else 0):
            miss = self.reached(at, times) - x
            same = (miss >= 0) == first
            low, high = np.where(same, at, low), np.where(same, high, at)
            with np.errstate(all="ignore"):
                new = at - miss / self._values("J", self.jacobian, at, times)
            new = np.where((new >= low) & (new <= high), new, 0.5 * (low + high))
            done = np.abs(new - at) <= EPS * np.maximum(np.abs(low), np.abs(high))
            at = new
            if done.all():
                break
        return at

    def _falls(self, at: np.ndarray, times: np.ndarray) -> np.ndarray:
        return self._values("J", self.jacobian, at, times) > 0

    def _halved(self, low: np.ndarray, high: np.ndarray, side: Any) -> np.ndarray:
        """Where `side` changes between low and high."""
        if not len(low):
            return low
        first = side(low)
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            same = side(middle) == first
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        return 0.5 * (low + high)

    def derivative(self, at: np.ndarray, times: np.ndarray, index: tuple[int, int]) -> np.ndarray:
        """A derivative of u by x and t: d/dx = (1/J) d/ds, d/dt at rest = d/dt - (f'/J) d/ds."""
        made = self.value
        for _ in range(index[0]):
            made = sp.diff(made, s) / self.jacobian
        for _ in range(index[1]):
            made = sp.diff(made, t) - self.speed / self.jacobian * sp.diff(made, s)
        return self._values(index, made, at, times)

    def __getstate__(self) -> dict[str, Any]:
        names = ("flux", "place", "begin", "value", "nodes", "potential")
        return {name: getattr(self, name) for name in names} | {"_made": {}}
