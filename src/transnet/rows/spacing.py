"""The distance between collocation points, such that the boundary is covered as densely as the interior."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.features.placement import Placement
from transnet.geometry import Domain, Exterior, Surface
from transnet.measure.sampling import apportion

FEWEST = 8
"""The fewest points on a part of the boundary, however short: enough for a polynomial of degree seven along it."""
BOUNDARY_DENSITY = 1.5
"""How much closer the points lie on the boundary than in the interior, by default. Measured on the paper's cases, 1
loses up to a factor of 1.5, and 2 or 3 gain nothing."""


@dataclass(frozen=True)
class Spacing:
    """The distance between interior points, in coordinates where the bounding box is [-1, 1]^d."""

    h: float
    scale: np.ndarray

    @classmethod
    def of(cls, domain: Domain, interior: int) -> Spacing:
        scale = Placement.of(domain).scale
        volume = domain.window.volume if isinstance(domain, Exterior) else domain.volume
        return cls(float(volume / np.prod(scale) / max(interior, 1)) ** (1 / domain.dimension), scale)

    def count(self, domain: Domain, part: str) -> int:
        """How many points a part of the boundary needs to be covered as densely as the interior, and a bit more."""
        d = domain.dimension
        if d == 1:
            return len(domain.resolve(part))
        area = sum(self.areas(domain, part))
        return max(int(np.ceil(BOUNDARY_DENSITY * area / self.h ** (d - 1))), FEWEST)

    def step(self, domain: Domain, part: str) -> float:
        """The distance between points on a part of a plane boundary, in the coordinates of the domain."""
        return domain.measure(part) / self.count(domain, part)

    def areas(self, domain: Domain, part: str) -> list[float]:
        """The area of each part that a name stands for, after the dilation to [-1, 1]^d.

        Computed part by part: the short sides of a thin domain are then as long as the others, but hardly any sample of
        the whole lies on them.
        """
        return [domain.dilated_measure(name) for name in domain.resolve(part)]

    def draw(self, domain: Domain, part: str, n: int, kind: str, rng: np.random.Generator) -> Surface:
        """n samples of a part, each of the parts that it stands for with its share after the dilation."""
        names = domain.resolve(part)
        if len(names) == 1 or domain.dimension == 1:
            return domain.boundary(part, n, kind, rng)
        counts = apportion(n, self.areas(domain, part))
        pieces = [domain._draw(name, int(m), kind, rng) for name, m in zip(names, counts, strict=True) if m > 0]
        return Surface(np.concatenate([s.points for s in pieces]), np.concatenate([s.normals for s in pieces]))
