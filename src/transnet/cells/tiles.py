"""Cells around seeds, with all that rows need: points inside, faces between neighbours, pieces of the boundary.

No mesh is made. The boundary is followed along its arcs from one nearest seed to the next; where it changes hands the
line between two seeds leaves the domain. A cell is seen from a point inside it along rays, which end at such lines and
at the boundary. All arrays have one row for each cell, face or piece of the boundary, and as many points in each.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from transnet.cells.charts import CellCharts
from transnet.cells.outline import ArcSamples
from transnet.geometry.corners import Corner
from transnet.measure.rules import gauss

RAYS = 48
"""Rays of a cell."""
TURNS = 192
"""Equal shares of a cell, by area, in which as many points lie: with equal angles the tips of long cells have too few,
and degrees of 16 and more oscillate there."""
INWARDS = 0.998
"""How far points go towards the ends of rays: the boundary between two samples is taken for straight."""
SHORT, TINY = 1e-3, 1e-7
"""Ends nearer to a corner than this part of a cell are there; faces and pieces of the boundary that are shorter than
the second are left out."""
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
    charts : CellCharts
        Their coordinates.
    material : (k,) array
        The material of each cell; empty if there is one.
    joints : (n,) array
        The pieces of interfaces among `rims`: the last n pairs are the cells on both sides.
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
    charts: CellCharts = field(kw_only=True)
    material: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))
    joints: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=int))

    def __len__(self) -> int:
        return len(self.seeds)

    def within(self, material: int) -> np.ndarray:
        """Whether a cell is in a material."""
        return self.material == material if len(self.material) else np.ones(len(self), dtype=bool)

    @property
    def size(self) -> np.ndarray:
        """The mean radius of each cell."""
        return self.half.mean(axis=1)

    def importance(self, points: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """How much points (len(cells), m, 2) count: around corners less the closer they are."""
        found = np.ones(points.shape[:2])
        corners = np.flatnonzero(self.open[cells])
        if len(corners):
            away = np.linalg.norm(points[corners] - self.origin[cells[corners]][:, None], axis=2)
            found[corners] = np.minimum(away / self.size[cells[corners]][:, None], 1.0)
        return found

    def inside(self, cells: np.ndarray, count: int, shift: float = 0.0) -> np.ndarray:
        """Points of cells, dense towards their ends as polynomials need them: (len(cells), count, 2)."""
        number = np.arange(count)
        radius = INWARDS * np.sqrt(1.0 - ((number + 0.5) / count) ** 2)
        angle = np.mod((number + shift) * GOLDEN, 1.0)
        found = np.empty((len(cells), count, 2))
        for is_open in (False, True):
            which = np.flatnonzero(self.open[cells] == is_open)
            if not len(which):
                continue
            own = np.arange(len(which))[:, None]
            if is_open:
                place = np.broadcast_to(angle * (RAYS - 1), (len(which), count))
            else:
                between = angle * TURNS
                low = between.astype(int)
                table = self._turns[cells[which]]
                place = table[:, low] + (between - low) * (table[:, low + 1] - table[:, low])
            first = np.minimum(place.astype(int), RAYS - 1)
            share = (place - first)[..., None]
            ends = self.ends[cells[which]]
            at = (1.0 - share) * ends[own, first] + share * ends[own, (first + 1) % RAYS]
            middle = self.origin[cells[which]][:, None]
            if is_open:
                # Around a corner half of the points go towards it, over several orders of magnitude.
                towards = np.where(number % 2, np.mod(0.5 + number * PLASTIC, 1.0) ** CROWDED, 1.0)
                at -= middle
                at *= (radius * towards)[:, None]
            else:
                at -= middle
                at *= radius[:, None]
            at += middle
            found[which] = at
        return found

    @cached_property
    def _turns(self) -> np.ndarray:
        """Between which rays equal shares of each cell lie, in the coordinates of its ellipse: (k, TURNS + 1)."""
        away = (self.ends - self.origin[:, None]) / self.half[:, None]
        following = np.roll(away, -1, axis=1)
        areas = np.abs(away[..., 0] * following[..., 1] - away[..., 1] * following[..., 0])
        sums = np.concatenate([np.zeros((len(areas), 1)), np.cumsum(areas, axis=1)], axis=1)
        wanted = np.linspace(0.0, 1.0, TURNS + 1)
        return np.array([np.interp(wanted * s[-1], s, np.arange(RAYS + 1.0)) for s in sums])

    def face_points(self, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Gauss points of every face within a material (f, count, 2), normals (f, 2), lengths (f,), weights."""
        nodes, weights = gauss(count)
        along = self.stops - self.starts
        length = np.linalg.norm(along, axis=1)
        pairs = self.pairs[: len(along)]
        normal = self.seeds[pairs[:, 1]] - self.seeds[pairs[:, 0]]
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        return self.starts[:, None] + nodes[None, :, None] * along[:, None], normal, length, weights

    def rim_points(
        self, count: int, which: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Gauss points and normals of pieces of the boundary (b, count, 2), their cells, lengths and weights."""
        cells, arcs, starts, stops = self._rims if which is None else (v[which] for v in self._rims)
        crowds = self.touching if which is None else self.touching[which]
        rules = [_crowded(count, at) for at in range(4)]
        nodes, weights = (np.array([r[k] for r in rules])[crowds] for k in (0, 1))
        s = starts[:, None] + (stops - starts)[:, None] * nodes
        points, normals = np.empty((len(cells), count, 2)), np.empty((len(cells), count, 2))
        for arc in np.unique(arcs):
            mine = arcs == arc
            p, n = self.outline.arcs[arc][1].at(s[mine].ravel())
            points[mine], normals[mine] = p.reshape(-1, count, 2), n.reshape(-1, count, 2)
        return points, normals, cells, stops - starts, weights

    @cached_property
    def _rims(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The cell, the number of the arc, and the arc lengths of each piece of the boundary."""
        table = np.array(self.rims, dtype=float).reshape(-1, 4)
        return table[:, 0].astype(int), table[:, 1].astype(int), table[:, 2], table[:, 3]

    @property
    def rims_cells(self) -> np.ndarray:
        """The cells of the pieces of the boundary."""
        return self._rims[0]

    def rims_of(self, parts: Collection[str]) -> np.ndarray:
        """The numbers of the pieces of the boundary that belong to its parts."""
        mine = np.array([part in parts for part, _ in self.outline.arcs], dtype=bool)
        return np.flatnonzero(mine[self._rims[1]])

    @cached_property
    def touching(self) -> np.ndarray:
        """Whether pieces of the boundary begin (1), end (2), or both (3), in the corner of their cell."""
        found = np.zeros(len(self.rims), dtype=int)
        for k in np.flatnonzero(self.open[self._rims[0]]).tolist():
            cell, arc, start, stop = self.rims[k]
            ends = self.outline.arcs[arc][1].at(np.array([start, stop]))[0]
            near = np.linalg.norm(ends - self.origin[cell], axis=1) < SHORT * self.size[cell]
            found[k] = near @ (1, 2)
        return found


@lru_cache(maxsize=256)
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
