"""How well a solution in pieces satisfies everything: at points that were not fitted, on the boundary, across faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.cuts.cells import Cell
from transnet.linalg.sizes import each_rms, rms
from transnet.pieces.factored import sides_of
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.pieces.system import CellSystem
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual

FEW_FRESH = 5
"""The number of unfitted points that is enough to judge an equation."""
SIZED, CURVED = 32, 100
"""Points of a cell at which the size and the curvature of a solution are evaluated."""


@dataclass
class Tally:
    """What is known of a statement in all of its places, of one solution or of each of k."""

    rows: int = 0
    points: int = 0
    weight: float = 0.0
    squares: Any = 0.0
    largest: Any = 0.0
    terms: Any = 0.0
    of: dict[int, float] = field(default_factory=dict)
    """How large the factors of the unknowns themselves are, by unknown."""

    def add(self, values: np.ndarray, terms: Any, rows: int, weight: float) -> None:
        """Count one place: what is left at its points, (n,) or (n, k), and the size of the largest term."""
        self.rows += rows
        self.points += len(values)
        self.weight = weight
        self.squares = self.squares + np.sum(values**2, axis=0)
        self.largest = np.maximum(self.largest, np.abs(values).max(axis=0, initial=0.0))
        self.terms = np.maximum(self.terms, terms)

    @property
    def numbers(self) -> np.ndarray:
        """The root mean square, the largest value, and the former relative to the terms: (3,) or (3, k)."""
        size = np.sqrt(self.squares / max(self.points, 1))
        return np.array([size, self.largest, size / np.where(self.terms > 0, self.terms, 1.0)])


@dataclass(frozen=True, eq=False)
class Indicated:
    """The indicator of each cell, relative to the size of the solution, and what is known of each statement.

    Of k solutions all arrays have a last axis for them.
    """

    cells: np.ndarray
    size: Any
    tallies: dict[str, Tally]
    steepness: np.ndarray

    @property
    def largest(self) -> float:
        return float(self.cells.max(initial=0.0))

    @property
    def residuals(self) -> tuple[Residual, ...]:
        """The residual of each statement, of a single solution."""
        return residuals_of(self.tallies)


def residuals_of(tallies: Mapping[str, Tally], which: tuple[int, ...] = ()) -> tuple[Residual, ...]:
    """The residual of each statement; of several solutions that of number `which`."""
    return tuple(
        Residual(label, t.rows, t.weight, *(float(number[which]) for number in t.numbers))
        for label, t in tallies.items()
    )


def indicate(
    laws: Laws,
    system: CellSystem,
    coefficients: Sequence[np.ndarray],
    numbers: Sequence[Any],
    rights: Mapping[tuple[int, int], np.ndarray] | None = None,
) -> Indicated:
    """Look at a solution, coefficients (n,) of each cell, or at k solutions of a linear problem, (n, k).

    Of several solutions `rights` are the right-hand sides of the equations, by cell and number, at the points where
    they are judged: at fresh ones if there are enough.
    """
    cells, frames = system.cells.cells, system.frames
    several = coefficients[0].shape[1:]
    d = cells[0].centre.size
    eta, steepness = np.zeros((len(cells), *several)), np.zeros((len(cells), d))
    tallies: dict[str, Tally] = {}
    sizes, heights = [], []
    zero = (0,) * d
    across: dict[int, list[np.ndarray]] = {}  # the terms of the rows of faces, by block
    for k, cell in enumerate(cells):
        frame, scale = frames[k], system.scales[k]
        units = frame.units
        points = judged_at(cell)
        statements = laws.equations[cell.material]
        conditions = system.local[k][len(statements) :]
        sides = [block for _, _, block in sides_of(system, k)]
        blocks = [*(block for _, block in conditions), *sides]
        curved = curvatures(d, len(units)) if rights is None else []
        known = iter(
            frame.asked(
                coefficients[k],
                [
                    *((points, s.equation.slots) for s in statements),
                    *((block.points, block.slots) for block in blocks),
                    (cell.inside[:SIZED], [(u, zero) for u in range(len(units))]),
                    (cell.inside[:CURVED], curved),
                ],
            )
        )
        for i, statement in enumerate(statements):
            slots = next(known)
            if rights is None:
                values, terms = _residual(slots, statement, points, numbers)
            else:
                factors = statement.equation.jacobian(points, None, numbers)
                values, terms = _left(_times(factors, slots), rights[k, i], several)
            tallies.setdefault(statement.label, Tally()).add(values, terms, len(cell.inside), scale.rows[i])
            eta[k] = np.maximum(eta[k], scale.rows[i] * each_rms(values))
        for label, block in conditions:
            values, terms = _left(_times(block.coefficients, next(known)), block.right, several)
            tally = tallies.setdefault(label, Tally())
            tally.add(values, terms, len(values), float(np.mean(block.weight)))
            for (u, index), c in zip(block.slots, block.coefficients, strict=True):
                if not any(index):
                    tally.of[u] = max(tally.of.get(u, 0.0), float(rms(c)))
            eta[k] = np.maximum(eta[k], _norm(block, values) / np.sqrt(scale.stiffness))
        across.update((id(block), _times(block.coefficients, next(known))) for block in sides)
        heights.append([each_rms(v) for v in next(known)])
        sizes.append([v / t for v, t in zip(heights[-1], units, strict=True)])
        steepness[k] = steepness_of(frame, curved, next(known))
    for k, face in enumerate(system.cells.faces):
        energy = (system.scales[face.first].stiffness * system.scales[face.second].stiffness) ** 0.25
        for rows in system.faces[k]:
            both = [*across[id(rows.first)], *across[id(rows.second)]]
            values, terms = _left(both, rows.first.right, several)
            tallies.setdefault(rows.label, Tally()).add(values, terms, len(values), float(np.mean(rows.first.weight)))
            worst = _norm(rows.first, values) / energy
            for number in (face.first, face.second):
                eta[number] = np.maximum(eta[number], worst)
    whole = rms(np.array(heights), axis=0)
    for tally in tallies.values():  # u = 0 is satisfied well where u is small beside what it is elsewhere
        tally.terms = np.max([tally.terms, *(c * whole[u] for u, c in tally.of.items())], axis=0)
    size = rms(np.array(sizes), axis=0).max(axis=0)
    size = np.where(size > 0, size, 1.0)
    return Indicated(eta / size, size, tallies, steepness)


def judged_at(cell: Cell) -> np.ndarray:
    """The points at which equations are judged: those that were not fitted, if there are enough."""
    return cell.fresh if len(cell.fresh) >= FEW_FRESH else cell.inside


def _residual(
    slots: list[np.ndarray], statement: Statement, points: np.ndarray, numbers: Sequence[Any]
) -> tuple[np.ndarray, float]:
    """F at points, and the size of its terms."""
    equation = statement.equation
    values = equation.residual(points, None, numbers, slots)
    factors = equation.jacobian(points, None, numbers, slots)
    right = equation.residual(points, None, numbers)
    return values, max([rms(f * s) for f, s in zip(factors, slots, strict=True)] + [rms(right)])


def _times(coefficients: Sequence[Any], values: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The terms of rows, without the weight."""
    return [(np.asarray(c) * v.T).T for c, v in zip(coefficients, values, strict=True)]


def _left(terms: Sequence[np.ndarray], right: np.ndarray, several: tuple[int, ...]) -> tuple[np.ndarray, Any]:
    """What the terms of rows leave of their right-hand sides, and the size of the largest of all."""
    right = right.reshape(len(right), *(() if not several else (-1,)))
    values = sum(terms, np.zeros((len(right), *several))) - right
    return values, np.max([np.broadcast_to(each_rms(t), several) for t in (*terms, right)], axis=0)


def _norm(block: RowBlock, values: np.ndarray) -> Any:
    return np.linalg.norm((block.honest * values.T).T, axis=0)


def curvatures(d: int, unknowns: int) -> list[Slot]:
    """The second derivatives along each axis."""
    return [(u, tuple(2 if j == axis else 0 for j in range(d))) for axis in range(d) for u in range(unknowns)]


def steepness_of(frame: Frame, slots: Sequence[Slot], found: Sequence[np.ndarray]) -> np.ndarray:
    """h_j^2 times the second derivative along each axis j, which decides where a cell is cut."""
    total = np.zeros(len(frame.half))
    for (u, index), value in zip(slots, found, strict=True):
        axis = index.index(2)
        total[axis] += rms(value) / frame.units[u] * frame.half[axis] ** 2
    return total
