"""What `pieces=` asks for, and the sizes of pieces: their neurons, bandwidths and points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from transnet.calls import explained, shown
from transnet.cuts.cells import Density
from transnet.cuts.shares import inner_rule
from transnet.errors import ProblemError
from transnet.features.space import FeatureSpace
from transnet.geometry import Domain

WAVES = {1: 30, 2: 160, 3: 400, 4: 500}
"""Neurons of a piece for each unknown."""
OF_SYSTEMS = {1: 24, 2: 120, 3: 200, 4: 300}
"""The same if there are several unknowns: the time of a piece grows with the cube of its columns."""
FILL = {1: 0.06, 2: 0.02, 3: 0.005, 4: 0.004}
"""Their bandwidth (measured): larger ones set a floor to the error that more pieces do not lower (2D: 0.12 1e-6, 0.02
3e-12)."""

ON_FACE = {1: (1, 0.0), 2: (8, 1.5625), 3: (4, 1 / 6)}
"""The fewest points along an axis of a face, and the square of their number per neuron: 16 for a square with 160
neurons, 8 x 8 for a cube with 400, which resolve the traces of the networks."""


@explained
@dataclass(frozen=True)
class Cut:
    """How a domain is cut into pieces: `tn.solve(problem, pieces=tn.Cut(8, 4))`.

    Parameters
    ----------
    counts : int
        Boxes along each axis; one number for all.
    refine : bool
        Whether boxes are cut further where the solution needs it (True).
    neurons : int, optional
        Neurons of each piece for each unknown.
    """

    counts: tuple[int, ...] = ()
    refine: bool = True
    neurons: int | None = None

    def __init__(self, *counts: int, refine: bool = True, neurons: int | None = None) -> None:
        for count in (*counts, *(() if neurons is None else (neurons,))):
            if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
                raise ProblemError(
                    f"tn.Cut takes whole numbers of boxes along each axis, such as (8, 4), not {shown(count)}."
                )
        object.__setattr__(self, "counts", tuple(int(c) for c in counts))
        object.__setattr__(self, "refine", bool(refine))
        object.__setattr__(self, "neurons", neurons)


def cut_of(pieces: int | Cut | bool | None, domain: Domain) -> Cut:
    """The cut that `pieces=` describes."""
    if pieces is None or isinstance(pieces, Cut):
        return pieces or Cut()
    if pieces is False:
        raise ProblemError("pieces=False asks for one network, which a domain of several materials cannot have.")
    if pieces is True:
        return Cut()
    if isinstance(pieces, bool) or not isinstance(pieces, int | np.integer) or pieces < 1:
        raise ProblemError(f"pieces is a number of pieces or tn.Cut(...), not {shown(pieces)}. Pass pieces=16.")
    extent = np.ptp(domain.bounds, axis=0)
    width = float((np.prod(extent) / pieces) ** (1 / len(extent)))
    return Cut(*(max(1, round(e / width)) for e in extent), refine=False)


def space_for(dimension: int, neurons: int | None = None, unknowns: int = 1) -> FeatureSpace:
    """The features of a piece."""
    count = neurons or (WAVES[dimension] if unknowns == 1 else OF_SYSTEMS[dimension])
    return FeatureSpace.waves(dimension, count + count % 2, FILL[dimension])


def face_points(dimension: int, neurons: int) -> int:
    """Points along each axis of a face."""
    least, share = ON_FACE.get(dimension, (4, 0.0))
    return max(least, round(np.sqrt(share * neurons)))


def density_of(space: FeatureSpace, vertices: np.ndarray | None = None, conserving: bool = False) -> Density:
    """The points of a cell with these features."""
    d, n = space.dimension, space.neurons
    face = face_points(d, n)
    inside = len(inner_rule(2 * n, d)[0]) if conserving else 2 * n
    return Density(inside, face, {1: 1, 2: 3 * face, 3: 2 * face**2}.get(d, 3 * face**2), vertices, conserving)
