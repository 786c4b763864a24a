"""Integration over a plane region of functions that are singular at points of its rim or in its holes.

The bands of a region are cut into panels that are no larger than their distance to such a point: on these the
functions are as smooth as anywhere else, however small the hole is. Their number grows like the logarithm of its size.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from transnet.geometry.sweep import FEWEST
from transnet.measure.bands import Bands, resolved
from transnet.measure.rules import Rule, gauss

if TYPE_CHECKING:
    from transnet.geometry.domain import Domain

Distance = Callable[[np.ndarray], np.ndarray]
"""From points (n, 2) to their distances (n,) from the singularities; nowhere zero, or the panels would never end."""
NEAR = 12
"""Nodes along the side of a panel that is as long as its distance; a shorter one needs fewer."""
SHAPE = 4
"""More nodes along a band, whose edges are curved."""
LOOKS = np.linspace(0.0, 1.0, 5)
"""Where the distance is evaluated along each side of a panel."""


def graded_rule(domain: Domain, n: int, distance: Distance, most: int, fine: float = 1.0) -> Rule | None:
    """The rule in strips, with about n nodes and more in panels towards the singularities; None if these are more than
    `most`. `fine` multiplies the usual number of nodes along each side of a panel."""
    bands = Bands.of(domain)
    m, enough = max(FEWEST, round(np.sqrt(n / len(bands)))), resolved(domain)
    density = float(np.sqrt(n / np.prod(np.ptp(domain.bounds, axis=0))))
    panels = [
        p
        for band, start, stop in zip(*bands.panels(m, enough), strict=True)
        for p in _parts(_Band(bands, int(band)), float(start), float(stop), distance)
    ]
    if sum(int(np.prod(panel.nodes(density, fine))) for panel in panels) > most:
        return None
    parts = [panel.rule(density, fine) for panel in panels]
    return np.concatenate([nodes for nodes, _ in parts]), np.concatenate([weights for _, weights in parts])


@dataclass(frozen=True, eq=False)
class _Band:
    """One of the bands."""

    bands: Bands
    number: int

    def edges(self, s: np.ndarray) -> tuple[np.ndarray, ...]:
        """The heights at s (m,), where the left and the right edge are there, and d(height) / ds."""
        return tuple(values[0] for values in self.bands.edges(np.array([self.number]), s[None]))


@dataclass(frozen=True, eq=False)
class _Panel:
    """A part of a band: from start to stop along it and from low to high across, all in [0, 1].

    `long` and `wide` are its extents in these directions, `away` is its distance from the singularities.
    """

    band: _Band
    start: float
    stop: float
    low: float
    high: float
    long: float
    wide: float
    away: float

    def rule(self, density: float, fine: float) -> Rule:
        """A Gauss rule with `density` nodes per unit of length, and more where the distance requires it."""
        (t, v), (q, w) = map(gauss, self.nodes(density, fine))
        heights, left, right, slope = self.band.edges(self.start + (self.stop - self.start) * t)
        across = left[:, None] + np.outer(right - left, self.low + (self.high - self.low) * q)
        nodes = np.stack([across, np.broadcast_to(heights[:, None], across.shape)], axis=-1).reshape(-1, 2)
        along = slope * (self.stop - self.start) * v * (right - left)
        return nodes, np.outer(along, (self.high - self.low) * w).ravel()

    def nodes(self, density: float, fine: float) -> tuple[int, int]:
        """The numbers of nodes along and across."""
        return SHAPE + self._nodes(self.long, density, fine), self._nodes(self.wide, density, fine)

    def _nodes(self, extent: float, density: float, fine: float) -> int:
        # Gauss rules converge like b^(-2 m), b ~ 2 + 4 distance / extent.
        near = fine * NEAR * np.log(2.0 + 4.0) / np.log(2.0 + 4.0 * max(self.away / max(extent, 1e-300), 1.0))
        return int(np.ceil(near + density * extent))


def _parts(band: _Band, start: float, stop: float, distance: Distance) -> list[_Panel]:
    """A piece of a band halved along the longer side until no panel is larger than its distance."""
    found: list[_Panel] = []
    left = [(start, stop, 0.0, 1.0)]
    edges: dict[tuple[float, float], tuple[np.ndarray, ...]] = {}
    while left:
        start, stop, low, high = left.pop()
        if (start, stop) not in edges:
            edges[start, stop] = band.edges(start + (stop - start) * LOOKS)[:3]
        heights, a, b = edges[start, stop]
        across = a[:, None] + np.outer(b - a, low + (high - low) * LOOKS)
        # A slanted panel is wider than any line across it; halving its height cures that.
        long = max(float(np.ptp(heights)), float(np.ptp(across, axis=0).max()))
        wide = float(np.ptp(across, axis=1).max())
        points = np.stack([across, np.broadcast_to(heights[:, None], across.shape)], axis=-1)
        away = float(distance(points.reshape(-1, 2)).min())
        middle, between = (start + stop) / 2, (low + high) / 2
        if max(long, wide) <= away:
            found.append(_Panel(band, start, stop, low, high, long, wide, away))
        elif long >= wide:
            left += [(start, middle, low, high), (middle, stop, low, high)]
        else:
            left += [(start, stop, low, between), (start, stop, between, high)]
    return found
