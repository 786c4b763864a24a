"""The region inside one closed chain of smooth pieces, straight or curved, each with a name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from transnet.geometry.curve import Curve
from transnet.geometry.region import Region
from transnet.measure.arcs import Arc, Located
from transnet.tolerances import SAME

LOOKS = 9
"""Places of a piece at which its direction is looked at."""


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
        return tuple(arc for arc, name in zip(self._arcs, self.called, strict=True) if name == part)

    @cached_property
    def _arcs(self) -> tuple[Arc, ...]:
        places = np.interp(self.joints, *self.curves[0]._table)
        return tuple(
            self._piece(float(a), float(b), low, high)
            for (a, b), (low, high) in zip(pairwise(places), pairwise(self.joints), strict=True)
        )

    def _piece(self, start: float, stop: float, low: float, high: float) -> Arc:
        """The piece between two joints. At its ends it has its own normals: those of the curve are of the next one."""
        curve = self.curves[0]
        first, last = np.nextafter(low, high), np.nextafter(high, low)

        def at(s: np.ndarray) -> Located:
            t = np.clip(curve.parameters(start + s), first, last)
            return curve.at(t), curve.normals(t, 1.0)

        whole = curve.arc(1.0)
        assert whole.rule is not None
        rule = whole.rule
        turns = curve.normals(np.linspace(first, last, LOOKS), 1.0)
        straight = bool(np.abs(turns - turns[0]).max() < SAME)
        return Arc(stop - start, at, lambda a, b, m: rule(start + a, start + b, m), straight=straight)
