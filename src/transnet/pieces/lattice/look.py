"""How well a solution on a regular grid satisfies everything, for all cells at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.linalg.sizes import rms
from transnet.pieces.lattice.joined import Joined
from transnet.pieces.local import RowBlock
from transnet.rows.compile import Slot
from transnet.solution.diagnostics import Residual

SAMPLED = 12
"""Points of each cell at which solutions are compared."""
SOME = 256
"""Cells from which the sizes of the terms of a statement are estimated."""


@dataclass(frozen=True, eq=False)
class Looked:
    """The indicator of each cell, the residuals of the statements, and the unknowns at some points of each cell."""

    cells: np.ndarray
    residuals: tuple[Residual, ...]
    values: list[np.ndarray]


def look(joined: Joined, coefficients: np.ndarray) -> Looked:
    """Judge a solution from its coefficients (cells, columns) in the units of the cell."""
    eta = np.zeros(joined.counts)
    residuals = [
        *_equations(joined, coefficients, eta),
        *_faces(joined, coefficients, eta),
        *_walls(joined, coefficients, eta),
    ]
    d, units = len(joined.counts), joined.cube.frame.units
    points = joined.cube.fresh[:SAMPLED]
    values = [coefficients @ _plain(joined, (u, (0,) * d), points).T for u in range(len(units))]
    size = max(rms(v) / t for v, t in zip(values, units, strict=True)) or 1.0
    return Looked(eta.ravel() / size, tuple(residuals), values)


def _equations(joined: Joined, coefficients: np.ndarray, eta: np.ndarray) -> list[Residual]:
    """The equations at points that were not fitted."""
    cube, law = joined.cube, joined.cube.law
    some = coefficients[:: max(1, joined.cells // SOME)]
    made = []
    for i, (statement, matrix) in enumerate(zip(law.equations, cube.rows(cube.fresh), strict=True)):
        missed = coefficients @ matrix.T
        data = 0.0
        for here in joined.chunks(len(cube.fresh)):
            source = joined.sources(cube.fresh, i, here)
            data = max(data, rms(source))
            missed[here] -= source
        worst = cube.scale.rows[i] * rms(missed, axis=1)
        np.maximum(eta, worst.reshape(eta.shape), out=eta)
        terms = [
            abs(float(c)) * rms(some @ _plain(joined, slot, cube.fresh).T)
            for slot, c in zip(statement.equation.slots, law.coefficients[i], strict=True)
        ]
        rows = joined.cells * len(cube.inside)
        made.append(_residual(statement.label, missed, rows, float(cube.weights[i]), max(*terms, data)))
    return made


def _faces(joined: Joined, coefficients: np.ndarray, eta: np.ndarray) -> list[Residual]:
    """The jumps across faces, measured by their rows."""
    cube = joined.cube
    shaped = coefficients.reshape(*joined.counts, -1)
    energy = np.sqrt(cube.scale.stiffness)
    found, size = [], 0.0
    for axis, n in enumerate(joined.counts):
        before, behind = np.moveaxis(shaped, axis, 0)[: n - 1], np.moveaxis(shaped, axis, 0)[1:]
        at = np.moveaxis(eta, axis, 0)
        for a, b in zip(cube.traces[axis, 1], cube.traces[axis, 0], strict=True):
            if n == 1:
                continue
            high, low = (_seen(joined, axis, end, t.unknown, t.order, t.honest) for end, t in ((1, a), (0, b)))
            left = before @ high.T
            jump = left - behind @ low.T
            size = max(size, rms(left))
            found.append(jump.ravel())
            worst = np.linalg.norm(jump, axis=-1) / energy
            at[:-1] = np.maximum(at[:-1], worst)
            at[1:] = np.maximum(at[1:], worst)
    if not found:
        return []
    flat = np.concatenate(found)
    return [_residual("faces between pieces", flat, flat.size, 1.0, size)]


def _walls(joined: Joined, coefficients: np.ndarray, eta: np.ndarray) -> list[Residual]:
    """The conditions; those of one statement on several sides make one residual."""
    cube = joined.cube
    shaped = coefficients.reshape(*joined.counts, -1)
    energy = np.sqrt(cube.scale.stiffness)
    found: dict[str, list[tuple[np.ndarray, float, float]]] = {}
    for (axis, end), walls in cube.law.walls.items():
        mine = joined.side(shaped, (axis, end))
        for wall in walls:
            rows = sum(
                (c * _seen(joined, axis, end, u, order) for (u, order), c in wall.terms.items()),
                np.zeros((1, coefficients.shape[1])),
            )
            data = joined.wall_values((axis, end), wall)
            missed = mine @ rows.T - data
            worst = joined.weight((axis, end), wall, honest=True) / energy * np.linalg.norm(missed, axis=1)
            at = np.moveaxis(eta, axis, 0)[-end]
            np.maximum(at, worst.reshape(at.shape), out=at)
            size = max(rms(data), rms(mine @ rows.T))
            found.setdefault(wall.statement.label, []).append((missed, size, joined.weight((axis, end), wall)))
    made = []
    for label, parts in found.items():
        flat = np.concatenate([missed.ravel() for missed, _, _ in parts])
        made.append(_residual(label, flat, flat.size, parts[0][2], max(size for _, size, _ in parts)))
    return made


def _plain(joined: Joined, slot: Slot, points: np.ndarray) -> np.ndarray:
    """The rows of one derivative at points around zero."""
    block = RowBlock(points, (slot,), (np.array(1.0),), 1.0, np.zeros(len(points)))
    return joined.cube.frame.rows([block])


def _seen(joined: Joined, axis: int, end: int, unknown: int, order: int, weight: float = 1.0) -> np.ndarray:
    """The rows of a derivative along the normal on one side of a cell."""
    index = tuple(order if j == axis else 0 for j in range(len(joined.counts)))
    return weight * _plain(joined, (unknown, index), joined.cube.faces[axis, end])


def _residual(label: str, missed: np.ndarray, rows: int, weight: float, terms: float) -> Residual:
    size = float(rms(missed))
    return Residual(label, rows, weight, size, float(np.abs(missed).max(initial=0.0)), size / (terms or 1.0))
