"""Cells around seeds, with all that rows need: points inside, faces between neighbours, pieces of the boundary.

No mesh is made. The boundary is followed along its arcs from one nearest seed to the next; where it changes hands the
line between two seeds leaves the domain. A cell is seen from a point inside it along rays, which end at such lines and
at the boundary. All arrays have one row for each cell, face or piece of the boundary, and as many points in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from transnet.cells.outline import Outline
from transnet.cells.seeds import owners
from transnet.geometry import Domain
from transnet.geometry.corners import Corner
from transnet.geometry.rules import gauss

RAYS = 48
"""Rays of a cell."""
INWARDS = 0.998
"""How far points go towards the ends of rays: the boundary between two samples is taken for straight."""
CIRCLE = 0.9
"""The radius of the circle around a cell, in units of its farthest point: traces are of similar size then."""
SHORT = 1e-3
"""Faces and pieces of the boundary shorter than this part of a cell are left out."""
TURN = 1.2
"""The most that the boundary turns within a piece, in radians."""
HALVINGS = 40
"""Steps by which the place is found where the boundary changes hands."""
BEYOND = 20.0
"""How far away the seeds are that bound the outermost cells, in units of the domain."""
GOLDEN = 0.3819660112501051
"""The golden section, for angles that are spread evenly."""
HIDDEN = 0.1
"""A cell of whose points a larger part cannot be seen from its origin is cut."""


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

    outline: Outline
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
        towards = np.where(np.arange(count) % 2, np.mod(0.5 + np.arange(count) * 0.7548776662466927, 1.0) ** 3, 1.0)
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
        nodes, weights = gauss(count)
        points, normals = np.empty((len(self.rims), count, 2)), np.empty((len(self.rims), count, 2))
        by_arc: dict[int, list[int]] = {}
        for k, (_, arc, _, _) in enumerate(self.rims):
            by_arc.setdefault(arc, []).append(k)
        for arc, mine in by_arc.items():
            s = np.concatenate([self.rims[k][2] + (self.rims[k][3] - self.rims[k][2]) * nodes for k in mine])
            p, n = self.outline.arcs[arc][1].at(s)
            points[mine], normals[mine] = p.reshape(-1, count, 2), n.reshape(-1, count, 2)
        cells = np.array([r[0] for r in self.rims], dtype=int)
        return points, normals, cells, np.array([r[3] - r[2] for r in self.rims]), weights


def tiles_of(domain: Domain, seeds: np.ndarray, corners: Sequence[Corner], samples: np.ndarray) -> Tiles:
    """The cells of seeds, of which the first are those of corners; hidden parts of cells get seeds of their own."""
    for _ in range(3):
        tiles = _tiles(domain, seeds, corners, samples)
        more = _hidden(tiles, samples)
        if not len(more):
            break
        seeds = np.concatenate([seeds, more])
    return tiles


def _tiles(domain: Domain, seeds: np.ndarray, corners: Sequence[Corner], samples: np.ndarray) -> Tiles:
    own = owners(samples, seeds)
    count = np.bincount(own, minlength=len(seeds))
    middle = np.stack([np.bincount(own, samples[:, k], len(seeds)) for k in (0, 1)], axis=1)
    origin = np.where(count[:, None] > 0, middle / np.maximum(count, 1)[:, None], seeds)
    origin[: len(corners)] = seeds[: len(corners)]
    typical = np.sqrt(domain.volume * np.maximum(count, 1) / len(samples))
    outline = Outline.of(domain, 0.25 * float(typical.min()))
    holders = owners(outline.points, seeds)
    pairs, ends = _ridges(seeds, domain)
    rims, crossings = _followed(outline, holders, seeds, typical)
    starts, stops, kept = _clipped(domain, pairs, ends, crossings, typical)
    angles = np.tile(2.0 * np.pi * np.arange(RAYS) / RAYS, (len(seeds), 1))
    opened = np.zeros(len(seeds), dtype=bool)
    for k, corner in enumerate(corners):
        first = float(np.arctan2(*corner.edges[0][::-1]))
        angles[k] = first + corner.opening() * np.linspace(1e-3, 1.0 - 1e-3, RAYS)
        opened[k] = True
    reach = _rays(outline, holders, seeds, pairs, origin, angles, typical)
    found = origin[:, None] + reach[..., None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    low, high = (np.minimum(found.min(axis=1), origin), np.maximum(found.max(axis=1), origin))
    centre, half = 0.5 * (low + high), 0.5 * (high - low)
    farthest = np.linalg.norm((found - centre[:, None]) / half[:, None], axis=2).max(axis=1)
    half = CIRCLE * farthest[:, None] * half
    return Tiles(
        outline, seeds, centre, half, origin, found, opened, pairs[kept], starts, stops, tuple(rims), tuple(corners)
    )


def _ridges(seeds: np.ndarray, domain: Domain) -> tuple[np.ndarray, np.ndarray]:
    """Neighbouring seeds and the ends of the line between them: (f, 2) and (f, 2, 2)."""
    from scipy.spatial import Voronoi

    if len(seeds) == 1:
        return np.empty((0, 2), dtype=int), np.empty((0, 2, 2))
    middle, reach = domain.bounds.mean(axis=0), BEYOND * float(np.ptp(domain.bounds, axis=0).max())
    far = middle + reach * np.array([[1.0, 0.1], [-0.1, 1.0], [-1.0, -0.1], [0.1, -1.0]])
    diagram = Voronoi(np.concatenate([seeds, far]))
    pairs = np.asarray(diagram.ridge_points)
    ends = np.array(diagram.ridge_vertices, dtype=object)
    both = (pairs < len(seeds)).all(axis=1) & np.array([min(e) >= 0 for e in ends])
    ends = diagram.vertices[np.array(ends[both].tolist(), dtype=int)] if both.any() else np.empty((0, 2, 2))
    return np.sort(pairs[both], axis=1), ends


Crossings = dict[tuple[int, int], list[np.ndarray]]


def _followed(
    outline: Outline, holders: np.ndarray, seeds: np.ndarray, typical: np.ndarray
) -> tuple[list[tuple[int, int, float, float]], Crossings]:
    """Pieces of the boundary by cell, and where it changes hands."""
    rims: list[tuple[int, int, float, float]] = []
    crossings: Crossings = {}
    for number, (_, arc) in enumerate(outline.arcs):
        mine = np.flatnonzero(outline.arc == number)
        held, s = holders[mine], outline.at[mine]
        change = np.flatnonzero(held[1:] != held[:-1])
        low, high = s[change], s[change + 1]
        a, b = held[change], held[change + 1]
        for _ in range(HALVINGS if len(change) else 0):
            half = 0.5 * (low + high)
            at = arc.at(half)[0]
            before = np.sum((at - seeds[a]) ** 2, axis=1) < np.sum((at - seeds[b]) ** 2, axis=1)
            low, high = np.where(before, half, low), np.where(before, high, half)
        if len(change):
            for i, j, place in zip(a.tolist(), b.tolist(), arc.at(low)[0], strict=True):
                crossings.setdefault((min(i, j), max(i, j)), []).append(place)
        stops = [*low.tolist(), arc.length]
        start = 0.0
        for cell, stop in zip([*a.tolist(), int(held[-1])], stops, strict=True):
            if stop - start > SHORT * typical[cell]:
                pieces = 1
                if not arc.straight:
                    normals = arc.at(np.linspace(start, stop, 9))[1]
                    turns = np.arccos(np.clip(np.sum(normals[1:] * normals[:-1], axis=1), -1.0, 1.0))
                    pieces = max(int(np.ceil(turns.sum() / TURN)), int(np.ceil((stop - start) / (3 * typical[cell]))))
                cuts = np.linspace(start, stop, pieces + 1).tolist()
                rims += [(cell, number, x, y) for x, y in zip(cuts[:-1], cuts[1:], strict=True)]
            start = stop
    return rims, crossings


def _clipped(
    domain: Domain, pairs: np.ndarray, ends: np.ndarray, crossings: Crossings, typical: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parts of the lines between seeds inside the domain, and the number of the pair of each."""
    low, high, number = [], [], []
    for k, ((i, j), (a, b)) in enumerate(zip(pairs.tolist(), ends, strict=True)):
        cuts = [0.0, 1.0]
        length = float(np.linalg.norm(b - a))
        if (i, j) in crossings and length > 0:
            along = (np.array(crossings[i, j]) - a) @ (b - a) / length**2
            cuts = [0.0, *sorted(t for t in along.tolist() if 0 < t < 1), 1.0]
        least = SHORT * min(typical[i], typical[j]) / max(length, 1e-300)
        for x, y in zip(cuts[:-1], cuts[1:], strict=True):
            if y - x > least:
                low.append(a + x * (b - a))
                high.append(a + y * (b - a))
                number.append(k)
    if not number:
        return np.empty((0, 2)), np.empty((0, 2)), np.empty(0, dtype=int)
    starts, stops, kept = np.array(low), np.array(high), np.array(number)
    inside = domain._inside(0.5 * (starts + stops), 0)
    return starts[inside], stops[inside], kept[inside]


def _rays(
    outline: Outline,
    holders: np.ndarray,
    seeds: np.ndarray,
    pairs: np.ndarray,
    origin: np.ndarray,
    angles: np.ndarray,
    typical: np.ndarray,
) -> np.ndarray:
    """How far rays go until they meet the line to another seed, or the boundary: (k, RAYS)."""
    direction = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    reach = np.full(angles.shape, 4.0 * float(typical.max()) + 0.0)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    if len(both):
        cell, slot, width = _slots(both[:, 0])
        towards = np.zeros((len(seeds), width, 2))
        ahead = np.full((len(seeds), width), np.inf)
        step = seeds[both[:, 1]] - seeds[both[:, 0]]
        towards[cell, slot] = step
        ahead[cell, slot] = np.sum((0.5 * (seeds[both[:, 0]] + seeds[both[:, 1]]) - origin[both[:, 0]]) * step, axis=1)
        speed = direction @ np.swapaxes(towards, 1, 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.minimum(reach, np.where(speed > 0, ahead[:, None] / speed, np.inf).min(axis=2))
    same = np.flatnonzero(outline.arc[1:] == outline.arc[:-1])
    segment = np.concatenate([same, same[holders[same] != holders[same + 1]]])
    holder = np.concatenate([holders[same], holders[same[holders[same] != holders[same + 1]] + 1]])
    cell, slot, width = _slots(holder)
    first, along = np.full((len(seeds), width, 2), np.inf), np.zeros((len(seeds), width, 2))
    first[cell, slot] = outline.points[segment] - origin[holder]
    along[cell, slot] = outline.points[segment + 1] - outline.points[segment]
    with np.errstate(divide="ignore", invalid="ignore"):
        across = direction[..., None, 0] * along[:, None, :, 1] - direction[..., None, 1] * along[:, None, :, 0]
        t = (first[..., 0] * along[..., 1] - first[..., 1] * along[..., 0])[:, None] / across
        s = first[:, None, :, 0] * direction[..., None, 1] - first[:, None, :, 1] * direction[..., None, 0]
        s = s / across
        hit = (s >= -1e-9) & (s <= 1 + 1e-9) & (t > 1e-6 * typical[:, None, None])
        return np.minimum(reach, np.where(hit, t, np.inf).min(axis=2))


def _slots(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """For each entry its own number and a place among those of the same number, and how many places there are."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    place = np.empty(len(numbers), dtype=int)
    place[order] = np.arange(len(numbers)) - np.searchsorted(ordered, ordered)
    return numbers, place, int(place.max(initial=-1)) + 1


def _hidden(tiles: Tiles, samples: np.ndarray) -> np.ndarray:
    """The middles of those parts of cells that cannot be seen from their origins."""
    own = owners(samples, tiles.seeds)
    away = samples - tiles.origin[own]
    reach = np.linalg.norm(tiles.ends - tiles.origin[:, None], axis=2)
    angle = np.arctan2(away[:, 1], away[:, 0])
    place = np.mod(angle, 2 * np.pi) * RAYS / (2 * np.pi)
    first = place.astype(int) % RAYS
    limit = np.maximum(reach[own, first], reach[own, (first + 1) % RAYS])
    unseen = (np.linalg.norm(away, axis=1) > 1.05 * limit) & ~tiles.open[own]
    count, total = (np.bincount(w, minlength=len(tiles)) for w in (own[unseen], own))
    wanted = np.flatnonzero(count > np.maximum(HIDDEN * total, 2))
    return np.array([samples[unseen & (own == k)].mean(axis=0) for k in wanted]).reshape(-1, 2)
