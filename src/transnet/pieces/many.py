"""Many right-hand sides of one linear problem on one set of cells at once, and what is known about each solution.

The cells, their rows and the glue are kept, along with a second system of smaller networks on the same cells with some
of the interior points: the distance between the two solutions, and the ratio of their residuals, give the error. With
all of the points both would be wrong in the same way, and agree too well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from transnet.features.space import FeatureSpace
from transnet.linalg.sizes import each_rms
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.cells import Cells
from transnet.pieces.estimate import carried_on, change_between, mean_of, sample_of
from transnet.pieces.factored import Factored, factor_system
from transnet.pieces.indicate import FEW
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.pieces.system import CellSystem, write_system
from transnet.rows.statements import Statement
from transnet.solution.diagnostics import Residual


@dataclass(frozen=True, eq=False)
class Entry:
    """A block of rows that something is stated in: of a cell, a face or a mean value, and its number there.

    `points` are those of the rows, followed by those at which an equation is only judged.
    """

    place: str
    owner: int
    number: int
    label: str
    statement: Statement
    points: np.ndarray
    normals: np.ndarray | None
    fitted: int
    values: np.ndarray | None = None


def thinner(cells: Cells) -> Cells:
    """The same cells with two of three interior points: the first ones."""
    made = [replace(cell, inside=cell.inside[: max(len(cell.inside) * 2 // 3, 3)]) for cell in cells.cells]
    return replace(cells, cells=made)


def entries_of(system: CellSystem) -> list[Entry]:
    """All entries, in the order of the system."""
    found = []
    for k, blocks in enumerate(system.local):
        cell = system.cells.cells[k]
        for i, (label, b) in enumerate(blocks):
            assert b.statement is not None
            inside = b.points is cell.inside and b.statement.source is None
            points = np.concatenate([b.points, cell.fresh]) if inside else b.points
            found.append(Entry("cell", k, i, label, b.statement, points, b.normals, len(b.points), b.values))
    for k, face in enumerate(system.faces):
        for i, rows in enumerate(face):
            b = rows.first
            if b.statement is not None:
                found.append(Entry("face", k, i, rows.label, b.statement, b.points, b.normals, len(b.points)))
    for k, row in enumerate(system.means):
        for q, b in row.items():
            assert b.statement is not None
            found.append(Entry("mean", k, q, b.statement.label, b.statement, b.points, None, len(b.points)))
    return found


@dataclass(frozen=True, eq=False)
class Judged:
    """k solutions: coefficients (columns, k), their estimated errors (k,), and residuals by label, each (3, k).

    A residual has its root mean square, its largest value, and the former relative to the terms of the statement.
    """

    coefficients: np.ndarray
    errors: np.ndarray
    labels: tuple[str, ...]
    rows: tuple[int, ...]
    residuals: np.ndarray

    def residuals_of(self, i: int) -> tuple[Residual, ...]:
        return tuple(
            Residual(label, rows, 1.0, *map(float, self.residuals[j, :, i]))
            for j, (label, rows) in enumerate(zip(self.labels, self.rows, strict=True))
        )


@dataclass(frozen=True, eq=False)
class Both:
    """Two systems on the same cells, factored: that of the solution and a smaller one to compare with."""

    cells: Cells
    entries: tuple[list[Entry], list[Entry]]
    factored: tuple[Factored, Factored]
    bases: tuple[PiecewiseBasis, PiecewiseBasis]
    numbers: tuple[Any, ...]

    @classmethod
    def of(cls, laws: Laws, cells: Cells, spaces: Sequence[FeatureSpace], numbers: Sequence[Any]) -> Both:
        both = cells, thinner(cells)
        systems = [write_system(laws, c, space, numbers) for c, space in zip(both, spaces, strict=True)]
        entries = [entries_of(system) for system in systems]
        factored = [factor_system(system) for system in systems]
        bases = [PiecewiseBasis.of(cells, space, len(laws.problem.unknowns)) for space in spaces]
        return cls(
            cells, (entries[0], entries[1]), (factored[0], factored[1]), (bases[0], bases[1]), tuple(numbers)
        )  # fmt: skip

    @cached_property
    def chosen(self) -> list[np.ndarray]:
        """Which points of each entry the smaller networks use."""
        made = []
        for whole, part in zip(*self.entries, strict=True):
            place = {p.tobytes(): i for i, p in enumerate(whole.points)}
            made.append(np.array([place[p.tobytes()] for p in part.points], dtype=int))
        return made

    @property
    def weakest(self) -> float:
        return self.factored[0].glue.weakest

    def solve(self, rights: Sequence[np.ndarray]) -> Judged:
        """The solutions for right-hand sides (n, k) at the points of each entry."""
        found = []
        fewer = [right[mine] for right, mine in zip(rights, self.chosen, strict=True)]
        for factored, entries, mine in zip(self.factored, self.entries, (rights, fewer), strict=True):
            system = _with_rights(factored.system, entries, mine)
            coefficients = factored.refined(system)
            found.append((coefficients, *_looked_at(system, entries, mine, coefficients, self.numbers)))
        points, weights = sample_of(self.cells, np.ones(len(self.cells.cells), dtype=bool))
        zero = (0,) * points.shape[1]
        slots = [(u, zero) for u in range(self.bases[0].unknowns)]
        owner = self.bases[0].locate(points)
        flat = [np.concatenate(coefficients) for coefficients, _, _ in found]
        new, old = (b.derivatives(c, points, slots, owner) for b, c in zip(self.bases, flat, strict=True))
        now, before = ((eta.max(axis=0), mean_of(self.cells, eta)) for _, eta, _ in found)
        error = carried_on(change_between(old, new, weights), before, now)
        tallies = found[0][2]
        table = np.array([t.numbers for t in tallies.values()])
        return Judged(flat[0], error, tuple(tallies), tuple(t.rows for t in tallies.values()), table)


def _with_rights(system: CellSystem, entries: Sequence[Entry], rights: Sequence[np.ndarray]) -> CellSystem:
    """The system with other right-hand sides."""
    local, faces = [list(b) for b in system.local], [list(f) for f in system.faces]
    means = [dict(row) for row in system.means]
    for entry, right in zip(entries, rights, strict=True):
        mine = right[: entry.fitted]
        if entry.place == "cell":
            label, block = local[entry.owner][entry.number]
            local[entry.owner][entry.number] = label, replace(block, right=mine)
        elif entry.place == "face":
            rows = faces[entry.owner][entry.number]
            faces[entry.owner][entry.number] = replace(rows, first=replace(rows.first, right=mine))
        else:
            means[entry.owner][entry.number] = replace(means[entry.owner][entry.number], right=mine)
    return replace(system, local=local, faces=faces, means=means)


class _Tally:
    """What is known about a statement in all of its places, for each of k solutions."""

    def __init__(self, count: int) -> None:
        self.rows = self.points = 0
        self.squares, self.largest, self.terms = np.zeros((3, count))

    def add(self, values: np.ndarray, terms: np.ndarray, rows: int) -> None:
        self.rows += rows
        self.points += len(values)
        self.squares += np.sum(values**2, axis=0)
        self.largest = np.maximum(self.largest, np.abs(values).max(axis=0, initial=0.0))
        self.terms = np.maximum(self.terms, terms)

    @property
    def numbers(self) -> np.ndarray:
        rms = np.sqrt(self.squares / max(self.points, 1))
        return np.array([rms, self.largest, rms / np.where(self.terms > 0, self.terms, 1.0)])


def _looked_at(
    system: CellSystem,
    entries: Sequence[Entry],
    rights: Sequence[np.ndarray],
    coefficients: Sequence[np.ndarray],
    numbers: Sequence[Any],
) -> tuple[np.ndarray, dict[str, _Tally]]:
    """The indicator (cells, k) of k solutions, relative to their sizes, and the residuals of the statements."""
    cells, frames = system.cells.cells, system.frames
    count = coefficients[0].shape[1]
    eta = np.zeros((len(cells), count))
    tallies: dict[str, _Tally] = {}

    def add(label: str, values: np.ndarray, terms: np.ndarray, rows: int) -> None:
        tallies.setdefault(label, _Tally(count)).add(values, terms, rows)

    for entry, right in zip(entries, rights, strict=True):
        if entry.place != "cell":
            continue
        k = entry.owner
        block, scale = system.local[k][entry.number][1], system.scales[k]
        if len(entry.points) - entry.fitted >= FEW:  # an equation is judged where it was not fitted
            fresh = entry.points[entry.fitted :]
            factors = tuple(entry.statement.equation.jacobian(fresh, None, numbers))
            block = replace(block, points=fresh, right=right[entry.fitted :], coefficients=factors)
        values, terms = _missed(frames[k], coefficients[k], block)
        values = values - block.right
        terms = np.maximum(terms, each_rms(block.right))
        add(entry.label, values, terms, entry.fitted)
        if entry.statement.source is None:
            worst = scale.rows[entry.number] * each_rms(values)
        else:
            worst = np.linalg.norm((block.honest * values.T).T, axis=0) / np.sqrt(scale.stiffness)
        eta[k] = np.maximum(eta[k], worst)
    for k, face in enumerate(system.cells.faces):
        energy = (system.scales[face.first].stiffness * system.scales[face.second].stiffness) ** 0.25
        for rows in system.faces[k]:
            a, terms_a = _missed(frames[face.first], coefficients[face.first], rows.first)
            b, terms_b = _missed(frames[face.second], coefficients[face.second], rows.second)
            right = rows.first.right.reshape(len(a), -1)
            values = a + b - right
            add(rows.label, values, np.maximum(np.maximum(terms_a, terms_b), each_rms(right)), len(values))
            worst = np.linalg.norm((rows.first.honest * values.T).T, axis=0) / energy
            for cell in (face.first, face.second):
                eta[cell] = np.maximum(eta[cell], worst)
    return eta / _sizes(system, coefficients), tallies


def _missed(frame: Frame, coefficients: np.ndarray, block: RowBlock) -> tuple[np.ndarray, np.ndarray]:
    """The sum of the terms of rows for coefficients (n, k), and the size of the largest of them."""
    values = frame.values(coefficients, block.points, block.slots)
    terms = [(np.asarray(c) * v.T).T for c, v in zip(block.coefficients, values, strict=True)]
    return sum(terms, np.zeros((len(block.points), coefficients.shape[1]))), np.max(
        [each_rms(t) for t in terms], axis=0
    )


def _sizes(system: CellSystem, coefficients: Sequence[np.ndarray]) -> np.ndarray:
    """The size of each of k solutions, in the units of the cells: that of the largest unknown."""
    zero = (0,) * system.cells.cells[0].centre.size
    squares = []
    for cell, frame, mine in zip(system.cells.cells, system.frames, coefficients, strict=True):
        here = frame.values(mine, cell.inside[:32], [(u, zero) for u in range(len(frame.units))])
        squares.append([np.mean((v / t) ** 2, axis=0) for v, t in zip(here, frame.units, strict=True)])
    size = np.sqrt(np.mean(squares, axis=0)).max(axis=0)
    return np.where(size > 0, size, 1.0)
