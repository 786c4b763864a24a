"""Integrals of functions that are known, by numbers: SymPy may take for ever to find a formula, or find none.

The rule is the double exponential one, s = tanh(pi/2 sinh(t)) with t on a grid, which is refined until the value stays
the same. It does not mind singularities at the ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.counts import AT_ONCE
from transnet.problem.unknowns import given
from transnet.remember import without_caches
from transnet.rows.compile import array_function

FIRST, LAST = 3, 7
"""Halvings of the step of t, from 52 nodes to 830: a smooth function needs 100, one with 50 waves 400."""
REACH = 3.24
"""The largest t: the ends are then as near as the rounding of one."""
SAME = 1e-13
"""A relative change below this ends the refinement."""

Limit = tuple[sp.Symbol, sp.Expr, sp.Expr]


@dataclass(frozen=True)
class KnownIntegral:
    """The integral of an expression between limits, the outermost first, as a function of its other symbols."""

    expression: sp.Expr
    limits: tuple[Limit, ...]
    symbols: tuple[sp.Symbol, ...]

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)

    @cached_property
    def _compiled(self) -> list[Any]:
        """The ends of each range, as functions of the symbols and the variables outside, and then the integrand."""
        outside: list[sp.Symbol] = []
        made = []
        for symbol, low, high in self.limits:
            made.append(array_function([low, high], self.symbols, (), tuple(outside), ()))
            outside.append(symbol)
        return [*made, array_function([self.expression], self.symbols, (), tuple(outside), ())]

    def __call__(self, *arrays: np.ndarray) -> np.ndarray:
        """The integral at points, one array for each symbol."""
        columns = np.broadcast_arrays(*(np.asarray(a, float) for a in arrays), np.zeros(1))[:-1]
        flat = [np.ravel(c) for c in columns]
        count = max(flat[0].size, 1) if flat else 1
        value = self._refined(FIRST, flat, count)
        for halvings in range(FIRST + 1, (LAST if len(self.limits) == 1 else FIRST + 1) + 1):
            before, value = value, self._refined(halvings, flat, count)
            with np.errstate(invalid="ignore"):
                if not np.any(np.abs(value - before) > SAME * np.max(np.abs(value))):
                    break
        return value.reshape(columns[0].shape) if columns else value

    def _refined(self, halvings: int, flat: list[np.ndarray], count: int) -> np.ndarray:
        t = np.arange(-int(REACH * 2**halvings), int(REACH * 2**halvings) + 1) / 2**halvings
        # The distance from the nearer end loses no digits: 1 - tanh(z) = 2 / (1 + exp(2 z)).
        near = 1.0 / (1.0 + np.exp(np.pi * np.sinh(np.abs(t))))
        weight = np.pi / 4 * np.cosh(t) / np.cosh(np.pi / 2 * np.sinh(t)) ** 2 / 2**halvings
        size = max(1, AT_ONCE // t.size ** len(self.limits))
        parts = [slice(k, k + size) for k in range(0, count, size)]
        return np.concatenate([self._summed(t, near, weight, [c[part] for c in flat], len(range(count)[part]))
                               for part in parts])  # fmt: skip

    def _summed(
        self, t: np.ndarray, near: np.ndarray, weight: np.ndarray, flat: list[np.ndarray], n: int
    ) -> np.ndarray:
        normals = [np.zeros(1)] * len(self.symbols)
        outside: list[np.ndarray] = []
        factor = np.ones(n)
        for ends in self._compiled[:-1]:
            low, high = (np.broadcast_to(np.asarray(e, float), factor.shape) for e in ends(*flat, *normals, *outside))
            width = (high - low)[:, None]
            place = np.where(t < 0, low[:, None] + width * near, high[:, None] - width * near)
            first, last = np.nextafter(low, high)[:, None], np.nextafter(high, low)[:, None]
            place = np.clip(place, np.minimum(first, last), np.maximum(first, last))  # never at an end
            factor = (factor[:, None] * width * weight).ravel()
            flat, outside = ([np.repeat(a, t.size) for a in arrays] for arrays in (flat, outside))
            outside.append(place.ravel())
        with np.errstate(all="ignore"):
            value = np.asarray(self._compiled[-1](*flat, *normals, *outside)[0], float)
            terms = np.broadcast_to(value, factor.shape) * factor
        return np.asarray(terms.reshape(n, -1).sum(axis=1))


def known_integral(expression: sp.Expr, limits: tuple[Limit, ...], number: int) -> sp.Expr:
    """The integral as an expression: a number, or a given function of the symbols that it depends on."""
    bound = {symbol for symbol, _, _ in limits}
    free = set().union(*(sp.sympify(e).free_symbols for e in (expression, *(e for _, *ends in limits for e in ends))))
    symbols = tuple(sorted(free - bound, key=lambda s: s.name))
    integral = KnownIntegral(expression, tuple(limits), symbols)
    if not symbols:
        return sp.Float(float(integral()[0]))
    return given(f"integral_{number}", integral, *symbols)
