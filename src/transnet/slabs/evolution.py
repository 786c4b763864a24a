"""Evolution problems, recognised from their statement: conditions at one end of a time axis, and none at the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.geometry import Domain
from transnet.lazy import special
from transnet.measure.checks import TIMES
from transnet.problem import Problem
from transnet.rows.statements import Statement, statements_of
from transnet.tolerances import ROUNDED, SAME


@dataclass(frozen=True)
class Fade:
    """What remains of a condition for a while after initial values that do not fit it: gap + slope (t - start),
    fading."""

    start: float
    gap: float
    slope: float
    middle: float
    width: float

    def __call__(self, times: np.ndarray) -> np.ndarray:
        share = 0.5 * special.erfc((times - self.middle) / (np.sqrt(2.0) * self.width))
        return np.asarray((self.gap + self.slope * (times - self.start)) * share)


@dataclass(frozen=True, eq=False)
class Side:
    """A condition on a face of space: its axis, its place, its outward sign, and how it begins; or on a part of the
    boundary of a domain that is not a box."""

    statement: Statement
    axis: int
    place: float
    sign: float
    fade: Fade | None = None
    part: str = ""


@dataclass(frozen=True, eq=False)
class Passing:
    """A problem in which time passes.

    Parameters
    ----------
    axis : int
        Which coordinate is time.
    start, stop : float
        From when to when; a problem with its conditions at the final time runs backwards.
    orders : tuple of int
        The highest time derivative of each unknown; 0 of one that follows from the others at each time, such as a
        pressure.
    """

    problem: Problem
    axis: int
    start: float
    stop: float
    orders: tuple[int, ...]

    @property
    def time(self) -> sp.Symbol:
        """The coordinate of time."""
        return self.problem.coordinates[self.axis]

    @property
    def waves(self) -> bool:
        """Whether it is of second order in time: nothing damps what rounding and truncation excite."""
        return max(self.orders) > 1

    def joined(self, points: np.ndarray, times: np.ndarray) -> np.ndarray:
        """Points of space (m, d - 1) at moments (s,), all of them: (m s, d), the moments fastest."""
        m, s, d = len(points), len(times), points.shape[1] + 1
        out = np.empty((m, s, d))
        out[:, :, self.axis] = times
        out[:, :, : self.axis] = points[:, None, : self.axis]
        out[:, :, self.axis + 1 :] = points[:, None, self.axis :]
        return out.reshape(m * s, d)

    @property
    def bounds(self) -> np.ndarray:
        """The box of space, (2, d - 1)."""
        return np.delete(self.problem.domain.bounds, self.axis, axis=1)


@dataclass(frozen=True, eq=False)
class Evolution(Passing):
    """A problem as an evolution: its equations, its initial conditions, and the conditions that hold at all times.

    Parameters
    ----------
    space_orders : tuple of tuple
        For each unknown, the highest derivative in each coordinate of space.
    equations, initial : tuple of Statement
    sides : tuple of Side
    periodic : frozenset of int
        The axes of space in which all unknowns are periodic.
    region : Domain or None
        The domain of space, if it is not a box.
    """

    space_orders: tuple[tuple[int, ...], ...]
    equations: tuple[Statement, ...]
    initial: tuple[Statement, ...]
    sides: tuple[Side, ...]
    periodic: frozenset[int]
    region: Domain | None = None

    @property
    def linear(self) -> bool:
        """Whether every statement is linear."""
        return all(s.equation.linear for s in (*self.equations, *(b.statement for b in self.sides)))

    @property
    def pressures(self) -> bool:
        """Whether an unknown has no time derivative and none in space above the first: walls say nothing of it."""
        pairs = zip(self.orders, self.space_orders, strict=True)
        return any(order == 0 and max(in_space) == 1 for order, in_space in pairs)

    @property
    def owners(self) -> tuple[int, ...] | None:
        """The unknown whose time derivative is in each equation; None if that is not one unknown for each."""
        found: list[int] = []
        for statement in self.equations:
            moved = {number for number, index in statement.equation.slots if self.split(index)[1] > 0}
            if len(moved) != 1:
                return None
            found.append(moved.pop())
        return tuple(found) if sorted(found) == list(range(len(self.orders))) else None

    def split(self, index: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """A multi-index split into that of space and the order in time."""
        return index[: self.axis] + index[self.axis + 1 :], index[self.axis]


def evolution_of(problem: Problem, region: Domain | None = None) -> Evolution | str:
    """The problem as an evolution on a box, or on a domain of space, or the reason why it is not one."""
    if any(len(u.args) < len(problem.coordinates) for u in problem.unknowns):
        return "Some of its unknowns do not depend on all coordinates."
    axis = _time_axis(problem)
    if axis is None:
        return "It has no coordinate of time: one is called t, or is the only one."
    return _read(problem, axis, region)


def _time_axis(problem: Problem) -> int | None:
    names = [c.name for c in problem.coordinates]
    if len(names) == 1:
        return 0
    return next((names.index(n) for n in TIMES if n in names), None)


def _read(problem: Problem, axis: int, region: Domain | None) -> Evolution | str:
    domain, time = problem.domain, problem.coordinates[axis]
    statements = statements_of(problem, lagged=False)
    equations = tuple(s for s in statements if s.kind == "equation")
    if any(s.equation.places for s in statements):
        return "It has integrals, or values at other places."
    orders, space_orders = _orders(problem, equations, axis)
    if not any(orders):
        return f"No equation has a derivative in {time}."
    if region is None and not np.isclose(domain.volume, np.prod(np.ptp(domain.bounds, axis=0)), rtol=SAME):
        return f"Space is not a box: {domain}."
    axes = range(domain.dimension) if region is None else (axis,)
    faces = {part: (a, end) for a in axes for end in (0, 1) for part in domain.ends(a)[end]}
    low, high = domain.bounds[:, axis]
    at_ends: list[list[Statement]] = [[], []]
    sides: list[Side] = []
    periodic: dict[int, set[Any]] = {}
    for statement in statements:
        source, part, where = statement.source, statement.part, statement.where
        if source is None:
            continue
        if part is not None:
            if where is not None and time in where.free_symbols:
                return f"A condition holds at some times only: where={where}."
            for name in domain.resolve(part):
                if name not in faces:
                    sides.append(Side(statement, 0, 0.0, 0.0, part=name))
                    continue
                across, end = faces[name]
                if across == axis:
                    at_ends[end].append(statement)
                else:
                    place = float(domain.bounds[end, across])
                    sides.append(Side(statement, across - (across > axis), place, 2.0 * end - 1.0))
        elif source.at_points is not None and not source.fitted:
            near = ROUNDED * (high - low)
            at = [np.all(np.abs(source.at_points[:, axis] - t) <= near) for t in (low, high)]
            if domain.dimension > 1 or not any(at):
                return "It has a condition at points inside space and time (tn.at)."
            at_ends[0 if at[0] else 1].append(statement)
        elif source.period is not None:
            across = problem.coordinates.index(source.period)
            if across == axis:
                return f"It is periodic in {time}."
            chosen = {problem.unknowns[k] for k, _ in statement.equation.slots}
            periodic.setdefault(across - (across > axis), set()).update(chosen)
        else:
            return f"It has a condition of the kind tn.{source.kind}, over all times at once."
    if all(at_ends):
        return f"It has conditions at both ends of {time}."
    if not any(at_ends):
        return f"It has no condition at either end of {time}."
    if any(len(found) < len(problem.unknowns) for found in periodic.values()):
        return "Some of its unknowns are periodic and others are not."
    forward = bool(at_ends[0])
    return Evolution(
        problem,
        axis,
        float(low if forward else high),
        float(high if forward else low),
        orders,
        space_orders,
        equations,
        tuple(at_ends[0] or at_ends[1]),
        tuple(sides),
        frozenset(periodic),
        region,
    )


def _orders(
    problem: Problem, equations: tuple[Statement, ...], axis: int
) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """For each unknown the highest order in time, and in each coordinate of space."""
    n, d = len(problem.unknowns), len(problem.coordinates)
    highest = np.zeros((n, d), dtype=int)
    for statement in equations:
        for number, index in statement.equation.slots:
            highest[number] = np.maximum(highest[number], index)
    in_space = np.delete(highest, axis, axis=1)
    return tuple(map(int, highest[:, axis])), tuple(tuple(map(int, row)) for row in in_space)
