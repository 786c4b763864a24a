"""Seeds of cells: every point of the domain belongs to the nearest one, so cells are few, plump and follow the domain.

Their distances follow a size that is small around holes, in channels and where a solution was found to need it. They
are moved to the middles of their cells (Lloyd's iteration); those of singular corners stay there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.cells.outline import Outlined
from transnet.tolerances import SAME

GRADE = 0.6
"""How fast sizes grow with the distance from where they are small."""
SAMPLES = 36
"""Points of the domain for each cell, by which cells are moved to their middles."""
MANY = 60
"""Seeds from which on the nearest one is found by a tree."""
PLASTIC = 0.7548776662466927
"""The plastic section: its multiples spread points within squares."""
STEPS = 10
"""Steps of that."""
PAIRS = 10_000_000
"""Distances that are computed at a time: 80 MB."""


@dataclass(frozen=True, eq=False)
class Sizes:
    """The size that cells should have: at most `largest`, and no more than `sizes` at `places`, growing from there."""

    largest: float
    places: np.ndarray
    sizes: np.ndarray

    def at(self, points: np.ndarray) -> np.ndarray:
        """The size at points."""
        found = np.full(len(points), self.largest)
        which = np.flatnonzero(self.sizes < self.largest)
        if not len(which):
            return found
        from scipy.spatial.distance import cdist

        for few in np.array_split(np.arange(len(points)), 1 + len(points) * len(which) // PAIRS):
            wanted = self.sizes[which] + GRADE * cdist(points[few], self.places[which])
            found[few] = np.minimum(found[few], wanted.min(axis=1))
        return found

    def with_finer(self, places: np.ndarray, sizes: np.ndarray) -> Sizes:
        """The same, finer at some places."""
        needed = sizes < self.at(places)
        places, sizes = places[needed], sizes[needed]
        return Sizes(self.largest, np.concatenate([self.places, places]), np.concatenate([self.sizes, sizes]))


def owners(points: np.ndarray, seeds: np.ndarray) -> np.ndarray:
    """The nearest seed of each point."""
    if len(seeds) > MANY:
        from scipy.spatial import cKDTree

        return cKDTree(seeds).query(points)[1]
    shifted = points - seeds.mean(axis=0)
    centred = seeds - seeds.mean(axis=0)
    return np.argmin(np.sum(centred**2, axis=1) - 2.0 * (shifted @ centred.T), axis=1)


@dataclass(frozen=True, eq=False)
class Samples:
    """Points of a domain and the area that each stands for: as many in small cells as in large ones."""

    points: np.ndarray
    areas: np.ndarray

    @classmethod
    def of(cls, domain: Outlined, sizes: Sizes) -> Samples:
        """A point in each of the squares that result from halving until they are small beside the size of cells."""
        low, high = domain.bounds
        width = float((high - low).max()) / 2
        count = np.ceil((high - low) / width - SAME).astype(int)
        grid = np.stack(np.meshgrid(*(np.arange(n) + 0.5 for n in count), indexing="ij"), axis=-1).reshape(-1, 2)
        middles = low + width * grid
        points, areas = [], []
        while len(middles):
            # A square is halved for the smallest size in it.
            large = sizes.at(middles) - GRADE * 0.75 * width < SAMPLES**0.5 * width
            done = middles[~large]
            points.append(done)
            areas.append(np.full(len(done), width**2))
            width /= 2
            shifts = 0.5 * width * np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
            middles = (middles[large][:, None] + shifts).reshape(-1, 2)
        found, area = np.concatenate(points), np.concatenate(areas)
        number = np.arange(len(found))[:, None]
        found = found + np.sqrt(area)[:, None] * (np.mod(number * np.array([PLASTIC, PLASTIC**2]), 1.0) - 0.5)
        inside = domain._inside(found, 0)
        return cls(found[inside], area[inside] * (domain.volume / max(float(area[inside].sum()), 1e-300)))


def seeds_for(domain: Outlined, sizes: Sizes, fixed: np.ndarray, most: int) -> tuple[np.ndarray, Samples]:
    """The seeds, `fixed` ones first, and points of the domain by which they were found."""
    samples = Samples.of(domain, sizes)
    points, areas = samples.points, samples.areas
    size = sizes.at(points)
    # Cells of corners are half as large.
    wanted = max(int(np.ceil(float(np.sum(areas / size**2)))) - len(fixed) // 2, 1) + len(fixed)
    seeds = _spread(points, size, fixed, min(wanted, most))
    weight = areas * size**-4.0  # the density for which distances follow the size
    for _ in range(STEPS):
        own = owners(points, seeds)
        total = np.bincount(own, weight, len(seeds))
        middles = np.stack([np.bincount(own, weight * points[:, k], len(seeds)) for k in (0, 1)], axis=1)
        moves = (total > 0) & (np.arange(len(seeds)) >= len(fixed))
        seeds[moves] = middles[moves] / total[moves, None]
    return seeds, samples


def _spread(points: np.ndarray, size: np.ndarray, fixed: np.ndarray, count: int) -> np.ndarray:
    """Points that are far from each other in units of their sizes, one after the other."""
    found = list(fixed)
    away = np.full(len(points), np.inf)
    for f in found:
        away = np.minimum(away, np.sum((points - f) ** 2, axis=1) / size**2)
    while len(found) < count:
        k = int(np.argmax(away)) if found else 0
        found.append(points[k])
        away = np.minimum(away, np.sum((points - points[k]) ** 2, axis=1) / size**2)
    return np.array(found).reshape(-1, 2)
