"""Cut a domain by boxes.

No mesh is made. A cell has points inside; the boundary of a material is followed along its arcs (in the plane) or by
samples (in space) from box to box, which gives the points of conditions and of interfaces; and the faces of boxes that
lie inside a material couple the cells on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import Cell, Cells, Density, Face
from transnet.cuts.openings import box_faces, is_box
from transnet.cuts.outlines import outlines
from transnet.cuts.parts import Owners, away, nearest_part, parts_of
from transnet.cuts.shares import inner_rule
from transnet.geometry import Domain
from transnet.geometry.partition import shapes_of
from transnet.lazy import shapely
from transnet.measure.sampling import quasi
from transnet.tolerances import SAME

TRIES = 60
"""Candidates for each point wanted inside a cell that the boundary cuts."""
FRESH = 4
"""One interior point in this many is left out of the fit, to judge it."""
ROOM, NARROW = 0.02, 0.1
"""A cell extends this far beyond its known points, in units of their extent, which is at least this part of its box."""
FEWEST = 3
"""The fewest points of a cell."""
SLIVER = 0.05
"""A cell with fewer than this part of the points is a sliver, and searched this close to its known points."""


def cut_domain(domain: Domain, boxes: Boxes, density: Density, periodic: Sequence[int] = ()) -> Cells:
    """The cells of a domain and their faces, also joined at the ends of periodic axes."""
    materials = shapes_of(domain)
    total = density.inside + density.inside // FRESH
    reference = quasi(TRIES * total, domain.dimension, np.random.default_rng(0))
    if density.conserving:
        reference[: density.inside] = inner_rule(density.inside, domain.dimension)[0]
    rims, interfaces = outlines(domain, boxes, density)
    cells: list[Cell] = []
    owners = Owners()
    for material, (_, shape) in enumerate(materials):
        touched: dict[int, list[np.ndarray]] = {}
        for (owner, box), stretches in rims.items():
            if owner == material:
                touched.setdefault(box, []).extend(s.points for s in stretches)
        for (first, second), pairs in interfaces.items():
            for (a, b), points, _, _ in pairs:
                for owner, box in ((first, a), (second, b)):
                    if owner == material:
                        touched.setdefault(box, []).append(points)
        several = parts_of(shape, boxes, {box: len(stretches) for box, stretches in touched.items()})
        for box, inside in inside_points(shape, boxes, total, reference, touched):
            low, high = boxes.low[box], boxes.high[box]
            for part, mine, near in _by_part(shape, several.get(box), low, high, inside, reference, touched.get(box)):
                known = np.concatenate([mine, *near])
                if np.array_equal(mine, low + (high - low) * reference[:total]):
                    tight = (low, high)
                else:
                    room = ROOM * np.maximum(np.ptp(known, axis=0), NARROW * (high - low))
                    tight = (np.maximum(low, known.min(axis=0) - room), np.minimum(high, known.max(axis=0) + room))
                cell = Cell(
                    box, material, 0.5 * (tight[0] + tight[1]), 0.5 * (tight[1] - tight[0]), *_apart(mine, density)
                )
                cell.outline = part
                owners.add(material, box, len(cells), part)
                cells.append(cell)
    for (material, box), stretches in rims.items():
        for stretch in stretches if (material, box) in owners else ():
            cells[owners.at(material, box, stretch.points)].rims.append(stretch)
    faces = box_faces(domain, boxes, density, owners, periodic)
    for (first, second), pairs in interfaces.items():
        for (a, b), points, normals, shares in pairs:
            if (first, a) in owners and (second, b) in owners:
                sides = owners.at(first, a, points), owners.at(second, b, points)
                faces.append(Face(*sides, points, normals, None, shares=shares))
    for k, face in enumerate(faces):
        cells[face.first].faces.append(k)
        cells[face.second].faces.append(k)
    return Cells(domain, boxes, cells, faces, density.vertices, density.conserving)


def _by_part(
    shape: Domain,
    parts: Sequence[shapely.Polygon] | None,
    low: np.ndarray,
    high: np.ndarray,
    inside: np.ndarray,
    reference: np.ndarray,
    touched: Sequence[np.ndarray] | None,
) -> list[tuple[shapely.Polygon | None, np.ndarray, list[np.ndarray]]]:
    """Each part of a material in a box, with points inside it and those of the boundary."""
    touched = touched or []
    if parts is None:
        return [(None, inside, list(touched))]
    found = []
    of = np.argmin(away(parts, inside), axis=1)
    sides = [nearest_part(parts, stretch) for stretch in touched]
    for k, part in enumerate(parts):
        mine = inside[of == k]
        if len(mine) < len(inside):
            x0, y0, x1, y1 = part.bounds
            a, b = np.maximum([x0, y0], low), np.minimum([x1, y1], high)
            more = a + (b - a) * reference
            more = more[shape._inside(more, 0)]
            mine = more[np.argmin(away(parts, more), axis=1) == k][: len(inside)]
        if len(mine) >= FEWEST:
            found.append((part, mine, [t for t, side in zip(touched, sides, strict=True) if side == k]))
    return found or [(None, inside, list(touched))]


def _apart(points: np.ndarray, density: Density) -> tuple[np.ndarray, np.ndarray]:
    """The points to fit and those to judge by."""
    count = min(density.inside, len(points) - len(points) // (FRESH + 1))
    return points[:count], points[count:]


def inside_points(
    shape: Domain, boxes: Boxes, count: int, reference: np.ndarray, touched: dict[int, list[np.ndarray]]
) -> list[tuple[int, np.ndarray]]:
    """For each box that intersects the shape, points inside both."""
    low, high = shape.bounds
    slack = SAME * np.ptp(boxes.bounds, axis=0)
    near = np.flatnonzero(np.all((boxes.high > low + slack) & (boxes.low < high - slack), axis=1))
    found: list[tuple[int, np.ndarray]] = []
    if len(near) == 0:
        return found
    ref = reference[:count]
    points = boxes.low[near][:, None, :] + boxes.widths[near][:, None, :] * ref
    contained = is_box(shape) & np.all((boxes.low[near] >= low - slack) & (boxes.high[near] <= high + slack), axis=1)
    inside = np.ones((len(near), count), dtype=bool)
    open_ = np.flatnonzero(~contained)
    if len(open_):
        inside[open_] = shape._inside(points[open_].reshape(-1, points.shape[2]), 0).reshape(len(open_), count)
    for k, box in enumerate(near.tolist()):
        mine = points[k][inside[k]]
        if len(mine) < count and (len(mine) or box in touched):
            more = boxes.low[box] + boxes.widths[box] * reference[count:]
            if box in touched and len(mine) < SLIVER * count:  # a sliver: search around its known points
                known = np.concatenate(touched[box])
                room = SLIVER * boxes.widths[box]
                a = np.maximum(boxes.low[box], np.minimum(known.min(axis=0), mine.min(axis=0, initial=np.inf)) - room)
                b = np.minimum(boxes.high[box], np.maximum(known.max(axis=0), mine.max(axis=0, initial=-np.inf)) + room)
                more = a + (b - a) * reference[count:]
            step = 4 * count
            for start in range(0, len(more), step):
                part = more[start : start + step]
                mine = np.concatenate([mine, part[shape._inside(part, 0)]])
                if len(mine) >= count:
                    break
        if len(mine) >= FEWEST:
            found.append((box, mine[:count]))
    return found
