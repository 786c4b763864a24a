"""Boundaries and interfaces from box to box: along arcs in the plane, by rectangles or samples in space."""

from __future__ import annotations

import numpy as np

from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import SHORTEST, Density, Stretch
from transnet.cuts.flat import Stretches, rectangles
from transnet.geometry import Domain
from transnet.geometry.partition import Pieces
from transnet.geometry.pieces import ArcPiece, BodyPiece, Piece
from transnet.measure.arcs import Arc
from transnet.measure.narrowing import bisect
from transnet.tolerances import SAME

Rims = dict[tuple[int, int], list[Stretch]]
Interfaces = dict[tuple[int, int], Stretches]
ALONG = (64, 100_000)
"""The fewest and the most steps along an arc from box to box."""
SURFACE, MOST_SURFACE = 18, 400_000
"""Points of a surface per point on a cell's rim and per box it passes: six sides with three of them each; and the
most."""
LOOKS, FEWEST = 9, 6
"""Places of a stretch at which its turning is measured, and the fewest points on it."""


def outlines(domain: Domain, boxes: Boxes, density: Density) -> tuple[Rims, Interfaces]:
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
            for (box, _), points, normals, shares in stretches:
                rims.setdefault((material, box), []).append(Stretch(number, points, normals, shares))
    if isinstance(domain, Pieces):
        for pair, kept in domain.interfaces.items():
            for piece in kept:
                interfaces.setdefault(pair, []).extend(_stretches(piece, boxes, density, 0, both=True))
    return rims, interfaces


def _stretches(piece: Piece, boxes: Boxes, density: Density, seed: int, both: bool) -> Stretches:
    """A piece of a boundary from box to box."""
    if isinstance(piece, ArcPiece):
        return _along(piece.arc, boxes, density, both)
    flat = rectangles(piece, boxes, density, both)
    if flat is not None:
        return flat
    points, normals = piece.draw(_sample_size(boxes, density), "quasi", np.random.default_rng(seed))
    return _sampled(points, normals, boxes, density, both)


def _sample_size(boxes: Boxes, density: Density) -> int:
    return 1 if boxes.low.shape[1] == 1 else int(min(SURFACE * density.rim * len(boxes) ** (2 / 3), MOST_SURFACE))


TURNED = 8.0
"""Points per radian that a boundary turns: poles in a hole oscillate around it however small it is."""


def _sides(points: np.ndarray, normals: np.ndarray, boxes: Boxes, both: bool) -> np.ndarray:
    """The boxes on both sides of points of a boundary: (n, 2)."""
    extent = np.ptp(boxes.bounds, axis=0)
    scaled = normals * extent
    step = SAME * extent * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
    first = boxes.locate(points - step)
    return np.stack([first, boxes.locate(points + step) if both else first], axis=1)


def _sampled(points: np.ndarray, normals: np.ndarray, boxes: Boxes, density: Density, both: bool) -> Stretches:
    sides = _sides(points, normals, boxes, both)
    pairs, which = np.unique(sides, axis=0, return_inverse=True)
    found: Stretches = []
    for k, (a, b) in enumerate(pairs):
        mine = np.flatnonzero(which.ravel() == k)
        mine = mine[np.unique(np.linspace(0, len(mine) - 1, min(len(mine), density.rim)).astype(int))]
        found.append(((int(a), int(b)), points[mine], normals[mine], None))
    return found


def _along(arc: Arc, boxes: Boxes, density: Density, both: bool) -> Stretches:
    """An arc from box to box: for each stretch its boxes and Gauss points."""

    def sides(s: np.ndarray) -> np.ndarray:
        return _sides(*arc.at(s), boxes, both)

    count = int(np.clip(4 * arc.length / boxes.widths.min(), *ALONG))
    s = arc.length * (np.arange(count) + 0.5) / count
    at = sides(s)
    change = np.flatnonzero(np.any(at[1:] != at[:-1], axis=1))
    met = bisect(lambda s: np.all(sides(s) == at[change], axis=1), s[change], s[change + 1])
    ends = np.concatenate([[0.0], met, [arc.length]])
    owners = at[np.concatenate([change, [count - 1]])]
    found: Stretches = []
    for (a, b), start, stop in zip(owners, ends[:-1], ends[1:], strict=True):
        width = float(min(boxes.widths[a].min(), boxes.widths[b].min()))
        if stop - start < SHORTEST * width:
            continue
        turn = float(np.abs(np.diff(np.unwrap(np.arctan2(*arc.at(np.linspace(start, stop, LOOKS))[1].T[::-1])))).sum())
        wanted = max(density.face * (stop - start) / width, TURNED * turn)
        m = int(np.clip(np.ceil(wanted), FEWEST, density.rim))
        nodes = density.nodes(m, *arc.at(np.array([start, stop]))[0])
        points, normals = arc.at(start + (stop - start) * nodes)
        found.append(((int(a), int(b)), points, normals, None))
    return found
