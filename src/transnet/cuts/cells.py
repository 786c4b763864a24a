"""A domain cut by boxes: the cells, each a box intersected with one material, and where they meet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.features.edge_functions import AnySingular
from transnet.features.singular import NO_FUNCTIONS
from transnet.features.space import FeatureSpace
from transnet.geometry import Domain
from transnet.lazy import shapely
from transnet.measure.rules import gauss

CROWDED = 3
"""The power that crowds Gauss points at a vertex: the first is then six orders of magnitude closer than the last."""
SHORTEST = 1e-3
"""Stretches of a boundary or a face shorter than this, in units of the box, are ignored."""


@dataclass(frozen=True)
class Density:
    """Numbers of points: inside a cell, along a face (each way), and the most along the boundary in a cell."""

    inside: int
    face: int
    rim: int
    vertices: np.ndarray | None = None
    """Points of the plane, (m, 2), or ends of edges in space, (m, 2, 3), at which solutions are singular."""
    conserving: bool = False

    def nodes(self, m: int, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """Gauss points between 0 and 1 for a stretch; if it ends in a vertex there are more, crowded there.

        Powers of the distance to a vertex can only be distinguished by points at distances over several orders of
        magnitude.
        """
        if self.vertices is None:
            return gauss(m)[0]
        near = SHORTEST * float(np.linalg.norm(stop - start))
        first, last = (bool(np.any(np.linalg.norm(self.vertices - end, axis=1) < near)) for end in (start, stop))
        if first and last:
            half = 0.5 * gauss(m)[0] ** CROWDED
            return np.concatenate([half, 1.0 - half[::-1]])
        s = gauss(m + m // 2 if first or last else m)[0]
        return s**CROWDED if first else 1.0 - s[::-1] ** CROWDED if last else s

    def across(self, m: int, low: np.ndarray, high: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray]:
        """The same in space along one axis of a rectangle from `low` to `high`, with the weights of a quadrature rule.

        Points are crowded at ends with an edge on them, which may run along that end of the rectangle or leave it from
        a corner; edges along the axis do not count.
        """
        if self.vertices is None:
            return gauss(m)
        near = SHORTEST * float((high - low).max())
        others = self.vertices[self.vertices[:, 1, axis] - self.vertices[:, 0, axis] < near]
        ends = []
        for end in (low, high):
            a, b = low.copy(), high.copy()
            a[axis] = b[axis] = end[axis]
            ends.append(bool(_touched(others, a, b, near).any()))
        s, w = gauss(m + m // 2 if sum(ends) == 1 else m)
        if not any(ends):
            return s, w
        nodes, weights = s**CROWDED, w * CROWDED * s ** (CROWDED - 1)
        if all(ends):
            return np.concatenate([0.5 * nodes, 1.0 - 0.5 * nodes[::-1]]), 0.5 * np.concatenate(
                [weights, weights[::-1]]
            )
        return (nodes, weights) if ends[0] else (1.0 - nodes[::-1], weights[::-1])


def _touched(edges: np.ndarray, low: np.ndarray, high: np.ndarray, near: float) -> np.ndarray:
    """Whether each edge (m, 2, 3) comes within a distance of the box from `low` to `high`."""
    gap = np.maximum(np.maximum(low - edges[:, 1], edges[:, 0] - high), 0.0)
    return np.linalg.norm(gap, axis=1) < near


@dataclass(frozen=True, eq=False)
class Stretch:
    """Points with normals on a boundary: `owner` is the number of the part, `shares` the weights of a rule, if
    known."""

    owner: int
    points: np.ndarray
    normals: np.ndarray
    shares: np.ndarray | None = None


@dataclass(eq=False)
class Cell:
    """A box intersected with a material; where that has several parts, one of them, with its outline."""

    box: int
    material: int
    centre: np.ndarray
    half: np.ndarray
    inside: np.ndarray
    fresh: np.ndarray
    rims: list[Stretch] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)
    singular: AnySingular = NO_FUNCTIONS
    outline: shapely.Polygon | None = None

    def space(self, waves: FeatureSpace) -> FeatureSpace:
        """The features of the cell: waves, and its own singular functions if it has any."""
        return waves.with_singular(self.singular) if len(self.singular) else waves


@dataclass(frozen=True, eq=False)
class Face:
    """Where two cells meet: across a box's face along `axis`, or across the interface of materials (axis None).

    `images` are the points as seen from the second cell, which differ if the problem is periodic; `shares` are the
    weights of a quadrature rule at the points, if they are known.
    """

    first: int
    second: int
    points: np.ndarray
    normals: np.ndarray
    axis: int | None
    share: float = 1.0
    images: np.ndarray | None = None
    shares: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells and faces of a domain; `conserving` says whether the mean fluxes of every cell and face count most."""

    domain: Domain
    boxes: Boxes
    cells: list[Cell]
    faces: list[Face]
    vertices: np.ndarray | None = None
    conserving: bool = False

    def closeness(self, points: np.ndarray, *cells: int) -> np.ndarray | float:
        """The distance of points from the nearest vertex in units of their cells, at most one, by which derivatives are
        weighted."""
        if self.vertices is None or not any(len(self.cells[k].singular) for k in cells):
            return 1.0
        unit = min(float(self.cells[k].half.min()) for k in cells)
        if self.vertices.ndim == 3:
            low, high = self.vertices[None, :, 0], self.vertices[None, :, 1]
            beyond = np.maximum(np.maximum(low - points[:, None], points[:, None] - high), 0.0)
            away = np.linalg.norm(beyond, axis=2).min(axis=1)
        else:
            away = np.linalg.norm(points[:, None, :] - self.vertices[None], axis=2).min(axis=1)
        return np.minimum(away / unit, 1.0) if away.min() < unit else 1.0
