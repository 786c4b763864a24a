"""An evolution on a plane domain: what holds at all times in each material, on the boundary and across interfaces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cells.stated import CellProblem
from transnet.geometry import Domain, Pieces
from transnet.pieces.laws import Laws
from transnet.problem import in_piece
from transnet.rows.statements import Statement
from transnet.slabs.evolution import Passing
from transnet.steps.statement import Rothe, numbers_of, space_and_time, space_values


@dataclass(frozen=True, eq=False)
class PlaneWall:
    """A condition on parts of the boundary, as it reads in each material."""

    parts: tuple[str, ...]
    where: Any
    statements: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class PlaneEvolution(Passing):
    """A problem as an evolution on a plane domain.

    Parameters
    ----------
    rothe : Rothe
        Its initial values, and the elliptic problem of one moment.
    equations : tuple
        By material.
    walls : tuple of PlaneWall
    across : dict
        By the numbers of two materials, for the unknowns of the first side and of the second.
    """

    rothe: Rothe
    equations: tuple[tuple[Statement, ...], ...]
    walls: tuple[PlaneWall, ...]
    across: dict[tuple[int, int], tuple[Statement, ...]]

    @property
    def region(self) -> Domain:
        """The domain of space."""
        return self.rothe.elliptic.domain

    @cached_property
    def every(self) -> tuple[Statement, ...]:
        """All statements."""
        some = (*self.equations, *(w.statements for w in self.walls), *self.across.values())
        return tuple(s for group in some for s in group)

    @cached_property
    def linear(self) -> bool:
        """Whether every statement is linear."""
        return all(s.equation.linear for s in self.every)

    @cached_property
    def steady(self) -> bool:
        """Whether it is linear with coefficients that do not change in time."""
        return self.linear and not any(
            self.time in c.free_symbols for s in self.every for c in s.equation.coefficients_symbolic
        )

    @cached_property
    def driven(self) -> bool:
        """Whether sources or boundary values change in time."""
        return any(self.time in s.equation.expression.free_symbols for s in self.every)

    def split(self, index: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """A multi-index split into that of space and the order in time."""
        return index[: self.axis] + index[self.axis + 1 :], index[self.axis]

    def at_one_moment(self, values: tuple[Any, ...]) -> CellProblem:
        """The elliptic problem of a step of all time, by which cells and functions of corners are chosen."""
        known = dict(zip(self.problem.parameters, values, strict=False))
        rate = 1.0 / abs(self.stop - self.start)
        return CellProblem.of_problem(self.rothe.elliptic, numbers_of(self.rothe, known, rate, self.start))

    def at_start(
        self, values: tuple[Any, ...], unknown: int, order: int, points: np.ndarray, material: int
    ) -> np.ndarray:
        """The initial value of an unknown, or of its time derivative, at points of a material."""
        known = dict(zip(self.problem.parameters, values, strict=False))
        expression = self.rothe.initial[unknown][order]
        if isinstance(self.region, Pieces):
            expression = in_piece(expression, self.region.shapes[material][0])
        return space_values(self.rothe, known, expression, points)


def plane_evolution(rothe: Rothe) -> PlaneEvolution | str:
    """The evolution for slabs in cells, or why it is none."""
    problem = rothe.problem
    found = space_and_time(problem.domain)
    assert found is not None
    _, interval = found
    laws = Laws(problem)
    materials = range(len(laws.names))
    walls = []
    for condition in problem.conditions:
        if condition.averaged:
            return "It states a mean value."
        if condition.across:
            continue
        parts = set(problem.domain.resolve(str(condition.boundary)))
        if parts <= set(interval.ends(0)[0]):
            continue
        for statements in zip(*(laws.condition(condition, m) for m in materials), strict=True):
            walls.append(PlaneWall(tuple(sorted(parts)), condition.where, statements))
    across = {}
    space = rothe.elliptic.domain
    if isinstance(space, Pieces):
        across = {pair: laws.interface(*pair) for pair in space.interfaces}
    made = PlaneEvolution(
        problem, rothe.axis, rothe.start, rothe.stop, rothe.orders, rothe, laws.equations, tuple(walls), across
    )
    return refused(made) or made


def refused(evolution: PlaneEvolution) -> str:
    """Why an evolution cannot be marched in cells; empty if it can."""
    n = len(evolution.orders)
    if min(evolution.orders) < 1:
        return "An unknown has no derivative in time."
    for some in evolution.equations:
        if len(some) != n:
            return "It does not have one equation for each unknown in each material."
        for s in some:
            own = {u for u, index in s.equation.slots if evolution.split(index)[1]}
            for u, index in s.equation.slots:
                k, order = evolution.split(index)
                if k == (1, 1) and u not in own:
                    return "An equation has mixed derivatives of another unknown, as those of elastic bodies have."
                if sum(k) > 2 or (order and any(k)):
                    return "An equation has derivatives above the second, or mixed ones in space and time."
    for wall in evolution.walls:
        for s in wall.statements:
            slots = [(u, *evolution.split(index)) for u, index in s.equation.slots]
            highest = max(sum(k) for _, k, _ in slots)
            if highest > 1:
                return "A condition has second derivatives."
            if highest == 0 and (len({u for u, _, _ in slots}) > 1 or any(order for _, _, order in slots)):
                return "A condition gives values of several unknowns together, or of a time derivative."
    for some in evolution.across.values():
        for s in some:
            if len({u % n for u, _ in s.equation.slots}) > 1 or not s.equation.linear:
                return "What holds across an interface is nonlinear, or of several unknowns together."
            if any(evolution.split(i)[1] for _, i in s.equation.slots):
                return "What holds across an interface has a derivative in time."
    return ""
