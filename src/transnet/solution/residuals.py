"""What is left of each statement at points that were not fitted, of a network or of pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from transnet.geometry import Pieces
from transnet.problem import Condition, Jump, piece_of
from transnet.problem.stated import stated_equation
from transnet.rows.collocation import collocate
from transnet.rows.points import portion
from transnet.rows.statements import statements_of
from transnet.solution.expressions import compiled, compiled_on

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

OTHERS = 7919
"""What is added to a seed for other points than those of the solve."""
WITHIN, AROUND = 600, 300
"""Points of the interior and of a part of the boundary at which equations and conditions of pieces are evaluated."""


@dataclass(frozen=True, eq=False)
class Left:
    """The residual of one statement: where, and how much. An equation has no `source`."""

    label: str
    source: Condition | None
    points: np.ndarray
    values: np.ndarray


def left_of(solution: Solution, columns: int, seed: int) -> list[Left]:
    """The residual of each statement at points that were not fitted, as many as for this many columns."""
    problem = solution.problem
    if isinstance(problem.domain, Pieces):
        return [*_inside(solution, problem.domain, seed), *_around(solution, problem.domain, seed)]
    parameters = tuple(solution.parameters.values())
    blocks = collocate(problem, statements_of(problem), columns, None, seed + OTHERS)
    return [
        Left(
            b.statement.label,
            b.statement.source,
            b.points if b.nodes.fold is None else np.empty((0, problem.domain.dimension)),
            b.residual(b.state(solution.basis, solution.coefficients), parameters),
        )
        for b in blocks
    ]


def _inside(solution: Solution, domain: Pieces, seed: int) -> list[Left]:
    points = domain.interior(WITHIN, "random", seed + OTHERS)
    which = domain.nearest(points)
    found = []
    for equation in solution.problem.equations:
        piece = piece_of(equation)
        mine = points if piece is None else points[which == domain.piece_names.index(piece)]
        for stated in stated_equation(equation):
            found.append(Left(stated.label, None, mine, solution.value_of(stated.expression, mine)))
    return found


def _around(solution: Solution, domain: Pieces, seed: int) -> list[Left]:
    """Of conditions on parts of the boundary, on interfaces and at points."""
    found = []
    for condition in solution.problem.conditions:
        part = condition.boundary
        if part is not None:
            surface = domain.boundary(part, AROUND, "random", seed + OTHERS)
            surface = portion(surface, condition.where, solution.problem.coordinates)
            points, normals = surface.points, surface.normals
        elif condition.at_points is not None and not condition.fitted:
            points, normals = condition.at_points, None
        else:
            continue
        for stated in condition.stated(solution.problem, lambda *_: 1):
            look = _across if condition.across else compiled_on
            values = look(solution, stated.expression, part)(points, normals)
            found.append(Left(stated.label, condition, points, values))
    return found


def _across(solution: Solution, expression: sp.Expr, part: str | None) -> Callable[..., np.ndarray]:
    """A condition of an interface: jumps, and the mean of both sides of what is outside of one."""
    sides = solution.problem.domain.sides(part)  # type: ignore[attr-defined]
    each = [
        compiled(solution, expression.replace(Jump, lambda e, turn=turn: turn * e), normals=True).within(side)
        for side, turn in zip(sides, (-2, 2), strict=True)
    ]
    return lambda points, normals: np.mean([side(points, normals) for side in each], axis=0)
