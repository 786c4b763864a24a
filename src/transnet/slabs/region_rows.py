"""The rows of a slab on a plane domain that is not a box.

The equation of an unknown is tested with the polynomials that satisfy its conditions with zero right-hand sides, which
are as many as there are polynomials less the conditions. So the operator of waves or diffusion is symmetric, and slabs
do not grow: rows at points in the least-squares sense do, by a factor of up to five in each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.basis.on_domain import boundary_rule
from transnet.lazy import linalg
from transnet.rows.points import where_mask
from transnet.slabs.evolution import Evolution, Side
from transnet.slabs.grid_rows import CONDITIONS, GridRows
from transnet.slabs.space import RegionSpace

CORNERS = 8
"""The most corners: a polynomial that vanishes on as many lines has their product as a factor, and a circle drawn with
64 edges would need twice that degree."""
SATISFIED = 1e-9
"""A polynomial satisfies conditions whose residual is this part of the largest."""


def refused(evolution: Evolution) -> str:
    """Why an evolution on a domain cannot be tested so; empty if it can."""
    assert evolution.region is not None
    if evolution.owners is None:
        return "Its equations do not each move an unknown of their own."
    if evolution.periodic:
        return "It is periodic."
    for side in evolution.sides:
        equation = side.statement.equation
        if not equation.linear or len({number for number, _ in equation.slots}) != 1:
            return "A condition on its sides is nonlinear, or has several unknowns."
        if any(evolution.split(index)[1] for _, index in equation.slots):
            return "A condition on its sides has a derivative in time."
    corners, _ = evolution.region.corners_and_holes
    if any(corner.opening() > np.pi * (1 + SATISFIED) for corner in corners):
        return "Space has reentrant corners."
    if len(corners) > CORNERS:
        return "Space has many corners."
    return ""


def rows_on_region(
    evolution: Evolution, space: RegionSpace, values: Sequence[Any]
) -> tuple[list[GridRows], list[tuple[Side, GridRows | None]]]:
    """The equations, and the conditions on each part of the boundary."""
    walls = [(side, *_on_part(evolution, space, side, values)) for side in evolution.sides]
    owners = evolution.owners
    assert owners is not None
    free = []
    for unknown in owners:
        own = [m for side, _, m in walls if side.statement.equation.slots[0][0] == unknown and len(m)]
        free.append(_null_space(np.concatenate(own) if own else np.zeros((0, space.columns))))
    inside = [
        GridRows(
            s.equation, space.grid[0], None, z.T @ space.region.tests, _matrices(evolution, space, s.equation, None)
        )
        for s, z in zip(evolution.equations, free, strict=True)
    ]
    return inside, [(side, rows) for side, rows, _ in walls]


def _null_space(conditions: np.ndarray) -> np.ndarray:
    """The coefficients of polynomials that satisfy conditions, orthonormal: (columns, n)."""
    if not len(conditions):
        return np.eye(conditions.shape[1])
    small = np.linalg.qr(conditions, mode="r") if len(conditions) > conditions.shape[1] else conditions
    _, sizes, right = linalg.svd(small)
    return np.asarray(right[int(np.sum(sizes > SATISFIED * sizes[0])) :].T)


def _on_part(
    evolution: Evolution, space: RegionSpace, side: Side, values: Sequence[Any]
) -> tuple[GridRows | None, np.ndarray]:
    """A condition on a part of the boundary, and its rows: (n, columns), of size one."""
    assert evolution.region is not None
    points, normals, weights = boundary_rule(evolution.region, [side.part], space.region.degree)
    equation, start = side.statement.equation, np.array([evolution.start])
    places = evolution.joined(points, start)
    if side.statement.where is not None:
        chosen = where_mask(side.statement.where, evolution.problem.coordinates, places)
        if not chosen.any():
            return None, np.zeros((0, space.columns))
        points, normals, weights, places = points[chosen], normals[chosen], weights[chosen], places[chosen]
    outward = np.insert(normals, evolution.axis, 0.0, axis=1)
    matrices = _matrices(evolution, space, equation, points)
    factors = equation.jacobian(places, outward, values)
    made = np.zeros((len(points), space.columns))
    for (_, index), c in zip(equation.slots, factors, strict=True):
        made += (c if c.ndim == 0 else c[:, None]) * matrices[evolution.split(index)[0]]
    root = np.sqrt(weights / weights.sum())
    rows = root[:, None] * made
    # What polynomials can be there: fewer rows than nodes.
    left, sizes, _ = linalg.svd(rows, full_matrices=False)
    seen = left[:, sizes > SATISFIED * sizes[0]]
    tests = seen.T * root
    return GridRows(equation, points, outward, CONDITIONS * tests, matrices), rows / sizes[0]


def _matrices(
    evolution: Evolution, space: RegionSpace, equation: Any, points: np.ndarray | None
) -> dict[tuple[int, ...], np.ndarray]:
    wanted = {evolution.split(index)[0] for _, index in equation.slots}
    return {k: space.region.at_grid(k) if points is None else space.matrix(points, k) for k in wanted}
