"""A problem as statements in cells: equations of each material, conditions on the boundary and across interfaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from transnet.cells.columns import CellColumns
from transnet.cells.materials import material_views
from transnet.cells.outline import Outlined
from transnet.cells.reduce import PointSets, places_of, rim_count
from transnet.cells.tiles import Tiles
from transnet.geometry.partition import Pieces
from transnet.pieces.laws import Laws, known_laws
from transnet.problem import Problem
from transnet.rows.statements import Statement, statements_of


@dataclass(frozen=True, eq=False)
class CellProblem:
    """A problem as statements.

    Parameters
    ----------
    equations : by material
    conditions : those on the boundary, each by material
    across : by the numbers of two materials
        What holds on their interface, for the unknowns of the first side and of the second.
    """

    problem: Problem
    equations: tuple[tuple[Statement, ...], ...]
    conditions: tuple[tuple[Statement, ...], ...]
    across: dict[tuple[int, int], tuple[Statement, ...]]
    numbers: tuple[Any, ...]
    laws: Laws | None = None

    @classmethod
    def of(cls, problem: Problem, statements: Sequence[Statement], numbers: Sequence[Any]) -> CellProblem:
        """A problem of one material."""
        inside = tuple(s for s in statements if s.kind == "equation")
        return cls(problem, (inside,), tuple((s,) for s in statements if s.kind == "condition"), {}, tuple(numbers))

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
        stated = [c for c in problem.conditions if not c.across]
        conditions = [s for c in stated for s in zip(*(laws.condition(c, m) for m in materials), strict=True)]
        across = {pair: laws.interface(*pair) for pair in domain.interfaces}
        return cls(problem, laws.equations, tuple(conditions), across, tuple(numbers), laws)

    @cached_property
    def views(self) -> tuple[Outlined, ...]:
        """The materials as domains."""
        return material_views(self.problem.domain)

    @cached_property
    def every(self) -> tuple[Statement, ...]:
        """All statements."""
        return tuple(s for some in (*self.equations, *self.conditions, *self.across.values()) for s in some)

    @property
    def linear(self) -> bool:
        """Whether one solve gives the solution."""
        return all(s.equation.linear for s in self.every)

    def places(
        self, statement: Statement, tiles: Tiles, columns: CellColumns, more: int = 0
    ) -> Iterator[tuple[int, np.ndarray, PointSets]]:
        """The points of a condition: each group, the places of the cells in it, and the points there."""
        assert statement.part is not None
        which = tiles.rims_of(self.problem.domain.resolve(statement.part))
        for number, mine, local in columns.sets(tiles.rims_cells[which]):
            count = rim_count(columns.groups[number]) + more
            yield number, local, places_of(statement, tiles, count, which[mine], self.problem.coordinates)
