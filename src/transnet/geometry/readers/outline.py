"""The region inside one closed chain of smooth pieces, straight or curved, each with a name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from ..arcs import Arc
from ..curve import Curve
from ..region import Region


@dataclass(frozen=True, init=False, repr=False, eq=False)
class Outline(Region):
    """A `Region` inside one curve that is smooth between its joints: every piece is an arc, and has a name.

    Parameters
    ----------
    curve : Curve
        The whole chain.
    joints : sequence of float
        The parameters at which pieces begin and end, first and last included.
    names : sequence of str
        The part that each piece belongs to.
    """

    joints: tuple[float, ...]
    called: tuple[str, ...]

    def __init__(self, curve: Curve, joints: tuple[float, ...], names: tuple[str, ...]) -> None:
        object.__setattr__(self, "joints", joints)
        object.__setattr__(self, "called", names)
        super().__init__(curve)

    def __repr__(self) -> str:
        return f"Outline({len(self.called)} pieces: {', '.join(self.parts[:6])})"

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.called))

    @property
    def _other_names(self) -> dict[str, tuple[str, ...]]:
        return {"outer": self.parts}

    def arcs(self, part: str) -> tuple[Arc, ...]:
        curve = self.curves[0]
        whole = curve.arc(1.0)
        places = np.interp(self.joints, *curve._table)
        pieces = zip(pairwise(places), self.called, strict=True)
        return tuple(whole.cut(float(a), float(b)) for (a, b), name in pieces if name == part)
