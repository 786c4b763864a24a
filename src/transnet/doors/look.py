"""What equations predict for values of unknown numbers, and where among them there may be a fit of the data.

Between two neighbours a third is needed if their predictions are further apart than either is from the data, or
nearly: only then can there be a fit between them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.checks.misfit import likely
from transnet.drive.plan import Plan
from transnet.errors import TransnetError
from transnet.lazy import optimize
from transnet.problem import Problem
from transnet.solution.solution import Solution

DECADES, A_DECADE = 2.0, 2.0
"""Numbers are looked at this many decades below and above what was found, and one, with so many values in each to
begin with."""
SOLVES = {1: 120, 2: 40, 3: 10}
"""The most values that are looked at between those, by dimension. On a line a frequency is seen to ten periods."""
SETS = 40
"""Sets of values that are looked at if there are several numbers."""
POLISHED = 3
"""The most minima that are followed to their bottom."""
STEPS = 8
"""The steps of that."""
CLOSEST = 1e-3
"""Neighbours closer than this, relative to their size, have nothing between them."""
APART = 0.5
"""Predictions of neighbours that are further apart than this part of their distance from the data may have a fit
between them. On a straight path it would be twice the distance; waves of other frequencies are as far apart as from the
data."""
SAME_MINIMUM = 1e-2
"""Values closer than this, relative to their size, are one; predictions closer than this part of the misfit that is
allowed are the same."""
ROUGH = 3.0
"""Without a stated noise others fit that have at most this many times the misfit."""
NEURONS = {1: 80, 2: 200, 3: 400}
"""The size of the networks that predict, by dimension: a few milliseconds each."""
RESOLVED = 0.03
"""The largest estimated error of a prediction; beyond that one cannot look."""
FROM_ONE = 1e6
"""Numbers further from one than this factor are in units of their own, and one is not looked at."""
HOPELESS = 1e6
"""How far from the data, in units of their noise, a value without a prediction counts."""
SETTLED = 1e-6
"""The relative change at which a minimum is reached: far below its standard error."""
DIFFERENCE = 1e-4
"""The step of differences, relative to a number: predictions of smooth solutions have many more digits."""

Way = Callable[[Plan], Solution]


def one_place(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two sets of numbers are the same."""
    return bool(np.all(np.abs(a - b) <= SAME_MINIMUM * np.maximum(np.abs(a), np.abs(b))))


@dataclass(frozen=True, eq=False)
class Predicted:
    """What the equations predict for values of the unknown numbers."""

    plan: Plan
    numbers: tuple[sp.Expr, ...]
    forward: Way

    @cached_property
    def symbols(self) -> tuple[sp.Symbol, ...]:
        return tuple(sp.Symbol(f"{u.func.__name__}_tried") for u in self.numbers)

    @cached_property
    def problem(self) -> Problem:
        """The problem with parameters in place of the unknown numbers, without the data."""
        whole, numbers = self.plan.problem, dict(zip(self.numbers, self.symbols, strict=True))

        def put(expression: Any) -> Any:
            return expression.xreplace(numbers)

        conditions = [c.of(put) for c in whole.conditions if not c.fitted]
        unknowns = [u for u in whole.unknowns if u.args]
        return Problem(whole.domain, [put(e) for e in whole.equations], conditions, unknowns)

    @cached_property
    def known(self) -> dict[tuple[float, ...], np.ndarray]:
        """Predictions minus data, in units of their noise, by the values of the numbers."""
        return {}

    @cached_property
    def scales(self) -> list[float]:
        """The noise of each set of data; without one their size."""
        data = [c for c in self.plan.problem.conditions if c.fitted]
        return [c.noise or float(np.linalg.norm(c.measured) / np.sqrt(len(c.measured))) or 1.0 for c in data]  # type: ignore[arg-type]

    def off(self, values: np.ndarray) -> np.ndarray:
        """How far predictions are from the data, in units of their noise; not numbers if there is no prediction."""
        key = tuple(map(float, values))
        if key not in self.known:
            self.known[key] = self._off(values)
        return self.known[key]

    def solved(self, values: np.ndarray) -> Solution:
        """The solution with numbers put in."""
        tried = dict(zip(self.symbols, map(float, values), strict=True))
        neurons = NEURONS[min(self.problem.domain.dimension, max(NEURONS))]
        plan = Plan(self.problem, neurons=neurons, parameters={**(self.plan.parameters or {}), **tried}, progress=False)
        return self.forward(plan)

    def started_at(self, values: np.ndarray) -> Plan:
        """A plan for the whole problem that begins with these numbers and what the equations make of them, in features
        that can show it: those that were chosen for other numbers may be too wide for it."""
        tried = {**(self.plan.parameters or {}), **dict(zip(self.symbols, map(float, values), strict=True))}
        solution = self.forward(Plan(self.problem, self.plan.tol, parameters=tried, progress=False, method="network"))
        guess: dict[sp.Expr, Any] = {u: float(v) for u, v in zip(self.numbers, values, strict=True)}
        for u in self.problem.unknowns:
            field = solution[u.func.__name__]
            guess[u] = lambda *x, field=field: field.at(np.stack(np.broadcast_arrays(*x), axis=-1))
        if self.plan.neurons is not None or self.plan.space is not None or not isinstance(solution.basis, Basis):
            return replace(self.plan, guess=guess)
        return replace(self.plan, guess=guess, tol=None, space=solution.basis.spaces[0])

    def _off(self, values: np.ndarray) -> np.ndarray:
        data = [c for c in self.plan.problem.conditions if c.fitted]
        numbers = {u: sp.Float(v) for u, v in zip(self.numbers, values, strict=True)}
        try:
            solution = self.solved(values)
            if not solution.error < RESOLVED:
                raise ArithmeticError
            parts = [
                (np.real(solution.value_of(c.expressions()[0].xreplace(numbers), c.at_points)) - c.measured) / s  # type: ignore[arg-type]
                for c, s in zip(data, self.scales, strict=True)
            ]
        except (TransnetError, ArithmeticError, ValueError):
            parts = [np.full(len(c.measured), np.nan) for c in data]  # type: ignore[arg-type]
        return np.concatenate(parts)

    def misfit(self, values: np.ndarray) -> float:
        """The root mean square of it; infinite if there is none."""
        found = float(np.sqrt(np.mean(self.off(values) ** 2)))
        return found if np.isfinite(found) else np.inf

    @property
    def fits(self) -> float:
        """The largest misfit that noise is likely to give."""
        count = len(next(iter(self.known.values())))
        stated = any(c.noise is not None for c in self.plan.problem.conditions if c.fitted)
        least = min((self.misfit(np.array(k)) for k in self.known), default=np.inf)
        return max(likely(count), ROUGH / 2 * least) if stated else ROUGH * least

    # -- where to look -----------------------------------------------------------------------------------------------
    def around(self, own: np.ndarray) -> list[np.ndarray]:
        """The bottoms of the best minima, the best first."""
        starts = self._along(float(own[0])) if len(own) == 1 else self._among(own)
        found: list[np.ndarray] = []
        for start in sorted(starts, key=self.misfit)[: POLISHED + 1]:
            bottom = self._bottom(np.asarray(start))
            if np.isfinite(self.misfit(bottom)) and not any(one_place(bottom, f) for f in found):
                found.append(bottom)
        return sorted(found, key=self.misfit)

    def _along(self, own: float) -> list[np.ndarray]:
        """The least of its neighbours, of one number."""
        sizes = 10.0 ** np.arange(-DECADES, DECADES + 1e-9, 1.0 / A_DECADE)
        centres = {abs(own) or 1.0, 1.0} if 1 / FROM_ONE < abs(own) < FROM_ONE else {abs(own) or 1.0}
        every = sorted({float(s * c) for s in sizes for c in centres})
        kept = [every[0]]
        for v in every:  # the two ladders interleave
            if v > kept[-1] * 10 ** (0.5 / A_DECADE):
                kept.append(v)
        both = [*kept, *(-v for v in kept)]
        probe = kept[len(kept) // 2]
        same = np.allclose(self.off(np.array([probe])), self.off(np.array([-probe])), rtol=0, atol=SAME_MINIMUM)
        values = sorted({own, *(kept if same and own >= 0 else [-v for v in kept] if same else both)})
        for _ in range(SOLVES[min(self.problem.domain.dimension, max(SOLVES))]):
            gaps = [(max(abs(a), abs(b)), 0.5 * (a + b)) for a, b in pairwise(values) if self._gap(a, b)]
            if not gaps:
                break
            values = sorted([*values, min(gaps)[1]])
        heights = [self.misfit(np.array([v])) for v in values]
        padded = [np.inf, *heights, np.inf]
        return [
            np.array([v])
            for v, left, here, right in zip(values, padded, heights, padded[2:], strict=False)
            if here <= left and here <= right and np.isfinite(here)
        ]

    def _gap(self, a: float, b: float) -> bool:
        """Whether there may be a fit between two values."""
        if abs(b - a) <= CLOSEST * max(abs(a), abs(b)):
            return False
        first, second = self.off(np.array([a])), self.off(np.array([b]))
        if not (np.isfinite(first).all() and np.isfinite(second).all()):
            return False
        apart = float(np.linalg.norm(first - second))
        nearest = float(min(np.linalg.norm(first), np.linalg.norm(second)))
        return apart > max(APART * nearest, SAME_MINIMUM * np.sqrt(len(first)))

    def looked(self) -> tuple[float, float]:
        """From where to where there is no gap that was not looked into, around the best, of one number."""
        values = sorted(k[0] for k in self.known if np.isfinite(self.misfit(np.array(k))))
        if not values:
            return (np.nan, np.nan)
        best = min(range(len(values)), key=lambda k: self.misfit(np.array([values[k]])))
        low = high = best
        while low > 0 and not self._gap(values[low - 1], values[low]):
            low -= 1
        while high < len(values) - 1 and not self._gap(values[high], values[high + 1]):
            high += 1
        return values[low], values[high]

    def _among(self, own: np.ndarray) -> list[np.ndarray]:
        """The best of random sets of several numbers, and what was found."""
        rng, sizes = np.random.default_rng(0), np.where(own == 0, 1.0, np.abs(own))
        count = len(own)
        tried = [
            rng.choice([-1.0, 1.0], count) * sizes * 10.0 ** rng.uniform(-DECADES / 2, DECADES / 2, count)
            for _ in range(SETS // 2)
        ]
        tried += [np.sign(own + (own == 0)) * sizes * 10.0 ** rng.uniform(-1, 1, count) for _ in range(SETS // 2)]
        return [own, *(v for v in tried if np.isfinite(self.misfit(v)))]

    def _bottom(self, start: np.ndarray) -> np.ndarray:
        """A minimum near a start, by Gauss and Newton's steps with differences."""
        if not np.isfinite(self.misfit(start)):
            return start
        scale = np.where(start == 0, 1.0, np.abs(start))

        def off(y: np.ndarray) -> np.ndarray:
            return np.nan_to_num(self.off(y * scale), nan=HOPELESS, posinf=HOPELESS, neginf=-HOPELESS)

        first = start / scale
        found = optimize.least_squares(off, first, diff_step=DIFFERENCE, max_nfev=STEPS, xtol=SETTLED, ftol=SETTLED)
        bottom = np.asarray(found.x * scale)
        return bottom if self.misfit(bottom) <= self.misfit(start) else start
