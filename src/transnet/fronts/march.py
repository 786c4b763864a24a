"""Fronts that move: the curve by its speed and the field behind it, by extrapolated steps of Euler's method.

A large step is taken by 1, 2, ..., k small ones. In each the curve moves along its normals with the speed of the field,
and the field at the end follows from an elliptic problem behind the new curve, with (u - u_old) / h for its derivative
in time and u_old continued as far as the curve has moved. Errors have expansions in powers of h, so that the results
for 1, ..., k steps are extrapolated to h = 0 with the order k; their last difference is the estimate by which the
length of steps is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, EstimateWarning, GeometryError, Message, ProblemError
from transnet.fronts.curve import MOST, FrontCurve
from transnet.fronts.statement import Evolving, FieldBehind
from transnet.fronts.steady import Solve
from transnet.fronts.swept import Swept
from transnet.fronts.times import Followed, Times
from transnet.problem import Problem
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE, SAME

ORDERS = ((1e-3, 3), (1e-5, 4), (0.0, 6))
"""The order of the steps for tolerances above a number."""
GOAL = {True: 1e-3, False: 1e-5}
"""The error that a march may make if no tolerance is given, in units of the radius, for fields with a derivative in
time and without: the estimate is three to ten times too large."""
SHARE = 1e-2
"""The part of the tolerance left to the elliptic problems: extrapolation enlarges their errors by 10 to 30."""
PART = 0.1
"""The part of the tolerance that a step may always take."""
FAR = {True: 0.2, False: 0.25}
"""The most that a front moves in one large step, in units of its radius: a field with a derivative in time is continued
that far."""
START = 0.02
"""The same in the first step."""
SAFETY, GROWTH = 0.8, (0.2, 2.0)
"""The part of the predicted length that is taken, and by which factors it may change."""
LEAST = 1e-5
"""The shortest step, in units of the time, before a march ends."""
STEPS = 2000
"""The most large steps."""


@dataclass(frozen=True, eq=False)
class Stand:
    """Curves and field at a time; the field is a sum of solutions."""

    time: float
    curves: tuple[FrontCurve, ...]
    field: FieldBehind


def solve_moving_fronts(plan: Plan, evolving: Evolving, solve: Solve) -> Solution:
    """Follow the fronts of a problem in time."""
    begun = perf_counter()
    goal = goal_of(plan, evolving)
    order = next(k for tol, k in ORDERS if goal >= tol)
    plain = replace(plan, watch=None, parameters=None, tol=SHARE * goal)
    low, high = evolving.span
    state = evolving.begin(plain, solve)
    states, spent, ended = [state], 0.0, ""
    speeds = evolving.speeds(state)
    length = min(high - low, START * min(c.size for c in state.curves) / max(_fastest(speeds), 1e-300))
    for _ in range(STEPS):
        left = high - state.time
        if left <= SAME * (high - low) or plan.effort.left() <= 0:
            break
        length = min(
            length, left, FAR[evolving.parabolic] * min(c.size for c in state.curves) / max(_fastest(speeds), 1e-300)
        )
        length = left / 2 if left / 2 < length < left else length
        try:
            taken, error = _extrapolated(evolving, state, speeds, length, order, plain, solve)
        except (GeometryError, ProblemError) as reason:
            if len(states) == 1 and length < LEAST * (high - low) / GROWTH[0]:
                raise
            taken, error, ended = None, np.inf, str(reason)
        share = goal * max(length / (high - low), PART)
        if taken is None or not error <= share:
            factor = 0.5 if taken is None else SAFETY * (share / error) ** (1 / order)
            length *= float(np.clip(factor, GROWTH[0], SAFETY))
            if length < LEAST * (high - low):
                break
            continue
        spent, state = spent + error, taken
        states.append(state)
        speeds = evolving.speeds(state)
        length *= float(np.clip(SAFETY * (share / max(error, 1e-300)) ** (1 / order), *GROWTH))
    return _told(plan, evolving, states, spent, ended, perf_counter() - begun)


def goal_of(plan: Plan, evolving: Evolving) -> float:
    """The error that a march may make."""
    return GOAL[evolving.parabolic] if plan.tol is None else plan.tol


def _fastest(speeds: list[np.ndarray]) -> float:
    return max(float(np.abs(v).max()) for v in speeds)


def _extrapolated(
    evolving: Evolving, state: Stand, speeds: list[np.ndarray], length: float, order: int, plan: Plan, solve: Solve
) -> tuple[Stand, float]:
    """A large step, and the difference of its last two extrapolations in units of the radius."""
    places: list[list[np.ndarray]] = []
    fields: list[FieldBehind] = []
    for n in range(1, order + 1):
        curves, field, moves = state.curves, state.field, speeds
        for j in range(n):
            curves = tuple(_stepped(c, v, length / n) for c, v in zip(curves, moves, strict=True))
            time = state.time + length * (j + 1) / n
            if evolving.parabolic or j < n - 1:
                field = evolving.field(time, curves, field, length / n, plan, solve)
                moves = evolving.speeds(Stand(time, curves, field))
        places.append([c.loop.z(c.nodes) for c in curves])
        fields.append(field)
    weights, before = _weights(order), _weights(order - 1, 2)
    ends, error = [], 0.0
    for k, curve in enumerate(state.curves):
        best = np.sum([w * p[k] for w, p in zip(weights, places, strict=True)], axis=0)
        other = np.sum([w * p[k] for w, p in zip(before, places[1:], strict=True)], axis=0)
        error = max(error, float(np.abs(best - other).max()) / curve.size)
        made = FrontCurve(curve.loop.through(best, curve.loop.modes))
        grown = made.tail > (plan.tol or 0.0) and made.loop.modes < MOST
        ends.append(made.finer() if grown else made)
    time = state.time + length
    if evolving.parabolic:
        field = FieldBehind.sum(weights, fields)
        inner = evolving.sample(tuple(ends))
        change = field.values(inner) - FieldBehind.sum(before, fields[1:]).values(inner)
        error = max(error, float(np.abs(change).max()) / max(float(np.abs(field.values(inner)).max()), 1e-300))
    else:
        field = evolving.field(time, tuple(ends), state.field, length, plan, solve)
    return Stand(time, tuple(ends), field), error


def _stepped(curve: FrontCurve, speed: np.ndarray, h: float) -> FrontCurve:
    """A curve moved along its normals, with its parameter: extrapolation compares places of the same parameter."""
    z = curve.loop.z(curve.nodes) + h * speed * curve.loop.normals(curve.nodes)
    found, m = np.fft.fft(z) / len(z), curve.loop.modes
    return FrontCurve(replace(curve.loop, coefficients=np.concatenate([found[-m:], found[: m + 1]])))


def _weights(order: int, first: int = 1) -> list[float]:
    """The factors with which results of `order` consecutive numbers of steps make the extrapolation to h = 0."""
    n = np.arange(first, first + order, dtype=float)
    return [float(n[k] ** (order - 1) / np.prod([n[k] - m for m in n if m != n[k]])) for k in range(order)]


def _told(plan: Plan, evolving: Evolving, states: list[Stand], spent: float, ended: str, seconds: float) -> Solution:
    """The field of all times as one function."""
    times = Times(np.array([s.time for s in states]))
    basis = Followed(times, tuple(s.field.bases for s in states), tuple(s.field.weights for s in states))
    coefficients = np.concatenate([c for s in states for c in s.field.coefficients])
    parts = tuple(f.part for f in evolving.fronts.stated)
    stated = plan.problem
    domain = Swept(stated.domain, parts, times, tuple(s.curves for s in states))  # type: ignore[arg-type]
    made = Problem(domain, evolving.stated.equations, evolving.plain_conditions(), stated.unknowns)
    last = states[-1].field.solutions[-1]
    known = last.diagnostics
    error = known.error + spent
    messages: list[Message] = [m for m in known.messages if m.kind is not EstimateWarning]
    low, high = evolving.span
    if times.values[-1] < high - BESIDE * (high - low):
        why = f": {ended}" if ended else ""
        text = (
            f"The front was followed until t = {times.values[-1]:.4g} and not to {high:g}{why}. It may meet itself or "
            f"a wall there, or form a cusp."
        )
        messages.append(Message(AccuracyWarning, text))
    if error > goal_of(plan, evolving) and not messages:
        messages.append(
            Message(EstimateWarning, f"The front was followed with an estimated relative error of {error:.1e}.")
        )
    note = f"the front was followed in {len(states) - 1} steps, with an error of {spent:.1e} of its radius"
    found: Any = replace(
        known, error=error, messages=tuple(messages), notes=(note,), seconds={"front": seconds}, triangle=None
    )
    found = replace(found, stated_rank=known.rank, residuals=(), coarser=None, trail=())
    return Solution(made, basis, coefficients, {}, found)
