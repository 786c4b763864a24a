"""How well a solution in pieces satisfies everything: at points that were not fitted, on the boundary, across faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.basis.expansion import Slot
from transnet.linalg.sizes import rms
from transnet.pieces.factored import sides_of
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.pieces.system import CellSystem
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual

FEW = 5
"""The number of unfitted points that is enough to judge an equation."""
SIZED, CURVED = 32, 100
"""Points of a cell at which the size and the curvature of a solution are evaluated."""


@dataclass(frozen=True, eq=False)
class Indicated:
    """The indicator of each cell, relative to the size of the solution, and the residual of each statement."""

    cells: np.ndarray
    size: float
    residuals: tuple[Residual, ...]
    steepness: np.ndarray

    @property
    def largest(self) -> float:
        return float(self.cells.max(initial=0.0))


@dataclass
class _Tally:
    rows: int = 0
    squares: float = 0.0
    count: int = 0
    largest: float = 0.0
    terms: float = 0.0
    weight: float = 0.0
    of: dict[int, float] = field(default_factory=dict)
    """How large the factors of the unknowns themselves are, by unknown."""


def indicate(laws: Laws, system: CellSystem, coefficients: Sequence[np.ndarray], numbers: Sequence[Any]) -> Indicated:
    """Judge a solution, as described above."""
    cells, frames = system.cells.cells, system.frames
    eta = np.zeros(len(cells))
    tallies: dict[str, _Tally] = {}
    d = cells[0].centre.size
    steepness = np.zeros((len(cells), d))
    sizes, heights = [], []
    zero = (0,) * d
    across: dict[int, list[np.ndarray]] = {}  # the terms of the rows of faces, by block
    for k, cell in enumerate(cells):
        frame, scale = frames[k], system.scales[k]
        units = frame.units
        points = cell.fresh if len(cell.fresh) >= FEW else cell.inside
        statements = laws.equations[cell.material]
        conditions = system.local[k][len(statements) :]
        sides = [block for _, _, block in sides_of(system, k)]
        blocks = [*(block for _, block in conditions), *sides]
        curved = _curvatures(d, len(units))
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
            values, terms = _residual(next(known), statement, points, numbers)
            _add(tallies, statement.label, values, terms, len(cell.inside), scale.rows[i])
            eta[k] = max(eta[k], scale.rows[i] * rms(values))
        energy = np.sqrt(scale.stiffness)
        for label, block in conditions:
            found = _terms(block, next(known))
            values = sum(found, np.zeros(len(block.points))) - block.right
            terms = max([rms(f) for f in found] + [rms(block.right)])
            _add(tallies, label, values, terms, len(values), float(np.mean(block.weight)))
            for (u, index), c in zip(block.slots, block.coefficients, strict=True):
                if not any(index):
                    tallies[label].of[u] = max(tallies[label].of.get(u, 0.0), rms(np.asarray(c)))
            eta[k] = max(eta[k], float(np.linalg.norm(block.honest * values)) / energy)
        across.update((id(block), _terms(block, next(known))) for block in sides)
        plain = [rms(v) for v in next(known)]
        heights.append(plain)
        sizes.append([v / t for v, t in zip(plain, units, strict=True)])
        steepness[k] = _steepness(frame, curved, next(known))
    for k, face in enumerate(system.cells.faces):
        stiffness = [system.scales[face.first].stiffness, system.scales[face.second].stiffness]
        energy = (stiffness[0] * stiffness[1]) ** 0.25
        worst = 0.0
        for rows in system.faces[k]:
            a, b = across[id(rows.first)], across[id(rows.second)]
            values = sum(a, np.zeros(len(face.points))) + sum(b, np.zeros(len(face.points))) - rows.first.right
            terms = max([rms(f) for f in (*a, *b)] + [rms(rows.first.right)])
            _add(tallies, rows.label, values, terms, len(values), float(np.mean(rows.first.weight)))
            worst = max(worst, float(np.linalg.norm(rows.first.honest * values)) / energy)
        for cell_ in (face.first, face.second):
            eta[cell_] = max(eta[cell_], worst)
    size = float(np.sqrt(np.mean(np.square(sizes), axis=0)).max()) or 1.0
    whole = np.sqrt(np.mean(np.square(heights), axis=0))
    for t in tallies.values():  # u = 0 is satisfied well where u is small beside what it is elsewhere
        t.terms = max([t.terms] + [c * float(whole[u]) for u, c in t.of.items()])
    residuals = tuple(
        Residual(label, t.rows, t.weight, float(np.sqrt(t.squares / max(t.count, 1))), t.largest,
                 float(np.sqrt(t.squares / max(t.count, 1))) / (t.terms or 1.0))
        for label, t in tallies.items()
    )  # fmt: skip
    return Indicated(eta / size, size, residuals, steepness)


def _residual(
    slots: list[np.ndarray], statement: Statement, points: np.ndarray, numbers: Sequence[Any]
) -> tuple[np.ndarray, float]:
    """F at points, and the size of its terms."""
    equation = statement.equation
    values = equation.residual(points, None, numbers, slots)
    factors = equation.jacobian(points, None, numbers, slots)
    right = equation.residual(points, None, numbers)
    return values, max([rms(f * s) for f, s in zip(factors, slots, strict=True)] + [rms(right)])


def _terms(block: RowBlock, values: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The terms of rows, without the weight."""
    return [c * v for c, v in zip(block.coefficients, values, strict=True)]


def _add(tallies: dict[str, _Tally], label: str, values: np.ndarray, terms: float, rows: int, weight: float) -> None:
    tally = tallies.setdefault(label, _Tally())
    tally.rows += rows
    tally.squares += float(np.sum(values**2))
    tally.count += len(values)
    tally.largest = max(tally.largest, float(np.abs(values).max(initial=0.0)))
    tally.terms = max(tally.terms, terms)
    tally.weight = weight


def _curvatures(d: int, unknowns: int) -> list[Slot]:
    """The second derivatives along each axis."""
    return [(u, tuple(2 if j == axis else 0 for j in range(d))) for axis in range(d) for u in range(unknowns)]


def _steepness(frame: Frame, slots: Sequence[Slot], found: Sequence[np.ndarray]) -> np.ndarray:
    """h_j^2 times the second derivative along each axis j, which decides where a cell is cut."""
    total = np.zeros(len(frame.half))
    for (u, index), value in zip(slots, found, strict=True):
        axis = index.index(2)
        total[axis] += rms(value) / frame.units[u] * frame.half[axis] ** 2
    return total
