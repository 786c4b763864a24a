"""Cells around seeds, with all that rows need: points inside, faces between neighbours, pieces of the boundary.

No mesh is made. The boundary is followed along its arcs from one nearest seed to the next; where it changes hands the
line between two seeds leaves the domain. A cell is seen from a point inside it along rays, which end at such lines and
at the boundary. All arrays have one row for each cell, face or piece of the boundary, and as many points in each.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from transnet.cells.outline import ArcSamples
from transnet.geometry.corners import Corner
from transnet.geometry.rules import gauss

RAYS = 48
"""Rays of a cell."""
INWARDS = 0.998
"""How far points go towards the ends of rays: the boundary between two samples is taken for straight."""
SHORT = 1e-3
"""Faces and pieces of the boundary shorter than this part of a cell are left out."""
GOLDEN, PLASTIC = 0.3819660112501051, 0.7548776662466927
"""The golden section, for angles that are spread evenly, and the plastic one, for distances."""
CROWDED = 3
"""The power that crowds points at a corner: powers of the distance to it differ over orders of magnitude only."""


@dataclass(frozen=True, eq=False)
class Tiles:
    """The cells of a domain.

    Parameters
    ----------
    seeds : (k, 2) array
    centre, half : (k, 2) arrays
        The ellipse around each cell that is mapped to the unit circle.
    origin : (k, 2) array
        From where each cell is seen; for the cell of a corner that corner.
    ends : (k, RAYS, 2) array
        The ends of its rays; `open` for those of corners, whose rays do not go all the way round.
    pairs : (f, 2) array
        The cells on both sides of each face, which runs from `starts` to `stops`, with normals from the first to the
        second.
    rims : tuple of (int, int, float, float)
        Pieces of the boundary: the cell, the number of the arc, and arc lengths.
    """

    outline: ArcSamples
    seeds: np.ndarray
    centre: np.ndarray
    half: np.ndarray
    origin: np.ndarray
    ends: np.ndarray
    open: np.ndarray
    pairs: np.ndarray
    starts: np.ndarray
    stops: np.ndarray
    rims: tuple[tuple[int, int, float, float], ...]
    corners: tuple[Corner, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.seeds)

    @property
    def size(self) -> np.ndarray:
        """The mean radius of each cell."""
        return self.half.mean(axis=1)

    def placed(self, points: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Points (len(cells), m, 2) in the coordinates of their cells."""
        return (points - self.centre[cells][:, None]) / self.half[cells][:, None]

    def inside(self, count: int, shift: float = 0.0) -> np.ndarray:
        """Points of every cell, dense towards its ends as polynomials need them: (k, count, 2)."""
        u = (np.arange(count) + 0.5) / count
        radius = INWARDS * np.sqrt(1.0 - u**2)
        # Around a corner half of the points go towards it, over several orders of magnitude.
        towards = np.where(np.arange(count) % 2, np.mod(0.5 + np.arange(count) * PLASTIC, 1.0) ** CROWDED, 1.0)
        angle = np.mod((np.arange(count) + shift) * GOLDEN, 1.0)
        found = np.empty((len(self), count, 2))
        for is_open in (False, True):
            which = np.flatnonzero(self.open == is_open)
            place = angle * (RAYS - 1 if is_open else RAYS)
            first = place.astype(int)
            share = (place - first)[None, :, None]
            ends = self.ends[which]
            at = (1.0 - share) * ends[:, first] + share * ends[:, (first + 1) % RAYS]
            middle = self.origin[which][:, None]
            found[which] = middle + (radius * towards if is_open else radius)[None, :, None] * (at - middle)
        return found

    def face_points(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Gauss points of every face (f, count, 2), normals (f, 2), lengths (f,) and the weights of the rule."""
        nodes, weights = gauss(count)
        along = self.stops - self.starts
        length = np.linalg.norm(along, axis=1)
        normal = self.seeds[self.pairs[:, 1]] - self.seeds[self.pairs[:, 0]]
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        return self.starts[:, None] + nodes[None, :, None] * along[:, None], normal, length, weights

    def rim_points(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Gauss points and normals of the pieces of the boundary (b, count, 2), their cells, lengths and weights."""
        first, last = self._touching
        rules = [_crowded(count, int(a) + 2 * int(b)) for a, b in zip(first, last, strict=True)]
        points, normals = np.empty((len(self.rims), count, 2)), np.empty((len(self.rims), count, 2))
        by_arc: dict[int, list[int]] = {}
        for k, (_, arc, _, _) in enumerate(self.rims):
            by_arc.setdefault(arc, []).append(k)
        for arc, mine in by_arc.items():
            s = np.concatenate([self.rims[k][2] + (self.rims[k][3] - self.rims[k][2]) * rules[k][0] for k in mine])
            p, n = self.outline.arcs[arc][1].at(s)
            points[mine], normals[mine] = p.reshape(-1, count, 2), n.reshape(-1, count, 2)
        cells = np.array([r[0] for r in self.rims], dtype=int)
        lengths = np.array([r[3] - r[2] for r in self.rims])
        return points, normals, cells, lengths, np.array([w for _, w in rules]).reshape(-1, count)

    @cached_property
    def _touching(self) -> tuple[np.ndarray, np.ndarray]:
        """Whether pieces of the boundary begin, and end, in the corner of their cell."""
        found = np.zeros((2, len(self.rims)), dtype=bool)
        for k, (cell, arc, start, stop) in enumerate(self.rims):
            if self.open[cell]:
                ends = self.outline.arcs[arc][1].at(np.array([start, stop]))[0]
                found[:, k] = np.linalg.norm(ends - self.origin[cell], axis=1) < SHORT * self.size[cell]
        return found[0], found[1]


def _crowded(count: int, at: int) -> tuple[np.ndarray, np.ndarray]:
    """A Gauss rule between 0 and 1, with nodes crowded at the beginning (1), the end (2) or both (3)."""
    nodes, weights = gauss(count)
    if at == 1:
        return nodes**CROWDED, CROWDED * nodes ** (CROWDED - 1) * weights
    if at == 2:
        nodes, weights = _crowded(count, 1)
        return 1.0 - nodes[::-1], weights[::-1]
    if at == 3:
        t = np.sin(0.5 * np.pi * nodes) ** 2
        return t, 0.5 * np.pi * np.sin(np.pi * nodes) * weights
    return nodes, weights
