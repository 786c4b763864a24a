"""What equations predict for values of unknown numbers, and the bottoms of their misfit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.basis import Basis
from transnet.checks.misfit import likely
from transnet.counts import SAMPLE
from transnet.drive.plan import Plan
from transnet.errors import TransnetError
from transnet.features.space import FeatureSpace
from transnet.lazy import optimize
from transnet.problem import Problem
from transnet.solution.solution import Solution

STEPS = 8
"""The steps to the bottom of a minimum."""
SAME_MINIMUM = 1e-2
"""Values closer than this, relative to their size, are one; predictions closer than this part of the misfit that is
allowed are the same."""
ROUGH = 3.0
"""Without a stated noise others fit that have at most this many times the misfit."""
NEURONS = {1: (80, 160), 2: (200, 400), 3: (400,)}
"""The sizes of the networks that predict one unknown, by dimension: ten milliseconds on a line. The second resolves
pulses of a fiftieth of the domain."""
RESOLVED = 0.03
"""The largest estimated error of a prediction; beyond that one cannot look."""
IN_REACH = 0.3
"""The largest error of a nonlinear prediction for which twice the neurons are tried: they gain a digit or more, and an
iteration that went nowhere, as with a viscosity below zero, costs several times as much the second time."""
HOPELESS = 1e6
"""How far from the data, in units of their noise, a value without a prediction counts."""
SETTLED = 1e-6
"""The relative change at which a minimum is reached: far below its standard error."""
DIFFERENCE = 1e-4
"""The step of differences, relative to a number: predictions of smooth solutions have many more digits."""
CLEARLY = 2.0
"""One set of values fits better than another if its sum of squares, in units of the noise, is less by the square of
this, and by that of so many errors of the predictions: two standard errors."""

Way = Callable[[Plan], Solution]


def one_place(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two sets of numbers are the same."""
    return bool(np.all(np.abs(a - b) <= SAME_MINIMUM * np.maximum(np.abs(a), np.abs(b))))


class Refitted(NamedTuple):
    """A set of numbers, how far their predictions are from the data, the directions in which these change with the
    numbers that were fitted, and the estimated error of the predictions."""

    values: np.ndarray
    off: np.ndarray
    slopes: np.ndarray
    error: float


@dataclass(frozen=True, eq=False)
class Predicted:
    """What the equations predict for values of the unknown numbers.

    Parameters
    ----------
    forward, quick : functions of a plan
        How the equations are solved with numbers put in; `quick` compiles nothing anew for other numbers.
    """

    plan: Plan
    numbers: tuple[sp.Expr, ...]
    forward: Way
    quick: Way

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
    def errors(self) -> dict[tuple[float, ...], float]:
        """The estimated errors of the predictions in these units."""
        return {}

    @cached_property
    def scales(self) -> list[float]:
        """The noise of each set of data; without one their size."""
        data = [c for c in self.plan.problem.conditions if c.fitted]
        return [c.noise or float(np.linalg.norm(c.measured) / np.sqrt(len(c.measured))) or 1.0 for c in data]  # type: ignore[arg-type]

    @cached_property
    def measured(self) -> np.ndarray:
        """The data in these units."""
        data = [c for c in self.plan.problem.conditions if c.fitted]
        return np.concatenate([c.measured / s for c, s in zip(data, self.scales, strict=True)])  # type: ignore[operator]

    def may_be_place(self, number: int) -> bool:
        """Whether a number is added to something that depends on a coordinate, as a place or a time is: x - d."""
        symbol, space = self.symbols[number], set(self.problem.coordinates)
        sums = {e for stated in self.problem._expressions() for e in stated.atoms(sp.Add)}
        for e in sums:
            plain = [a for a in e.args if not a.atoms(AppliedUndef)]
            if any(a.has(symbol) for a in plain) and any(a.free_symbols & space for a in plain):
                return True
        return False

    def off(self, values: np.ndarray) -> np.ndarray:
        """How far predictions are from the data, in units of their noise; not numbers if there is no prediction."""
        key = tuple(map(float, values))
        if key not in self.known:
            self.known[key], self.errors[key] = self._off(values)
        return self.known[key]

    def solved(self, values: np.ndarray) -> Solution:
        """The solution with numbers put in, in features that served other numbers, else from a small network or a
        larger one."""
        tried = dict(zip(self.symbols, map(float, values), strict=True))
        given: dict[str, Any] = {"parameters": {**(self.plan.parameters or {}), **tried}, "progress": False}
        if self.served:
            found = self.quick(Plan(self.problem, space=self.served[-1], **given))
            if found.error < RESOLVED:
                return found
        for neurons in NEURONS[min(self.problem.domain.dimension, max(NEURONS))]:
            each = int(neurons / np.sqrt(len(self.problem.unknowns)))
            found = self.quick(Plan(self.problem, neurons=each, **given))
            if found.error < RESOLVED or (found.status != "solved" and not found.error < IN_REACH):
                break
        if found.error < RESOLVED and found.status != "solved" and isinstance(found.basis, Basis):
            self.served.append(found.basis.spaces[0])
        return found

    @cached_property
    def served(self) -> list[FeatureSpace]:
        """Features in which a nonlinear problem was solved: to choose them takes as long as to solve."""
        return []

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

    def _off(self, values: np.ndarray) -> tuple[np.ndarray, float]:
        data = [c for c in self.plan.problem.conditions if c.fitted]
        numbers = {u: sp.Float(v) for u, v in zip(self.numbers, values, strict=True)}
        try:
            solution = self.solved(values)
            if not solution.error < RESOLVED:
                raise ArithmeticError
            found = [
                np.real(solution.value_of(c.expressions()[0].xreplace(numbers), c.at_points))  # type: ignore[arg-type]
                for c in data
            ]
            parts = [(f - c.measured) / s for f, c, s in zip(found, data, self.scales, strict=True)]
            sizes = [solution.error * np.sqrt(np.mean(f**2)) / s for f, s in zip(found, self.scales, strict=True)]
        except (TransnetError, ArithmeticError, ValueError):
            parts, sizes = [np.full(len(c.measured), np.nan) for c in data], [np.inf]  # type: ignore[arg-type]
        return np.concatenate(parts), float(max(sizes))

    def misfit(self, values: np.ndarray) -> float:
        """The root mean square of it; infinite if there is none."""
        found = float(np.sqrt(np.mean(self.off(values) ** 2)))
        return found if np.isfinite(found) else np.inf

    @property
    def fits(self) -> float:
        """The largest misfit that noise is likely to give."""
        count = len(next(iter(self.known.values())))
        least = min((self.misfit(np.array(k)) for k in self.known), default=np.inf)
        return max(likely(count), ROUGH / 2 * least) if self.stated else ROUGH * least

    @property
    def stated(self) -> bool:
        """Whether the noise of the data is known."""
        return any(c.noise is not None for c in self.plan.problem.conditions if c.fitted)

    def better(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether one set of values fits clearly better than another."""
        here, there, count = self.misfit(one), self.misfit(other), len(self.off(one))
        if not np.isfinite(there):
            return bool(np.isfinite(here))
        level = 1.0 if self.stated else here
        doubt = max(self.errors[tuple(map(float, v))] for v in (one, other))
        return bool(there**2 - here**2 > CLEARLY**2 * (level**2 / count + doubt**2))

    def same(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether the solutions for two sets of values are the same, not only where the data are."""
        points = self.problem.domain.interior(SAMPLE, "quasi", 1)
        try:
            first, second = self.solved(one), self.solved(other)
        except TransnetError:
            return False
        apart = [np.linalg.norm(first[n].at(points) - second[n].at(points)) for n in self.problem.names]
        sizes = [np.linalg.norm(first[n].at(points)) for n in self.problem.names]
        return all(a <= SAME_MINIMUM * s for a, s in zip(apart, sizes, strict=True))

    def slopes(self, values: np.ndarray, along: list[int]) -> np.ndarray:
        """How predictions change with some of the numbers, by differences, (data, numbers)."""
        steps = DIFFERENCE * np.where(values == 0, 1.0, np.abs(values))
        moved = [self.off(values + steps[k] * (np.arange(len(values)) == k)) for k in along]
        columns = [(m - self.off(values)) / steps[k] for k, m in zip(along, moved, strict=True)]
        return np.stack(columns, axis=-1) if columns else np.zeros((len(self.off(values)), 0))

    def refitted(self, values: np.ndarray, kept: int) -> Refitted:
        """The values with all but one fitted to first order."""
        others = [k for k in range(len(values)) if k != kept]
        off = self.off(values)
        slopes = self.slopes(values, others)
        error = self.errors[tuple(map(float, values))]
        if not others or not np.isfinite(slopes).all() or not np.isfinite(off).all():
            return Refitted(values, off, slopes, error)
        step = -np.linalg.lstsq(slopes, off, rcond=None)[0]
        changed = values.copy()
        changed[others] += step
        sizes = np.linalg.norm(slopes, axis=0)
        return Refitted(changed, off + slopes @ step, slopes / np.where(sizes > 0, sizes, 1.0), error)

    def bottom(self, start: np.ndarray) -> np.ndarray:
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
