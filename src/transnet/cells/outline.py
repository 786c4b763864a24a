"""The boundary of a plane domain by its arcs, sampled: how large its features are, and which cell owns which part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from transnet.measure.arcs import Arc
from transnet.tolerances import SAME

SAMPLES = 160
"""Samples of the boundary for a length of four times the diagonal of the domain."""
FEWEST = 24
"""The fewest samples of an arc that is curved, and of one that is straight divided by four."""
WEDGE = 0.3
"""A gap between arcs that meet is no feature if it is wider than this part of the distance to the nearest corner: it
belongs to the corner."""
FACING = -0.5
"""Two sides face each other if the product of their normals is below this."""
AROUND, AT_HOLES, ACROSS, APART = 0.4, 0.9, 1.8, 0.8
"""Sizes of cells: in radii of the largest disk outside the domain that touches the boundary there, in radii of round
holes, whose cells have coordinates of their own, in radii of the largest disk inside a channel, and in distances of
corners."""
RIM = 1.02
"""How far from the centre of a hole points of its rim are, in radii."""


class Outlined(Protocol):
    """What cells need to know of a domain."""

    @property
    def parts(self) -> tuple[str, ...]: ...
    @property
    def bounds(self) -> np.ndarray: ...
    @property
    def volume(self) -> float: ...
    def arcs(self, part: str) -> tuple[Arc, ...]: ...
    def interior(self, n: int, how: Any, seed: int) -> np.ndarray: ...
    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray: ...


@dataclass(frozen=True, eq=False)
class ArcSamples:
    """Samples of all arcs: points and normals (n, 2), the number of the arc and the arc length of each."""

    arcs: tuple[tuple[str, Arc], ...]
    points: np.ndarray
    normals: np.ndarray
    arc: np.ndarray
    at: np.ndarray

    @classmethod
    def of(cls, domain: Outlined, finest: float = np.inf) -> ArcSamples:
        """The outline of a domain with samples no farther apart than `finest`."""
        arcs = tuple((part, arc) for part in domain.parts for arc in domain.arcs(part))
        step = min(4.0 * float(np.linalg.norm(np.ptp(domain.bounds, axis=0))) / SAMPLES, finest)
        points, normals, at, number = [], [], [], []
        for k, (_, arc) in enumerate(arcs):
            count = max(int(np.ceil(arc.length / step)), FEWEST // 4 if arc.straight else FEWEST)
            s = np.linspace(0.0, arc.length, count + 1)
            p, n = arc.at(s)
            points.append(p)
            normals.append(n)
            at.append(s)
            number.append(np.full(count + 1, k))
        return cls(arcs, *(np.concatenate(v) for v in (points, normals, number, at)))

    @cached_property
    def _meet(self) -> np.ndarray:
        """Whether two different arcs have an end in common."""
        ends = np.array([arc.at(np.array([0.0, arc.length]))[0] for _, arc in self.arcs])
        apart = np.linalg.norm(ends[:, None, :, None] - ends[None, :, None, :], axis=-1).min(axis=(2, 3))
        return (apart < SAME * np.ptp(self.points)) & ~np.eye(len(ends), dtype=bool)

    def sizes(
        self, corners: np.ndarray, holes: Sequence[tuple[np.ndarray, float]] = (), shares: Sequence[float] = ()
    ) -> tuple[np.ndarray, np.ndarray]:
        """Places of the boundary and the size that cells should have there, infinite where it is straight; on the rims
        of holes in shares of what is usual."""
        middle = self.arc[1:] == self.arc[:-1]
        points = 0.5 * (self.points[1:] + self.points[:-1])[middle]
        normals = self.normals[1:][middle] + self.normals[:-1][middle]
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        away = points[None] - points[:, None]
        squared = np.sum(away**2, axis=2)
        along = np.einsum("ijk,ik->ij", away, normals)
        with np.errstate(divide="ignore", invalid="ignore"):
            radius = squared / (2.0 * along)
        straight = np.abs(along) <= SAME * np.sqrt(squared)
        outer = np.where(straight | (along < 0), np.inf, radius)
        inner = np.where(straight | (along > 0), np.inf, -radius)
        facing = inner.argmin(axis=1)
        opposite = np.sum(normals * normals[facing], axis=1) < FACING
        wide = np.where(opposite, inner.min(axis=1), np.inf)
        hollow = outer.min(axis=1)
        for (centre, radius), share in zip(holes, shares, strict=True):
            hollow[np.linalg.norm(points - centre, axis=1) < RIM * radius] *= share * AT_HOLES / AROUND
        if not len(corners):
            return points, np.minimum(AROUND * hollow, ACROSS * wide)
        near = np.linalg.norm(points[:, None] - corners[None], axis=2).min(axis=1)
        arc, meet = self.arc[1:][middle], self._meet
        for radius, other in ((hollow, outer.argmin(axis=1)), (wide, facing)):
            radius[meet[arc, arc[other]] & (radius > WEDGE * near)] = np.inf
        sizes = np.minimum(AROUND * hollow, ACROSS * wide)
        if len(corners) < 2:
            return points, sizes
        between = np.linalg.norm(corners[:, None] - corners[None], axis=2) + np.diag(np.full(len(corners), np.inf))
        return np.concatenate([points, corners]), np.concatenate([sizes, APART * between.min(axis=1)])
