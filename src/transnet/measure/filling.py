"""Points inside a domain that only knows what is inside: keep those of its bounding box."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from transnet.counts import MANY
from transnet.measure.sampling import BYTES, additive, quasi

from ..arrays import check_room
from ..errors import GeometryError

LIMIT, TRIED = 10**8, 4 * 10**6
"""The most points that are tried for a draw, and how many tell that it will take more: some seconds for the latter."""
MORE, SPARE, BATCH = 1.1, 16, 10**6
"""A batch is larger than the expected need by this factor and this number, up to this limit."""


class FilledDomain(Protocol):
    """What is asked of a domain."""

    @property
    def bounds(self) -> np.ndarray: ...
    @property
    def dimension(self) -> int: ...
    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray: ...
    def contains(self, points: np.ndarray) -> np.ndarray: ...


def keep(domain: FilledDomain, n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """n points inside, low-discrepancy or random, shape (n, d)."""
    low, high = domain.bounds
    d = domain.dimension
    shift = rng.random(d)
    kept: list[np.ndarray] = []
    found, tried, batch = 0, 0, 2 * n + SPARE
    while found < n:
        if tried > TRIED and n * tried > LIMIT * max(found, 1):
            raise GeometryError(
                f"Found only {found} interior points of {domain} among {tried} of its bounding box: the domain is "
                "empty or extremely thin. Check its numbers."
            )
        unit = additive(tried, tried + batch, shift) if kind == "quasi" else rng.random((batch, d))
        points = low + unit * (high - low)
        kept.append(points[domain._inside(points, -1)])
        found, tried = found + len(kept[-1]), tried + batch
        batch = min(int(MORE * (n - found) * tried / max(found, 1)) + SPARE, BATCH)
    return np.concatenate(kept)[:n]


def lattice(domain: FilledDomain, n: int) -> np.ndarray:
    """A midpoint grid of the bounding box, masked to the inside, with about n points left."""
    low, high = domain.bounds
    d, extent = domain.dimension, high - low
    probe = low + quasi(MANY, d, np.random.default_rng(0)) * extent
    filled = max(np.mean(domain._inside(probe, -1)), 1 / MANY)
    # Coordinates may have different units (space and time), so very unequal sides do not mean unequal counts.
    sides = np.clip(extent / np.exp(np.mean(np.log(extent))), 0.25, 4.0)
    cells = (n / filled / np.prod(sides)) ** (1.0 / d)
    counts = np.maximum(np.round(cells * sides).astype(int), 1)
    check_room(math.prod(map(float, counts)), BYTES, f"A grid of {' by '.join(map(str, counts))} points")
    axes = np.meshgrid(*((np.arange(m) + 0.5) / m for m in counts), indexing="ij")
    points = low + np.stack([axis.ravel() for axis in axes], axis=-1) * extent
    inside = points[domain._inside(points, -1)]
    return inside if len(inside) else keep(domain, n, "quasi", np.random.default_rng(0))


def grid(domain: FilledDomain, shape: int | tuple[int, ...]) -> np.ndarray:
    """The points of `numpy.linspace` on each side of the bounding box, ends included, masked to the closed domain."""
    counts = (shape,) * domain.dimension if isinstance(shape, (int, np.integer)) else tuple(shape)
    if len(counts) != domain.dimension or min(counts) < 1:
        raise GeometryError(f"A grid of shape {shape} does not fit {domain.dimension} coordinate(s): one count each.")
    check_room(math.prod(map(float, counts)), BYTES, f"A grid of {' by '.join(map(str, counts))} points")
    axes = np.meshgrid(*(np.linspace(a, b, m) for a, b, m in zip(*domain.bounds, counts, strict=True)), indexing="ij")
    points = np.stack([axis.ravel() for axis in axes], axis=-1)
    return points[domain.contains(points)]
