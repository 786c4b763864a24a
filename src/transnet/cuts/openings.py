"""The faces of boxes: which part of each is inside a material and couples the cells on both sides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from transnet.counts import LOOKS
from transnet.cuts.boxes import Boxes, Contact
from transnet.cuts.cells import SHORTEST, Density, Face
from transnet.cuts.parts import Owners
from transnet.geometry import Box, Domain, Interval
from transnet.geometry.partition import shapes_of
from transnet.measure.narrowing import bisect
from transnet.measure.rules import tensor
from transnet.measure.sampling import quasi
from transnet.tolerances import SAME

DENSER = 6
"""Candidate points for an open part of a face in space, per node of a whole face."""
PARTLY, FEWEST = 0.35, 6
"""An opening shorter than this part of the side has half of the nodes, but at least this many."""


Opening = tuple[Contact, np.ndarray, float, np.ndarray | None]
"""A part of a face that is inside: its points, its share of the box's side, and the weights of a quadrature rule."""


def is_box(shape: Domain) -> bool:
    """Whether a shape is its own bounding box."""
    return isinstance(shape, Box | Interval)


def box_faces(
    domain: Domain, boxes: Boxes, density: Density, owners: Owners, periodic: Sequence[int] = ()
) -> list[Face]:
    """The faces between cells of one material, and those at the ends of periodic axes."""
    contacts = boxes.contacts(periodic)
    faces: list[Face] = []
    for material, (_, shape) in enumerate(shapes_of(domain)):
        mine = [c for c in contacts if (material, c.first) in owners and (material, c.second) in owners]
        for contact, points, share, shares in _open_parts(shape, boxes, mine, density):
            normals = np.zeros_like(points)
            normals[:, contact.axis] = 1.0
            images = points - contact.shift * normals if contact.shift else None
            seen = points if images is None else images
            pair = owners.at(material, contact.first, points), owners.at(material, contact.second, seen)
            faces.append(Face(*pair, points, normals, contact.axis, share, images, shares))
    return faces


def _open_parts(shape: Domain, boxes: Boxes, contacts: Sequence[Contact], density: Density) -> list[Opening]:
    """The parts of faces that are inside a shape, with Gauss points, and their share of the box's side."""
    d = boxes.low.shape[1]
    if not contacts:
        return []
    if d == 1:
        return [(c, c.low[None, :], 1.0, None) for c in contacts]
    low, high = np.array([c.low for c in contacts]), np.array([c.high for c in contacts])
    free = is_box(shape) & np.ones(len(contacts), dtype=bool)
    if d == 2:
        return _open_segments(shape, boxes, contacts, density, low, high, free)
    found = []
    for k, contact in enumerate(contacts):
        others = [j for j in range(d) if j != contact.axis]
        along = [density.across(density.face, low[k], high[k], j) for j in others]
        nodes, shares = tensor(*((n[:, None], w) for n, w in along))
        whole: np.ndarray | None = shares
        points = np.repeat(low[k][None], len(nodes), axis=0)
        points[:, others] += nodes * (high[k] - low[k])[others]
        if not free[k]:
            inside = shape._inside(points, -1)
            if not inside.all():
                dense = quasi(DENSER * len(nodes), d - 1, np.random.default_rng(0))
                points = np.repeat(low[k][None], len(dense), axis=0)
                points[:, others] += dense * (high[k] - low[k])[others]
                points = points[shape._inside(points, -1)][: len(nodes)]
                inside = np.ones(len(points), dtype=bool)
                whole = None
            points = points[inside]
        if len(points) >= 3:
            found.append((contact, points, 1.0, whole))
    return found


def _open_segments(
    shape: Domain,
    boxes: Boxes,
    contacts: Sequence[Contact],
    density: Density,
    low: np.ndarray,
    high: np.ndarray,
    free: np.ndarray,
) -> list[Opening]:
    t = np.linspace(0.0, 1.0, LOOKS)
    t[0], t[-1] = SAME, 1 - SAME
    inside = np.ones((len(contacts), LOOKS), dtype=bool)
    asked = np.flatnonzero(~free)
    if len(asked):
        points = low[asked][:, None, :] + t[:, None] * (high - low)[asked][:, None, :]
        inside[asked] = shape._inside(points.reshape(-1, 2), -1).reshape(len(asked), LOOKS)
    row, place = np.nonzero(inside[:, 1:] != inside[:, :-1])
    starts_inside = inside[row, place]

    def same(s: np.ndarray) -> np.ndarray:
        return shape._inside(low[row] + s[:, None] * (high - low)[row], -1) == starts_inside

    crossing = bisect(same, t[place], t[place + 1])
    found: list[Opening] = []
    for k, contact in enumerate(contacts):
        ends = list(crossing[row == k])
        ends = ([0.0] if inside[k, 0] else []) + ends + ([1.0] if inside[k, -1] else [])
        extent = float((high[k] - low[k]).max())
        along = 1 - contact.axis
        side = float(min(boxes.widths[contact.first, along], boxes.widths[contact.second, along]))
        for start, stop in zip(ends[::2], ends[1::2], strict=True):
            length = (stop - start) * extent
            if length > SHORTEST * side:
                m = density.face if length > PARTLY * side else max(FEWEST, density.face // 2)
                a0, b0 = (low[k] + end * (high[k] - low[k]) for end in (start, stop))
                points = a0 + density.nodes(m, a0, b0)[:, None] * (b0 - a0)
                found.append((contact, points, float(np.sqrt(min(1.0, length / side))), None))
    return found
