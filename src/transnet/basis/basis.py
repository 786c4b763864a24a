"""A basis: which features live where, and in which columns of the matrix."""

from __future__ import annotations

from dataclasses import dataclass

from transnet.basis.foci import Focus, foci_of
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement


@dataclass(frozen=True, eq=False)
class Basis:
    """Which columns belong to which unknown: its features, and where the domain lies in their ball."""

    spaces: tuple[FeatureSpace, ...]
    placement: Placement

    @property
    def columns(self) -> int:
        return sum(s.size for s in self.spaces)

    @property
    def foci(self) -> list[Focus]:
        """Where features are singular."""
        spaces = {id(s): s for s in self.spaces}.values()
        return [f for s in spaces for f in foci_of(s.singular, self.placement.centre, self.placement.scale)]

    def slice_of(self, unknown: int) -> slice:
        if len({s.size for s in self.spaces}) == 1:
            return slice(unknown, None, len(self.spaces))
        # Spaces of different sizes stand one after the other.
        start = sum(s.size for s in self.spaces[:unknown])
        return slice(start, start + self.spaces[unknown].size)
