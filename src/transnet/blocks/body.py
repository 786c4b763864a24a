"""A body that consists of boxes along the axes: the planes of their faces cut space into blocks.

Each block lies in one material or outside, and each outer face of a block on one part of the boundary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from transnet.geometry import Box, Domain, Pieces
from transnet.geometry.csg import Combination, blocks_of
from transnet.geometry.domain import Surface
from transnet.geometry.partition import shapes_of
from transnet.geometry.pieces import BodyPiece, pieces_of
from transnet.tolerances import SAME


class OuterFace(NamedTuple):
    """An outer face of a block: its axis, its end 0 or 1, and the part of the boundary that it lies on."""

    axis: int
    end: int
    part: str


@dataclass(frozen=True, eq=False)
class Body:
    """The blocks of a body.

    Parameters
    ----------
    planes : tuple of arrays
        The places of the planes across each axis.
    material : (n_1, n_2, n_3) array of int
        The material of each block; -1 outside.
    faces : mapping
        The outer faces of each block.
    """

    planes: tuple[np.ndarray, ...]
    material: np.ndarray
    faces: dict[tuple[int, ...], tuple[OuterFace, ...]]

    @cached_property
    def blocks(self) -> np.ndarray:
        """The blocks inside, (n, d)."""
        return np.argwhere(self.material >= 0)

    def bounds(self, block: Sequence[int] | np.ndarray) -> np.ndarray:
        """The lowest and the highest corner of a block."""
        return np.array([[p[k + end] for p, k in zip(self.planes, block, strict=True)] for end in (0, 1)])

    def cut(self, planes: Sequence[np.ndarray]) -> Body:
        """The same body with more planes."""
        parents = [
            np.searchsorted(old, 0.5 * (new[1:] + new[:-1])) - 1 for old, new in zip(self.planes, planes, strict=True)
        ]
        material = self.material[np.ix_(*parents)]
        faces: dict[tuple[int, ...], tuple[OuterFace, ...]] = {}
        for block in map(tuple, np.argwhere(material >= 0)):
            parent = tuple(int(p[k]) for p, k in zip(parents, block, strict=True))
            own = [f for f in self.faces.get(parent, ()) if self._reaches(parents, block, f)]
            if own:
                faces[block] = tuple(own)
        return Body(tuple(planes), material, faces)

    @staticmethod
    def _reaches(parents: Sequence[np.ndarray], block: tuple[int, ...], face: OuterFace) -> bool:
        """Whether a block inside another lies at one of its faces."""
        line, k = parents[face.axis], block[face.axis]
        beside = k + 2 * face.end - 1
        return not 0 <= beside < len(line) or bool(line[beside] != line[k])

    def edges(self) -> Iterator[tuple[int, int, int, int, list[tuple[int, ...] | None]]]:
        """The edges of blocks: two axes, the numbers of the planes across them, and the four blocks around one."""
        shape = self.material.shape
        for a, b in ((0, 1), (0, 2), (1, 2)):
            (c,) = {0, 1, 2} - {a, b}
            for i, j, k in product(range(shape[a] + 1), range(shape[b] + 1), range(shape[c])):
                around: list[tuple[int, ...] | None] = []
                for di, dj in product((-1, 0), (-1, 0)):
                    at = {a: i + di, b: j + dj, c: k}
                    block = tuple(at[axis] for axis in range(3))
                    inside = all(0 <= block[x] < shape[x] for x in range(3)) and self.material[block] >= 0
                    around.append(block if inside else None)
                yield a, b, i, j, around


def body_of(domain: Domain) -> Body | None:
    """The blocks of a domain of space; None if it does not consist of boxes along the axes."""
    shapes = [shape for _, shape in shapes_of(domain)]
    found = blocks_of(*shapes) if domain.dimension == 3 else None
    if found is None:
        return None
    planes, middles = found
    material = np.full(len(middles), -1)
    for number, shape in enumerate(shapes):
        material[shape._inside(middles, 0)] = number
    material = material.reshape([len(p) - 1 for p in planes])
    faces = _outer_faces(domain, planes, material)
    return None if faces is None else Body(tuple(planes), material, faces)


def _outer_faces(
    domain: Domain, planes: Sequence[np.ndarray], material: np.ndarray
) -> dict[tuple[int, ...], tuple[OuterFace, ...]] | None:
    """The outer faces of the blocks; None if the part of one is not known."""
    pieces = _boundary_pieces(domain)
    found: dict[tuple[int, ...], tuple[OuterFace, ...]] = {}
    for block in map(tuple, np.argwhere(material >= 0)):
        low, high = (np.array([p[k + end] for p, k in zip(planes, block, strict=True)]) for end in (0, 1))
        own: list[OuterFace] = []
        for axis, end in product(range(3), (0, 1)):
            beside = list(block)
            beside[axis] += 2 * end - 1
            if 0 <= beside[axis] < material.shape[axis] and material[tuple(beside)] >= 0:
                continue
            middle = 0.5 * (low + high)
            middle[axis] = (low, high)[end][axis]
            part = next((p.part for p in pieces if _covers(p, middle, axis, end)), None)
            if part is None:
                return None
            own.append(OuterFace(axis, end, part))
        if own:
            found[block] = tuple(own)
    return found


def _boundary_pieces(domain: Domain) -> list[BodyPiece]:
    if isinstance(domain, Combination):
        found = list(domain._pieces)
    elif isinstance(domain, Pieces):
        found = [piece for kept in domain._kept.values() for _, piece in kept]
    else:
        found = list(pieces_of(domain))
    return [piece for piece in found if isinstance(piece, BodyPiece)]


def _covers(piece: BodyPiece, middle: np.ndarray, axis: int, end: int) -> bool:
    """Whether the middle of an outer face lies on what is kept of the face of a box."""
    box = piece.shape
    assert isinstance(box, Box)
    across, last = box._face(piece.part)
    outwards = last if not piece.flip else 1 - last
    low, high = box.bounds
    if across != axis or outwards != end or abs(middle[axis] - box.bounds[last, axis]) > SAME * (high - low)[axis]:
        return False
    others = np.arange(3) != axis
    if np.any(middle[others] < low[others]) or np.any(middle[others] > high[others]):
        return False
    normal = np.zeros((1, 3))
    normal[0, axis] = 2.0 * last - 1.0
    return len(piece._passed(Surface(middle[None], normal))) > 0
