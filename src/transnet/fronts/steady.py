"""Fronts at rest: field and curve are found together by Newton's method, a linear problem on each curve.

What holds on the front is linearised in the field and in the normal step V of the curve. One of the conditions, such as
u = 0, gives V in terms of u; with it the others are conditions of an ordinary problem on the present curve, which any
method solves. V from its solution moves the curve.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
import sympy as sp

from transnet.choose.effort import ACCEPTABLE
from transnet.contact.statement import seconds_left
from transnet.counts import STEPS
from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, EstimateWarning, Message, ProblemError
from transnet.fronts.curve import MOST, FrontCurve, front_of, with_front
from transnet.fronts.linear import Linear, OnFront, slots_at
from transnet.geometry import Domain
from transnet.problem import Condition, Front, Problem, on
from transnet.problem.equations import expressions_of
from transnet.solution.solution import Solution

Solve = Callable[[Plan], Solution]
CAP = 0.2
"""The most that a front moves in one step, in units of its radius."""
ROUGH = 1e-5
"""The tolerance of the solves while steps are above its root."""
GOAL = 1e-9
"""How well a front is sought, in units of its radius, if no tolerance is given."""
SHARE = 0.1
"""The part of the tolerance that the front may take."""
SETTLED = 1e-2
"""Steps in units of the radius below which the curve may need more modes."""


@dataclass(frozen=True, eq=False)
class Fronts:
    """The problem with its fronts at certain places."""

    problem: Problem
    stated: tuple[Front, ...]
    curves: tuple[FrontCurve, ...]
    begun: Domain

    def domain(self, formulas: bool = False) -> Domain:
        """The domain within these fronts."""
        made = self.begun
        for front, curve in zip(self.stated, self.curves, strict=True):
            made = with_front(made, front.part, curve.formula() if formulas else curve.loop.curve)
        return made

    @property
    def walls(self) -> list[Condition]:
        return [c for c in self.problem.conditions if not isinstance(c, Front)]

    def held(self) -> list[list[OnFront]]:
        """What holds on each front."""
        xs, us = self.problem.coordinates, self.problem.unknowns
        return [[OnFront(e, xs, us) for q in f.equations for e in expressions_of(q)] for f in self.stated]

    def named(self, conditions: list[list[sp.Expr]], formulas: bool = False) -> Problem:
        """The problem with conditions on its fronts."""
        more = [on(c.loop.name, *e) for c, e in zip(self.curves, conditions, strict=True)]
        return Problem(self.domain(formulas), self.problem.equations, [*self.walls, *more], self.problem.unknowns)


def solve_steady(plan: Plan, fronts: Fronts, solve: Solve) -> Solution:
    """Solve a problem with fronts at rest."""
    begun = perf_counter()
    held = fronts.held()
    goal = GOAL if plan.tol is None else SHARE * plan.tol
    plain = replace(plan, watch=None, parameters=None)
    first = fronts.named([[h.expression for h in _of_a_wall(own)] for own in held])
    field = solve(replace(plain, problem=first, tol=ROUGH))
    best: tuple[float, Solution, Fronts] | None = None
    last, size = np.inf, np.inf
    for _ in range(STEPS):
        linear = [[h.linear(c, field) for h in own] for own, c in zip(held, fronts.curves, strict=True)]
        rough = size > np.sqrt(ROUGH)
        limit = ROUGH if rough else plan.tol
        if size < np.inf and not all(any(l.gives_speed() for l in own) for own in linear):
            break  # the field has become flat somewhere on the front
        chosen = [_gives(own, front) for own, front in zip(linear, fronts.stated, strict=True)]
        step = fronts.named(
            [
                [
                    l.with_speed(own[k], fronts.problem.coordinates, f"front_{i}_{j}_")
                    for j, l in enumerate(own)
                    if j != k
                ]
                for i, (own, k) in enumerate(zip(linear, chosen, strict=True))
            ]
        )
        field = solve(replace(plain, problem=step, tol=limit, seconds=seconds_left(plan)))
        moves = [_move(own[k], field) for own, k in zip(linear, chosen, strict=True)]
        size = max(float(np.abs(v).max()) / c.size for v, c in zip(moves, fronts.curves, strict=True))
        if not np.isfinite(size):
            break
        if not rough and (best is None or size < best[0]):
            best = size, field, fronts
        ended = field.status == "interrupted" or plan.effort.left() <= 0
        if ended or (not rough and (size <= goal or (size > 0.5 * last and size < SETTLED))):
            best = best or (size, field, fronts)
            break
        last = np.inf if rough else size
        fronts = replace(fronts, curves=tuple(map(_moved, fronts.curves, moves, [goal] * len(moves))))
    if best is None:
        raise ProblemError(
            f"No place of the front {', '.join(f.part for f in fronts.stated)} was found at which all conditions hold: "
            f"the last step was {size:.1e} of its radius. Begin with a shape closer to what is sought: "
            f"some problems of this kind have two solutions or none."
        )
    return _told(plan, *best, held, perf_counter() - begun)


def _of_a_wall(held: list[OnFront]) -> list[OnFront]:
    """The conditions with which a first field is solved: the one that bends most, or the last, is left out."""
    worst = max(range(len(held)), key=lambda k: (held[k].bends, any(any(i) for _, i in held[k].slots), k))
    return [h for k, h in enumerate(held) if k != worst]


def _gives(linear: list[Linear], front: Front) -> int:
    """The number of the condition from which the step of the front follows."""
    for k, each in enumerate(linear):
        if each.gives_speed():
            return k
    raise ProblemError(
        f"On the front '{front.part}' one condition must give the value of an unknown that varies across it, such as "
        f"u = 0, and another its slope."
    )


def _move(linear: Linear, field: Solution) -> np.ndarray:
    a, b, u = linear.speed()
    if u is None:
        return a
    number = field.problem.unknowns.index(u)
    zero = (number, (0,) * len(field.problem.coordinates))
    return np.asarray(a - b * slots_at(field, linear.curve.points, [zero])[0])


def _moved(curve: FrontCurve, step: np.ndarray, goal: float) -> FrontCurve:
    made = curve.moved(step, CAP * curve.size)
    small = float(np.abs(step).max()) < SETTLED * curve.size
    return made.finer() if small and made.tail > goal and made.loop.modes < MOST else made


def _told(
    plan: Plan, size: float, field: Solution, fronts: Fronts, held: list[list[OnFront]], seconds: float
) -> Solution:
    """The solution with its fronts, and what is known of them."""
    known = field.diagnostics
    lift = 0.0
    for curve in fronts.curves:
        zero = [(k, (0,) * 2) for k in range(len(fronts.problem.unknowns))]
        slopes = [(k, i) for k, _ in zero for i in ((1, 0), (0, 1))]
        steep = max(float(np.abs(s).max()) for s in slots_at(field, curve.points, slopes))
        height = max(float(np.abs(field.value_of(u, field.points)).max()) for u in fronts.problem.unknowns)
        lift = max(lift, (size + curve.tail) * curve.size * steep / height)
    error = known.error + lift
    off = (size + max(c.tail for c in fronts.curves)) * max(c.size for c in fronts.curves)
    messages = list(known.messages)
    if lift > (ACCEPTABLE if plan.tol is None else plan.tol) and not messages:
        text = f"The front is known to {off:.1e} only: its curve has {max(c.loop.modes for c in fronts.curves)} modes."
        messages.append(Message(EstimateWarning if error < 1 else AccuracyWarning, text))
    note = f"the front is known to {off:.1e}"
    residuals = tuple(
        replace(r, label=f"{r.label.split(':')[0]}: the front, linearised") if ": front_" in r.label else r
        for r in known.residuals
    )
    made = replace(known, error=error, messages=tuple(messages), notes=(*known.notes, note), triangle=None)
    made = replace(made, residuals=residuals, seconds={"front": seconds}, stated_rank=known.rank)
    problem = fronts.named([[h.expression for h in own] for own in held], formulas=True)
    return replace(field, problem=problem, parameters={}, diagnostics=made, blocks=())


def put_numbers(plan: Plan) -> Problem:
    """The problem of a plan with numbers for its parameters."""
    problem = plan.problem
    numbers = {s: sp.Float(float(v)) for s, v in plan.values.items()}

    def put(expression: sp.Basic) -> sp.Basic:
        return expression.xreplace(numbers)

    equations, conditions = [put(e) for e in problem.equations], [c.of(put) for c in problem.conditions]
    return Problem(problem.domain, equations, conditions, problem.unknowns)


def fronts_of(stated: Problem, domain: Domain) -> Fronts:
    """The fronts of a problem where they begin, on a domain of space."""
    found = tuple(c for c in stated.conditions if isinstance(c, Front))
    return Fronts(stated, found, tuple(front_of(domain, f.part) for f in found), domain)
