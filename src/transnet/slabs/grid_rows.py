"""Statements on a grid of space: equations inside, conditions on faces, and the joints of pieces."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from transnet.lazy import sparse
from transnet.rows.equation import Equation
from transnet.rows.points import where_mask
from transnet.slabs.evolution import Evolution
from transnet.slabs.space import Space

CONDITIONS = 3.0
"""How much more the rows of conditions and joints count than those of equations."""


@dataclass(frozen=True, eq=False)
class GridRows:
    """One statement on a grid of space."""

    equation: Equation
    points: np.ndarray
    normals: np.ndarray | None
    tests: Any
    matrices: dict[tuple[int, ...], Any]

    @property
    def count(self) -> int:
        """The number of rows at each stage."""
        return int(self.tests.shape[0])

    def weighted(self, k: tuple[int, ...], factor: np.ndarray) -> Any:
        """A derivative of the features times a factor at the points, tested: (rows, columns)."""
        if isinstance(self.tests, np.ndarray):
            return self.tests @ (factor[:, None] * self.matrices[k])
        return self.tests @ (sparse.diags_array(factor) @ self.matrices[k])

    def thinned(self) -> GridRows:
        """The same with sparse matrices."""
        made = {k: sparse.csr_array(m) for k, m in self.matrices.items()}
        return replace(self, tests=sparse.csr_array(self.tests), matrices=made)


def rows_inside(evolution: Evolution, space: Space, equation: Equation, drops: tuple[int, ...]) -> GridRows:
    """An equation on the grid of space, tested with all but the last few features along each axis."""
    tests = space.tests(None, drops)
    return GridRows(equation, space.grid[0], None, tests, _matrices(evolution, space, equation, None, 0.0))


def rows_on_face(evolution: Evolution, space: Space, side: Any) -> GridRows | None:
    """A condition on the grid of a face, or None if it holds nowhere."""
    points, _ = space.face_grid(side.axis, side.place)
    tests = space.tests(side.axis, [0] * len(space.axes))
    equation, e = side.statement.equation, evolution
    normals = np.zeros((len(points), len(points[0]) + 1))
    normals[:, side.axis + (side.axis >= e.axis)] = side.sign
    matrices = _matrices(evolution, space, equation, side.axis, side.place)
    where = side.statement.source.where
    if where is not None:
        chosen = where_mask(where, e.problem.coordinates, e.joined(points, np.array([e.start])))
        if not chosen.any():
            return None
        points, normals = points[chosen], normals[chosen]
        weights = space.face_grid(side.axis, side.place)[1][chosen]
        tests = np.diag(np.sqrt(weights))
        matrices = {k: m[chosen] for k, m in matrices.items()}
    return GridRows(equation, points, normals, CONDITIONS * tests, matrices)


def _matrices(
    evolution: Evolution, space: Space, equation: Equation, axis: int | None, place: float
) -> dict[tuple[int, ...], np.ndarray]:
    wanted = {evolution.split(index)[0] for _, index in equation.slots}
    return {k: space.face_matrix(axis, place, k) for k in wanted}


def joint_rows(evolution: Evolution, space: Space) -> np.ndarray:
    """The rows that join pieces: (r, unknowns, columns)."""
    unknowns = len(evolution.orders)
    found = []
    for axis, features in enumerate(space.axes):
        for before, behind in features.joints:
            weights = np.sqrt(space.face_grid(axis, before)[1])
            for u, orders in enumerate(evolution.space_orders):
                for k in range(max(orders[axis], 1)):
                    index = tuple(k if a == axis else 0 for a in range(len(orders)))
                    left = space.face_matrix(axis, before, index, -1)
                    right = space.face_matrix(axis, behind, index, 1)
                    jump = (right - left) * weights[:, None]
                    rows = np.zeros((len(jump), unknowns, space.columns))
                    size = np.sqrt(np.mean(np.sum(jump**2, axis=1)) / weights[0] ** 2)
                    rows[:, u] = jump * (CONDITIONS / (size or 1.0))
                    found.append(rows)
    return np.concatenate(found) if found else np.zeros((0, unknowns, space.columns))
