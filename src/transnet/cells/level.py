"""One solution on one set of cells: rows, reduction, glue, and how well it satisfies everything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cells.basis import CellBasis
from transnet.cells.columns import STEP, CellColumns
from transnet.cells.fit import CellRows
from transnet.cells.joined import Fitted, JoinedCells
from transnet.cells.judging import CellJudgement
from transnet.cells.near import NearFunctions
from transnet.cells.reduce import CellState
from transnet.cells.stated import CellProblem
from transnet.cells.tiles import Tiles
from transnet.geometry import Domain
from transnet.rows.averages import averaging_rule
from transnet.solution.diagnostics import Residual

JUDGED = 16
"""Points of a cell at which two solutions are compared."""
NODES = 6000
"""Nodes of a mean over the domain: nine digits of a logarithm around a hole, seven with 2,000; more around corners."""


@dataclass(frozen=True, eq=False)
class CellLevel:
    """A solution on cells.

    Parameters
    ----------
    judged : CellJudgement
        How well it satisfies everything, and how well others of the same rows do, of which it is a `number`.
    count : int
        The number of rows.
    pivot : float
        The smallest of the glue.
    contraction, curvature, coming
        By how much the last step of an iteration was smaller than the one before, the same in units of that, and what
        is left of the iteration.
    jumps : (n, 2) array
        Where boundary values jump.
    joined, over
        From which solutions of lower degrees follow, and what is left on faces.
    lower : int
        By how much the degree of its polynomials is lower than that of its columns.
    """

    tiles: Tiles
    columns: CellColumns
    coefficients: np.ndarray
    judged: CellJudgement | None = None
    number: int = 0
    count: int = 0
    domain: Domain | None = None
    pivot: float = 1.0
    contraction: float = 1.0
    curvature: float = np.inf
    coming: float = 0.0
    jumps: np.ndarray = field(default_factory=lambda: np.zeros((0, 2)))
    joined: JoinedCells | None = None
    over: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 0)))
    lower: int = 0

    @property
    def left(self) -> np.ndarray:
        """What is left of all rows in each cell: (k,)."""
        assert self.judged is not None
        return self.judged.left[self.number]

    @property
    def residuals(self) -> tuple[Residual, ...]:
        """What is left of each statement by the first solution of the same rows."""
        assert self.judged is not None
        return self.judged.residuals

    @property
    def apart(self) -> float:
        """How far it is from the first solution of the same rows."""
        return 0.0 if self.judged is None else float(self.judged.apart[self.number])

    @property
    def degree(self) -> int:
        """The degree of its polynomials."""
        return self.columns.degree - self.lower

    def values(self, points: np.ndarray, cells: np.ndarray, slots: Sequence[Slot]) -> list[np.ndarray]:
        """D^k u_i at points (sets, m, 2) of cells."""
        return self.columns.values(self.coefficients, points, cells, slots)


def solve_cells(
    stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions, state: CellState = None
) -> CellLevel:
    """Solve the problem, linearised about a state, on cells with polynomials of a degree."""
    before = state.joined.rows if isinstance(state, CellLevel) and state.joined is not None else None
    if before is None or not before.serves(stated, tiles, degree):
        before = None
    columns = CellColumns.of(tiles, degree, stated.orders, singular) if before is None else before.columns
    rows = CellRows.of(stated, tiles, columns, state, before=before)
    joined = JoinedCells.of(rows)
    return _fitted(stated, joined, [joined.fit()])[0]


def nested_levels(
    stated: CellProblem, tiles: Tiles, degree: int, singular: NearFunctions, known: CellLevel | None = None
) -> list[CellLevel]:
    """The solution of a linear problem, or one that is known, and that of the same rows with polynomials of a lower
    degree, in the same columns."""
    if known is None:
        rows = CellRows.of(stated, tiles, CellColumns.of(tiles, degree, stated.orders, singular))
        joined = JoinedCells.of(rows)
        return _fitted(stated, joined, [joined.fit(), joined.lowered(1)])
    assert known.joined is not None
    own = Fitted(known.coefficients[:, None], known.over, known.pivot)
    first, second = _fitted(stated, known.joined, [own, known.joined.lowered(1)])
    return [replace(first, curvature=known.curvature, coming=known.coming), second]


def lower_level(stated: CellProblem, known: CellLevel, steps: int) -> CellLevel:
    """The solution of the same rows as a known one with polynomials of a lower degree."""
    assert known.joined is not None
    return _fitted(stated, known.joined, [known.joined.lowered(steps)])[0]


def _fitted(stated: CellProblem, joined: JoinedCells, found: Sequence[Fitted]) -> list[CellLevel]:
    """Solutions of the same rows, each of a lower degree than the one before."""
    rows = joined.rows
    tiles, columns = rows.tiles, rows.columns
    several = with_means(stated, tiles, columns, np.concatenate([f.coefficients for f in found], axis=1))
    judged = CellJudgement(stated, tiles, columns, several, np.array([_on_faces(tiles, f.over) for f in found]))
    return [
        CellLevel(
            tiles, columns, c, judged, number, rows.count + f.over.size, stated.problem.domain, f.pivot,
            jumps=stated.jumps, joined=joined, over=f.over, lower=number * STEP,
        )
        for number, (f, c) in enumerate(zip(found, several.T, strict=True))
    ]  # fmt: skip


def _on_faces(tiles: Tiles, over: np.ndarray) -> np.ndarray:
    """The squares of what is left on faces, half for each of their cells."""
    squares = 0.5 * np.sum(over**2, axis=(1, 2))
    return np.bincount(tiles.pairs.ravel(), np.repeat(squares, 2), len(tiles))


def with_means(stated: CellProblem, tiles: Tiles, columns: CellColumns, coefficients: np.ndarray) -> np.ndarray:
    """The same with constants added to unknowns whose means are stated."""
    if not stated.means:
        return coefficients
    basis = CellBasis(tiles.seeds, columns, stated.problem.domain)
    shifts = mean_shifts(stated, basis, coefficients)
    return coefficients + sum(np.outer(basis.constant(u), shift) for u, shift in shifts.items())


def mean_shifts(
    stated: CellProblem, basis: CellBasis, coefficients: np.ndarray, rights: Sequence[np.ndarray] | None = None
) -> dict[int, np.ndarray]:
    """The constants (r,) that are added to unknowns whose means are stated; `rights` (nodes, r) are other values of
    these than their own."""
    if not stated.means:
        return {}
    nodes, weights = mean_rule(stated, basis)
    found = {}
    for k, s in enumerate(stated.means):
        value = basis.derivatives(coefficients, nodes, s.equation.slots)[0]
        right = -s.equation.residual(nodes, None, stated.numbers)[:, None] if rights is None else rights[k]
        factor = np.broadcast_to(s.equation.jacobian(nodes, None, stated.numbers)[0], len(nodes))
        found[s.equation.slots[0][0]] = weights @ (right - factor[:, None] * value) / (weights @ factor)
    return found


def mean_rule(stated: CellProblem, basis: CellBasis) -> tuple[np.ndarray, np.ndarray]:
    """The nodes and weights of means over the domain."""
    return averaging_rule(stated.problem.domain, NODES, basis.foci)
