"""The rows of a slab: the residuals of the equations at the stages, their linearisation, and its factors.

An iterate is U, the coefficients of every unknown at each stage, (s, unknowns, columns). With the start u_0, u_0', ...
the time derivatives at the stages are S_0 = U and S_k = (D / tau) (S_(k-1) - u_0^(k-1)). Every statement is imposed at
the grid of space at every stage, in the least-squares sense, times the roots of the weights of the quadrature.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from transnet.lazy import sparse
from transnet.slabs.evolution import Evolution
from transnet.slabs.factors import Factors, inverse
from transnet.slabs.grid_rows import GridRows, joint_rows, rows_inside, rows_on_face
from transnet.slabs.owners import drops_of
from transnet.slabs.region_rows import rows_on_region
from transnet.slabs.space import RegionSpace, Space
from transnet.slabs.stages import radau
from transnet.tolerances import ROUNDED

COUPLED = 220
"""Columns of all stages together up to which they are factored as one, if coefficients change in time."""


class SlabSystem:
    """The rows of any slab with given features of space and a number of stages.

    Parameters
    ----------
    evolution : Evolution
    space : Space
    stages : int
    values : sequence
        The values of the problem's parameters.
    """

    def __init__(self, evolution: Evolution, space: Space, stages: int, values: Sequence[Any]) -> None:
        self.evolution, self.space, self.stages, self.values = evolution, space, radau(stages), tuple(values)
        self.unknowns, self.columns = len(evolution.orders), space.columns
        self.highest = max(
            evolution.split(index)[1]
            for s in (*evolution.equations, *(b.statement for b in evolution.sides))
            for _, index in s.equation.slots
        )
        if isinstance(space, RegionSpace):
            self.rows, walls = rows_on_region(evolution, space, self.values)
        else:
            drops = drops_of(evolution)
            self.rows = [
                rows_inside(evolution, space, s.equation, drop)
                for s, drop in zip(evolution.equations, drops, strict=True)
            ]
            walls = [(side, rows_on_face(evolution, space, side)) for side in evolution.sides]
        self.fades: list[Any] = [None] * len(self.rows) + [side.fade for side, rows in walls if rows is not None]
        self.rows += [rows for _, rows in walls if rows is not None]
        self.sparse = len(space.axes) == 1 and len(space.axes[0].joints) > 0
        self.counts = [r.count for r in self.rows]
        self.scales = np.ones(len(self.rows))
        joints = joint_rows(evolution, space).reshape(-1, self.unknowns * self.columns)
        self.joints: Any = sparse.csr_array(joints) if self.sparse else joints
        if self.sparse:
            self.rows = [r.thinned() for r in self.rows]

    def derivatives(self, u: np.ndarray, start: np.ndarray, tau: float) -> list[np.ndarray]:
        """S_0 .. S_q at the stages."""
        found = [u]
        d = self.stages.derivative / tau
        for k in range(self.highest):
            before = found[-1] - (start[k] if k < len(start) else 0.0)
            found.append(np.tensordot(d, before, axes=1))
        return found

    def slots(self, rows: GridRows, s: list[np.ndarray]) -> list[np.ndarray]:
        """The values of the slots of a statement at its points and all stages: (m s,) each."""
        found = []
        for number, index in rows.equation.slots:
            k, order = self.evolution.split(index)
            found.append((rows.matrices[k] @ s[order][:, number].T).ravel())
        return found

    def places(self, rows: GridRows, times: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        normals = None if rows.normals is None else np.repeat(rows.normals, len(times), axis=0)
        return self.evolution.joined(rows.points, times), normals

    def residual(self, s: list[np.ndarray], times: np.ndarray) -> np.ndarray:
        """The weighted residuals of all statements: (stages, rows)."""
        found = []
        for rows, scale, fade in zip(self.rows, self.scales, self.fades, strict=True):
            points, normals = self.places(rows, times)
            value = rows.equation.residual(points, normals, self.values, self.slots(rows, s))
            value = value.reshape(len(rows.points), -1)
            found.append(scale * (rows.tests @ (value if fade is None else value - fade(times))).T)
        if self.joints.shape[0]:
            found.append((self.joints @ s[0].reshape(len(s[0]), -1).T).T)
        return np.concatenate(found, axis=1)

    def coefficients(self, s: list[np.ndarray], times: np.ndarray) -> list[list[np.ndarray]]:
        """dF/ds_j of each statement at its points and all stages: (m, stages) or a number each."""
        found = []
        for rows in self.rows:
            points, normals = self.places(rows, times)
            slots = self.slots(rows, s) if not rows.equation.linear else None
            made = rows.equation.jacobian(points, normals, self.values, slots)
            found.append([c if c.ndim == 0 else c.reshape(len(rows.points), -1) for c in made])
        return found

    def linear(self, coefficients: list[list[np.ndarray]], s: list[np.ndarray]) -> np.ndarray:
        """The linearised statements applied to time derivatives at the stages, weighted: (stages, rows)."""
        found = []
        for rows, scale, factors in zip(self.rows, self.scales, coefficients, strict=True):
            total = np.zeros((len(rows.points), self.stages.count))
            for c, value in zip(factors, self.slots(rows, s), strict=True):
                total += c * value.reshape(total.shape)
            found.append(scale * (rows.tests @ total).T)
        if self.joints.shape[0]:
            found.append((self.joints @ s[0].reshape(len(s[0]), -1).T).T)
        return np.concatenate(found, axis=1)

    def by_order(self, coefficients: list[list[np.ndarray]]) -> list[Any]:
        """B_0, B_1, ...: the rows with d/dt = z are sum_k z^k B_k, (rows, unknowns columns), not yet scaled."""
        blocks: list[list[list[Any]]] = [
            [[None] * self.unknowns for _ in (*self.rows, None)] for _ in range(self.highest + 1)
        ]
        for j, (rows, factors) in enumerate(zip(self.rows, coefficients, strict=True)):
            for (number, index), c in zip(rows.equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                part = c * self.tested(rows, k) if c.ndim == 0 else rows.weighted(k, c.mean(axis=1))
                before = blocks[order][j][number]
                blocks[order][j][number] = part if before is None else before + part
        for u in range(self.unknowns):
            blocks[0][-1][u] = self.joints[:, u * self.columns : (u + 1) * self.columns]
        return [self._stacked(part) for part in blocks]

    def _stacked(self, blocks: list[list[Any]]) -> Any:
        counts = [*self.counts, self.joints.shape[0]]
        if self.sparse:
            every = [
                [sparse.csr_array((n, self.columns)) if b is None else b for b in row]
                for n, row in zip(counts, blocks, strict=True)
            ]
            return sparse.block_array(every, format="csc")
        out = np.zeros((sum(counts), self.unknowns, self.columns))
        begin = 0
        for n, row in zip(counts, blocks, strict=True):
            for u, b in enumerate(row):
                if b is not None:
                    out[begin : begin + n, u] = b
            begin += n
        return out.reshape(len(out), -1)

    def tested(self, rows: GridRows, k: tuple[int, ...]) -> Any:
        """A derivative of the features, tested: (rows, columns)."""
        key = (id(rows), k)
        if key not in self._tested:
            self._tested[key] = rows.tests @ rows.matrices[k]
        return self._tested[key]

    @cached_property
    def _tested(self) -> dict[tuple[int, tuple[int, ...]], Any]:
        return {}

    def rescale(self, matrices: list[Any], tau: float) -> None:
        """Scale the rows of every statement to the same size."""
        typical = float(np.abs(self.stages.values).mean()) / abs(tau)
        matrix = sum(typical**k * m for k, m in enumerate(matrices))
        squares = np.asarray((matrix * matrix).sum(axis=1)).ravel()
        begin = 0
        for k, rows in enumerate(self.rows):
            size = np.sqrt(np.mean(squares[begin : begin + rows.count]))
            self.scales[k] = 1.0 / size if size > 0 else 1.0
            begin += rows.count

    @property
    def renewed(self) -> bool:
        """Whether factors are cheap enough for every linearisation to have its own."""
        return self.coupled

    @property
    def coupled(self) -> bool:
        """Whether the stages are factored as one."""
        return not self.sparse and self.stages.count * self.unknowns * self.columns <= COUPLED

    def factor(self, s: list[np.ndarray], times: np.ndarray, tau: float) -> Factors:
        """The factors of the linearisation at an iterate."""
        coefficients = self.coefficients(s, times)
        matrices = self.by_order(coefficients)
        self.rescale(matrices, tau)
        constant = self._constant(coefficients)
        if self.coupled and not constant:
            return Factors(self.stages, [inverse(self._whole(coefficients, tau))], None, True)
        scales = np.concatenate([np.repeat(self.scales, self.counts), np.ones(self.joints.shape[0])])
        if self.sparse:
            matrices = [(sparse.diags_array(scales) @ m).tocsc() for m in matrices]
        else:
            matrices = [scales[:, None] * m for m in matrices]
        upper = np.flatnonzero(self.stages.values.imag >= 0)
        parts = []
        for i in upper:
            z = self.stages.values[i] / tau
            z = z.real if abs(z.imag) < ROUNDED * abs(z) else z
            parts.append(inverse(sum(z**k * m for k, m in enumerate(matrices))))
        return Factors(self.stages, parts, upper, constant)

    @staticmethod
    def _constant(coefficients: list[list[np.ndarray]]) -> bool:
        return all(c.ndim == 0 or np.ptp(c, axis=1).max() == 0.0 for part in coefficients for c in part)

    def _whole(self, coefficients: list[list[np.ndarray]], tau: float) -> np.ndarray:
        """The rows of all stages: (s rows, s unknowns columns)."""
        s, m = self.stages.count, sum(self.counts) + self.joints.shape[0]
        powers = self.stages.powers(tau, self.highest)
        out = np.zeros((s, m, s, self.unknowns, self.columns))
        begin = 0
        for rows, factors, scale in zip(self.rows, coefficients, self.scales, strict=True):
            here = slice(begin, begin + rows.count)
            for (number, index), c in zip(rows.equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                if c.ndim == 0:
                    each = np.broadcast_to(scale * c * self.tested(rows, k), (s, rows.count, self.columns))
                else:
                    each = scale * (rows.tests @ (c.T[:, :, None] * rows.matrices[k]))
                if order == 0:
                    for i in range(s):
                        out[i, here, i, number] += each[i]
                else:
                    out[:, here, :, number] += powers[order][:, None, :, None] * each[:, :, None, :]
            begin = here.stop
        for i in range(s):
            out[i, begin:, i] = self.joints.reshape(-1, self.unknowns, self.columns)
        return out.reshape(s * m, -1)
