"""Cells cut out of a domain: who holds the boundary, where lines between seeds leave it, how far rays go."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from transnet.cells.charts import CellCharts, ellipses
from transnet.cells.outline import ArcSamples, Outlined
from transnet.cells.seeds import Samples, owners
from transnet.cells.tiles import RAYS, SHORT, TINY, Tiles
from transnet.geometry.corners import Corner
from transnet.measure.arcs import Arc
from transnet.tolerances import SAME

TURN = 1.2
"""The most that the boundary turns within a piece, in radians."""
STEPS = 60
"""The most steps of the secant method by which the place is found where the boundary changes hands."""
BEYOND = 20.0
"""How far away the seeds are that bound the outermost cells, in units of the domain."""
BEHIND = 1.05
"""How far behind the end of a ray a point is not seen."""
HIDDEN = 0.1
"""A cell of whose points a larger part cannot be seen from its origin is cut."""


Holes = Sequence[tuple[np.ndarray, float]]
"""Centres and radii of round holes."""


def tiles_of(
    domain: Outlined, seeds: np.ndarray, corners: Sequence[Corner], samples: Samples, holes: Holes = ()
) -> Tiles:
    """The cells of seeds, of which the first are those of corners; hidden parts of cells get seeds of their own."""
    for _ in range(3):
        tiles = _tiles(domain, seeds, corners, samples, holes)
        more = _hidden(tiles, samples)
        if not len(more):
            break
        seeds = np.concatenate([seeds, more])
    return tiles


def _tiles(domain: Outlined, seeds: np.ndarray, corners: Sequence[Corner], samples: Samples, holes: Holes) -> Tiles:
    points, areas = samples.points, samples.areas
    own = owners(points, seeds)
    area = np.bincount(own, areas, len(seeds))
    middle = np.stack([np.bincount(own, areas * points[:, k], len(seeds)) for k in (0, 1)], axis=1)
    origin = np.where(area[:, None] > 0, middle / np.where(area > 0, area, 1.0)[:, None], seeds)
    origin[: len(corners)] = seeds[: len(corners)]
    typical = np.sqrt(np.maximum(area, areas.min()))
    outline = ArcSamples.of(domain, 0.25 * float(typical.min()))
    holders = owners(outline.points, seeds)
    pairs, ends = _ridges(seeds, domain)
    rims, crossings = _followed(outline, holders, seeds, typical)
    starts, stops, kept = _clipped(domain, pairs, ends, crossings, typical)
    angles = np.tile(2.0 * np.pi * np.arange(RAYS) / RAYS, (len(seeds), 1))
    opened = np.zeros(len(seeds), dtype=bool)
    for k, corner in enumerate(corners):
        first = float(np.arctan2(*corner.edges[0][::-1]))
        angles[k] = first + corner.opening() * np.linspace(SHORT, 1.0 - SHORT, RAYS)
        opened[k] = True
    reach = _rays(outline, holders, seeds, pairs, origin, angles, typical)
    found = origin[:, None] + reach[..., None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    centre, half = ellipses(np.concatenate([found, origin[:, None]], axis=1))
    charts = CellCharts.of(centre, half, origin, found, opened, holes)
    return Tiles(
        outline, seeds, centre, half, origin, found, opened, pairs[kept], starts, stops, tuple(rims), tuple(corners),
        charts=charts,
    )  # fmt: skip


def _ridges(seeds: np.ndarray, domain: Outlined) -> tuple[np.ndarray, np.ndarray]:
    """Neighbouring seeds and the ends of the line between them: (f, 2) and (f, 2, 2)."""
    from scipy.spatial import Voronoi

    if len(seeds) == 1:
        return np.empty((0, 2), dtype=int), np.empty((0, 2, 2))
    middle, reach = domain.bounds.mean(axis=0), BEYOND * float(np.ptp(domain.bounds, axis=0).max())
    far = middle + reach * np.array([[3.0, 1.0], [-1.0, 3.0], [-3.0, -1.0], [1.0, -3.0]])
    diagram = Voronoi(np.concatenate([seeds, far]))
    pairs = np.asarray(diagram.ridge_points)
    ends = np.array(diagram.ridge_vertices, dtype=object)
    both = (pairs < len(seeds)).all(axis=1) & np.array([min(e) >= 0 for e in ends])
    ends = diagram.vertices[np.array(ends[both].tolist(), dtype=int)] if both.any() else np.empty((0, 2, 2))
    return np.sort(pairs[both], axis=1), ends


Crossings = dict[tuple[int, int], list[np.ndarray]]


def _followed(
    outline: ArcSamples, holders: np.ndarray, seeds: np.ndarray, typical: np.ndarray
) -> tuple[list[tuple[int, int, float, float]], Crossings]:
    """Pieces of the boundary by cell, and where it changes hands."""
    rims: list[tuple[int, int, float, float]] = []
    crossings: Crossings = {}
    for number, (_, arc) in enumerate(outline.arcs):
        mine = np.flatnonzero(outline.arc == number)
        held, s = holders[mine], outline.at[mine]
        while True:
            change = np.flatnonzero(held[1:] != held[:-1])
            a, b = held[change], held[change + 1]
            low, at = _changes(arc, s[change], s[change + 1], seeds[a], seeds[b])
            third = owners(at, seeds) if len(change) else a
            nearer = np.sum((at - seeds[third]) ** 2, axis=1) < (1.0 - SAME) * np.sum((at - seeds[a]) ** 2, axis=1)
            missed = np.flatnonzero(nearer & (third != a) & (third != b))
            if not len(missed):
                break
            # Another cell holds the boundary between two samples.
            s, held = np.insert(s, change[missed] + 1, low[missed]), np.insert(held, change[missed] + 1, third[missed])
        if len(change):
            for i, j, place in zip(a.tolist(), b.tolist(), at, strict=True):
                crossings.setdefault((min(i, j), max(i, j)), []).append(place)
        stops = [*low.tolist(), arc.length]
        start = 0.0
        if not arc.straight:
            normals = outline.normals[mine]
            cosines = np.clip(np.sum(normals[1:] * normals[:-1], axis=1), -1.0, 1.0)
            turned = np.concatenate([[0.0], np.cumsum(np.arccos(cosines))])
        for cell, stop in zip([*a.tolist(), int(held[-1])], stops, strict=True):
            if stop - start > TINY * typical[cell]:
                pieces = 1
                if not arc.straight:
                    first, last = np.interp((start, stop), outline.at[mine], turned).tolist()
                    pieces = max(
                        int(np.ceil((last - first) / TURN)), int(np.ceil((stop - start) / (3 * typical[cell])))
                    )
                cuts = np.linspace(start, stop, pieces + 1).tolist()
                rims += [(cell, number, x, y) for x, y in pairwise(cuts)]
            start = stop
    return rims, crossings


def _changes(
    arc: Arc, low: np.ndarray, high: np.ndarray, first: np.ndarray, second: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where an arc is as far from the first as from the second seeds, between arc lengths, and the points there."""
    if not len(low):
        return low, np.empty((0, 2))
    towards = second - first
    middle = 0.5 * np.sum((first + second) * towards, axis=1)

    def beyond(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        at = arc.at(s)[0]
        return np.sum(at * towards, axis=1) - middle, at

    before, after = beyond(low)[0], beyond(high)[0]
    enough = SAME * np.sum(towards**2, axis=1)
    for _ in range(STEPS):
        s = low + (high - low) * np.clip(before / np.where(before == after, 1.0, before - after), 0.0, 1.0)
        value, at = beyond(s)
        if np.all(np.abs(value) <= enough):
            break
        left = value <= 0
        # The value at an end that stays is halved (the Illinois variant), so that both ends move.
        low, before, high, after = (
            np.where(left, s, low),
            np.where(left, value, 0.5 * before),
            np.where(left, high, s),
            np.where(left, 0.5 * after, value),
        )
    return s, at


def _clipped(
    domain: Outlined, pairs: np.ndarray, ends: np.ndarray, crossings: Crossings, typical: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The parts of the lines between seeds inside the domain, and the number of the pair of each."""
    low, high, number = [], [], []
    for k, ((i, j), (a, b)) in enumerate(zip(pairs.tolist(), ends, strict=True)):
        cuts = [0.0, 1.0]
        length = float(np.linalg.norm(b - a))
        if (i, j) in crossings and length > 0:
            along = (np.array(crossings[i, j]) - a) @ (b - a) / length**2
            cuts = [0.0, *sorted(t for t in along.tolist() if 0 < t < 1), 1.0]
        least = TINY * min(typical[i], typical[j]) / max(length, 1e-300)
        for x, y in pairwise(cuts):
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
    outline: ArcSamples,
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
    order = np.argsort(holder, kind="stable")
    each = np.searchsorted(holder[order], np.arange(len(seeds) + 1))
    for k in range(len(seeds)):  # one after the other: the smallest cell sets the samples, the largest has most of them
        mine = segment[order[each[k] : each[k + 1]]]
        first, along = outline.points[mine] - origin[k], outline.points[mine + 1] - outline.points[mine]
        with np.errstate(divide="ignore", invalid="ignore"):
            across = direction[k, :, None, 0] * along[:, 1] - direction[k, :, None, 1] * along[:, 0]
            t = (first[:, 0] * along[:, 1] - first[:, 1] * along[:, 0]) / across
            s = (first[:, 0] * direction[k, :, None, 1] - first[:, 1] * direction[k, :, None, 0]) / across
        hit = (s >= -SAME) & (s <= 1 + SAME) & (t > SHORT**2 * typical[k])
        reach[k] = np.minimum(reach[k], np.where(hit, t, np.inf).min(axis=1, initial=np.inf))
    return reach


def _slots(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """For each entry its own number and a place among those of the same number, and how many places there are."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    place = np.empty(len(numbers), dtype=int)
    place[order] = np.arange(len(numbers)) - np.searchsorted(ordered, ordered)
    return numbers, place, int(place.max(initial=-1)) + 1


def _hidden(tiles: Tiles, samples: Samples) -> np.ndarray:
    """The middles of those parts of cells that cannot be seen from their origins."""
    points = samples.points
    own = owners(points, tiles.seeds)
    away = points - tiles.origin[own]
    reach = np.linalg.norm(tiles.ends - tiles.origin[:, None], axis=2)
    angle = np.arctan2(away[:, 1], away[:, 0])
    place = np.mod(angle, 2 * np.pi) * RAYS / (2 * np.pi)
    first = place.astype(int) % RAYS
    limit = np.maximum(reach[own, first], reach[own, (first + 1) % RAYS])
    unseen = (np.linalg.norm(away, axis=1) > BEHIND * limit) & ~tiles.open[own]
    count, total = (np.bincount(w, minlength=len(tiles)) for w in (own[unseen], own))
    wanted = np.flatnonzero(count > np.maximum(HIDDEN * total, 2))
    return np.array([points[unseen & (own == k)].mean(axis=0) for k in wanted]).reshape(-1, 2)
