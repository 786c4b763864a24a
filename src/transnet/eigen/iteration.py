"""Inverse iteration in pieces: several functions at once, each step a solve with cells glued for one shift.

A(s) w = -A' u is a problem with the same matrix at every step. The values of w and u at points give small matrices
whose eigenvalues are 1 / (lam - s).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from transnet.cuts.cells import Cells
from transnet.eigen.pencil import powers_of
from transnet.eigen.refine import ITERATIONS, REAL, STUCK, real_values
from transnet.eigen.search import BELOW, OFF, RESOLVED, Question
from transnet.features.space import FeatureSpace
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.estimate import sample_of
from transnet.pieces.factored import Factored, factor_system
from transnet.pieces.laws import Laws
from transnet.pieces.local import Frame, RowBlock
from transnet.pieces.system import CellSystem, write_system
from transnet.rows.statements import Statement
from transnet.tolerances import PRECISION

MORE = 8
"""The iteration has twice as many functions as are wanted, and these in addition: it converges by a factor of a half or
better."""
LONGER = 2
"""The most steps, in units of those with one network, where the first search has brought the functions close."""
UNDER = 0.3
"""The first shift is below what the lowest-order term allows by this part of the value of a wave across the domain."""


@dataclass(frozen=True, eq=False)
class Nearest:
    """The real eigenvalues nearest to a shift, and the coefficients of their functions of norm one, (columns, k)."""

    shift: float
    values: np.ndarray
    functions: np.ndarray


@dataclass(frozen=True, eq=False)
class Iteration:
    """Inverse iteration on some cells."""

    question: Question
    laws: Laws
    cells: Cells
    space: FeatureSpace

    @cached_property
    def basis(self) -> PiecewiseBasis:
        return PiecewiseBasis.of(self.cells, self.space, len(self.laws.problem.unknowns))

    @cached_property
    def _features(self) -> list[list[np.ndarray]]:
        """For each unknown and cell the weighted values of the cell's columns at a few of its points."""
        made = []
        for u in range(self.basis.unknowns):
            of_cells = []
            for cell in self.cells.cells:
                points, weights = sample_of(replace(self.cells, cells=[cell]), np.ones(1, dtype=bool))
                frame = Frame(cell.space(self.space), cell.centre, cell.half, np.ones(self.basis.unknowns))
                root = np.sqrt(weights * float(np.prod(cell.half)))
                slots = ((u, (0,) * points.shape[1]),)
                of_cells.append(frame.rows([RowBlock(points, slots, (np.array(1.0),), root, np.zeros(len(points)))]))
            made.append(of_cells)
        return made

    def parts(self, coefficients: np.ndarray) -> list[np.ndarray]:
        """The coefficients of each cell."""
        return np.split(coefficients, np.cumsum([f.shape[1] for f in self._features[0]])[:-1])

    def seen(self, coefficients: np.ndarray) -> np.ndarray:
        """The values of functions at points of all cells, (points, k)."""
        parts = self.parts(coefficients)
        return np.concatenate([f @ c for of in self._features for f, c in zip(of, parts, strict=True)])

    def numbers(self, value: float) -> tuple[float, ...]:
        return tuple(value if p == self.question.lam else float(v) for p, v in self.question.parameters.items())

    def wanted(self) -> Nearest:
        """The eigenvalues nearest to the given number; without one the lowest.

        For the lowest the shift moves down as long as there are values below it.
        """
        least, wave = self._scale()
        near = self.question.near
        if near is not None:
            return self.around(float(np.real(near)) + RESOLVED * (abs(near) or wave))
        found = self.around(least - UNDER * wave)
        for _ in range(BELOW):
            lowest = float(found.values.min(initial=np.inf))
            if lowest > found.shift:
                break
            found = self.around(lowest - OFF * float(np.ptp(found.values)) - RESOLVED * abs(lowest))
        return found

    def _scale(self) -> tuple[float, float]:
        """The least value that terms without derivatives allow, and what a wave across the domain adds to it."""
        extent = np.ptp(self.laws.problem.domain.bounds, axis=0)
        least, waves = [], []
        for material, statements in enumerate(self.laws.equations):
            points = np.concatenate([c.inside for c in self.cells.cells if c.material == material])
            for statement in statements:
                slots = statement.equation.slots
                zero, one = (self._coefficients(statement, points, None, v) for v in (0.0, 1.0))
                rate = [np.abs(b - a) for a, b in zip(zero, one, strict=True)]
                if max(map(np.max, rate)) == 0:
                    continue
                weight = np.max(rate, axis=0) + np.finfo(float).tiny
                terms = list(zip(slots, zero, rate, one, strict=True))
                size = sum(np.abs(c) * np.prod((np.pi / extent) ** np.array(i)) for (_, i), c, _, _ in terms if sum(i))
                waves.append(float(np.median(size / weight)))
                own = [-c / (b - c) for (_, i), c, r, b in terms if not sum(i) and r.min() > 0]
                least.append(min((float(r.min()) for r in own), default=0.0))
        return min(least, default=0.0), max(waves, default=1.0)

    def _coefficients(
        self, statement: Statement, points: np.ndarray, normals: np.ndarray | None, value: float
    ) -> list[np.ndarray]:
        found = statement.equation.jacobian(points, normals, self.numbers(value))
        return [np.broadcast_to(c, (len(points),)) for c in found]

    def around(self, shift: float) -> Nearest:
        """The real eigenvalues nearest to a shift, the nearest first."""
        system = write_system(self.laws, self.cells, self.space, self.numbers(shift))
        factored = factor_system(system)
        slopes = self._slopes(system, shift)
        wanted = self.question.count + MORE // 2
        now = self._solved(factored, system, _begin(system, 2 * self.question.count + MORE))
        seen = self.seen(now)
        triangle = np.asarray(np.linalg.qr(seen, mode="r"))
        now = np.linalg.solve(triangle.T, now.T).T
        before, smallest, since = np.zeros(0), np.inf, 0
        for _ in range(LONGER * ITERATIONS):
            new = self._solved(factored, system, [-a @ c for a, c in zip(slopes, self.parts(now), strict=True)])
            q, r = np.linalg.qr(self.seen(now))
            mu, vectors = np.linalg.eig(np.linalg.solve(r, q.T @ self.seen(new)))
            is_real = np.abs(mu.imag) <= REAL * np.abs(mu)
            mu, vectors = real_values(mu, vectors)
            order = np.argsort(-np.abs(mu))
            mu, vectors, is_real = mu[order], vectors[:, order], is_real[order]
            values = shift + 1.0 / np.where(mu == 0, np.finfo(float).tiny, mu)
            functions = now @ vectors
            now = new @ vectors
            now = now / np.linalg.norm(self.seen(now), axis=0)
            first = np.sort(values[:wanted])[: self.question.count]
            change = np.abs(first - before).max() if len(before) else np.inf
            since = 0 if change < smallest else since + 1
            smallest, before = min(smallest, change), first
            if change <= PRECISION * np.abs(first).max() or since >= STUCK:
                break
        kept = np.flatnonzero(is_real[:wanted])
        functions = functions[:, kept]
        return Nearest(shift, values[kept], functions / np.linalg.norm(self.seen(functions), axis=0))

    def _slopes(self, system: CellSystem, shift: float) -> list[np.ndarray]:
        """The derivatives of the rows of each cell with respect to the eigenvalue."""
        made = []
        for frame, blocks in zip(system.frames, system.local, strict=True):
            plain = replace(frame, units=np.ones(len(frame.units)))
            rows = [np.zeros((0, frame.columns))]
            for _, block in blocks:
                slope = self._slope(block, shift)
                rows.append(np.zeros((len(block.points), frame.columns)) if slope is None else plain.rows([slope]))
            made.append(np.concatenate(rows))
        return made

    def _slope(self, block: RowBlock, shift: float) -> RowBlock | None:
        """The derivative of a block with respect to the eigenvalue; None if it does not occur."""
        if block.statement is None or max(map(len, powers_of(block.statement.equation, self.question.lam))) < 2:
            return None
        step = abs(shift) or 1.0
        low, high = (self._coefficients(block.statement, block.points, block.normals, shift + s) for s in (0.0, step))
        return replace(block, coefficients=tuple((b - a) / step for a, b in zip(low, high, strict=True)))

    def _solved(self, factored: Factored, system: CellSystem, rights: list[np.ndarray]) -> np.ndarray:
        several = rights[0].shape[1]
        across = [np.zeros((sum(len(r.first.points) for r in rows), several)) for rows in system.faces]
        return np.concatenate(factored.solved(rights, across, np.zeros((len(system.means), several))))


def _begin(system: CellSystem, count: int) -> list[np.ndarray]:
    """Initial right-hand sides: waves in the equations, zero in the conditions."""
    bounds = system.cells.boxes.bounds
    rng = np.random.default_rng(0)
    waves = (
        np.pi * rng.uniform(-1, 1, (count, bounds.shape[1])) * count ** (1 / bounds.shape[1]) / np.ptp(bounds, axis=0)
    )
    phases = rng.uniform(0, 2 * np.pi, count)
    return [
        np.concatenate(
            [
                (np.cos(b.points @ waves.T + phases) if b.normals is None else np.zeros((len(b.points), count)))
                * np.reshape(b.weight, (-1, 1))
                for _, b in blocks
            ]
        )
        for blocks in system.local
    ]
