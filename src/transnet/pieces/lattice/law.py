"""Problems that are the same in every box of a regular grid: constant coefficients, conditions on whole sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.errors import TransnetError
from transnet.geometry import Box
from transnet.problem import Problem
from transnet.rows.compile import Slot
from transnet.rows.statements import Statement, statements_of
from transnet.tolerances import ROUNDED

Side = tuple[int, int]
"""A side of the box: its axis, and 0 for the low end or 1 for the high one."""
PROBED = 64
"""Points of a side at which the coefficients of its conditions are compared."""
FEW = 8
"""Points at which coefficients are checked for a dependence on the place: constant ones evaluate to numbers."""


@dataclass(frozen=True, eq=False)
class Wall:
    """A condition on one side: sum over (unknown, order of the normal derivative) of a constant times it."""

    statement: Statement
    terms: dict[tuple[int, int], float]


@dataclass(frozen=True, eq=False)
class Law:
    """The statements of a problem whose coefficients are constant.

    Parameters
    ----------
    problem : Problem
    numbers : tuple
        The values of its parameters.
    equations : tuple of Statement
    coefficients : tuple of tuples of arrays of shape ()
        The coefficients of the slots of each equation.
    orders : tuple of tuples of int
        For each unknown and axis the highest order of its derivatives along that axis.
    walls : dict
        The conditions of each side.
    """

    problem: Problem
    numbers: tuple[Any, ...]
    equations: tuple[Statement, ...]
    coefficients: tuple[tuple[np.ndarray, ...], ...]
    orders: tuple[tuple[int, ...], ...]
    walls: dict[Side, tuple[Wall, ...]]

    @property
    def bounds(self) -> np.ndarray:
        return self.problem.domain.bounds


def law_of(problem: Problem, numbers: Sequence[Any]) -> Law | None:
    """The law of a problem; None if it is not the same everywhere."""
    domain, d = problem.domain, problem.domain.dimension
    if not isinstance(domain, Box) or d not in (2, 3):
        return None
    if any(len(u.args) != d for u in problem.unknowns):
        return None
    if any(c.where is not None or c.boundary not in _known(domain) for c in problem.conditions):
        return None
    try:
        statements = statements_of(problem)
    except TransnetError:
        return None
    if any(not s.equation.linear or s.equation.places or s.equation.lagged for s in statements):
        return None
    inside = tuple(s for s in statements if s.source is None)
    if len(inside) != len(problem.unknowns):
        return None
    probe = domain.interior(FEW, "quasi", 0)
    coefficients = [s.equation.jacobian(probe, None, tuple(numbers)) for s in inside]
    if any(np.ndim(c) for group in coefficients for c in group):
        return None
    found = [[0] * d for _ in problem.unknowns]
    for s in inside:
        for unknown, index in s.equation.slots:
            found[unknown] = [max(a, b) for a, b in zip(found[unknown], index, strict=True)]
    orders = tuple(map(tuple, found))
    walls: dict[Side, list[Wall]] = {}
    for s in statements:
        for part in () if s.part is None else domain.resolve(s.part):
            axis, end = divmod(domain.parts.index(part), 2)
            terms = _terms(s, domain, part, axis, orders, tuple(numbers))
            if terms is None:
                return None
            walls.setdefault((axis, end), []).append(Wall(s, terms))
    return Law(
        problem,
        tuple(numbers),
        inside,
        tuple(map(tuple, coefficients)),
        orders,
        {side: tuple(w) for side, w in walls.items()},
    )


def _known(domain: Box) -> set[str]:
    return {"boundary", *domain.parts, *domain._other_names}


def _terms(
    statement: Statement, domain: Box, part: str, axis: int, orders: Sequence[Sequence[int]], numbers: tuple[Any, ...]
) -> dict[tuple[int, int], float] | None:
    """The constants of a condition; None if they vary, or if it has derivatives that faces do not join."""
    at = domain.boundary(part, PROBED, "quasi", 0)
    factors = statement.equation.jacobian(at.points, at.normals, numbers)
    terms: dict[tuple[int, int], float] = {}
    for (u, index), c in zip(statement.equation.slots, factors, strict=True):
        if np.ptp(c) > ROUNDED * np.abs(c).max(initial=0.0):
            return None
        value = float(np.ravel(c)[0])
        if value == 0.0:
            continue
        if sum(index) != index[axis] or index[axis] >= orders[u][axis]:
            return None
        terms[u, index[axis]] = terms.get((u, index[axis]), 0.0) + value
    return terms or None


def slots_along(unknown: int, order: int, axis: int, dimension: int) -> tuple[Slot, ...]:
    """The slot of a derivative along an axis."""
    return ((unknown, tuple(order if j == axis else 0 for j in range(dimension))),)
