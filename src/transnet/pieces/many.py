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

from transnet.cuts.cells import Cells
from transnet.features.space import FeatureSpace
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.estimate import carried_on, change_between, mean_of, sample_of
from transnet.pieces.factored import Factored, factor_system
from transnet.pieces.indicate import FEW_FRESH, Tally, indicate
from transnet.pieces.laws import Laws
from transnet.pieces.system import CellSystem, write_system
from transnet.prepared.entries import Entry


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
class JudgedMany:
    """k solutions: coefficients (columns, k), their estimated errors (k,), and what is known of each statement."""

    coefficients: np.ndarray
    errors: np.ndarray
    tallies: dict[str, Tally]

    @property
    def rows(self) -> int:
        return sum(t.rows for t in self.tallies.values())

    @property
    def relative(self) -> np.ndarray:
        """The relative residual of each statement: (statements, k)."""
        return np.array([t.numbers[2] for t in self.tallies.values()])


@dataclass(frozen=True, eq=False)
class Both:
    """Two systems on the same cells, factored: that of the solution and a smaller one to compare with."""

    laws: Laws
    cells: Cells
    both: tuple[list[Entry], list[Entry]]
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
            laws, cells, (entries[0], entries[1]), (factored[0], factored[1]), (bases[0], bases[1]), tuple(numbers)
        )  # fmt: skip

    @property
    def entries(self) -> list[Entry]:
        """Those of the solution."""
        return self.both[0]

    @property
    def basis(self) -> PiecewiseBasis:
        """That of the solution."""
        return self.bases[0]

    @cached_property
    def chosen(self) -> list[np.ndarray]:
        """Which points of each entry the smaller networks use."""
        made = []
        for whole, part in zip(*self.both, strict=True):
            place = {p.tobytes(): i for i, p in enumerate(whole.points)}
            made.append(np.array([place[p.tobytes()] for p in part.points], dtype=int))
        return made

    @property
    def weakest(self) -> float:
        return self.factored[0].glue.weakest

    def solve(self, rights: Sequence[np.ndarray]) -> JudgedMany:
        """The solutions for right-hand sides (n, k) at the points of each entry."""
        found = []
        fewer = [right[mine] for right, mine in zip(rights, self.chosen, strict=True)]
        for factored, entries, mine in zip(self.factored, self.both, (rights, fewer), strict=True):
            system = _with_rights(factored.system, entries, mine)
            coefficients = factored.refined(system)
            judged = {
                (e.owner, e.number): right[e.fitted :] if len(right) - e.fitted >= FEW_FRESH else right[: e.fitted]
                for e, right in zip(entries, mine, strict=True)
                if e.place == "cell"
            }
            looked = indicate(self.laws, system, coefficients, self.numbers, judged)
            found.append((np.concatenate(coefficients), looked))
        points, weights = sample_of(self.cells, np.ones(len(self.cells.cells), dtype=bool))
        zero = (0,) * points.shape[1]
        slots = [(u, zero) for u in range(self.bases[0].unknowns)]
        owner = self.bases[0].locate(points)
        new, old = (b.derivatives(c, points, slots, owner) for b, (c, _) in zip(self.bases, found, strict=True))
        now, before = ((looked.cells.max(axis=0), mean_of(self.cells, looked.cells)) for _, looked in found)
        error = carried_on(change_between(old, new, weights), before, now)
        return JudgedMany(found[0][0], error, found[0][1].tallies)


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
