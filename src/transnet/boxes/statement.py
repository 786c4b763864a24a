"""A steady problem on a box, recognised from its statement: equations of even order, conditions on whole faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.counts import LOOKS
from transnet.measure.sampling import quasi
from transnet.problem import Problem
from transnet.rows.statements import Statement, statements_of
from transnet.slabs.evolution import Side
from transnet.tolerances import SAME

ORDERS = (2, 4)
"""Orders of equations along an axis."""


@dataclass(frozen=True, eq=False)
class Steady:
    """A steady problem on a box.

    Parameters
    ----------
    owners : tuple of int
        The unknown of each equation.
    equations : tuple of Statement
    sides : tuple of Side
    periodic : frozenset of int
        The axes along which all unknowns are periodic.
    order : int
        The order of the equations along every axis, two or four.
    """

    problem: Problem
    owners: tuple[int, ...]
    equations: tuple[Statement, ...]
    sides: tuple[Side, ...]
    periodic: frozenset[int]
    order: int = 2

    @property
    def bounds(self) -> np.ndarray:
        return self.problem.domain.bounds

    @property
    def linear(self) -> bool:
        return all(s.equation.linear for s in (*self.equations, *(b.statement for b in self.sides)))


def steady_of(problem: Problem) -> Steady | None:
    """The problem as a steady one on a box; None if it is another."""
    domain = problem.domain
    if any(len(u.args) < domain.dimension for u in problem.unknowns):
        return None
    low, high = domain.bounds
    looks = low + quasi(LOOKS, domain.dimension, np.random.default_rng(0)) * (high - low)
    if not np.all(domain._inside(looks, 1)):  # the volume of others may take a second
        return None
    if not np.isclose(domain.volume, np.prod(np.ptp(domain.bounds, axis=0)), rtol=SAME):
        return None
    statements = statements_of(problem, lagged=False)
    equations = tuple(s for s in statements if s.kind == "equation")
    order = max((s.equation.order for s in equations), default=0)
    owners = _owners(equations, len(problem.unknowns), order)
    if owners is None or any(s.equation.places for s in statements):
        return None
    faces = {part: (a, end) for a in range(domain.dimension) for end in (0, 1) for part in domain.ends(a)[end]}
    sides: list[Side] = []
    periodic: dict[int, set[int]] = {}
    for statement in statements:
        if statement.source is None:
            continue
        if statement.part is not None and statement.where is None:
            for name in domain.resolve(statement.part):
                if name not in faces:
                    return None  # a slit
                across, end = faces[name]
                sides.append(Side(statement, across, float(domain.bounds[end, across]), 2.0 * end - 1.0))
        elif statement.source.period is not None:
            across = problem.coordinates.index(statement.source.period)
            periodic.setdefault(across, set()).update(k for k, _ in statement.equation.slots)
        else:
            return None
    if any(len(found) < len(problem.unknowns) for found in periodic.values()):
        return None
    return Steady(problem, owners, equations, tuple(sides), frozenset(periodic), order)


def _owners(equations: Sequence[Statement], unknowns: int, order: int) -> tuple[int, ...] | None:
    """The unknown whose derivatives of that order along every axis each equation has; None if not one for each."""
    if order not in ORDERS:
        return None
    found: list[int] = []
    for statement in equations:
        slots: list[tuple[int, tuple[int, ...]]] = list(statement.equation.slots)
        here = [u for u in range(unknowns) if _has_all(slots, u, order)]
        if len(here) != 1:
            return None
        found += here
    return tuple(found) if sorted(found) == list(range(unknowns)) else None


def _has_all(slots: list[tuple[int, tuple[int, ...]]], unknown: int, order: int) -> bool:
    d: Any = len(slots[0][1])
    return all((unknown, tuple(order * (k == a) for k in range(d))) in slots for a in range(d))
