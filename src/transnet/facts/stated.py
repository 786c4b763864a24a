"""What is stated where: the equations of each material, and the conditions on each part of the outer boundary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from transnet.geometry import Pieces, Surface
from transnet.problem import Condition, Problem, expressions_of, in_piece, on, piece_of
from transnet.rows.points import where_mask
from transnet.rows.statements import Statement, statements_of

INTO = 1e-6
"""How far inside a point of the boundary its material is looked up, in units of the domain's box."""
TIMES = ("t", "time", "tau")
"""Names of coordinates that may be time if there are others."""


@dataclass(frozen=True, eq=False)
class Holding:
    """A statement of a condition and the parts of the boundary on which it holds."""

    statement: Statement
    parts: tuple[str, ...]
    where: sp.Basic | None

    def holds(self, points: np.ndarray, coordinates: tuple[sp.Symbol, ...]) -> np.ndarray:
        """Whether it holds at points of its parts."""
        return where_mask(self.where, coordinates, points)


@dataclass(frozen=True, eq=False)
class Material:
    """The equations of a material and the conditions on the outer boundary.

    Parameters
    ----------
    problem : Problem
        That of the material; the same as `whole` if there is one only.
    elsewhere : tuple of Statement
        What holds neither inside nor on a part of the boundary.
    fields : tuple of int
        The numbers of the unknowns that are fields of all coordinates.
    """

    whole: Problem
    problem: Problem
    equations: tuple[Statement, ...]
    conditions: tuple[Holding, ...]
    elsewhere: tuple[Statement, ...]
    fields: tuple[int, ...]

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the outer boundary."""
        return tuple(p for p in self.whole.domain.parts if "|" not in p)

    def own(self, surface: Surface) -> np.ndarray:
        """Which points of the outer boundary belong to this material."""
        if self.problem is self.whole:
            return np.ones(len(surface.points), dtype=bool)
        step = INTO * np.ptp(self.whole.domain.bounds, axis=0)
        return self.problem.domain.contains(surface.points - step * surface.normals)


def stated_in_pieces(problem: Problem) -> list[Material]:
    """What is stated in a domain of one material, or in each of several."""
    if not isinstance(problem.domain, Pieces):
        return [_stated(problem, problem, problem.conditions)]
    found = []
    outer = [c for c in problem.conditions if c.boundary is not None and not c.across]
    for name, shape in problem.domain.shapes:
        equations = [
            in_piece(e, name) for q in problem.equations if piece_of(q) in (None, name) for e in expressions_of(q)
        ]
        here = [on("boundary", *(in_piece(e, name) for e in c.expressions())) for c in outer]
        found.append(_stated(problem, Problem(shape, equations, here, problem.unknowns), outer))
    return found


def _stated(whole: Problem, own: Problem, conditions: Sequence[Condition]) -> Material:
    statements = statements_of(own)
    stated = dict(zip(map(id, own.conditions), conditions, strict=True))
    holding, elsewhere = [], []
    for s in statements:
        if s.source is None:
            continue
        if s.part is None:
            elsewhere.append(s)
        else:
            condition = stated[id(s.source)]
            holding.append(Holding(s, condition.parts(whole), condition.where))
    equations = tuple(s for s in statements if s.kind == "equation")
    fields = tuple(k for k, u in enumerate(own.unknowns) if len(u.args) == len(own.coordinates))
    return Material(whole, own, equations, tuple(holding), tuple(elsewhere), fields)


def time_axis(problem: Problem) -> int | None:
    """The number of the coordinate of time, if there is one beside others."""
    names = [c.name for c in problem.coordinates]
    return next((names.index(n) for n in TIMES if n in names and len(names) > 1), None)
