"""Functions outside bodies beside straight walls: each with its mirror images, so that it satisfies what holds there.

With s = -1 for a value of zero on a wall and s = 1 for a flux of zero, F(x) + s F(x') does so, x' being the image of x.
For several walls at right angles the images are those of all products of reflections.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from transnet.features.radiating import Radiating
from transnet.features.spherical import Spherical
from transnet.tolerances import SAME

Functions = Radiating | Spherical


class Mirror(NamedTuple):
    """The wall x_axis = at, and the sign of images in it."""

    axis: int
    at: float
    sign: int


@dataclass(frozen=True, eq=False)
class Images:
    """Families of functions, each with its images in some mirrors.

    Parameters
    ----------
    groups : tuple of (functions, tuple of Mirror)
        Functions of one wave number. Without mirrors they are taken as they are, such as sources behind a wall.
    """

    groups: tuple[tuple[Functions, tuple[Mirror, ...]], ...]
    regular = False

    def stored(self) -> list[Any]:
        """How many centres each group has, and its mirrors."""
        return [[len(functions.radii), [list(m) for m in mirrors]] for functions, mirrors in self.groups]

    @classmethod
    def read(cls, functions: Functions, groups: Sequence[Any]) -> Images:
        """The groups of all functions by such numbers."""
        found, before = [], 0
        for count, mirrors in groups:
            mine = slice(before, before + int(count))
            before += int(count)
            some = replace(
                functions, centres=functions.centres[mine], radii=functions.radii[mine], orders=functions.orders[mine]
            )
            found.append((some, tuple(Mirror(int(axis), float(at), int(sign)) for axis, at, sign in mirrors)))
        if before != len(functions.radii):
            raise ValueError("the groups of functions do not fit their centres")
        return cls(tuple(found))

    @property
    def wavenumber(self) -> complex:
        return self.groups[0][0].wavenumber

    def __len__(self) -> int:
        return sum(len(functions) for functions, _ in self.groups)

    @cached_property
    def index(self) -> np.ndarray:
        """The centre and the order of each function, those of the groups one after the other."""
        found, before = [], 0
        for functions, _ in self.groups:
            mine = functions.index.copy()
            mine[:, 0] += before
            before += len(functions.radii)
            found.append(mine)
        return np.concatenate(found)

    @cached_property
    def centres(self) -> np.ndarray:
        return np.concatenate([functions.centres for functions, _ in self.groups])

    @cached_property
    def radii(self) -> np.ndarray:
        return np.concatenate([functions.radii for functions, _ in self.groups])

    @cached_property
    def orders(self) -> np.ndarray:
        return np.concatenate([functions.orders for functions, _ in self.groups])

    @property
    def logs(self) -> np.ndarray:
        """The functions that grow like logarithms: none with an image of the other sign."""
        found, before = [np.empty(0, dtype=int)], 0
        for functions, mirrors in self.groups:
            if all(m.sign > 0 for m in mirrors):
                found.append(before + functions.logs)
            before += len(functions)
        return np.concatenate(found)

    @property
    def turns(self) -> np.ndarray:
        return np.concatenate([functions.turns for functions, _ in self.groups])

    def derivatives(self, points: np.ndarray, indices: list[tuple[int, ...]]) -> list[np.ndarray]:
        """D^k of every function at points for several multi-indices: (F, n) complex each."""
        found: list[list[np.ndarray]] = [[] for _ in indices]
        for functions, mirrors in self.groups:
            totals: list[np.ndarray] = []
            for there, signs in _reflections(points, mirrors, indices):
                values = functions.derivatives(there, indices)  # type: ignore[arg-type]
                values = [sign * value for sign, value in zip(signs, values, strict=True)]
                totals = [a + b for a, b in zip(totals, values, strict=True)] if totals else values
            for mine, total in zip(found, totals, strict=True):
                mine.append(total)
        return [np.concatenate(mine) for mine in found]

    def summed(self, points: np.ndarray, indices: list[tuple[int, ...]], factors: np.ndarray) -> list[np.ndarray]:
        """D^k of the sum of all functions with complex factors (F, c): (n, c) each."""
        found = [np.zeros((len(points), factors.shape[1]), dtype=complex) for _ in indices]
        before = 0
        for functions, mirrors in self.groups:
            mine = factors[before : before + len(functions)]
            before += len(functions)
            for there, signs in _reflections(points, mirrors, indices):
                values = functions.summed(there, indices, mine)  # type: ignore[arg-type]
                for total, sign, value in zip(found, signs, values, strict=True):
                    total += sign * value
        return found

    def around(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Directions and weights of an integral over those that lead away from the walls."""
        directions, weights = self.groups[0][0].around(count)
        ways = np.stack([np.cos(directions), np.sin(directions)], axis=1) if directions.ndim == 1 else directions
        inside = np.ones(len(weights))
        for axis, side in self.sides.items():
            inside *= np.where(np.abs(ways[:, axis]) < SAME, 0.5, side * ways[:, axis] > 0)
        return directions, weights * inside

    @cached_property
    def sides(self) -> dict[int, int]:
        """On which side of each wall the domain is, by its axis: where the centres with an image in it are."""
        return {
            m.axis: 1 if float(np.mean(functions.centres[:, m.axis])) > m.at else -1
            for functions, mirrors in self.groups
            for m in mirrors
        }

    def far(self, directions: np.ndarray) -> np.ndarray:
        """The factor of the outgoing wave far away in every function."""
        found = []
        plane = self.centres.shape[1] == 2
        for functions, mirrors in self.groups:
            total = functions.far(directions)
            for some in _products(mirrors):
                if not some:
                    continue
                ways = np.stack([np.cos(directions), np.sin(directions)], -1) if plane else np.array(directions)
                delay = np.zeros(ways.shape[:-1])
                sign = 1
                for m in some:
                    # r' = r - 2 (n.r - at) n: waves from the image arrive later by 2 at n.direction.
                    delay += -2.0 * m.at * ways[..., m.axis]
                    ways[..., m.axis] *= -1.0
                    sign *= m.sign
                there = np.arctan2(ways[..., 1], ways[..., 0]) if plane else ways
                total = total + sign * functions.far(there) * np.exp(1j * self.wavenumber * delay)
            found.append(total)
        return np.concatenate(found)


def images_of(rims: Sequence[np.ndarray], mirrors: Sequence[Mirror]) -> list[np.ndarray]:
    """The images of the points of bodies in walls that they do not meet."""
    found = []
    for rim in rims:
        for m in mirrors:
            if (rim[:, m.axis] > m.at).all() or (rim[:, m.axis] < m.at).all():
                there = rim.copy()
                there[:, m.axis] = 2.0 * m.at - there[:, m.axis]
                found.append(there)
    return found


def _products(mirrors: tuple[Mirror, ...]) -> list[tuple[Mirror, ...]]:
    """All products of reflections, the identity first."""
    return [some for n in range(len(mirrors) + 1) for some in combinations(mirrors, n)]


def _reflections(
    points: np.ndarray, mirrors: tuple[Mirror, ...], indices: list[tuple[int, ...]]
) -> Iterator[tuple[np.ndarray, list[int]]]:
    """The images of points, and the sign with which each derivative is taken there."""
    for some in _products(mirrors):
        there, signs = points.copy(), [1] * len(indices)
        for m in some:
            there[:, m.axis] = 2.0 * m.at - there[:, m.axis]
            signs = [s * m.sign * (-1) ** index[m.axis] for s, index in zip(signs, indices, strict=True)]
        yield there, signs
