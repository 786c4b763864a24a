"""A domain in motion as a domain of space and time: the image of one at rest."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from transnet.arrays import constant
from transnet.geometry import Domain
from transnet.geometry.domain import Surface
from transnet.measure.arcs import Arc
from transnet.measure.sampling import check_draw
from transnet.motion.basis import Pulled

RIM, NODES = 4000, 20_000
"""Points of the boundary from which the extent follows, and nodes for the volume."""


PLANE = 2
"""The coordinates of a line and time."""


class InMotion(Domain):
    """{(x, t): x = M(t) y + c(t), y in a shape at rest}. Normals are those of the shape at each time."""

    def __init__(self, rest: Domain, basis: Pulled, coefficients: np.ndarray, stated: str) -> None:
        self.rest, self.basis, self.coefficients, self.stated = rest, basis, coefficients, stated

    def __repr__(self) -> str:
        return self.stated

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.rest.names

    @property
    def parts(self) -> tuple[str, ...]:
        return self.rest.parts

    @property
    def _other_names(self) -> Mapping[str, tuple[str, ...]]:
        return self.rest._other_names

    def _carried(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points at rest where they are, and M there."""
        matrix, shift = self.basis.moved(self.coefficients, points[:, -1])
        x = np.einsum("nij,nj->ni", matrix, points[:, :-1]) + shift
        return np.column_stack([x, points[:, -1]]), matrix

    @cached_property
    def bounds(self) -> np.ndarray:
        low, high = self.rest.bounds
        times = np.linspace(low[-1], high[-1], RIM)
        corners = np.stack(np.meshgrid(*np.stack([low[:-1], high[:-1]], axis=1)), axis=-1).reshape(-1, len(low) - 1)
        at_ends = np.concatenate([np.column_stack([np.broadcast_to(c, (RIM, len(c))), times]) for c in corners])
        rim = at_ends if len(low) == PLANE else self.rest.boundary(n=RIM).points
        points = self._carried(rim)[0]
        return constant([[*points[:, :-1].min(axis=0), low[-1]], [*points[:, :-1].max(axis=0), high[-1]]])

    @cached_property
    def volume(self) -> float:
        return float(self.quadrature(NODES)[1].sum())

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        return self.rest._inside(self.basis.at_rest(self.coefficients, points), sign)

    def _fill(self, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
        return self._carried(self.rest._fill(n, kind, rng))[0]

    def _draw(self, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        surface = self.rest._draw(part, n, kind, rng)
        points, matrix = self._carried(surface.points)
        turned = np.linalg.solve(matrix.transpose(0, 2, 1), surface.normals[:, :-1, None])[..., 0]
        length = np.linalg.norm(turned, axis=1, keepdims=True)
        spatial = np.divide(turned, length, out=np.zeros_like(turned), where=length > 0)
        return Surface(points, np.column_stack([spatial, surface.normals[:, -1]]))

    def arcs(self, part: str) -> tuple[Arc, ...]:
        return tuple(map(self._arc, self.rest.arcs(part))) if self.dimension == PLANE else ()

    def _arc(self, arc: Arc) -> Arc:
        """A piece of the boundary in the plane of x and t, by its own length."""
        s = np.linspace(0.0, arc.length, RIM + 1)
        points = self._carried(arc.at(s)[0])[0]
        lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])

        def at(along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            there, normals = arc.at(np.interp(along, lengths, s))
            return self._carried(there)[0], normals

        return Arc(float(lengths[-1]), at)

    def _measure(self, part: str) -> float:
        surface = self.rest.boundary(part, RIM, "grid")
        matrix = self._carried(surface.points)[1]
        turned = np.linalg.solve(matrix.transpose(0, 2, 1), surface.normals[:, :-1, None])[..., 0]
        stretch = np.abs(np.linalg.det(matrix)) * np.maximum(
            np.linalg.norm(turned, axis=1), np.abs(surface.normals[:, -1])
        )
        return self.rest._measure(part) * float(stretch.mean())

    def quadrature(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        nodes, weights = self.rest.quadrature(check_draw(n, "grid"))
        points, matrix = self._carried(nodes)
        return points, weights * np.abs(np.linalg.det(matrix))
