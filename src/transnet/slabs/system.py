"""The rows of a slab: what is left of the equations at the stages, their linearisation, and its factors.

An iterate is U, the coefficients of every unknown at each stage, (s, unknowns, columns). With the start u_0, u_0', ...
the time derivatives at the stages are S_0 = U and S_k = (D / tau) (S_(k-1) - u_0^(k-1)). Every statement is imposed at
the grid of space at every stage, in the least-squares sense, times the roots of the weights of the quadrature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import lapack

from transnet.rows.collocation import where_mask
from transnet.rows.compile import Equation
from transnet.slabs.evolution import Evolution
from transnet.slabs.space import Space
from transnet.slabs.stages import Stages, radau

COUPLED = 220
"""Columns of all stages together up to which they are factored as one, with coefficients that change in time."""
CONDITIONS = 3.0
"""How much more the rows of conditions and joints count than those of equations."""


@dataclass(frozen=True, eq=False)
class Rows:
    """One statement at a grid of space."""

    equation: Equation
    points: np.ndarray
    normals: np.ndarray | None
    tests: np.ndarray
    matrices: dict[tuple[int, ...], np.ndarray]

    @property
    def count(self) -> int:
        """How many rows it gives at each stage."""
        return len(self.tests)


class System:
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
        self.rows = [self._inside(s.equation) for s in evolution.equations]
        self.rows += [rows for side in evolution.sides if (rows := self._face(side)) is not None]
        self.counts = [r.count for r in self.rows]
        self.scales = np.ones(len(self.rows))
        self.joints = self._joints()

    # -- the statements in space -------------------------------------------------------------------------------------
    def _inside(self, equation: Equation) -> Rows:
        indices = [self.evolution.split(index)[0] for _, index in equation.slots]
        tests = self.space.tests(None, [max(orders) for orders in zip(*indices, strict=True)])
        return Rows(equation, self.space.grid[0], None, tests, self._matrices(equation, None, 0.0))

    def _face(self, side: Any) -> Rows | None:
        points, _ = self.space.face_grid(side.axis, side.place)
        tests = self.space.tests(side.axis, [0] * len(self.space.axes))
        equation, e = side.statement.equation, self.evolution
        normals = np.zeros((len(points), len(points[0]) + 1))
        normals[:, side.axis + (side.axis >= e.axis)] = side.sign
        matrices = self._matrices(equation, side.axis, side.place)
        where = side.statement.source.where
        if where is not None:
            chosen = where_mask(where, e.problem.coordinates, e.joined(points, np.array([e.start])))
            if not chosen.any():
                return None
            points, normals = points[chosen], normals[chosen]
            weights = self.space.face_grid(side.axis, side.place)[1][chosen]
            tests = np.diag(np.sqrt(weights))
            matrices = {k: m[chosen] for k, m in matrices.items()}
        return Rows(equation, points, normals, CONDITIONS * tests, matrices)

    def _matrices(self, equation: Equation, axis: int | None, place: float) -> dict[tuple[int, ...], np.ndarray]:
        wanted = {self.evolution.split(index)[0] for _, index in equation.slots}
        return {k: self.space.face_matrix(axis, place, k) for k in wanted}

    def _joints(self) -> np.ndarray:
        """The rows that hold pieces together: (r, unknowns, columns)."""
        found = []
        for axis, features in enumerate(self.space.axes):
            for place in features.joints:
                weights = np.sqrt(self.space.face_grid(axis, place)[1])
                for u, orders in enumerate(self.evolution.space_orders):
                    for k in range(max(orders[axis], 1)):
                        index = tuple(k if a == axis else 0 for a in range(len(orders)))
                        left, right = (self.space.face_matrix(axis, place, index, side) for side in (-1, 1))
                        jump = (right - left) * weights[:, None]
                        rows = np.zeros((len(jump), self.unknowns, self.columns))
                        rows[:, u] = jump * (CONDITIONS / np.sqrt(np.mean(np.sum(jump**2, axis=1)) / weights[0] ** 2))
                        found.append(rows)
        return np.concatenate(found) if found else np.zeros((0, self.unknowns, self.columns))

    # -- a slab ------------------------------------------------------------------------------------------------------
    def derivatives(self, u: np.ndarray, start: np.ndarray, tau: float) -> list[np.ndarray]:
        """S_0 .. S_q at the stages."""
        found = [u]
        d = self.stages.derivative / tau
        for k in range(self.highest):
            before = found[-1] - (start[k] if k < len(start) else 0.0)
            found.append(np.tensordot(d, before, axes=1))
        return found

    def slots(self, rows: Rows, s: list[np.ndarray]) -> list[np.ndarray]:
        """The values of the slots of a statement at its points and all stages: (m s,) each."""
        found = []
        for number, index in rows.equation.slots:
            k, order = self.evolution.split(index)
            found.append((rows.matrices[k] @ s[order][:, number].T).ravel())
        return found

    def places(self, rows: Rows, times: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        normals = None if rows.normals is None else np.repeat(rows.normals, len(times), axis=0)
        return self.evolution.joined(rows.points, times), normals

    def residual(self, s: list[np.ndarray], times: np.ndarray) -> np.ndarray:
        """What is left of all statements, weighted: (stages, rows)."""
        found = []
        for rows, scale in zip(self.rows, self.scales, strict=True):
            points, normals = self.places(rows, times)
            value = rows.equation.residual(points, normals, self.values, self.slots(rows, s))
            found.append(scale * (rows.tests @ value.reshape(len(rows.points), -1)).T)
        if len(self.joints):
            found.append(np.tensordot(s[0], self.joints, axes=([1, 2], [1, 2])))
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
        if len(self.joints):
            found.append(np.tensordot(s[0], self.joints, axes=([1, 2], [1, 2])))
        return np.concatenate(found, axis=1)

    def at_frequency(self, coefficients: list[list[np.ndarray]], z: complex) -> np.ndarray:
        """The rows with d/dt = z and coefficients averaged over the stages, not scaled: (rows, unknowns columns)."""
        m = sum(self.counts) + len(self.joints)
        out = np.zeros((m, self.unknowns, self.columns), dtype=complex if np.iscomplexobj(z) else float)
        begin = 0
        for rows, factors in zip(self.rows, coefficients, strict=True):
            here = slice(begin, begin + rows.count)
            for (number, index), c in zip(rows.equation.slots, factors, strict=True):
                k, order = self.evolution.split(index)
                if c.ndim == 0:
                    out[here, number] += (c * z**order) * self.tested(rows, k)
                else:
                    out[here, number] += z**order * (rows.tests @ (c.mean(axis=1)[:, None] * rows.matrices[k]))
            begin = here.stop
        out[begin:] = self.joints
        return out.reshape(m, -1)

    def tested(self, rows: Rows, k: tuple[int, ...]) -> np.ndarray:
        """A derivative of the features, tested: (rows, columns)."""
        key = (id(rows), k)
        if key not in self._tested:
            self._tested[key] = rows.tests @ rows.matrices[k]
        return self._tested[key]

    @cached_property
    def _tested(self) -> dict[tuple[int, tuple[int, ...]], np.ndarray]:
        return {}

    def rescale(self, coefficients: list[list[np.ndarray]], tau: float) -> None:
        """Give the rows of every statement the same size."""
        typical = float(np.abs(self.stages.values).mean()) / tau
        matrix = self.at_frequency(coefficients, typical)
        begin = 0
        for k, rows in enumerate(self.rows):
            part = matrix[begin : begin + rows.count]
            size = np.sqrt(np.mean(np.einsum("ij,ij->i", part, part)))
            self.scales[k] = 1.0 / size if size > 0 else 1.0
            begin += rows.count

    @cached_property
    def coupled(self) -> bool:
        """Whether the stages are factored as one."""
        return self.stages.count * self.unknowns * self.columns <= COUPLED

    def factor(self, s: list[np.ndarray], times: np.ndarray, tau: float) -> Factors:
        """The factors of the linearisation at an iterate."""
        coefficients = self.coefficients(s, times)
        self.rescale(coefficients, tau)
        constant = self._constant(coefficients)
        if self.coupled and not constant:
            return Factors(self.stages, [_inverse(self._whole(coefficients, tau))], None, True)
        row_scales = np.concatenate([np.repeat(self.scales, self.counts), np.ones(len(self.joints))])[:, None]
        upper = np.flatnonzero(self.stages.values.imag >= 0)
        parts = []
        for i in upper:
            z = self.stages.values[i] / tau
            z = z.real if abs(z.imag) < 1e-12 * abs(z) else z
            parts.append(_inverse(row_scales * self.at_frequency(coefficients, z)))
        return Factors(self.stages, parts, upper, constant)

    @staticmethod
    def _constant(coefficients: list[list[np.ndarray]]) -> bool:
        return all(c.ndim == 0 or np.ptp(c, axis=1).max() == 0.0 for part in coefficients for c in part)

    def _whole(self, coefficients: list[list[np.ndarray]], tau: float) -> np.ndarray:
        """The rows of all stages: (s rows, s unknowns columns)."""
        s, m = self.stages.count, sum(self.counts) + len(self.joints)
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
            out[i, begin:, i] = self.joints
        return out.reshape(s * m, -1)


@dataclass(frozen=True, eq=False)
class Inverse:
    """A factored least-squares problem: x = R^-1 Q^* b."""

    left: np.ndarray
    triangle: np.ndarray

    def __call__(self, b: np.ndarray) -> np.ndarray:
        solve = lapack.ztrtrs if np.iscomplexobj(self.triangle) else lapack.dtrtrs
        y = self.left @ b
        return solve(self.triangle, y.astype(self.triangle.dtype, copy=False))[0]


def _inverse(matrix: np.ndarray) -> Inverse:
    q, r = np.linalg.qr(matrix)
    return Inverse(np.ascontiguousarray(q.conj().T), np.asfortranarray(r))


@dataclass(frozen=True, eq=False)
class Factors:
    """The factors of a slab's linearisation: of all stages at once, or of each frequency lambda_i / tau."""

    stages: Stages
    parts: list[Inverse]
    upper: np.ndarray | None
    exact: bool

    def __call__(self, residual: np.ndarray) -> np.ndarray:
        """The least-squares solution for right-hand sides (stages, rows) or (stages, rows, k)."""
        s = self.stages
        if self.upper is None:
            flat = self.parts[0](residual.reshape(residual.shape[0] * residual.shape[1], *residual.shape[2:]))
            return flat.reshape(s.count, -1, *residual.shape[2:])
        turned = np.tensordot(s.inverse, residual, axes=1)
        total = None
        for i, part in zip(self.upper, self.parts, strict=True):
            w = part(turned[i].real if not np.iscomplexobj(part.triangle) else turned[i])
            single = not np.iscomplexobj(part.triangle)
            vector = s.vectors[:, i].real if single else 2 * s.vectors[:, i]
            share = np.multiply.outer(vector, w).real
            total = share if total is None else total + share
        assert total is not None
        return total
