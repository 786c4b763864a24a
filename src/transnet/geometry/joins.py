"""Which samples of the boundary of a shape are on that of a whole: where shapes are joined, and where pieces meet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from .chain import Chain, Local, plain
from .domain import Domain


class Test(Protocol):
    """Which samples of a boundary, with their normals, are kept: of the others they border on, at a small step."""

    @property
    def others(self) -> tuple[Domain, ...]: ...

    @property
    def step(self) -> np.ndarray: ...

    def __call__(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray: ...

    def beside(self, points: np.ndarray) -> np.ndarray:
        """Which points are inside the others."""

    def near(self, points: np.ndarray, normals: np.ndarray) -> Test:
        """The same test for points among these, without the shapes whose boundaries are elsewhere."""


@dataclass(frozen=True, eq=False)
class Join:
    """The place of a boundary in `first op second`: that of the first shape, or of the second.

    A sample p of the boundary of one shape, with normal n out of the combination, is on the boundary of the combination
    exactly if a small step along n leaves it and a small step back enters it. On which side of its own boundary p lies
    is known, so only the `other` shape has to be evaluated.
    """

    op: str
    second: bool
    other: Domain | Local
    step: np.ndarray

    def __call__(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        """Which samples are kept; a boundary that both share is counted once, as that of the first."""
        # Coordinates may have different units: the step is along the normal after scaling each to its side.
        step = stepped(np.zeros(()), normals, self.step)
        keep = np.ones(len(points), bool)
        if self.op == "|":
            keep &= ~self._asks(points + step, keep, 0)
        elif self.op == "-" and not self.second:
            keep &= ~self._asks(points - step, keep, 0)
            keep &= ~self._asks(points, keep, -1)
        else:
            keep &= self._asks(points - step, keep, 0)
            keep &= self._asks(points, keep, 1)
        if self.second:
            touching = self._asks(points, keep, 1)
            touching &= ~self._asks(points, touching, -1)
            here = np.flatnonzero(touching)
            across = [plain(self.other, points[here] + turn * step[here], 0) for turn in (-1, 1)]
            keep[here[across[0] != across[1]]] = False
        return keep

    @property
    def others(self) -> tuple[Domain, ...]:
        return (self.other.of if isinstance(self.other, Local) else self.other,)

    def beside(self, points: np.ndarray) -> np.ndarray:
        return plain(self.other, points, 0)

    def near(self, points: np.ndarray, normals: np.ndarray) -> Join:
        step = stepped(np.zeros(()), normals, self.step)
        chain = Chain.of(self.others[0]).near(np.concatenate([points, points + step, points - step]))
        return replace(self, other=Local(self.others[0], chain))

    def _asks(self, points: np.ndarray, where: np.ndarray, sign: int) -> np.ndarray:
        """Which points are inside the other shape, among those `where` it matters."""
        found = np.zeros(len(points), bool)
        found[where] = plain(self.other, points[where], sign)
        return found


@dataclass(frozen=True, eq=False)
class Border:
    """Which samples of the boundary of a piece border on others a `step` away: those, if `wanted`, or the rest."""

    others: tuple[Domain, ...]
    step: np.ndarray
    wanted: bool

    @cached_property
    def _chain(self) -> Chain:
        chain = Chain.of(self.others[0])
        for shape in self.others[1:]:
            chain = chain.joined("|", shape, shape.bounds)
        return chain

    def __call__(self, points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return self.beside(stepped(points, normals, self.step)) == self.wanted

    def beside(self, points: np.ndarray) -> np.ndarray:
        return self._chain.inside(points, 0)

    def near(self, points: np.ndarray, normals: np.ndarray) -> Border:
        return self


def stepped(points: np.ndarray, normals: np.ndarray, step: np.ndarray) -> np.ndarray:
    """The points moved along the normals by a step that has the unit of each coordinate."""
    scaled = normals * step
    return points + step * scaled / np.linalg.norm(scaled, axis=1, keepdims=True)
