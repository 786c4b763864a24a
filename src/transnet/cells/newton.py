"""Newton's iteration on one set of cells: each step is a solve for the new function, linearised about the last.

It begins on a low degree, where steps cost little; on the next degree, or on other cells, one or two steps remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.basis import CellBasis
from transnet.cells.estimate import cell_estimate
from transnet.cells.judging import CellJudgement
from transnet.cells.level import JUDGED, CellLevel, solve_cells
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import CellState
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.errors import TransnetError
from transnet.iterate.guess import Source

STEPS = 20
"""The most steps."""
STALLS, FAR = 0.7, 0.3
"""If the third or a later change is larger, in units of the one before, a half of it is taken; a first iteration in
which it is also this large has failed."""
SHORTEST = 1 / 64
"""The shortest part of a step."""
RISES = 1.5
"""By how much what is left of the rows may grow in a full step: the first ones lead through larger residuals."""
PART, UNRESOLVED = 0.1, 0.3
"""How exact the iteration is, in units of the error of its cells, and where these do not reach the goal."""
CLOSE = 0.1
"""A change this much smaller than the one before belongs to quadratic convergence, which predicts the next one."""


class NotConvergedError(TransnetError):
    """An iteration took too many steps."""


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
    stated: CellProblem,
    tiles: Tiles,
    degree: int,
    singular: NearFunctions,
    state: CellState,
    accuracy: float,
    coarser: CellLevel | None = None,
    goal: float = 0.0,
    patient: bool = True,
) -> CellLevel:
    """The solution on cells.

    Parameters
    ----------
    accuracy : float
        The relative accuracy of the iteration that is always enough.
    goal : float
        The error that is sought of the cells.
    patient : bool
        Whether the iteration may take long.
    coarser : optional
        The solution of lower degree: a part of the error that the two show is enough, too. Without it the solution
        itself is only compared with a finer one, and a part of the first change is.
    """
    here = solve_cells(stated, tiles, degree, singular, as_state(state, tiles))
    if stated.linear:
        return here
    first = before = 1.0 if state is None else _change(as_state(state, tiles), here)
    curvature = state.curvature if isinstance(state, CellLevel) and here.columns.unknowns == 1 else np.inf
    coming = min(before * (1.0 if coarser is None else coarser.contraction), curvature * before**2)
    if coming < _enough(here, coarser, first, accuracy, goal):
        return replace(here, coming=coming, curvature=curvature)
    for step in range(STEPS):
        there = solve_cells(stated, tiles, degree, singular, here)
        change = _change(here, there)
        if not np.isfinite(change) or (not patient and step > 1 and change > max(STALLS * before, FAR)):
            break
        moved = _damped(stated, here, there) if change > CLOSE else there
        if step > 1 and change > STALLS * before:  # it goes back and forth
            moved = _part(stated, here, there, 0.5)
        coming = change**2 / before if moved is there and change < CLOSE * before else change
        here = replace(moved, contraction=min(change / before, 1.0), curvature=change / before**2, coming=coming)
        before = change
        if moved is there and coming < _enough(here, coarser, first, accuracy, goal):
            return here
    raise NotConvergedError("Newton's iteration in cells did not converge.")


def _enough(here: CellLevel, coarser: CellLevel | None, first: float, accuracy: float, goal: float) -> float:
    if coarser is None and here.columns.unknowns == 1:  # a step is cheap, and a distance of what is not exact too large
        return accuracy
    error = first if coarser is None else cell_estimate(coarser, here)
    return max(accuracy, (PART if coarser is None or error < goal else UNRESOLVED) * error)


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
        moved = _part(stated, here, there, length)
    return moved


def _part(stated: CellProblem, here: CellLevel, there: CellLevel, length: float) -> CellLevel:
    """The solution after a part of a step."""
    coefficients = here.coefficients + length * (there.coefficients - here.coefficients)
    judged = CellJudgement(stated, here.tiles, here.columns, coefficients[:, None], np.zeros((1, len(here.tiles))))
    return replace(there, coefficients=coefficients, judged=judged, number=0)
