"""A problem as statements in cells: equations of each material, conditions on the boundary and across interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from transnet.cells.columns import CellColumns
from transnet.cells.materials import material_views
from transnet.cells.outline import Outlined
from transnet.cells.reduce import PointSets, places_of, rim_count
from transnet.cells.seeds import owners
from transnet.cells.tiles import Tiles
from transnet.checks.places import clashes
from transnet.geometry.partition import Pieces
from transnet.pieces.laws import Laws, known_laws
from transnet.problem import Problem
from transnet.rows.equation import with_share
from transnet.rows.statements import Statement, statements_of
from transnet.rows.stretches import in_stretches


@dataclass(frozen=True, eq=False)
class CellProblem:
    """A problem as statements.

    Parameters
    ----------
    equations : by material
    conditions : those on the boundary, each by material
    across : by the numbers of two materials
        What holds on their interface, for the unknowns of the first side and of the second.
    means : statements
        The means over the domain of unknowns that everything else determines up to a constant.
    """

    problem: Problem
    equations: tuple[tuple[Statement, ...], ...]
    conditions: tuple[tuple[Statement, ...], ...]
    across: dict[tuple[int, int], tuple[Statement, ...]]
    numbers: tuple[Any, ...]
    laws: Laws | None = None
    means: tuple[Statement, ...] = ()

    @classmethod
    def of(cls, problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any]) -> CellProblem:
        """A problem of one material."""
        problem, statements = in_stretches(problem, statements)
        inside = tuple(s for s in statements if s.kind == "equation")
        means = tuple(s for s in statements if s.averaged)
        conditions = tuple((s,) for s in statements if s.kind == "condition" and not s.averaged)
        return cls(problem, (inside,), conditions, {}, tuple(numbers), means=means)

    @classmethod
    def of_problem(cls, problem: Problem, numbers: Sequence[Any]) -> CellProblem:
        """A problem as it stands, of one material or several."""
        if isinstance(problem.domain, Pieces):
            return cls.of_materials(known_laws(problem), numbers)
        return cls.of(problem, statements_of(problem, lagged=False), numbers)

    @classmethod
    def of_materials(cls, laws: Laws, numbers: Sequence[Any]) -> CellProblem:
        """A problem on a domain of several pieces."""
        problem, domain = laws.problem, laws.problem.domain
        assert isinstance(domain, Pieces)
        materials = range(len(laws.names))
        stated = [c for c in problem.conditions if not c.across and not c.averaged]
        conditions = [s for c in stated for s in zip(*(laws.condition(c, m) for m in materials), strict=True)]
        across = {pair: laws.interface(*pair) for pair in domain.interfaces}
        means = tuple(s for c in problem.conditions if c.averaged for s in laws.condition(c, 0))
        return cls(problem, laws.equations, tuple(conditions), across, tuple(numbers), laws, means)

    def with_share(self, share: float) -> CellProblem:
        """The same with a part of what is nonlinear."""

        def some(statements: Sequence[Statement]) -> tuple[Statement, ...]:
            return tuple(replace(s, equation=with_share(s.equation, share)) for s in statements)

        return replace(
            self,
            equations=tuple(map(some, self.equations)),
            conditions=tuple(map(some, self.conditions)),
            across={pair: some(statements) for pair, statements in self.across.items()},
        )

    @cached_property
    def views(self) -> tuple[Outlined, ...]:
        """The materials as domains."""
        return material_views(self.problem.domain)

    @cached_property
    def every(self) -> tuple[Statement, ...]:
        """All statements."""
        return tuple(s for some in (*self.equations, *self.conditions, *self.across.values()) for s in some)

    @cached_property
    def orders(self) -> tuple[int, ...]:
        """Two for each unknown whose second derivatives the equations have, and one for the others."""
        slots = [slot for some in self.equations for s in some for slot in s.equation.slots]
        unknowns = range(len(self.problem.unknowns))
        return tuple(max((sum(i) for u, i in slots if u == unknown), default=1) for unknown in unknowns)

    @cached_property
    def jumps(self) -> np.ndarray:
        """Where the values of a flow on the boundary jump, and its pressure is like 1 / r: (n, 2)."""
        if len(set(self.orders)) == 1 or self.laws is not None:
            return np.zeros((0, 2))
        return np.array([place for _, place in clashes(self.problem, self.every, self.numbers)]).reshape(-1, 2)

    @property
    def linear(self) -> bool:
        """Whether one solve gives the solution."""
        return all(s.equation.linear for s in self.every)

    @property
    def floating(self) -> list[int]:
        """The unknowns to which constants may be added as far as equations and conditions say."""
        return [u for u in range(len(self.problem.unknowns)) if all(self._floats(s, u) for s in self.every)]

    @property
    def pinned(self) -> bool:
        """Whether values at points are stated of unknowns alone to which constants may be added otherwise."""
        known = {slot for s in self.every if _points(s) is not None for slot in s.equation.slots}
        rest = [s for s in self.every if _points(s) is None]
        return all(not any(index) and all(self._floats(s, u) for s in rest) for u, index in known)

    def _floats(self, statement: Statement, unknown: int) -> bool:
        e, n = statement.equation, len(self.problem.unknowns)
        mine = {symbol for symbol, (u, index) in zip(e.slot_symbols, e.slots, strict=True)
                if u % n == unknown and not any(index)}  # fmt: skip
        both = [c for c, (u, index) in zip(e.coefficients_symbolic, e.slots, strict=True)
                if u % n == unknown and not any(index)]  # fmt: skip
        # Across an interface values of both sides cancel.
        return not mine or (len(both) == 2 and e.linear and sp.simplify(sum(both)) == 0)

    def places(
        self, statement: Statement, tiles: Tiles, columns: CellColumns, more: int = 0
    ) -> Iterator[tuple[int, np.ndarray, PointSets]]:
        """The points of a condition: each group, the places of the cells in it, and the points there."""
        stated = _points(statement)
        if stated is not None:
            cells = owners(stated, tiles.seeds)
            for number, mine, local in columns.sets(cells):
                yield number, local, PointSets(cells[mine], stated[mine][:, None], None, np.ones((len(mine), 1)))
            return
        assert statement.part is not None
        which = tiles.rims_of(self.problem.domain.resolve(statement.part))
        for number, mine, local in columns.sets(tiles.rims_cells[which]):
            count = rim_count(columns.groups[number]) + more
            yield number, local, places_of(statement, tiles, count, which[mine], self.problem.coordinates)


def _points(statement: Statement) -> np.ndarray | None:
    return None if statement.source is None else statement.source.at_points
