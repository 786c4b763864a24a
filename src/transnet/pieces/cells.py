"""A domain cut by boxes: the cells, each a box intersected with one material, and where they meet.

No mesh is made. A cell has points inside; the boundary of a material is followed along its arcs (in the plane) or by
samples (in space) from box to box, which gives the points of conditions and of interfaces; and the faces of boxes that
lie inside a material couple the cells on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from transnet.features.neurons import kronecker
from transnet.geometry import Box, Domain, Interval
from transnet.geometry.arcs import Arc
from transnet.geometry.partition import Pieces, shapes_of
from transnet.geometry.pieces import ArcPiece, BodyPiece, Piece
from transnet.geometry.rules import gauss, tensor
from transnet.pieces.boxes import Boxes, Contact

NUDGE = 1e-9
"""How far from a boundary the box is asked for, in units of the whole: a boundary may run along the face of a box."""
SHORTEST = 1e-3
"""Stretches of a boundary or a face shorter than this, in units of the box, are passed over."""
TRIES = 60
"""Candidates for each point wanted inside a cell that the boundary cuts."""
FRESH = 4
"""One point inside for each so many is left out of the fit, and tells how good that is."""
PROBES = 65
"""Samples of a face to see which part of it is inside."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Points with normals on a boundary: `owner` is the number of the part."""

    owner: int
    points: np.ndarray
    normals: np.ndarray


@dataclass(eq=False)
class Cell:
    """A box intersected with a material."""

    box: int
    material: int
    centre: np.ndarray
    half: np.ndarray
    inside: np.ndarray
    fresh: np.ndarray
    rims: list[Stretch] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Face:
    """Where two cells meet: across a box's face along `axis`, or across the interface of materials (axis None).

    `images` are the points as the second cell sees them: others where the problem is periodic.
    """

    first: int
    second: int
    points: np.ndarray
    normals: np.ndarray
    axis: int | None
    share: float = 1.0
    images: np.ndarray | None = None


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells and faces of a domain."""

    domain: Domain
    boxes: Boxes
    cells: list[Cell]
    faces: list[Face]


def nearest_piece(domain: Pieces, points: np.ndarray) -> np.ndarray:
    """The number of the piece whose boundary is nearest to each point."""
    distances = []
    for _, shape in domain.shapes:
        rim = shape.boundary("boundary", 512, "quasi", 0).points
        distances.append(np.min(np.linalg.norm(points[:, None, :] - rim[None], axis=2), axis=1))
    return np.argmin(distances, axis=0)


@dataclass(frozen=True)
class Density:
    """How many points: inside a cell, along a face (each way), along the boundary in a cell at most."""

    inside: int
    face: int
    rim: int


def cut_domain(domain: Domain, boxes: Boxes, density: Density) -> Cells:
    """The cells of a domain and their faces."""
    materials = shapes_of(domain)
    total = density.inside + density.inside // FRESH
    reference = kronecker(TRIES * total, domain.dimension, np.random.default_rng(0))
    rims, interfaces = _outlines(domain, boxes, density)
    cells: list[Cell] = []
    number: dict[tuple[int, int], int] = {}
    for material, (_, shape) in enumerate(materials):
        touched: dict[int, list[np.ndarray]] = {}
        for (owner, box), stretches in rims.items():
            if owner == material:
                touched.setdefault(box, []).extend(s.points for s in stretches)
        for (first, second), pairs in interfaces.items():
            for (a, b), points, _ in pairs:
                for owner, box in ((first, a), (second, b)):
                    if owner == material:
                        touched.setdefault(box, []).append(points)
        for box, inside in _inside_points(shape, boxes, total, reference, touched):
            known = np.concatenate([inside, *touched.get(box, [])])
            low, high = boxes.low[box], boxes.high[box]
            if np.array_equal(inside, low + (high - low) * reference[:total]):
                tight = (low, high)
            else:
                room = 0.02 * np.maximum(np.ptp(known, axis=0), 0.1 * (high - low))
                tight = (np.maximum(low, known.min(axis=0) - room), np.minimum(high, known.max(axis=0) + room))
            cell = Cell(
                box, material, 0.5 * (tight[0] + tight[1]), 0.5 * (tight[1] - tight[0]), *_apart(inside, density)
            )
            cell.rims = rims.get((material, box), [])
            number[material, box] = len(cells)
            cells.append(cell)
    faces = _box_faces(domain, boxes, density, number, cells)
    for (first, second), pairs in interfaces.items():
        for (a, b), points, normals in pairs:
            if (first, a) in number and (second, b) in number:
                faces.append(Face(number[first, a], number[second, b], points, normals, None))
    for k, face in enumerate(faces):
        cells[face.first].faces.append(k)
        cells[face.second].faces.append(k)
    return Cells(domain, boxes, cells, faces)


def _apart(points: np.ndarray, density: Density) -> tuple[np.ndarray, np.ndarray]:
    """The points to fit and those to look at."""
    count = min(density.inside, len(points) - len(points) // (FRESH + 1))
    return points[:count], points[count:]


# -- points inside -----------------------------------------------------------------------------------------------------
def _whole(shape: Domain) -> bool:
    """Whether a shape is its own bounding box."""
    return isinstance(shape, Box | Interval)


def _inside_points(
    shape: Domain, boxes: Boxes, count: int, reference: np.ndarray, touched: dict[int, list[np.ndarray]]
) -> list[tuple[int, np.ndarray]]:
    """For each box that the shape has a part of, points inside both."""
    low, high = shape.bounds
    slack = NUDGE * np.ptp(boxes.bounds, axis=0)
    near = np.flatnonzero(np.all((boxes.high > low + slack) & (boxes.low < high - slack), axis=1))
    found: list[tuple[int, np.ndarray]] = []
    if len(near) == 0:
        return found
    ref = reference[:count]
    points = boxes.low[near][:, None, :] + boxes.widths[near][:, None, :] * ref
    contained = _whole(shape) & np.all((boxes.low[near] >= low - slack) & (boxes.high[near] <= high + slack), axis=1)
    inside = np.ones((len(near), count), dtype=bool)
    open_ = np.flatnonzero(~contained)
    if len(open_):
        inside[open_] = shape._inside(points[open_].reshape(-1, points.shape[2]), 0).reshape(len(open_), count)
    for k, box in enumerate(near.tolist()):
        mine = points[k][inside[k]]
        if len(mine) < count and (len(mine) or box in touched):
            more = boxes.low[box] + boxes.widths[box] * reference[count:]
            if box in touched and len(mine) < 0.05 * count:  # a sliver: look around what is known of it
                known = np.concatenate(touched[box])
                room = 0.05 * boxes.widths[box]
                a = np.maximum(boxes.low[box], np.minimum(known.min(axis=0), mine.min(axis=0, initial=np.inf)) - room)
                b = np.minimum(boxes.high[box], np.maximum(known.max(axis=0), mine.max(axis=0, initial=-np.inf)) + room)
                more = a + (b - a) * reference[count:]
            step = 4 * count
            for start in range(0, len(more), step):
                part = more[start : start + step]
                mine = np.concatenate([mine, part[shape._inside(part, 0)]])
                if len(mine) >= count:
                    break
        if len(mine) >= 3:
            found.append((box, mine[:count]))
    return found


# -- outlines ----------------------------------------------------------------------------------------------------------
Rims = dict[tuple[int, int], list[Stretch]]
Interfaces = dict[tuple[int, int], list[tuple[tuple[int, int], np.ndarray, np.ndarray]]]


def _outlines(domain: Domain, boxes: Boxes, density: Density) -> tuple[Rims, Interfaces]:
    """The boundary of the whole by material and box, and the interfaces by pairs of materials and of boxes."""
    rims: Rims = {}
    interfaces: Interfaces = {}
    for number, part in enumerate(domain.parts):
        if isinstance(domain, Pieces):
            owned = domain._kept[part]
        else:
            plane = domain.dimension == 2
            found: list[Piece] = [ArcPiece(part, a) for a in domain.arcs(part)] if plane else []
            owned = tuple((0, piece) for piece in found or [BodyPiece.of(domain, part)])
        for material, piece in owned:
            stretches = _stretches(piece, boxes, density, number, both=False)
            for (box, _), points, normals in stretches:
                rims.setdefault((material, box), []).append(Stretch(number, points, normals))
    if isinstance(domain, Pieces):
        for pair, kept in domain.interfaces.items():
            for piece in kept:
                interfaces.setdefault(pair, []).extend(_stretches(piece, boxes, density, 0, both=True))
    return rims, interfaces


def _stretches(piece: Piece, boxes: Boxes, density: Density, seed: int, both: bool) -> Stretches:
    """A piece of a boundary from box to box."""
    if isinstance(piece, ArcPiece):
        return _along(piece.arc, boxes, density, both)
    points, normals = piece.draw(_sample_size(boxes, density), "quasi", np.random.default_rng(seed))
    return _sampled(points, normals, boxes, density, both)


def _sample_size(boxes: Boxes, density: Density) -> int:
    return 1 if boxes.low.shape[1] == 1 else int(min(3 * density.rim * len(boxes) ** (2 / 3) * 6, 400_000))


Stretches = list[tuple[tuple[int, int], np.ndarray, np.ndarray]]


def _sides(points: np.ndarray, normals: np.ndarray, boxes: Boxes, both: bool) -> np.ndarray:
    """The boxes just before and just behind points of a boundary: (n, 2)."""
    extent = np.ptp(boxes.bounds, axis=0)
    scaled = normals * extent
    step = NUDGE * extent * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    first = boxes.locate(points - step)
    return np.stack([first, boxes.locate(points + step) if both else first], axis=1)


def _sampled(points: np.ndarray, normals: np.ndarray, boxes: Boxes, density: Density, both: bool) -> Stretches:
    sides = _sides(points, normals, boxes, both)
    pairs, which = np.unique(sides, axis=0, return_inverse=True)
    found = []
    for k, (a, b) in enumerate(pairs):
        mine = np.flatnonzero(which.ravel() == k)
        mine = mine[np.unique(np.linspace(0, len(mine) - 1, min(len(mine), density.rim)).astype(int))]
        found.append(((int(a), int(b)), points[mine], normals[mine]))
    return found


def _along(arc: Arc, boxes: Boxes, density: Density, both: bool) -> Stretches:
    """An arc from box to box: for each stretch its boxes and Gauss points."""

    def sides(s: np.ndarray) -> np.ndarray:
        return _sides(*arc.at(s), boxes, both)

    count = int(np.clip(4 * arc.length / boxes.widths.min(), 64, 100_000))
    s = arc.length * (np.arange(count) + 0.5) / count
    at = sides(s)
    change = np.flatnonzero(np.any(at[1:] != at[:-1], axis=1))
    low, high, before = s[change], s[change + 1], at[change]
    for _ in range(48):
        if len(change) == 0:
            break
        middle = 0.5 * (low + high)
        same = np.all(sides(middle) == before, axis=1)
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    ends = np.concatenate([[0.0], 0.5 * (low + high), [arc.length]])
    owners = at[np.concatenate([change, [count - 1]])]
    found = []
    for (a, b), start, stop in zip(owners, ends[:-1], ends[1:], strict=True):
        width = float(min(boxes.widths[a].min(), boxes.widths[b].min()))
        if stop - start < SHORTEST * width:
            continue
        m = int(np.clip(np.ceil(density.face * (stop - start) / width), 6, density.rim))
        points, normals = arc.at(start + (stop - start) * gauss(m)[0])
        found.append(((int(a), int(b)), points, normals))
    return found


# -- faces of boxes ----------------------------------------------------------------------------------------------------
def _box_faces(
    domain: Domain, boxes: Boxes, density: Density, number: dict[tuple[int, int], int], cells: Sequence[Cell]
) -> list[Face]:
    contacts = boxes.contacts()
    faces: list[Face] = []
    for material, (_, shape) in enumerate(shapes_of(domain)):
        mine = [c for c in contacts if (material, c.first) in number and (material, c.second) in number]
        for contact, points, share in _open_parts(shape, boxes, mine, density):
            normals = np.zeros_like(points)
            normals[:, contact.axis] = 1.0
            pair = number[material, contact.first], number[material, contact.second]
            faces.append(Face(*pair, points, normals, contact.axis, share))
    return faces


def _open_parts(
    shape: Domain, boxes: Boxes, contacts: Sequence[Contact], density: Density
) -> list[tuple[Contact, np.ndarray, float]]:
    """The parts of faces that are inside a shape, with Gauss points, and how much of the box's side they are."""
    d = boxes.low.shape[1]
    if not contacts:
        return []
    if d == 1:
        return [(c, c.low[None, :], 1.0) for c in contacts]
    low, high = np.array([c.low for c in contacts]), np.array([c.high for c in contacts])
    free = _whole(shape) & np.ones(len(contacts), dtype=bool)
    if d == 2:
        return _open_segments(shape, boxes, contacts, density, low, high, free)
    nodes = tensor(*[(gauss(density.face)[0][:, None], np.ones(density.face))] * (d - 1))[0]
    found = []
    for k, contact in enumerate(contacts):
        others = [j for j in range(d) if j != contact.axis]
        points = np.repeat(low[k][None], len(nodes), axis=0)
        points[:, others] += nodes * (high[k] - low[k])[others]
        if not free[k]:
            inside = shape._inside(points, -1)
            if not inside.all():
                dense = kronecker(6 * len(nodes), d - 1, np.random.default_rng(0))
                points = np.repeat(low[k][None], len(dense), axis=0)
                points[:, others] += dense * (high[k] - low[k])[others]
                points = points[shape._inside(points, -1)][: len(nodes)]
                inside = np.ones(len(points), dtype=bool)
            points = points[inside]
        if len(points) >= 3:
            found.append((contact, points, 1.0))
    return found


def _open_segments(
    shape: Domain,
    boxes: Boxes,
    contacts: Sequence[Contact],
    density: Density,
    low: np.ndarray,
    high: np.ndarray,
    free: np.ndarray,
) -> list[tuple[Contact, np.ndarray, float]]:
    t = np.linspace(0.0, 1.0, PROBES)
    t[0], t[-1] = 1e-9, 1 - 1e-9
    inside = np.ones((len(contacts), PROBES), dtype=bool)
    asked = np.flatnonzero(~free)
    if len(asked):
        points = low[asked][:, None, :] + t[:, None] * (high - low)[asked][:, None, :]
        inside[asked] = shape._inside(points.reshape(-1, 2), -1).reshape(len(asked), PROBES)
    row, place = np.nonzero(inside[:, 1:] != inside[:, :-1])
    a, b = t[place].copy(), t[place + 1].copy()
    starts_inside = inside[row, place]
    for _ in range(45):
        if len(row) == 0:
            break
        middle = 0.5 * (a + b)
        same = shape._inside(low[row] + middle[:, None] * (high - low)[row], -1) == starts_inside
        a, b = np.where(same, middle, a), np.where(same, b, middle)
    crossing = 0.5 * (a + b)
    found = []
    full, short = gauss(density.face)[0], gauss(max(6, density.face // 2))[0]
    for k, contact in enumerate(contacts):
        ends = list(crossing[row == k])
        ends = ([0.0] if inside[k, 0] else []) + ends + ([1.0] if inside[k, -1] else [])
        extent = float((high[k] - low[k]).max())
        along = 1 - contact.axis
        side = float(min(boxes.widths[contact.first, along], boxes.widths[contact.second, along]))
        for start, stop in zip(ends[::2], ends[1::2], strict=True):
            length = (stop - start) * extent
            if length > SHORTEST * side:
                nodes = full if length > 0.35 * side else short
                points = low[k] + (start + (stop - start) * nodes)[:, None] * (high[k] - low[k])
                found.append((contact, points, float(np.sqrt(min(1.0, length / side)))))
    return found
