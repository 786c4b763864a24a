"""A system solved: alike cells reduced once, all of them glued, and coefficients for any right-hand sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from transnet.engines.distributed import Distributed
from transnet.pieces.glue import REFINED, Glue, Joint, factor
from transnet.pieces.local import Frame, Reduced, RowBlock, likeness, reduce_cell
from transnet.pieces.system import CellSystem


@dataclass(eq=False)
class Factored:
    """A system whose cells are reduced and glued: it solves for any right-hand sides."""

    system: CellSystem
    reduced: list[Reduced]
    glue: Glue
    distinct: int
    mean_fixed: list[dict[int, np.ndarray]]

    def refined(self, system: CellSystem) -> list[np.ndarray]:
        """The same as `solve`, with one step of refinement on the original rows.

        The reductions leave rounding errors, which the flux of a cell that is 10^4 times as stiff as its neighbour
        amplifies: the step reduced the error of such an inclusion from 6e-9 to 2e-11.
        """
        first = self.solve(system)
        more = self.solve(missing(system, first))
        return [a + b for a, b in zip(first, more, strict=True)]

    def solve(self, system: CellSystem, steps: int = REFINED) -> list[np.ndarray]:
        """The coefficients of each cell for the right-hand sides of a system with the same matrix.

        Right-hand sides (n, k) of the cells give coefficients (columns, k). `steps` of refinement remove the rounding
        of the glue.
        """
        rights = [_right([b for _, b in blocks]) for blocks in system.local]
        several = max((r.shape[1:] for r in rights), key=len)
        across = [
            np.concatenate([np.broadcast_to(r.first.weighted.T, (*several[::-1], len(r.first.points))).T for r in rows])
            for rows in system.faces
        ]
        means = np.zeros((len(system.means), *several))
        for k, row in enumerate(system.means):
            means[k] = sum(b.weighted.sum(axis=0) for b in row.values())
        return self.solved(rights, across, means, steps)

    def solved(
        self, rights: Sequence[np.ndarray], across: Sequence[np.ndarray], means: np.ndarray, steps: int = REFINED
    ) -> list[np.ndarray]:
        """The same for right-hand sides of cells, faces and means that already have their weights."""
        both = [r.projected(b) for r, b in zip(self.reduced, rights, strict=True)]
        kept, fixed = [k for k, _ in both], [f for _, f in both]
        traces = np.concatenate([r.fixed_traces @ f for r, f in zip(self.reduced, fixed, strict=True)])
        jumps = [g - traces[i] - traces[j] for g, (i, j) in zip(across, self._where, strict=True)]
        means = np.array(means, dtype=float)
        for k, row in enumerate(self.mean_fixed):
            means[k] -= sum(seen @ fixed[q] for q, seen in row.items())
        z = self.glue.solve(kept, jumps, means, steps)
        return [
            (r.back(x, f).T * np.repeat(frame.units, frame.space.size)).T
            for r, x, f, frame in zip(self.reduced, z, fixed, self.system.frames, strict=True)
        ]

    @cached_property
    def _where(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The position of each face's rows among the traces of all cells, on its first and on its second side."""
        ends = np.cumsum([len(r.fixed_traces) for r in self.reduced])
        numbers = np.split(np.arange(ends[-1] if len(ends) else 0), ends[:-1])
        return [(first, second) for first, second in _by_face(self.system, numbers)]


def missing(system: CellSystem, coefficients: Sequence[np.ndarray]) -> CellSystem:
    """The system whose right-hand sides are the residuals of coefficients in another."""
    local = []
    for frame, blocks, mine in zip(system.frames, system.local, coefficients, strict=True):
        found = frame.applied(mine, [b for _, b in blocks])
        local.append([(label, b.less(f)) for (label, b), f in zip(blocks, found, strict=True)])
    seen: dict[int, np.ndarray] = {}
    for k, mine in enumerate(coefficients):
        sides = sides_of(system, k)
        found = system.frames[k].applied(mine, [block for _, _, block in sides])
        seen.update({id(block): f for (_, _, block), f in zip(sides, found, strict=True)})
    faces = [
        [replace(r, first=r.first.less(seen[id(r.first)] + seen[id(r.second)])) for r in rows] for rows in system.faces
    ]
    means = [
        {q: b.less(system.frames[q].applied(coefficients[q], [b])[0]) for q, b in row.items()} for row in system.means
    ]
    return replace(system, local=local, faces=faces, means=means)


def _right(blocks: Sequence[RowBlock]) -> np.ndarray:
    return np.concatenate([b.weighted for b in blocks]) if blocks else np.zeros(0)


def sides_of(system: CellSystem, cell: int) -> list[tuple[int, int, RowBlock]]:
    """The row blocks of a cell's faces: face, side and block, in the order of its traces."""
    found = []
    for k in dict.fromkeys(system.cells.cells[cell].faces):
        face = system.cells.faces[k]
        for side, owner in enumerate((face.first, face.second)):
            if owner == cell:
                found += [(k, side, rows.second if side else rows.first) for rows in system.faces[k]]
    return found


def _by_face(system: CellSystem, traces: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
    """The traces of both cells on each face, from the traces of each cell on all of its faces."""
    # A face along the characteristics of an equation of first order has no rows.
    owners = [(f.first, f.second) for f in system.cells.faces]
    parts = [[[traces[cell][:0]] for cell in both] for both in owners]
    for cell, stacked in enumerate(traces):
        start = 0
        for k, side, block in sides_of(system, cell):
            parts[k][side].append(stacked[start : start + len(block.points)])
            start += len(block.points)
    return [[np.concatenate(p) for p in sides] for sides in parts]


def factor_system(
    system: CellSystem, cache: dict[bytes, Reduced] | None = None, cluster: Distributed | None = None
) -> Factored:
    """Reduce every cell, those that are alike once, on the workers of a cluster if there is one, and glue them."""
    cache = {} if cache is None else cache
    keys = []
    wanted: dict[bytes, Unreduced] = {}
    for k, blocks in enumerate(system.local):
        own = [b for _, b in blocks]
        traces = [block for _, _, block in sides_of(system, k)]
        keys.append(likeness(system.frames[k], [*own, *traces]))
        if keys[k] not in cache:
            wanted.setdefault(keys[k], Unreduced(system.frames[k], own, traces))
    if cluster is not None and wanted:
        found = cluster.mapped(reduced_cells, [cell.bare() for cell in wanted.values()], "blocks of pieces reduced")
    else:
        found = reduced_cells(list(wanted.values()))
    cache.update(zip(wanted, found, strict=True))
    made = [cache[key] for key in keys]
    seen = _by_face(system, [r.kept_traces for r in made])
    joints = [Joint(face.first, face.second, *seen[k]) for k, face in enumerate(system.cells.faces)]
    extent = np.ptp(system.cells.boxes.bounds, axis=0)
    centres = np.array([c.centre for c in system.cells.cells]) / extent
    rows, mean_fixed = _mean_rows(system, made)
    glue = factor([r.triangle for r in made], joints, centres, rows)
    return Factored(system, made, glue, len({id(r) for r in made}), mean_fixed)


@dataclass(frozen=True, eq=False)
class Unreduced:
    """A cell before its reduction: its features, its own rows and those of its faces."""

    frame: Frame
    own: list[RowBlock]
    traces: list[RowBlock]

    def bare(self) -> Unreduced:
        """What is sent to a worker: without the statements, which rows do not need."""
        own, traces = (
            [replace(b, statement=None, normals=None, values=None) for b in blocks]
            for blocks in (self.own, self.traces)
        )
        return Unreduced(self.frame, own, traces)


def reduced_cells(cells: list[Unreduced]) -> list[Reduced]:
    """The reductions of some cells."""
    found = []
    for cell in cells:
        rows = cell.frame.rows([*cell.own, *cell.traces])
        count = sum(len(b.points) for b in cell.own)
        found.append(reduce_cell(rows[:count], rows[count:]))
    return found


def _mean_rows(system: CellSystem, reduced: Sequence[Reduced]) -> tuple[np.ndarray, list[dict[int, np.ndarray]]]:
    """Mean values as rows over all kept columns, and over the fixed directions of each cell."""
    ends = np.concatenate([[0], np.cumsum([r.triangle.shape[1] for r in reduced])])
    rows = np.zeros((len(system.means), ends[-1]))
    fixed: list[dict[int, np.ndarray]] = []
    for k, row in enumerate(system.means):
        fixed.append({})
        for q, block in row.items():
            whole = system.frames[q].rows([block]).sum(axis=0)
            rows[k, ends[q] : ends[q + 1]], fixed[k][q] = reduced[q].seen(whole)
    return rows, fixed
