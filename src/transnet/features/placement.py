"""Placing a domain into the ball of the feature space by translation and dilation (paper, section 3.4)."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from transnet.geometry import Domain


@dataclass(frozen=True, eq=False)
class Placement:
    """The map y = (x - centre) / scale from the domain's bounding box onto [-1, 1]^d, each axis on its own.

    The centre is subtracted before anything else, so a domain far from the origin keeps its digits.
    """

    centre: np.ndarray
    scale: np.ndarray

    @classmethod
    def of(cls, domain: Domain) -> Placement:
        lower, upper = np.asarray(domain.bounds, dtype=float)
        return cls(lower + 0.5 * (upper - lower), 0.5 * (upper - lower))

    def __call__(self, points: np.ndarray) -> np.ndarray:
        return (np.asarray(points, dtype=float) - self.centre) / self.scale

    def unit(self, index: tuple[int, ...]) -> float:
        """scale^index: a derivative in the coordinates of the domain is one in those of the ball divided by this."""
        return prod(float(length) ** k for length, k in zip(self.scale, index, strict=True))
