"""Functions outside bodies with copies of themselves, so that they satisfy what holds on straight walls or from cell to
cell of a lattice.

With s = -1 for a value of zero on a wall and s = 1 for a flux of zero, F(x) + s F(x') does so, x' being the image of x;
for several walls at right angles the images are those of all products of reflections. In a lattice the sum of
exp(i q n) F(x - n L) over the neighbours of a cell leaves a smooth field of those that are farther away.
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


class Copy(NamedTuple):
    """weight F(flips x + shifts)."""

    flips: tuple[float, ...]
    shifts: tuple[float, ...]
    weight: complex


def mirrored(mirrors: Sequence[Mirror], dimension: int) -> tuple[Copy, ...]:
    """The copies of a function in all products of reflections, itself first."""
    found = []
    for some in (some for n in range(len(mirrors) + 1) for some in combinations(mirrors, n)):
        flips, shifts, weight = [1.0] * dimension, [0.0] * dimension, 1.0 + 0j
        for m in some:
            flips[m.axis], shifts[m.axis] = -1.0, 2.0 * m.at
            weight *= m.sign
        found.append(Copy(tuple(flips), tuple(shifts), weight))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Images:
    """Families of functions, each with its copies.

    Parameters
    ----------
    groups : tuple of (functions, tuple of Copy)
        Functions of one wave number. A single copy is the function itself, such as a source behind a wall.
    """

    groups: tuple[tuple[Functions, tuple[Copy, ...]], ...]
    regular = False

    def stored(self) -> list[Any]:
        """How many centres each group has, and its copies."""
        return [
            [len(functions.radii), [[list(c.flips), list(c.shifts), c.weight.real, c.weight.imag] for c in copies]]
            for functions, copies in self.groups
        ]

    @classmethod
    def read(cls, functions: Functions, groups: Sequence[Any]) -> Images:
        """The groups of all functions by such numbers."""
        found, before = [], 0
        for count, copies in groups:
            mine = slice(before, before + int(count))
            before += int(count)
            some = replace(
                functions, centres=functions.centres[mine], radii=functions.radii[mine], orders=functions.orders[mine]
            )
            made = [Copy(tuple(map(float, f)), tuple(map(float, s)), complex(re, im)) for f, s, re, im in copies]
            found.append((some, tuple(made)))
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
        for functions, copies in self.groups:
            if sum(c.weight for c in copies) != 0:
                found.append(before + functions.logs)
            before += len(functions)
        return np.concatenate(found)

    @property
    def turns(self) -> np.ndarray:
        return np.concatenate([functions.turns for functions, _ in self.groups])

    def derivatives(self, points: np.ndarray, indices: list[tuple[int, ...]]) -> list[np.ndarray]:
        """D^k of every function at points for several multi-indices: (F, n) complex each."""
        found: list[list[np.ndarray]] = [[] for _ in indices]
        for functions, copies in self.groups:
            there, weights = zip(*_copied(points, copies, indices), strict=True)
            values = functions.derivatives(np.concatenate(there), indices)  # type: ignore[arg-type]
            for mine, value, weight in zip(found, values, np.array(weights).T, strict=True):
                mine.append(np.tensordot(weight, value.reshape(len(value), len(copies), -1), (0, 1)))
        return [np.concatenate(mine) for mine in found]

    def summed(self, points: np.ndarray, indices: list[tuple[int, ...]], factors: np.ndarray) -> list[np.ndarray]:
        """D^k of the sum of all functions with complex factors (F, c): (n, c) each."""
        found = [np.zeros((len(points), factors.shape[1]), dtype=complex) for _ in indices]
        before = 0
        for functions, copies in self.groups:
            mine = factors[before : before + len(functions)]
            before += len(functions)
            for there, weights in _copied(points, copies, indices):
                values = functions.summed(there, indices, mine)  # type: ignore[arg-type]
                for total, weight, value in zip(found, weights, values, strict=True):
                    total += weight * value
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
        found = {}
        for functions, copies in self.groups:
            for copy in copies:
                for axis in (a for a, flip in enumerate(copy.flips) if flip < 0):
                    found[axis] = 1 if 2.0 * float(np.mean(functions.centres[:, axis])) > copy.shifts[axis] else -1
        return found

    def far(self, directions: np.ndarray) -> np.ndarray:
        """The factor of the outgoing wave far away in every function."""
        found, plane = [], self.centres.shape[1] == 2
        ways = np.stack([np.cos(directions), np.sin(directions)], -1) if plane else np.asarray(directions)
        for functions, copies in self.groups:
            total = np.zeros(())
            for copy in copies:
                # |flips x + shifts| = r + (flips direction) . shifts far away.
                turned = ways * copy.flips
                delay = turned @ np.array(copy.shifts)
                there = np.arctan2(turned[..., 1], turned[..., 0]) if plane else turned
                total = total + copy.weight * functions.far(there) * np.exp(1j * self.wavenumber * delay)
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


def _copied(
    points: np.ndarray, copies: tuple[Copy, ...], indices: list[tuple[int, ...]]
) -> Iterator[tuple[np.ndarray, list[complex]]]:
    """The places of copies, and the weight of each derivative there."""
    for copy in copies:
        flips = np.array(copy.flips)
        yield points * flips + copy.shifts, [copy.weight * float(np.prod(flips ** np.array(i))) for i in indices]
