"""Integrals over cells and over what bounds them: a fan of each edge from the point the cell is seen from.

The area of a fan counts with its sign, so that a rule is exact for polynomials whether or not all of a cell is seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transnet.cells.tiles import CROWDED, Tiles
from transnet.measure.rules import gauss

MORE, MORE_ON_ARCS = 2, 5
"""Nodes along an edge beyond the degree, and on a piece of the boundary, which may be curved."""
AT_CORNERS = 2.5
"""How many times as many nodes there are towards a corner."""
CLOSED = 1e-6
"""By how much the edges of a cell may fail to close, in units of its size."""


class OpenCellError(Exception):
    """The edges of a cell do not close."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Nodes on all edges of cells.

    Parameters
    ----------
    points, normals : (n, 2) arrays
        The normals point out of the first cell.
    weights : (n,) array
    first, second : (n,) arrays
        The cells on both sides; there is no second one, -1, on the boundary.
    arc : (n,) array
        The number of the arc of the outline; -1 on lines between cells of a material.
    """

    points: np.ndarray
    normals: np.ndarray
    weights: np.ndarray
    first: np.ndarray
    second: np.ndarray
    arc: np.ndarray

    def take(self, which: np.ndarray) -> Edges:
        """Some of the nodes."""
        return Edges(*(getattr(self, n)[which] for n in ("points", "normals", "weights", "first", "second", "arc")))


def nodes_on_edges(tiles: Tiles, degree: int) -> Edges:
    """Nodes for products of polynomials up to a degree on all edges."""
    count = degree + MORE
    points, normals, lengths, weights = tiles.face_points(count)
    f = len(points)
    pairs = tiles.pairs[:f]
    parts = [(
        points.reshape(-1, 2), np.repeat(normals, count, axis=0), (lengths[:, None] * weights).ravel(),
        np.repeat(pairs[:, 0], count), np.repeat(pairs[:, 1], count), np.full(f * count, -1),
    )]  # fmt: skip
    numbers = np.arange(len(tiles.rims))
    second = np.full(len(tiles.rims), -1)
    second[tiles.joints] = tiles.pairs[f:, 1]
    arcs = np.array([arc for _, arc, _, _ in tiles.rims], dtype=int)
    touching = tiles.touching > 0
    for which, n in ((numbers[~touching], degree + MORE_ON_ARCS), (numbers[touching], int(AT_CORNERS * degree))):
        if len(which):
            points, normals, cells, lengths, weights = tiles.rim_points(n, which)
            parts.append((
                points.reshape(-1, 2), normals.reshape(-1, 2), (lengths[:, None] * weights).ravel(),
                np.repeat(cells, n), np.repeat(second[which], n), np.repeat(arcs[which], n),
            ))  # fmt: skip
    return Edges(*(np.concatenate(p) for p in zip(*parts, strict=True)))


@dataclass(frozen=True, eq=False)
class CellRule:
    """Nodes inside all cells, cell after cell, and on their edges; weights of the first may be negative."""

    points: np.ndarray
    weights: np.ndarray
    cells: np.ndarray
    edges: Edges

    @cached_property
    def ends(self) -> np.ndarray:
        """Where the nodes of each cell begin, and the last ones end."""
        return np.searchsorted(self.cells, np.arange(self.cells[-1] + 2))


def rule_of(tiles: Tiles, degree: int) -> CellRule:
    """A rule for products of polynomials up to a degree in all cells."""
    edges = nodes_on_edges(tiles, degree)
    size = tiles.size
    both = edges.take(edges.second >= 0)
    cell = np.concatenate([edges.first, both.second])
    at = np.concatenate([edges.points, both.points])
    outward = np.concatenate([edges.normals, -both.normals]) * np.concatenate([edges.weights, both.weights])[:, None]
    gaps = np.stack([np.bincount(cell, outward[:, k], len(tiles)) for k in (0, 1)], axis=1)
    if np.any(np.linalg.norm(gaps, axis=1) > CLOSED * size):
        raise OpenCellError
    away = at - tiles.origin[cell]
    areas = np.sum(away * outward, axis=1)
    seen = np.flatnonzero(np.abs(areas) > 0)
    cell, away, areas = cell[seen], away[seen], areas[seen]
    found = []
    for is_open in (False, True):
        mine = np.flatnonzero(tiles.open[cell] == is_open)
        t, w = gauss(int(AT_CORNERS * degree) if is_open else degree + MORE)
        if is_open:
            t, w = t**CROWDED, CROWDED * t ** (CROWDED - 1) * w
        found.append((
            (tiles.origin[cell[mine]][:, None] + t[:, None] * away[mine][:, None]).reshape(-1, 2),
            (areas[mine, None] * (w * t)).ravel(), np.repeat(cell[mine], len(t)),
        ))  # fmt: skip
    points, weights, cells = (np.concatenate(p) for p in zip(*found, strict=True))
    order = np.argsort(cells, kind="stable")
    return CellRule(points[order], weights[order], cells[order], edges)
