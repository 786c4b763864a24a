"""What an obstacle makes of an equation: the force in contact, its sign, and how fast the gap opens at the edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from transnet.basis.outside import Formula
from transnet.counts import SAMPLE
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.formulas import array_modules, compiled_formula
from transnet.measure.checks import TIMES
from transnet.problem import Inequality, Obstacle, Problem, Unilateral, expressions_of, written
from transnet.tolerances import SAME

LEAST = 0.1
"""Seconds that a solve has, however late it begins."""


@dataclass(frozen=True, eq=False)
class Barrier:
    """u >= psi (side 1) or u <= psi (side -1)."""

    psi: sp.Expr
    side: int


@dataclass(frozen=True, eq=False)
class Touching:
    """A problem with one unknown in its domain and inequalities, with numbers for all parameters.

    Parameters
    ----------
    free : Problem
        The problem without its inequalities.
    barriers : tuple of Barrier
    parts : tuple of Unilateral
    """

    free: Problem
    barriers: tuple[Barrier, ...]
    parts: tuple[Unilateral, ...]

    @property
    def unknown(self) -> sp.Expr:
        return self.free.unknowns[0]

    @property
    def time(self) -> sp.Symbol | None:
        """The coordinate of time of an evolution; None if there is none."""
        coordinates = self.free.coordinates
        return next((c for c in coordinates if c.name in TIMES), None) if len(coordinates) > 1 else None

    @cached_property
    def equation(self) -> sp.Expr:
        """The left-hand side E of E(u) = 0, with its sign such that E >= 0 in contact with an obstacle below."""
        found = [e for q in self.free.equations for e in expressions_of(q)]
        if len(found) != 1 or len(self.free.unknowns) != 1:
            raise ProblemError(
                f"An obstacle, or an inequality whose force is not stated, is for one equation with one unknown; this "
                f"problem has {len(found)} equations for {', '.join(self.free.names)}. On a part of the boundary state "
                f"the force too: tn.on('floor', v >= 0, traction <= 0)."
            )
        expression = found[0].doit()
        points = self.free.domain.interior(SAMPLE)
        eigenvalues = np.linalg.eigvalsh(_matrices(self.seconds(expression, None), self.free.coordinates, points))
        if np.all(eigenvalues < 0):
            return expression
        if np.all(eigenvalues > 0):
            return -expression
        raise ProblemError(
            f"An obstacle needs an elliptic equation of second order, whose sign says to which side it pushes: "
            f"'{written(expression)} = 0' is not one."
        )

    def seconds(self, expression: sp.Expr, psi: sp.Expr | None) -> sp.Matrix:
        """The coefficients of the second derivatives; for a nonlinear equation at u = psi, or at zero."""
        u, xs = self.unknown, self.free.coordinates
        highest = max((d.derivative_count for d in expression.atoms(sp.Derivative)), default=0)
        if highest != 2:
            raise ProblemError(f"An obstacle needs an equation of second order; this one is of order {highest}.")
        slots = {d: sp.Dummy() for d in expression.atoms(sp.Derivative)}
        plain = expression.xreplace(slots)

        def entry(i: int, j: int) -> sp.Expr:
            slot = slots.get(sp.diff(u, xs[i], xs[j]))
            found = sp.Integer(0) if slot is None else sp.diff(plain, slot) / (1 if i == j else 2)
            return found.xreplace({v: k for k, v in slots.items()}).subs(u, 0 if psi is None else psi)

        return sp.Matrix(len(xs), len(xs), entry)

    def force(self, barrier: Barrier) -> Callable[[np.ndarray], np.ndarray]:
        """The force of the obstacle in contact, side E(psi): known, and not negative there."""
        return on_points(barrier.side * self.equation.subs(self.unknown, barrier.psi), self.free.coordinates)

    def opening(self, barrier: Barrier) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """The second normal derivative of side (u - psi) at the edge, where u - psi and its gradient vanish.

        E(u) - E(psi) = a_nn d_nn (u - psi) there, so it is -side E(psi) / a_nn.
        """
        force, coordinates = self.force(barrier), self.free.coordinates
        seconds = self.seconds(self.equation, barrier.psi)

        def at(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
            return -force(points) / np.einsum("nij,ni,nj->n", _matrices(seconds, coordinates, points), normals, normals)

        return at

    @cached_property
    def scale(self) -> float:
        """The size of the coefficients of the second derivatives."""
        points = self.free.domain.interior(SAMPLE)
        matrices = _matrices(self.seconds(self.equation, None), self.free.coordinates, points)
        return float(np.median(np.abs(matrices).max(axis=(1, 2))))


def on_points(expression: sp.Expr, coordinates: tuple[sp.Symbol, ...]) -> Callable[[np.ndarray], np.ndarray]:
    """A formula as a function of points: (n, d) -> (n,); zero where it has no value, as at a kink."""
    axes = real_axes(coordinates)
    ready = expression.xreplace(dict(zip(coordinates, axes, strict=True))).doit().replace(sp.DiracDelta, lambda *_: 0)
    f = compiled_formula(axes, ready, array_modules([ready]))

    def at(points: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.nan_to_num(
                np.broadcast_to(np.asarray(f(*points.T), dtype=float), len(points)), posinf=0, neginf=0
            )

    return at


def real_axes(coordinates: tuple[sp.Symbol, ...]) -> tuple[sp.Symbol, ...]:
    """The coordinates as real symbols: SymPy has no derivative of |x| otherwise."""
    return tuple(sp.Symbol(c.name, real=True) for c in coordinates)


def formula_with_derivatives(psi: sp.Expr, coordinates: tuple[sp.Symbol, ...]) -> Formula:
    """An obstacle with its derivatives."""
    axes = real_axes(coordinates)
    return Formula(psi.xreplace(dict(zip(coordinates, axes, strict=True))), axes)


def _matrices(entries: sp.Matrix, coordinates: tuple[sp.Symbol, ...], points: np.ndarray) -> np.ndarray:
    d = len(coordinates)
    return np.stack([on_points(e, coordinates)(points) for e in entries], axis=-1).reshape(-1, d, d)


def contact_of(plan: Plan) -> Touching:
    """The problem of a plan as an equation and inequalities, which are checked."""
    problem, values = plan.problem, plan.values
    alone = next((n for n in ("neurons", "space", "points", "continuation", "start", "to") if n in plan.given), None)
    if alone is not None:
        raise ProblemError(
            f"{alone}= is for a single solve, and a problem with inequalities takes several. Leave it out; tol= is the "
            f"error to reach."
        )
    if any(np.ndim(v) for v in values.values()):
        raise ProblemError("A problem with inequalities is solved for one set of parameters at a time.")
    numbers = {s: sp.Float(float(v)) for s, v in values.items()}

    def put(expression: sp.Basic) -> sp.Basic:
        return expression.xreplace(numbers)

    stated = [c.of(put) for c in problem.conditions]
    plain = [c for c in stated if not isinstance(c, Inequality)]
    free = Problem(problem.domain, [put(e) for e in problem.equations], plain, problem.unknowns)
    parts = tuple(c for c in stated if isinstance(c, Unilateral))
    found = Touching(free, tuple(_barrier(free, c) for c in stated if isinstance(c, Obstacle)), parts)
    if found.barriers:
        if found.time is None:
            _ = found.equation
        _refuse_impossible(found)
    return found


def seconds_left(plan: Plan) -> float | None:
    """The time limit of the next solve."""
    left = plan.effort.left()
    return None if left == np.inf else max(left, LEAST)


def _barrier(problem: Problem, condition: Obstacle) -> Barrier:
    gap = sp.expand(condition.gaps[0])
    unknowns = gap.atoms(AppliedUndef)
    slope = sp.diff(gap, next(iter(unknowns))) if len(unknowns) == 1 else sp.Integer(0)
    if gap.has(sp.Derivative) or not slope.is_number or slope == 0:
        raise ProblemError(
            f"tn.obstacle states {condition.lines()[0][0]}. It takes the unknown itself against a formula of the "
            f"coordinates, u >= psi or u <= psi; a bound of the slope, |grad u| <= 1, is for some problems one of u: "
            f"the distance to the boundary."
        )
    u = unknowns.pop()
    return Barrier(sp.expand(u - gap / slope), 1 if slope > 0 else -1)


def _refuse_impossible(contact: Touching) -> None:
    """Raise an error for obstacles that leave no room: between them, or to the values on the boundary."""
    problem, coordinates = contact.free, contact.free.coordinates
    points = problem.domain.interior(SAMPLE)
    for low in (b for b in contact.barriers if b.side > 0):
        for high in (b for b in contact.barriers if b.side < 0):
            gap = on_points(high.psi - low.psi, coordinates)(points)
            if gap.min() <= 0:
                place = ", ".join(f"{c:.3g}" for c in points[gap.argmin()])
                raise ProblemError(
                    f"The obstacles leave no gap: u >= {written(low.psi)} and u <= {written(high.psi)} contradict each "
                    f"other at ({place}), or leave one value only."
                )
    for condition in (c for c in problem.conditions if c.boundary):
        for expression in condition.expressions():
            slope = sp.diff(expression, contact.unknown)
            if expression.has(sp.Derivative) or not slope.is_number or slope == 0:
                continue
            given = sp.expand(contact.unknown - expression / slope)
            surface = problem.domain.boundary(str(condition.boundary), SAMPLE)
            if condition.where is not None or given.has(AppliedUndef) or given.free_symbols - set(coordinates):
                continue
            for b in contact.barriers:
                room = b.side * on_points(given - b.psi, coordinates)(surface.points)
                size = np.abs(on_points(b.psi, coordinates)(points)).max()
                if room.min() < -SAME * size:
                    place = ", ".join(f"{c:.3g}" for c in surface.points[room.argmin()])
                    word = ("above", ">=") if b.side > 0 else ("below", "<=")
                    raise ProblemError(
                        f"The obstacle is {word[0]} the given values: u = {written(given)} on '{condition.boundary}', "
                        f"but u {word[1]} {written(b.psi)}, which is {word[0]} it by {-room.min():.3g} at ({place}). "
                        f"No solution satisfies both; change one of them."
                    )
