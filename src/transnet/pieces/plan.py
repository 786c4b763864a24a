"""Where to cut: the first boxes, and which of them are cut further."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.features.space import FeatureSpace
from transnet.geometry import Box, Domain, Interval
from transnet.geometry.partition import shapes_of
from transnet.pieces.bends import around_bends
from transnet.pieces.boxes import Boxes
from transnet.pieces.cells import Cells, Density
from transnet.pieces.indicate import Indicated
from transnet.rows.unseen import Spot
from transnet.tolerances import BESIDE, SAME

FIRST = {1: 4, 2: 4, 3: 2, 4: 1}
"""Boxes along the shortest side of the domain at first, by dimension."""
LIMIT = {1: 8, 2: 24, 3: 6, 4: 2}
"""The most boxes along an axis at first, unless flat interfaces need more."""
MOST_PLACES = 64
"""The most flat boundaries and interfaces along an axis at which boxes end."""
WAVES = {1: 30, 2: 160, 3: 400, 4: 500}
"""Neurons of a piece for each unknown."""
OF_SYSTEMS = {1: 24, 2: 120, 3: 200, 4: 300}
"""The same if there are several unknowns: the time of a piece grows with the cube of its columns."""
FILL = {1: 0.06, 2: 0.02, 3: 0.005, 4: 0.004}
"""Their bandwidth (measured): larger ones set a floor to the error that more pieces do not lower (2D: 0.12 1e-6, 0.02
3e-12)."""
PHASE = 3.0
"""The highest frequency of the data times the half width of the first boxes: 160 waves have an error of 1e-7 then."""
BEYOND = 1.2
"""How far the bandwidth reaches beyond that frequency."""
MOST_ALONG = 64
"""The most boxes along an axis for data that oscillate."""
SHARES = (0.2, 0.1, 0.05, 0.02)
"""Cells whose indicator is at least this part of the largest are cut: the first part that selects enough of them."""
WORTH = 0.15
"""Another solve is worth its time if there are this many new boxes, in units of the existing ones."""
DEEP = 4.0
"""Cells with so many times what is cut are cut twice at once, if every cut takes an iteration."""
FEW = 100
"""With this few cells only the first part is used: they are solved quickly."""
UNEVEN = 3.0
"""A box is cut along one axis only if the solution is this many times as curved along it as along the others."""
SLENDER = 2000.0
"""The largest aspect ratio of boxes."""
DETAIL = 1.0
"""No box is wider than this times a hole or an inclusion that it meets."""
SEEN_SHARE = 0.03
"""A detail that takes up this part of a box has about ten of its points."""
CUTS_TO_SPOTS = 12
"""The most halvings of boxes towards a spot: to a four thousandth of their width."""


WITH_POLES = 1.25
"""The same if cells have poles in the holes: 1.25 took 66 pieces where 1.0 without poles took 432."""
ON_FACE = {1: (1, 0.0), 2: (8, 1.5625), 3: (4, 1 / 6)}
"""The fewest points along an axis of a face, and the square of their number per neuron: 16 for a square with 160
neurons, 8 x 8 for a cube with 400, which resolve the traces of the networks."""
LOOKS = (0.0, 0.31, 0.77, 1.0)
"""Places of an arc at which it is tested for running along an axis."""
OUTER = 0.8
"""A closed loop longer than this part of the domain is its outline, not a detail."""
LOOPED = 65
"""Points that represent an arc when loops are searched for."""
THINNEST = 1e-7
"""No box becomes narrower than this part of the domain."""
SAMPLED = 1.01
"""How many times larger a loop may be than the points that represent it."""


@explained
@dataclass(frozen=True)
class Cut:
    """How a domain is cut into pieces: `tn.solve(problem, pieces=tn.Cut(8, 4))`.

    Parameters
    ----------
    counts : int
        Boxes along each axis; one number for all.
    refine : bool
        Whether boxes are cut further where the solution needs it (True).
    neurons : int, optional
        Neurons of each piece for each unknown.
    """

    counts: tuple[int, ...] = ()
    refine: bool = True
    neurons: int | None = None

    def __init__(self, *counts: int, refine: bool = True, neurons: int | None = None) -> None:
        for count in (*counts, *(() if neurons is None else (neurons,))):
            if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
                raise ProblemError(
                    f"tn.Cut takes whole numbers of boxes along each axis, such as (8, 4), not {shown(count)}."
                )
        object.__setattr__(self, "counts", tuple(int(c) for c in counts))
        object.__setattr__(self, "refine", bool(refine))
        object.__setattr__(self, "neurons", neurons)


def cut_of(pieces: int | Cut | bool | None, domain: Domain) -> Cut:
    """The cut that `pieces=` describes."""
    if pieces is None or isinstance(pieces, Cut):
        return pieces or Cut()
    if pieces is False:
        raise ProblemError("pieces=False asks for one network, which a domain of several materials cannot have.")
    if pieces is True:
        return Cut()
    if isinstance(pieces, bool) or not isinstance(pieces, int | np.integer) or pieces < 1:
        raise ProblemError(f"pieces is a number of pieces or tn.Cut(...), not {shown(pieces)}. Pass pieces=16.")
    extent = np.ptp(domain.bounds, axis=0)
    width = float((np.prod(extent) / pieces) ** (1 / len(extent)))
    return Cut(*(max(1, round(e / width)) for e in extent), refine=False)


def space_for(dimension: int, neurons: int | None = None, unknowns: int = 1, phase: float = 0.0) -> FeatureSpace:
    """The features of a piece in which data may oscillate by a phase from its centre to its sides."""
    count = neurons or (WAVES[dimension] if unknowns == 1 else OF_SYSTEMS[dimension])
    fill = max(FILL[dimension], float((BEYOND * phase / (0.5 * np.pi)) ** dimension / count))
    return FeatureSpace.waves(dimension, count + count % 2, fill)


def phase_of(boxes: Boxes, highest: np.ndarray | None) -> float:
    """The largest phase by which data of these frequencies oscillate from the centre of a box to its sides."""
    return 0.0 if highest is None else float((0.5 * boxes.widths.max(axis=0) * highest).max())


def face_points(dimension: int, neurons: int) -> int:
    """Points along each axis of a face."""
    least, share = ON_FACE.get(dimension, (4, 0.0))
    return max(least, round(np.sqrt(share * neurons)))


def density_of(space: FeatureSpace, vertices: np.ndarray | None = None) -> Density:
    """The points of a cell with these features."""
    d, n = space.dimension, space.neurons
    face = face_points(d, n)
    return Density(2 * n, face, {1: 1, 2: 3 * face, 3: 2 * face**2}.get(d, 3 * face**2), vertices)


def first_boxes(domain: Domain, cut: Cut, highest: np.ndarray | None = None, detail: float = DETAIL) -> Boxes:
    """The given grid, or one of nearly square boxes; cut further where the domain has small details.

    `highest` are the frequencies of the data along each axis, which limit the width of the boxes.
    """
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
        if highest is not None and highest[axis] > 0:
            step = max(min(step, 2 * PHASE / highest[axis]), extent[axis] / MOST_ALONG)
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
                    points = arc.at(arc.length * np.array(LOOKS))[0]
                    for flat in np.flatnonzero(np.ptp(points, axis=0) < SAME * (high - low)).tolist():
                        add(flat, points[0, flat])
        elif isinstance(shape, Box | Interval):
            for end in shape.bounds:
                for axis, place in enumerate(end):
                    add(axis, place)
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
            points = arc.at(arc.length * np.linspace(0.0, 1.0, LOOPED))[0]
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


def refined_boxes(cells: Cells, found: Indicated, wanted: float, twice: bool = False) -> Boxes | None:
    """The boxes cut where the indicator is large, `twice` where it is much larger; None if it is not."""
    finer = None
    for share in SHARES:
        threshold = max(wanted, share * found.largest)
        marked: dict[int, tuple[int, ...]] = {}
        for k, cell in enumerate(cells.cells):
            if found.cells[k] <= threshold:
                continue
            axes = halved_axes(cells.boxes, cell.box, found.steepness[k])
            if axes:
                marked[cell.box] = tuple(sorted({*marked.get(cell.box, ()), *axes}))
        finer = cells.boxes.cut(marked) if marked else None
        if finer is None or len(cells.cells) < FEW or len(finer) >= (1 + WORTH) * len(cells.boxes):
            break
    if finer is None or not twice:
        return finer
    worst = {c.box for k, c in enumerate(cells.cells) if found.cells[k] > DEEP * threshold}
    owner = cells.boxes.locate(0.5 * (finer.low + finer.high)).tolist()
    return finer.cut({k: marked[box] for k, box in enumerate(owner) if box in worst and box in marked})


def halved_axes(boxes: Boxes, box: int, steep: np.ndarray) -> tuple[int, ...]:
    """The axes along which a box is halved, given the curvature of the solution along each."""
    width, extent = boxes.widths[box], np.ptp(boxes.bounds, axis=0)
    relative = width / width.min()
    curved = [j for j in range(len(width)) if steep[j] * UNEVEN >= steep.max() and width[j] > THINNEST * extent[j]]
    axes = [j for j in curved if width[j] * SLENDER > width.max()]
    if len(axes) > 1:  # nearly square boxes first
        axes = [j for j in axes if relative[j] * 1.5 >= relative[axes].max()]
    return tuple(axes)
