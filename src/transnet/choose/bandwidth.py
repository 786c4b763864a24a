"""The law of the bandwidths: the default, and what a search finds; no exact solution is needed.

Plane waves need a bandwidth for each coordinate. Which one is best depends on the solution, whose length scales are
seldom known. The default serves what is smooth; where the error of a network falls too slowly, the residuals of small
networks, solved in milliseconds each, are compared. Two sizes show how the bandwidth has to change with the number of
neurons: a solution that is not yet resolved needs a bandwidth that grows with them (constant fill), one that is
resolved needs no more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log

import numpy as np

from transnet.choose.enrich import Enrichment
from transnet.choose.trials import CAP, Trials, in_dimension
from transnet.features.space import FeatureSpace

DEFAULT = 1 / 8
"""The fill of networks without a search, in the plane; `in_dimension` gives that of other dimensions."""
FLOOR, FULL = 0.06, 1000
"""The smallest fill for this many neurons or more; proportionally less for fewer."""
STEEPEST = 0.65
"""The least factor by which the fill falls as the number of neurons is doubled: the best for two waves a side of a cube
with 2000 neurons is 0.07, where 400 and 800 have 0.25 and 0.12."""
STEP = 1.6
"""By how much the fill is changed, in the plane, from one network that is compared to the next."""
COMPARED = {1: 400, 2: 400, 3: 800, 4: 900}
"""The most neurons, of all unknowns together, of networks that are compared, by dimension."""
SMALLEST = 60
"""The fewest neurons of the larger ones for each unknown."""
UNSEEN = 0.1
"""Above this relative residual a network resolves nothing of the solution: it does not decide for a narrow band."""
GAIN = 1.5
"""The factor by which a squared residual has to fall for a bandwidth to be changed."""
FALLS = 0.3
"""By how much the squared residual falls from one size to the other where the bands of both make a law. On a plate with
a hole, 66 and 100 neurons for each of two unknowns, it falls to 0.74, and a law would make that of 900 too narrow."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The features of a problem, as a law in the number of neurons.

    Parameters
    ----------
    first, second : (neurons, fill)
        The best fills of two sizes.
    axes : (d,) array
        Relative bandwidths of the coordinates.
    enrichment : Enrichment, optional
        The singular features beside the waves.
    """

    dimension: int
    first: tuple[int, float]
    second: tuple[int, float]
    axes: np.ndarray
    enrichment: Enrichment | None = None

    @classmethod
    def of_fill(cls, dimension: int, fill: float, enrichment: Enrichment | None = None) -> Choice:
        """One fill for all sizes, the same along all axes."""
        return cls(dimension, (1, fill), (1, fill), np.ones(dimension), enrichment)

    def fill(self, neurons: int) -> float:
        """The fill for a number of neurons: extrapolated from the two sizes, at most constant."""
        (m1, f1), (m2, f2) = self.first, self.second
        if neurons <= m2 or m2 <= m1:
            return f2
        decline = min(1.0, max(f2 / f1, STEEPEST)) ** (log(neurons / m2) / log(m2 / m1))
        return max(f2 * decline, in_dimension(FLOOR, self.dimension) * min(1.0, neurons / FULL))

    def space(self, neurons: int, seed: int = 0) -> FeatureSpace:
        """The feature space with that many neurons and the singular features that go with them."""
        space = FeatureSpace.waves(self.dimension, neurons, self.fill(neurons), tuple(self.axes), seed)
        return space if self.enrichment is None else space.with_singular(self.enrichment.features(neurons))


def search_band(choice: Choice, trials: Trials, neurons: int) -> Choice:
    """The best bandwidths at nearly that size and at half of it, which make a law for larger ones.

    Parameters
    ----------
    choice : Choice
        Where the search begins, and the singular features that stay.
    """
    d = choice.dimension
    size = min(neurons, max(COMPARED[d] // len(trials.problem.unknowns), SMALLEST))
    step, axes = STEP ** max(0.5 * d, 1.0), np.log(choice.axes)
    half = trials.at(max(size // 2, 2), choice.enrichment)
    half.attempt(choice.fill(half.neurons), axes - axes.mean())
    half.climb(step**2, GAIN)
    if d > 1:
        half.turn_axes(log(2.0))
    half.climb(step)
    whole = trials.at(size, choice.enrichment)
    whole.attempt(half.fill, half.axes)
    if np.ptp(half.axes) > 0:
        whole.attempt(half.fill, 0.5 * half.axes)  # the smaller network exaggerates how unequal the axes are
        whole.turn_axes(0.5 * log(2.0))
    whole.climb(step)
    if whole.relative > UNSEEN:
        # Nothing is resolved: the band is as wide as possible, until a larger network shows more.
        return replace(choice, first=(size, CAP[d]), second=(size, CAP[d]), axes=np.exp(whole.axes))
    # A residual that hardly falls is not resolved yet, and does not show how the band changes with the size.
    first = half.fill if whole.residual < FALLS * half.residual else whole.fill
    return replace(choice, first=(half.neurons, first), second=(size, whole.fill), axes=np.exp(whole.axes))
