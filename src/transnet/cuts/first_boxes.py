"""Where to cut: the first boxes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from transnet.counts import LOOKS
from transnet.cuts.bends import around_bends
from transnet.cuts.boxes import Boxes
from transnet.cuts.flat import ON_ARC, flat_sides_of
from transnet.cuts.plan import Cut
from transnet.errors import ProblemError
from transnet.geometry import Box, Domain, Interval
from transnet.geometry.partition import shapes_of
from transnet.rows.unseen import Spot
from transnet.tolerances import BESIDE, SAME

FIRST = {1: 4, 2: 4, 3: 2, 4: 1}
"""Boxes along the shortest side of the domain at first, by dimension."""
LIMIT = {1: 8, 2: 24, 3: 6, 4: 2}
"""The most boxes along an axis at first, unless flat interfaces need more."""
MOST_PLACES = 64
"""The most flat boundaries and interfaces along an axis at which boxes end."""
DETAIL = 1.0
"""No box is wider than this times a hole or an inclusion that it meets."""
SEEN_SHARE = 0.03
"""A detail that takes up this part of a box has about ten of its points."""
CUTS_TO_SPOTS = 12
"""The most halvings of boxes towards a spot: to a four thousandth of their width."""
WITH_POLES = 1.25
"""The same if cells have poles in the holes: 1.25 took 66 pieces where 1.0 without poles took 432."""
OUTER = 0.8
"""A closed loop longer than this part of the domain is its outline, not a detail."""
SAMPLED = 1.01
"""How many times larger a loop may be than the points that represent it."""


def first_boxes(domain: Domain, cut: Cut, detail: float = DETAIL) -> Boxes:
    """The given grid, or one of nearly square boxes; cut further where the domain has small details."""
    extent = np.ptp(domain.bounds, axis=0)
    d = len(extent)
    if cut.counts:
        if len(cut.counts) not in (1, d):
            raise ProblemError(f"tn.Cut{cut.counts} has {len(cut.counts)} numbers for {d} coordinates. Give one each.")
        counts: Sequence[int] = cut.counts * d if len(cut.counts) == 1 else cut.counts
        return Boxes.grid(domain.bounds, counts)
    width = extent.min() / FIRST[d]
    cuts = []
    for axis, flat in enumerate(flat_places(domain)):
        step = max(width, extent[axis] / LIMIT[d])
        ends = np.array([domain.bounds[0, axis], *flat, domain.bounds[1, axis]])
        parts = [np.linspace(a, b, max(1, round((b - a) / step)) + 1)[:-1] for a, b in pairwise(ends)]
        cuts.append(np.concatenate([*parts, ends[-1:]]))
    boxes = Boxes.lattice(cuts)
    return around_bends(domain, around_details(domain, boxes, detail)) if d == 2 else boxes


def halved_towards(boxes: Boxes, places: np.ndarray, times: int) -> Boxes:
    """Boxes halved towards places, this many times."""
    for _ in range(times):
        slack = SAME * np.ptp(boxes.bounds, axis=0)
        marked: dict[int, tuple[int, ...]] = {}
        for place in places:
            at = np.all((boxes.low - slack <= place) & (place <= boxes.high + slack), axis=1)
            marked.update({int(k): tuple(range(len(place))) for k in np.flatnonzero(at)})
        boxes = boxes.cut(marked)
    return boxes


def flat_places(domain: Domain) -> list[list[float]]:
    """For each axis the places at which boundaries and interfaces run across it, so that boxes can end there."""
    low, high = domain.bounds
    near = BESIDE * (high - low)
    found: list[list[float]] = [[] for _ in low]

    def add(axis: int, place: float) -> None:
        known = [low[axis], high[axis], *found[axis]]
        if min(abs(place - k) for k in known) > near[axis] and len(found[axis]) < MOST_PLACES:
            found[axis].append(float(place))

    for _, shape in shapes_of(domain):
        if domain.dimension == 2:
            for part in shape.parts:
                for arc in shape.arcs(part):
                    points = arc.at(arc.length * np.array(ON_ARC))[0]
                    for flat in np.flatnonzero(np.ptp(points, axis=0) < SAME * (high - low)).tolist():
                        add(flat, points[0, flat])
        elif isinstance(shape, Box | Interval):
            for end in shape.bounds:
                for axis, place in enumerate(end):
                    add(axis, place)
        elif domain.dimension == 3:
            for part in shape.parts:
                for side in flat_sides_of(shape, part) or ():
                    add(side.axis, side.bounds[0, side.axis])
    return [sorted(places) for places in found]


def around_details(domain: Domain, boxes: Boxes, detail: float = DETAIL) -> Boxes:
    """Boxes cut until none is wider than `detail` times a hole or an inclusion that it meets."""
    loops = [loop for _, shape in shapes_of(domain) for loop in _loops(shape)]
    extent = np.ptp(domain.bounds, axis=0)
    for _ in range(CUTS_TO_SPOTS):
        marked: dict[int, tuple[int, ...]] = {}
        for points in loops:
            size = np.ptp(points, axis=0)
            if np.all(size > OUTER * extent):
                continue
            for k in np.unique(boxes.locate(points)):
                wide = tuple(int(j) for j in np.flatnonzero(boxes.widths[k] > detail * SAMPLED * size.max()))
                if wide:
                    marked[int(k)] = wide
        if not marked:
            return boxes
        boxes = boxes.cut(marked)
    return boxes


def around_spots(boxes: Boxes, spots: Sequence[Spot]) -> Boxes:
    """Boxes cut until every small spot takes up enough of each box that it meets to contain some of its points."""
    whole = float(np.prod(np.ptp(boxes.bounds, axis=0)))
    for _ in range(CUTS_TO_SPOTS):
        marked = {}
        for spot in spots:
            which, counts = np.unique(boxes.locate(spot.points), return_counts=True)
            widths = boxes.widths[which]
            if spot.normals is None:
                share = counts / len(spot.points) * spot.share * whole / widths.prod(axis=1)
            else:
                share = np.ptp(spot.points, axis=0).max() / widths.max(axis=1)
            marked.update({int(k): tuple(range(widths.shape[1])) for k in which[share < SEEN_SHARE]})
        if not marked:
            break
        boxes = boxes.cut(marked)
    return boxes


def _loops(shape: Domain) -> list[np.ndarray]:
    """The closed curves of a plane boundary as points."""
    ends, chains = [], []
    for part in shape.parts:
        for arc in shape.arcs(part):
            points = arc.at(arc.length * np.linspace(0.0, 1.0, LOOKS))[0]
            chains.append(points)
            ends.append((points[0], points[-1]))
    near = BESIDE * float(np.ptp(shape.bounds, axis=0).max())
    label = list(range(len(chains)))

    def root(k: int) -> int:
        while label[k] != k:
            k = label[k]
        return k

    for a in range(len(chains)):
        for b in range(a + 1, len(chains)):
            if any(np.linalg.norm(p - q) < near for p in ends[a] for q in ends[b]):
                label[root(b)] = root(a)
    groups: dict[int, list[np.ndarray]] = {}
    for k, points in enumerate(chains):
        groups.setdefault(root(k), []).append(points)
    return [np.concatenate(g) for g in groups.values()]
