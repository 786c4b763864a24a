"""Touching on a part of the boundary (Signorini): its ends on a straight part are found by Newton's method.

Where contact ends, the gap opens like K r^(1/2) + C r^(3/2), and K = 0 if the end is right. An end that is d too far
has K = (3/2) C d, and at K = 0 no other end feels it, so each moves by -(2/3) K / C.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from transnet.contact.ends import noiseless
from transnet.contact.statement import Touching, seconds_left
from transnet.counts import STEPS
from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.geometry import Domain
from transnet.problem import Condition, Problem, Unilateral, normal, on, written
from transnet.solution.solution import Solution
from transnet.tolerances import DIGITS, SAME

STIFF = 1e-2
"""The compliance of the spring for a first guess, in units of L / a."""
NEURONS = 300
"""Neurons for it."""
FIRST = 1e-4
"""The tolerance of the solves until the ends move by less than this part of the size of the domain."""
SETTLED = 1e-6
"""Ends that move by less, as a part of the size of the domain, are found: an error of d makes one of d^2."""
SAMPLE = 1001
"""Points along a part at which the gap is looked at."""
NEARLY = 1e-3
"""Ends that move by less are solved for with the tolerance that is asked for."""
PASSED = 1e-3
"""A gap that is negative by more than this part of its size has been overlooked."""
NEAR = (1e-3, 0.1)
"""Distances from an end, in units of the room beside it, at which the gap is compared with powers of the distance."""
POWERS = (0.5, 1.0, 1.5, 2.0, 2.5)
"""Those powers: with the halves of a mixed condition, and those of a smooth load."""
ROOM = 0.3
"""The most that an end moves in one step, as a part of the room beside it."""
BESIDE = 5e-3
"""An end closer to that of the part, in units of its length, is that of the part."""


@dataclass(frozen=True, eq=False)
class Floor:
    """A straight part with an inequality: the gap and the force, which are not negative, and one of which is zero.

    Parameters
    ----------
    along : sympy expression
        The position on it, from `span[0]` to `span[1]`.
    ends : tuple of (float, float)
        The intervals in contact.
    """

    part: str
    where: sp.Basic | None
    gap: sp.Expr
    force: sp.Expr
    along: sp.Expr
    span: tuple[float, float]
    start: np.ndarray
    direction: np.ndarray
    ends: tuple[tuple[float, float], ...] = ()

    @property
    def length(self) -> float:
        return self.span[1] - self.span[0]

    def points(self, positions: np.ndarray) -> np.ndarray:
        """The points at positions."""
        return np.asarray(self.start + (positions - self.span[0])[:, None] * self.direction)

    def fixed(self, end: float) -> bool:
        """Whether contact reaches the end of the part."""
        return min(end - self.span[0], self.span[1] - end) < BESIDE * self.length

    def conditions(self) -> list[Condition]:
        """What holds on it with this contact."""
        held = [sp.And(self.along > a, self.along < b) for a, b in self._inner()]
        if not held:
            return [on(self.part, sp.Eq(self.force, 0), where=self.where)]
        contact = sp.Or(*held)
        both = (sp.Eq(self.gap, 0), contact), (sp.Eq(self.force, 0), sp.Not(contact))
        if all(self.fixed(a) and self.fixed(b) for a, b in self.ends) and len(self.ends) == 1:
            return [on(self.part, both[0][0], where=self.where)]
        return [on(self.part, e, where=w if self.where is None else sp.And(w, self.where)) for e, w in both]

    def _inner(self) -> list[tuple[sp.Expr, sp.Expr]]:
        def shown(end: float) -> sp.Expr:
            outer = 2 * self.span[0] - self.span[1] if end < sum(self.span) / 2 else 2 * self.span[1] - self.span[0]
            return sp.Float(outer if self.fixed(end) else end, DIGITS)

        return [(shown(a), shown(b)) for a, b in self.ends]


def floors_of(contact: Touching) -> list[Floor]:
    """The parts with inequalities, one by one."""
    domain, coordinates = contact.free.domain, contact.free.coordinates
    found = []
    for condition in contact.parts:
        gap, *stated = condition.gaps
        force = stated[0] if stated else _natural(contact, condition)
        for part in domain.resolve(condition.part):
            found.append(_floor(domain, coordinates, part, condition.where, gap, force))
    return found


def _natural(contact: Touching, condition: Unilateral) -> sp.Expr:
    """The natural flux of the equation, n . A grad u, with the sign of the side from which the part is touched."""
    u, xs = contact.unknown, contact.free.coordinates
    slope = sp.diff(condition.gaps[0], u)
    if condition.gaps[0].has(sp.Derivative) or not slope.is_number or slope == 0:
        raise ProblemError(
            f"{condition.lines()[0][0]} on '{condition.part}' is not about the unknown itself, so its force is not the "
            f"natural flux. State it too, as a second inequality: tn.on('{condition.part}', u >= 0, flux >= 0)."
        )
    a = -contact.seconds(contact.equation, u)
    n = normal(*xs)
    return sp.expand(
        sp.sign(slope) * sum(n[i] * a[i, j] * sp.diff(u, xs[j]) for i in range(len(xs)) for j in range(len(xs)))
    )


def _floor(
    domain: Domain, coordinates: tuple[sp.Symbol, ...], part: str, where: sp.Basic | None, gap: sp.Expr, force: sp.Expr
) -> Floor:
    points = domain.boundary(part, SAMPLE, "grid").points
    middle = points.mean(axis=0)
    _, sizes, directions = np.linalg.svd(points - middle)
    if len(sizes) > 1 and sizes[1] > SAME * sizes[0]:
        raise ProblemError(
            f"The part '{part}' of {domain} is curved; the ends of contact are found on straight parts. A polygon has "
            f"them, or a part may be named that is straight."
        )
    direction = directions[0] * np.sign(directions[0][np.abs(directions[0]).argmax()])
    arcs = domain.arcs(part)
    ends = np.concatenate([arc.at(np.array([0.0, arc.length]))[0] for arc in arcs]) if arcs else points
    positions = ends @ direction
    span = float(positions.min()), float(positions.max())
    exact = [
        sp.Integer(1) if abs(d - 1) < SAME else sp.Integer(0) if abs(d) < SAME else sp.Float(d, DIGITS)
        for d in direction
    ]
    along = sum(e * c for e, c in zip(exact, coordinates, strict=True))
    return Floor(part, where, gap, force, along, span, ends[positions.argmin()], direction)


def solve_parts(plan: Plan, contact: Touching, solve: object) -> Solution:
    """Solve a problem with inequalities on straight parts of a plane domain."""
    problem = contact.free
    if problem.domain.dimension != 2:
        raise ProblemError(
            f"An inequality on a part of the boundary is solved in the plane, not on {problem.domain}. On an interval "
            f"there are two cases: the equation u = 0 at that end, or no flux; the one that satisfies both "
            f"inequalities is right."
        )
    floors = floors_of(contact)
    plain = replace(plan, watch=None, parameters=None)
    size = float(np.ptp(problem.domain.bounds, axis=0).max())
    floors = _coarse(problem, floors, plain, size, solve)
    best: tuple[float, Solution, list[Floor]] | None = None
    rough, last = True, np.inf
    for _ in range(STEPS):
        stated = [*problem.conditions, *(c for f in floors for c in f.conditions())]
        sub = Problem(problem.domain, problem.equations, stated, problem.unknowns)
        ask = replace(plain, problem=sub, tol=FIRST if rough else plan.tol, seconds=seconds_left(plan))
        found = solve(ask)  # type: ignore[operator]
        steps = [_steps(found, f) for f in floors]
        moved = max((abs(v) for s in steps for pair in s for v in pair), default=0.0)
        if not rough and (best is None or moved < best[0]):
            best = moved, found, floors
        if found.status == "interrupted" or plan.effort.left() <= 0:
            best = best or (moved, found, floors)
            break
        if not rough and (moved < SETTLED * size or moved > 0.5 * last):
            break
        rough, last = rough and moved > NEARLY * size and moved < last, moved
        floors = [replace(f, ends=_moved(f, s)) for f, s in zip(floors, steps, strict=True)]
    if best is None:
        raise ProblemError("The ends of the contact did not settle. State the problem with another load to see why.")
    return _told(plan, *best, size)


def _coarse(problem: Problem, floors: list[Floor], plan: Plan, size: float, solve: object) -> list[Floor]:
    """The contact with a stiff spring on the parts."""
    stiff = [_slope(f.force) / (0.5 * STIFF * size) for f in floors]
    springs = [
        on(f.part, sp.Eq(f.force - sp.Max(-f.gap, 0) * sp.Float(k), 0), where=f.where)
        for f, k in zip(floors, stiff, strict=True)
    ]
    soft = Problem(problem.domain, problem.equations, [*problem.conditions, *springs], problem.unknowns)
    found = solve(replace(plan, problem=soft, neurons=NEURONS, tol=None))  # type: ignore[operator]
    result = []
    for f in floors:
        at = np.linspace(*f.span, SAMPLE)
        below = np.pad(noiseless(found.value_of(f.gap, f.points(at)) < 0), 1)
        change = np.flatnonzero(below[1:] != below[:-1])
        ends = [(float(at[a]), float(at[b - 1])) for a, b in zip(change[::2], change[1::2], strict=True)]
        result.append(replace(f, ends=tuple(ends)))
    return result


def _slope(force: sp.Expr) -> float:
    """The size of a force for a slope of one."""
    ones = dict.fromkeys(force.free_symbols, 1)
    return max((float(abs(sp.diff(force, d)).subs(ones)) for d in force.atoms(sp.Derivative)), default=1.0)


def _steps(found: Solution, floor: Floor) -> list[tuple[float, float]]:
    """How far each end should move, outwards positive."""
    steps = []
    for k, (a, b) in enumerate(floor.ends):
        below = floor.ends[k - 1][1] if k else floor.span[0]
        above = floor.ends[k + 1][0] if k + 1 < len(floor.ends) else floor.span[1]
        pair = [0.0, 0.0]
        for side, (end, other, outer) in enumerate(((a, b, below), (b, a, above))):
            if floor.fixed(end):
                continue
            room = min(abs(outer - end), abs(other - end))
            r = room * NEAR[0] * (NEAR[1] / NEAR[0]) ** np.linspace(0, 1, 60)
            gap = found.value_of(floor.gap, floor.points(end + (1 if side else -1) * r))
            powers = np.stack([(r / room) ** p for p in POWERS], axis=-1)
            root, _, second = np.linalg.lstsq(powers / powers[:, 2:3], gap / powers[:, 2], rcond=None)[0][:3]
            step = -2 / 3 * root / second * room if second > 0 else -np.sign(root) * room
            pair[side] = float(np.clip(step, -ROOM * room, ROOM * room))
        steps.append((pair[0], pair[1]))
    return steps


def _moved(floor: Floor, steps: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    return tuple((a - p, b + q) for (a, b), (p, q) in zip(floor.ends, steps, strict=True))


def _told(plan: Plan, moved: float, found: Solution, floors: list[Floor], size: float) -> Solution:
    """The solution of the problem as stated, with what was found of the contact and whether it is right."""
    known = found.diagnostics
    error = known.error + (moved / size) ** 2
    notes, messages = list(known.notes), list(known.messages)
    for f in floors:
        places = " and ".join(f"({a:.10g}, {b:.10g})" for a, b in f.ends) or "nowhere"
        notes.append(f"contact on '{f.part}' for {f.along} in {places}" if f.ends else f"no contact on '{f.part}'")
        at = np.linspace(*f.span, SAMPLE)[1:-1]
        points = f.points(at)
        held = np.zeros(len(at), dtype=bool)
        near = np.zeros(len(at), dtype=bool)
        for a, b in f.ends:
            held |= (at > a) & (at < b)
            near |= (np.abs(at - a) < NEAR[0] * f.length) | (np.abs(at - b) < NEAR[0] * f.length)
        gap = found.value_of(f.gap, points)
        wrong = ~held & (gap < -PASSED * max(np.abs(gap).max(), error)) & ~near
        if wrong.any():
            place = ", ".join(f"{c:.3g}" for c in points[wrong][0])
            text = f"{written(f.gap)} >= 0 does not hold on '{f.part}' at ({place}): contact was overlooked there."
            messages.append(Message(AccuracyWarning, text))
    made = replace(known, error=error, notes=tuple(notes), messages=tuple(messages))
    return replace(found, problem=plan.problem, parameters=plan.values, diagnostics=made, blocks=())
