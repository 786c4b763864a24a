"""All cells of a regular grid, joined: the rows of the glue as products for all cells at once.

The kept coefficients are an array z of shape (*counts, kept). The rows are those of the cell's triangle, the jumps
across the faces along each axis, and the conditions on each side; no matrix of the whole is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.pieces.lattice.cube import Cube, Trace
from transnet.pieces.lattice.law import Side, Wall
from transnet.tolerances import SAME

CHUNK = 400_000
"""Points at which formulas are evaluated at once."""


@dataclass(frozen=True, eq=False)
class Rights:
    """Right-hand sides or residuals of rows: of the cells, across the faces of each axis, on the sides."""

    local: np.ndarray
    jumps: list[np.ndarray]
    walls: dict[Side, np.ndarray]

    def __sub__(self, other: Rights) -> Rights:
        return Rights(
            self.local - other.local,
            [a - b for a, b in zip(self.jumps, other.jumps, strict=True)],
            {side: self.walls[side] - other.walls[side] for side in self.walls},
        )


@dataclass(frozen=True, eq=False)
class Joined:
    """The cells of a grid of `counts` boxes from `low` on."""

    cube: Cube
    low: np.ndarray
    counts: tuple[int, ...]

    @property
    def cells(self) -> int:
        return int(np.prod(self.counts))

    @cached_property
    def centres(self) -> np.ndarray:
        """(cells, d), in the order of `Boxes.lattice`."""
        index = np.stack(np.unravel_index(np.arange(self.cells), self.counts), axis=1)
        return self.low + self.cube.frame.half * (2 * index + 1)

    def side(self, array: np.ndarray, side: Side) -> np.ndarray:
        """The cells at a side of the grid, flattened: (cells, ...)."""
        axis, end = side
        d = len(self.counts)
        return np.take(array, -end, axis=axis).reshape(-1, *array.shape[d:])

    # -- what the walls see ------------------------------------------------------------------------------------------
    @cached_property
    def wall_rows(self) -> dict[Side, tuple[np.ndarray, np.ndarray]]:
        """The rows of the conditions of each side over the kept and over the fixed directions."""
        r = self.cube.reduced
        made = {}
        for side, walls in self.cube.law.walls.items():
            pairs = []
            for wall in walls:
                parts = [(c, self._trace(side, *key)) for key, c in wall.terms.items()]
                weight = self.weight(side, wall)
                pairs.append(
                    tuple(
                        sum((weight * c / t.weight * seen[t.rows] for c, t in parts), np.zeros((1, seen.shape[1])))
                        for seen in (r.kept_traces, r.fixed_traces)
                    )
                )
            made[side] = np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])
        return made

    def _trace(self, side: Side, unknown: int, order: int) -> Trace:
        return next(t for t in self.cube.traces[side] if (t.unknown, t.order) == (unknown, order))

    def weight(self, side: Side, wall: Wall, honest: bool = False) -> float:
        """The weight of a condition."""
        axis, end = side
        scale = self.cube.scale
        size = sum(abs(c) * scale.kappa[axis] ** order * scale.unknowns[u] for (u, order), c in wall.terms.items())
        weight = np.sqrt(scale.stiffness) / (size * np.sqrt(len(self.cube.faces[side]))) * (wall.statement.weight or 1)
        outflow = (2 * end - 1) * scale.drift[axis] > SAME * np.linalg.norm(scale.drift)
        if outflow and not honest and all(order == 0 for _, order in wall.terms):
            weight = weight * scale.diffusive  # a layer that is not resolved must not pollute the solution upstream
        return float(weight)

    # -- right-hand sides --------------------------------------------------------------------------------------------
    def sources(self, points: np.ndarray, number: int, cells: slice = slice(None)) -> np.ndarray:
        """The right-hand side of an equation at points around the centres of some cells: (cells, points)."""
        law, centres = self.cube.law, self.centres[cells]
        at = (centres[:, None, :] + points).reshape(-1, points.shape[1])
        return -law.equations[number].equation.residual(at, None, law.numbers).reshape(len(centres), len(points))

    def chunks(self, points: int) -> Iterator[slice]:
        """Batches of cells, so that formulas are evaluated at a moderate number of points at once."""
        step = max(1, CHUNK // points)
        for start in range(0, self.cells, step):
            yield slice(start, min(start + step, self.cells))

    def wall_values(self, side: Side, wall: Wall) -> np.ndarray:
        """The right-hand side of a condition at the points of a side: (cells of the side, points)."""
        axis, end = side
        centres = self.side(self.centres.reshape(*self.counts, -1), side)
        points = self.cube.faces[side]
        at = (centres[:, None, :] + points).reshape(-1, points.shape[1])
        at[:, axis] = self.cube.law.bounds[end, axis]
        normals = np.zeros_like(at)
        normals[:, axis] = 2 * end - 1
        return -wall.statement.equation.residual(at, normals, self.cube.law.numbers).reshape(len(centres), -1)

    def rights(self) -> tuple[Rights, np.ndarray]:
        """The right-hand sides of the glue, and the coefficients of the fixed directions (cells, fixed)."""
        r, cube = self.cube.reduced, self.cube
        m = len(cube.inside)
        kept, fixed = np.zeros((self.cells, cube.kept)), np.zeros((self.cells, r.fixed.shape[1]))
        for i, weight in enumerate(cube.weights):
            for here in self.chunks(m):
                values = weight * self.sources(cube.inside, i, here)
                kept[here] += values @ r.project[i * m : (i + 1) * m]
                fixed[here] += values @ r.fixed[i * m : (i + 1) * m]
        shaped = fixed.reshape(*self.counts, -1)
        jumps = []
        for axis in range(len(self.counts)):
            high, low = (r.fixed_traces[cube.span((axis, end))] for end in (1, 0))
            a, b = self._neighbours(shaped, axis)
            jumps.append(b @ low.T - a @ high.T)
        walls = {}
        for side, conditions in cube.law.walls.items():
            values = np.concatenate([self.weight(side, w) * self.wall_values(side, w) for w in conditions], axis=1)
            walls[side] = values - self.side(shaped, side) @ self.wall_rows[side][1].T
        return Rights(kept.reshape(*self.counts, -1), jumps, walls), fixed

    @staticmethod
    def _neighbours(array: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
        """The cells on both sides of the faces along an axis."""
        n = array.shape[axis]
        return np.take(array, range(n - 1), axis=axis), np.take(array, range(1, n), axis=axis)

    # -- products ----------------------------------------------------------------------------------------------------
    def rows(self, z: np.ndarray) -> Rights:
        """All rows applied to kept coefficients."""
        r, cube = self.cube.reduced, self.cube
        jumps = []
        for axis in range(len(self.counts)):
            high, low = (r.kept_traces[cube.span((axis, end))] for end in (1, 0))
            a, b = self._neighbours(z, axis)
            jumps.append(a @ high.T - b @ low.T)
        walls = {side: self.side(z, side) @ rows.T for side, (rows, _) in self.wall_rows.items()}
        return Rights(z @ r.triangle.T, jumps, walls)

    def transposed(self, right: Rights) -> np.ndarray:
        """The transposed rows applied to right-hand sides."""
        r, cube = self.cube.reduced, self.cube
        out = right.local @ r.triangle
        for axis, jump in enumerate(right.jumps):
            high, low = (r.kept_traces[cube.span((axis, end))] for end in (1, 0))
            moved = np.moveaxis(out, axis, 0)
            moved[:-1] += np.moveaxis(jump @ high, axis, 0)
            moved[1:] -= np.moveaxis(jump @ low, axis, 0)
        for (axis, end), values in right.walls.items():
            at = np.moveaxis(out, axis, 0)[-end]
            at += (values @ self.wall_rows[axis, end][0]).reshape(at.shape)
        return out

    # -- normal equations --------------------------------------------------------------------------------------------
    @cached_property
    def couplings(self) -> list[np.ndarray]:
        """The block of the normal equations between a cell and the next one along each axis."""
        seen, cube = self.cube.reduced.kept_traces, self.cube
        return [-seen[cube.span((a, 1))].T @ seen[cube.span((a, 0))] for a in range(len(self.counts))]

    @cached_property
    def _parts(self) -> tuple[np.ndarray, dict[Side, np.ndarray], dict[Side, np.ndarray]]:
        """The summands of the diagonal block of a cell: its triangle, faces, conditions."""
        r, cube = self.cube.reduced, self.cube
        faces = {side: r.kept_traces[cube.span(side)].T @ r.kept_traces[cube.span(side)] for side in cube.traces}
        walls = {side: rows.T @ rows for side, (rows, _) in self.wall_rows.items()}
        return r.triangle.T @ r.triangle, faces, walls

    def diagonal(self, outer: frozenset[Side]) -> np.ndarray:
        """The diagonal block of a cell that is at these sides of the grid."""
        own, faces, walls = self._parts
        total = own.copy()
        for side, block in faces.items():
            total += walls.get(side, 0.0) if side in outer else block
        return total
