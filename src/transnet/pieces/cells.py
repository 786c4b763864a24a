"""A domain cut by boxes: the cells, each a box intersected with one material, and where they meet."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from transnet.geometry import Domain
from transnet.geometry.partition import Pieces
from transnet.pieces.boxes import Boxes

NUDGE = 1e-9
"""How far from a boundary the box is asked for, in units of the whole: a boundary may run along the face of a box."""
SHORTEST = 1e-3
"""Stretches of a boundary or a face shorter than this, in units of the box, are passed over."""


@dataclass(frozen=True)
class Density:
    """How many points: inside a cell, along a face (each way), along the boundary in a cell at most."""

    inside: int
    face: int
    rim: int


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
