"""The level set of a function in space as triangles: marching tetrahedra on a grid, each cube cut into six."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import numpy as np

PATHS = tuple(
    np.cumsum([np.zeros(3, int), *(np.eye(3, dtype=int)[axis] for axis in order)], axis=0)
    for order in permutations(range(3))
)
"""The corners of the six tetrahedra of a cube: from one corner to the opposite one along the axes in any order."""


def triangulated(value: Callable[[np.ndarray], np.ndarray], bounds: np.ndarray, cells: int) -> np.ndarray:
    """Triangles (m, 3, 3) where a function of points (n, 3) is zero inside a box; `cells` along its longest side."""
    low, high = bounds
    counts = np.maximum(np.ceil(cells * (high - low) / np.max(high - low)).astype(int), 2)
    axes = [np.linspace(a, b, n + 1) for a, b, n in zip(low, high, counts, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = value(grid.reshape(-1, 3)).reshape(grid.shape[:3])
    values = np.where(values == 0.0, np.finfo(float).tiny, values)  # so that no corner is on it
    base = np.stack(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    found = []
    for path in PATHS:
        corner = tuple(np.moveaxis(base[:, None, :] + path, -1, 0))
        found.append(cut_simplices(grid[corner], values[corner]))
    return np.concatenate(found)


def cut_simplices(points: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Where values at the corners (n, 4) of tetrahedra (n, 4, 3) change their sign: triangles (m, 3, 3)."""
    negative = (values < 0).sum(axis=1)
    crossed = (negative > 0) & (negative < 4)
    order = np.argsort(values[crossed], axis=1)
    points = np.take_along_axis(points[crossed], order[:, :, None], axis=1)
    values, negative = np.take_along_axis(values[crossed], order, axis=1), negative[crossed]

    def on(rows: np.ndarray, i: int, j: int) -> np.ndarray:
        a, b = values[rows, i, None], values[rows, j, None]
        return (points[rows, i] * b - points[rows, j] * a) / (b - a)

    found = []
    for count, ends in ((1, ((0, 1), (0, 2), (0, 3))), (3, ((3, 0), (3, 1), (3, 2)))):
        rows = negative == count
        found.append(np.stack([on(rows, i, j) for i, j in ends], axis=1))
    rows = negative == 2
    a, b, c, d = (on(rows, i, j) for i, j in ((0, 2), (0, 3), (1, 3), (1, 2)))
    found += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    return np.concatenate(found)


def clipped(
    triangles: np.ndarray,
    value: Callable[[np.ndarray], np.ndarray],
    moved: Callable[[np.ndarray], np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """What is left of triangles (m, 3, 3) where a function is negative: those whose sides are whole, and those whose
    last two corners lie where it is zero, which are moved."""
    values = value(triangles.reshape(-1, 3)).reshape(-1, 3)
    values = np.where(values == 0.0, np.finfo(float).tiny, values)
    order = np.argsort(values, axis=1)
    points = np.take_along_axis(triangles, order[:, :, None], axis=1)
    values = np.take_along_axis(values, order, axis=1)
    inside = (values < 0).sum(axis=1)

    def on(rows: np.ndarray, i: int, j: int) -> np.ndarray:
        a, b = values[rows, i, None], values[rows, j, None]
        return moved((points[rows, i] * b - points[rows, j] * a) / (b - a))

    one, two = inside == 1, inside == 2
    p, q, r, s = on(one, 0, 1), on(one, 0, 2), on(two, 0, 2), on(two, 1, 2)
    whole = [triangles[inside == 3], np.stack([points[two, 0], points[two, 1], s], axis=1)]
    ended = [np.stack([points[one, 0], p, q], axis=1), np.stack([points[two, 0], r, s], axis=1)]
    return np.concatenate(whole), np.concatenate(ended)
