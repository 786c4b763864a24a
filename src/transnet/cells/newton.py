"""Newton's iteration on one set of cells: each step is a solve for the new function, linearised about the last.

It begins on a low degree, where steps cost little; on the next degree, or on other cells, one or two steps remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.basis import CellBasis
from transnet.cells.level import JUDGED, CellLevel, judge_cells, solve_cells
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import CellState
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.errors import TransnetError
from transnet.iterate.guess import Source

STEPS = 20
"""The most steps."""
SHORTEST = 1 / 64
"""The shortest part of a step."""
RISES = 1.5
"""By how much what is left of the rows may grow in a full step: the first ones lead through larger residuals."""
CLOSE = 0.1
"""A change this much smaller than the one before belongs to quadratic convergence, which predicts the next one."""


@dataclass(frozen=True, eq=False)
class OtherCells:
    """A solution on other cells as a state."""

    level: CellLevel

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        basis = CellBasis(self.level.tiles.seeds, self.level.columns, self.level.domain)
        found = basis.derivatives(self.level.coefficients, points.reshape(-1, 2), slots)
        return [v.reshape(points.shape[:2]) for v in found]


@dataclass(frozen=True, eq=False)
class GuessedState:
    """A guess of the user as a state."""

    source: Source

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        return [np.broadcast_to(v, points[..., 0].size).reshape(points.shape[:2])
                for v in self.source(points.reshape(-1, 2), slots)]  # fmt: skip


def as_state(state: CellState, tiles: Tiles) -> CellState:
    """A state on cells: a level on the same ones is evaluated directly."""
    return OtherCells(state) if isinstance(state, CellLevel) and state.tiles is not tiles else state


def iterate_cells(
    stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions, state: CellState, accuracy: float
) -> CellLevel:
    """The solution on cells, to a relative accuracy of the iteration."""
    here = solve_cells(stated, tiles, degree, singular, as_state(state, tiles))
    if stated.linear:
        return here
    before = 1.0 if state is None else _change(as_state(state, tiles), here)
    if before < accuracy:
        return here
    for _ in range(STEPS):
        there = solve_cells(stated, tiles, degree, singular, here)
        change = _change(here, there)
        if not np.isfinite(change):
            break
        moved = _damped(stated, here, there) if change > CLOSE else there
        coming = change**2 / before if moved is there and change < CLOSE * before else change
        here, before = moved, change
        if moved is there and coming < accuracy:
            return here
    raise TransnetError("Newton's iteration in cells did not converge.")


def _change(before: CellState, after: CellLevel) -> float:
    """The relative change of the unknowns, the largest of them."""
    tiles = after.tiles
    cells = np.arange(len(tiles))
    points = tiles.inside(cells, JUDGED)
    slots = [(u, (0, 0)) for u in range(after.columns.unknowns)]
    old, new = (s.values(points, cells, slots) for s in (before, after))
    return max(float(np.linalg.norm(a - b) / (np.linalg.norm(b) or 1.0)) for a, b in zip(old, new, strict=True))


def _damped(stated: CellProblem, here: CellLevel, there: CellLevel) -> CellLevel:
    """The full step, or the longest part of it with which what is left of the rows does not grow."""
    limit = RISES * float(np.linalg.norm(here.left))
    length, moved = 1.0, there
    while not float(np.linalg.norm(moved.left)) < limit and length > SHORTEST:
        length /= 2
        coefficients = here.coefficients + length * (there.coefficients - here.coefficients)
        left, residuals = judge_cells(stated, here.tiles, here.columns, coefficients[:, None])
        moved = replace(there, coefficients=coefficients, left=np.sqrt(left[0]), residuals=residuals)
    return moved
