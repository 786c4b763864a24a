"""The region inside one closed chain of smooth pieces, straight or curved, each with a name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from transnet.tolerances import BESIDE, SAME

from ..arcs import Arc, segment
from ..curve import Curve
from ..region import Region

SAMPLES = 9
"""Points of a piece at which it is seen whether it is straight."""


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
        return self._arcs[part]

    @cached_property
    def _arcs(self) -> dict[str, tuple[Arc, ...]]:
        curve = self.curves[0]
        whole = curve.arc(1.0)
        places = np.interp(self.joints, *curve._table).tolist()
        found: dict[str, list[Arc]] = {name: [] for name in self.parts}
        for (a, b), name in zip(pairwise(places), self.called, strict=True):
            found[name].append(_one_sided(whole.cut(a, b)))
        return {name: tuple(arcs) for name, arcs in found.items()}


def _one_sided(piece: Arc) -> Arc:
    """A piece of a curve whose normals at its ends are its own, not those of the piece that goes on from there."""
    inner = piece.length * BESIDE, piece.length * (1.0 - BESIDE)
    points, normals = piece.at(np.linspace(*inner, SAMPLES))
    if np.abs(normals - normals[0]).max() < SAME:
        (first, last), step = piece.at(np.array([0.0, piece.length]))[0], points[-1] - points[0]
        rightward = step[1] * normals[0, 0] - step[0] * normals[0, 1] > 0
        return segment(first, last) if rightward else segment(last, first)
    return Arc(piece.length, lambda s: (piece.at(s)[0], piece.at(np.clip(s, *inner))[1]), piece.rule)
