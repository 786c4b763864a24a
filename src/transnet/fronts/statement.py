"""An evolution with fronts as statements of space: what holds behind the front at one time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.counts import SAMPLE
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.fronts.curve import FrontCurve, known
from transnet.fronts.linear import OnFront
from transnet.fronts.steady import Fronts, Solve, fronts_of, put_numbers
from transnet.geometry import Domain
from transnet.geometry.product import Product
from transnet.problem import Condition, Front, Problem, on, unknown, written
from transnet.problem.equations import expressions_of
from transnet.problem.unknowns import Curvature
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.fronts.march import Stand

PLANE = 2
UNFIT = 1e-2
"""How far initial values may be off on a front, in units of the largest."""


@dataclass(frozen=True, eq=False)
class FieldBehind:
    """A sum of solutions of space, which may have slightly different domains."""

    weights: tuple[float, ...]
    solutions: tuple[Solution, ...]

    @staticmethod
    def sum(weights: Sequence[float], fields: Sequence[FieldBehind]) -> FieldBehind:
        """A sum of fields."""
        pairs = [
            (w * v, s)
            for w, f in zip(weights, fields, strict=True)
            for v, s in zip(f.weights, f.solutions, strict=True)
        ]
        return FieldBehind(tuple(w for w, _ in pairs), tuple(s for _, s in pairs))

    @property
    def bases(self) -> tuple[Any, ...]:
        return tuple(s.basis for s in self.solutions)

    @property
    def coefficients(self) -> list[np.ndarray]:
        return [s.coefficients for s in self.solutions]

    def derivatives(self, points: np.ndarray, slots: Sequence[Any]) -> list[np.ndarray]:
        """Derivatives of the unknowns at points, also slightly outside."""
        found = [np.zeros(len(points)) for _ in slots]
        for w, s in zip(self.weights, self.solutions, strict=True):
            for total, each in zip(found, s.basis.derivatives(s.coefficients, points, list(slots)), strict=True):
                total += w * np.asarray(each, float)
        return found

    def values(self, points: np.ndarray) -> np.ndarray:
        """The values of all unknowns, one after the other."""
        count = self.solutions[0].basis.unknowns
        return np.concatenate(self.derivatives(points, [(k, (0,) * points.shape[1]) for k in range(count)]))

    def function(self, number: int) -> Any:
        """One unknown as a function of arrays."""

        def value(*coordinates: np.ndarray) -> np.ndarray:
            arrays = np.broadcast_arrays(*coordinates)
            points = np.column_stack([a.ravel() for a in arrays])
            return self.derivatives(points, [(number, (0,) * len(arrays))])[0].reshape(arrays[0].shape)

        return value


@dataclass(frozen=True, eq=False)
class Evolving:
    """A problem of space and time with fronts, and its unknowns as functions of space alone."""

    stated: Problem
    fronts: Fronts

    @property
    def domain(self) -> Product:
        assert isinstance(self.stated.domain, Product)
        return self.stated.domain

    @property
    def span(self) -> tuple[float, float]:
        low, high = self.domain.second.bounds[:, 0]
        return float(low), float(high)

    @cached_property
    def space(self) -> tuple[sp.Symbol, ...]:
        return self.stated.coordinates[:-1]

    @cached_property
    def time(self) -> sp.Symbol:
        return self.stated.coordinates[-1]

    @cached_property
    def alone(self) -> dict[sp.Expr, sp.Expr]:
        """The unknowns as functions of space."""
        return {u: unknown(u.func.__name__, *self.space) for u in self.stated.unknowns}

    @cached_property
    def rates(self) -> tuple[sp.Expr, ...]:
        """The derivatives in time that stand in the equations."""
        found: set[sp.Expr] = set()
        for e in self.stated.equations:
            found |= {d for d in sp.sympify(e).doit().atoms(sp.Derivative) if self.time in d.variables}
        for d in found:
            if d.expr not in self.alone or d.variables != (self.time,):
                raise ProblemError(
                    f"{d} stands in an equation behind a front that moves. First derivatives in time of the unknowns "
                    f"are solved there, as in the heat equation, or none, as in a Hele-Shaw cell."
                )
        return tuple(sorted(found, key=str))

    @property
    def parabolic(self) -> bool:
        return bool(self.rates)

    def plain_conditions(self) -> list[Condition]:
        """The conditions with fronts as parts of the boundary, with what holds on them."""
        return [on(c.part, *c.equations) if isinstance(c, Front) else c for c in self.stated.conditions]

    def _put(self, time: float, extra: dict[Any, Any] | None = None) -> Any:
        def put(expression: Any) -> Any:
            made = sp.sympify(expression).doit().xreplace(extra or {}).xreplace(self.alone)
            return made.xreplace({self.time: sp.Float(time)})

        return put

    @cached_property
    def _speeds(self) -> list[OnFront]:
        us = tuple(self.alone.values())
        alone = [sp.sympify(f.speed).doit().xreplace(self.alone) for f in self.fronts.stated]
        return [OnFront(e, self.space, us, self.time) for e in alone]

    def speeds(self, state: Stand) -> list[np.ndarray]:
        """The normal speed of each front at its nodes."""
        made = []
        for held, curve in zip(self._speeds, state.curves, strict=True):
            values = state.field.derivatives(curve.points, held.slots) if held.slots else []
            made.append(held.at(curve, values, state.time))
        return made

    def field(
        self, time: float, curves: tuple[FrontCurve, ...], old: FieldBehind, h: float, plan: Plan, solve: Solve
    ) -> FieldBehind:
        """The field behind the fronts at a time, a step after an old one."""
        before = {
            u: known(f"{u.func.__name__}_before", old.function(k), self.space)
            for k, u in enumerate(self.stated.unknowns)
            if self.parabolic
        }
        rates = {d: (d.expr - before[d.expr]) / sp.Float(h) for d in self.rates}
        problem = self.problem(time, curves, rates)
        guess = {self.alone[u]: e for u, e in before.items()} if self.parabolic and not _linear(problem) else None
        return FieldBehind((1.0,), (solve(replace(plan, problem=problem, guess=guess)),))

    def problem(self, time: float, curves: tuple[FrontCurve, ...], rates: dict[Any, Any]) -> Problem:
        """What holds behind the fronts at a time."""
        here = replace(self.fronts, curves=curves)
        put, walls = self._put(time, rates), self.walls(time)
        conditions = []
        for k, (front, curve) in enumerate(zip(self.fronts.stated, curves, strict=True)):
            bend = known(f"curvature_{k}", curve.function(curve.curvature), self.space)
            conditions.append(on(curve.loop.name, *(put(e).xreplace({Curvature(): bend}) for e in front.equations)))
        equations = [put(e) for e in self.stated.equations]
        return Problem(here.domain(), equations, [*walls, *conditions], tuple(self.alone.values()))

    def walls(self, time: float) -> list[Condition]:
        """The conditions on the other parts of the boundary."""
        first, put = self.domain.first, self._put(time)
        found: list[Condition] = []
        for c in self.stated.conditions:
            if isinstance(c, Front) or set(c.parts(self.stated)) & set(self.domain.second.parts):
                continue
            found.append(c.of(put))
            if c.boundary is None or c.where is not None or not set(c.parts(self.stated)) <= set(first.parts):
                raise ProblemError(f"Beside a front conditions hold on whole parts of the boundary, not '{c.kind}'.")
        return found

    def begin(self, plan: Plan, solve: Solve) -> Stand:
        """The fronts and the field at the beginning."""
        from transnet.fronts.march import Stand

        low, curves = self.span[0], self.fronts.curves
        if not self.parabolic:
            return Stand(low, curves, self.field(low, curves, FieldBehind((), ()), 1.0, plan, solve))
        values = self._initial()
        put = self._put(low)
        here = replace(self.fronts, curves=curves).domain()
        fit = Problem(here, [sp.Eq(self.alone[u], put(e)) for u, e in values.items()], [], tuple(self.alone.values()))
        field = FieldBehind((1.0,), (solve(replace(plan, problem=fit, method=None)),))
        self._refuse_unfit(curves, field)
        return Stand(low, curves, field)

    def _refuse_unfit(self, curves: tuple[FrontCurve, ...], field: FieldBehind) -> None:
        """Raise an error if the initial values do not satisfy what holds on a front: its speed would be infinite."""
        us, put = tuple(self.alone.values()), self._put(self.span[0])
        height = float(np.abs(field.values(self.sample(curves))).max())
        for front, curve in zip(self.fronts.stated, curves, strict=True):
            for held in (OnFront(put(e), self.space, us) for q in front.equations for e in expressions_of(q)):
                off = float(np.abs(held.at(curve, field.derivatives(curve.points, held.slots))).max())
                if off > UNFIT * height and all(not any(index) for _, index in held.slots):
                    raise ProblemError(
                        f"The initial values do not satisfy {written(held.expression)} = 0 on the front "
                        f"'{front.part}': they are off by {off:.2g}, so that it would begin with an infinite speed. "
                        f"Begin a little later, with values that fit: those of a steady problem on the same domain."
                    )

    def _initial(self) -> dict[sp.Expr, sp.Expr]:
        found: dict[sp.Expr, sp.Expr] = {}
        first = set(self.stated.domain.ends(len(self.space))[0])
        for c in (c for c in self.stated.conditions if c.boundary and set(c.parts(self.stated)) <= first):
            for expression in c.expressions():
                for u in self.stated.unknowns:
                    slope = sp.diff(expression, u)
                    value = sp.expand(u - expression / slope) if slope.is_number and slope != 0 else u
                    if not value.has(AppliedUndef, sp.Derivative):
                        found[u] = value
        missing = [u for u in self.stated.unknowns if u not in found]
        if missing:
            begin = sorted(first)[0]
            raise ProblemError(
                f"{missing[0]} has no initial values: add tn.on('{begin}', sp.Eq({missing[0].func.__name__}, ...))."
            )
        return {u: found[u] for u in self.stated.unknowns}

    def sample(self, curves: tuple[FrontCurve, ...]) -> np.ndarray:
        """Points behind the fronts."""
        domain: Domain = replace(self.fronts, curves=curves).domain()
        return domain.interior(SAMPLE)


def evolving_of(plan: Plan) -> Evolving:
    """The problem of a plan as an evolution with fronts."""
    stated = put_numbers(plan)
    domain, time = stated.domain, stated.coordinates[-1]
    if not isinstance(domain, Product) or domain.second.dimension != 1 or domain.first.dimension != PLANE:
        raise ProblemError(
            f"A front with a speed moves in time: the domain is a shape of the plane times an interval of time, "
            f"shape * tn.Interval({time}=(0, 1)), not {domain}."
        )
    if any(f.speed is None for f in stated.conditions if isinstance(f, Front)):
        raise ProblemError("Some fronts have a speed and others do not. In an evolution state the speed of each.")
    return Evolving(stated, fronts_of(stated, domain.first))


def _linear(problem: Problem) -> bool:
    return all(
        sp.diff(sp.diff(e.lhs - e.rhs if isinstance(e, sp.Equality) else e, u), u) == 0
        for e in problem.equations
        for u in problem.unknowns
    )
