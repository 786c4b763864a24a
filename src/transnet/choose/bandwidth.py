"""Choosing the feature space for a problem from its own residual on small networks; no exact solution is needed.

Plane waves need a bandwidth for each coordinate. Which one is best depends on the solution, whose length scales are
seldom known. But the residual of the least-squares problem shows it: networks of a hundred neurons, solved in a
millisecond each, are compared, and the one with the smallest residual wins. A second, larger size shows how the
bandwidth has to change with the number of neurons: a solution that is not yet resolved needs a bandwidth that grows
with them (constant fill), one that is resolved needs no more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import log
from typing import Any

import numpy as np
import sympy as sp

from transnet.choose.axes import operator_axes
from transnet.choose.compatible import COMPATIBLE, misfit_at_corners
from transnet.choose.enrich import Enrichment, enrichment_of
from transnet.choose.levels import CAP, AtSize, Search, in_dimension
from transnet.features.space import FeatureSpace
from transnet.problem import Problem
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

FIRST = {1: 60, 2: 100, 3: 200, 4: 300}
SECOND = {1: 120, 2: 200, 3: 800, 4: 900}
"""Neurons of the networks that are compared, by dimension."""
PILOT = {1: 60, 2: 150, 3: 300, 4: 400}
PLAIN = 1 / 8
"""Neurons and fill of the small network whose solution is used to linearise a nonlinear problem."""
FLOOR, FULL = 0.06, 1000
"""The smallest fill for this many neurons or more; proportionally less for fewer."""
NARROWER, WIDER = 0.6, 1.5
"""By how much the fill is changed from one network that is compared to the next, in the plane. A larger network usually
wants a smaller fill. With 0.8 instead of 0.6 the error is up to 3.3 times larger, with 0.36 it is the same
(benchmarks/constants.py fills)."""
FILLS = (0.06, 0.12, 0.25)
"""The fills that are compared first, and the second for what is solved without a search. These are fills of the plane;
`in_dimension` gives those of other dimensions. Half of them are better for smooth solutions (0.4 times the error),
twice as large ones lose four digits (benchmarks/constants.py fills); waves of high frequency need these."""
CLOSE = 1.5
"""Two sizes within this factor give the same result: one is enough."""
UNSEEN = 0.1
"""Above this relative residual a small network resolves nothing of the solution: it does not decide for a narrow
band."""
RACED = {1: 1200, 2: 1000, 3: 1000, 4: 1200}
"""The most neurons, of all unknowns together, of networks that are compared before a larger one is solved."""
ENRICHED = 400
"""Neurons of the network that decides whether one of a given size needs singular features."""
GAIN = 1.5
"""The factor by which a squared residual has to fall for a bandwidth to be changed."""
FALLS = 0.3
"""By how much the squared residual falls from one size to the other where the bands of both make a law. On a plate with
a hole, 66 and 100 neurons for each of two unknowns, it falls to 0.74, and a law would make that of 900 too narrow."""
SLOW = 1e-4
"""By how much the squared residual falls at least from one size to the other where nothing is singular."""


@dataclass(frozen=True, eq=False)
class Choice:
    """The bandwidth that fits a problem, as a law in the number of neurons.

    Parameters
    ----------
    first, second : (neurons, fill)
        The best fills of the two sizes that were compared.
    axes : (d,) array
        Relative bandwidths of the coordinates.
    solves : int
        How many small networks were solved.
    enrichment : Enrichment, optional
        The singular features added to the waves, if they pay.
    spare : Enrichment, optional
        Those that might pay, if small networks could not decide.
    search : Search, optional
        What the comparison of other networks needs.
    """

    dimension: int
    first: tuple[int, float]
    second: tuple[int, float]
    axes: np.ndarray
    solves: int = 0
    enrichment: Enrichment | None = None
    spare: Enrichment | None = None
    search: Search | None = None

    def fill(self, neurons: int) -> float:
        """The fill for a number of neurons: extrapolated from the two sizes, at most constant."""
        (m1, f1), (m2, f2) = self.first, self.second
        if neurons <= m2 or m2 <= m1:
            return f2
        decline = min(1.0, max(f2 / f1, 0.5)) ** (log(neurons / m2) / log(m2 / m1))
        return max(f2 * decline, in_dimension(FLOOR, self.dimension) * min(1.0, neurons / FULL))

    def widened(self, factor: float) -> Choice:
        """The same law with a larger bandwidth, up to the limit."""
        (m1, f1), (m2, f2), cap = self.first, self.second, CAP[self.dimension]
        return replace(self, first=(m1, min(f1 * factor, cap)), second=(m2, min(f2 * factor, cap)))

    def raced(self, neurons: int) -> Choice:
        """The best bandwidths at nearly that size, searched from this law; constant beyond.

        Small networks that resolve nothing of the solution are of little use. This costs as much as a few solves.
        """
        if self.search is None:
            return self
        return raced(self, self.search, neurons)

    def with_band_of(self, other: Choice) -> Choice:
        """The same features with the bandwidths of another choice."""
        return replace(self, first=other.first, second=other.second, axes=other.axes)

    def enriched(self) -> Choice:
        """The same law with all available singular features."""
        return self if self.spare is None else replace(self, enrichment=self.spare, spare=None)

    def plain(self) -> Choice:
        """The same law with waves only."""
        return replace(self, enrichment=None, spare=None)

    def space(self, neurons: int, seed: int = 0) -> FeatureSpace:
        """The feature space with that many neurons and the singular features that go with them."""
        space = FeatureSpace.waves(self.dimension, neurons, self.fill(neurons), tuple(self.axes), seed)
        return space if self.enrichment is None else space.with_singular(self.enrichment.features(neurons))


def choose_for(
    problem: Problem,
    parameters: Mapping[sp.Symbol, Any],
    neurons: int | None,
    seed: int,
    pilot: Callable[[FeatureSpace], Solution],
    enrich: bool = True,
) -> tuple[Choice, Solution | None]:
    """The choice for a problem, and for a nonlinear one the small solution at which it was linearised.

    If the user interrupts that small solve, its last iterate is returned, and the solve ends with it.

    Parameters
    ----------
    pilot : callable
        Solves the nonlinear problem with a given small space.
    enrich : bool
        Whether singular features may be chosen: they need points of their own.
    """
    statements = statements_of(problem)
    numbers = tuple(parameters.values())
    d = problem.domain.dimension
    if all(s.equation.linear for s in statements):
        search = Search(problem, statements, lambda block: block.linearise(numbers), d, seed, numbers)
        return choose(search, neurons, enrich), None
    size = min(PILOT[d], neurons or PILOT[d])
    plain = Choice(d, (size, PLAIN), (size, PLAIN), np.ones(d))
    found = pilot(plain.space(size, seed))
    if found.status != "converged":
        return plain, found if found.status == "interrupted" else None

    def linearise(block: Block) -> Linearisation:
        return block.linearise(numbers, block.state(found.basis, found.coefficients))

    return choose(Search(problem, statements, linearise, d, seed, numbers), neurons, enrich), found


def choose(search: Search, neurons: int | None = None, enrich: bool = True) -> Choice:
    """Compare small networks and return the law of the best.

    Parameters
    ----------
    search : Search
        The problem, and how its blocks are linearised, for a nonlinear problem at an iterate.
    neurons : int, optional
        The size of the network to be solved, if it is smaller than those that would be compared.
    """
    problem, d = search.problem, search.dimension
    limit = neurons or SECOND[d]
    # Several unknowns share the budget of the networks, so that systems are not more expensive than scalar problems.
    unknowns = len(problem.unknowns)
    second = min(max(FIRST[d], SECOND[d] // unknowns), limit)
    first = min(FIRST[d], int(second / CLOSE)) if unknowns > 1 else FIRST[d]
    sizes = (second if second < CLOSE * first else first, second)
    choice, level, slow = _compared(search, sizes)
    search.spare = _spare(search, level) if enrich else None
    # If waves converge fast nothing is singular; otherwise it takes one check, and then a second round.
    if slow and search.enriched(level):
        choice = _compared(search, sizes)[0]
    choice = replace(choice, enrichment=search.enrichment, spare=search.spare, search=search)
    if neurons is not None and neurons > second and level.relative > UNSEEN:
        choice = choice.raced(neurons)
    if neurons is not None and neurons > second and slow and search.spare is not None:
        # A growing network adds them once the rest is resolved; for one of a given size they must be known beforehand.
        level = search.at(min(neurons, ENRICHED))
        level.attempt(choice.fill(level.neurons), np.log(choice.axes))
        if search.enriched(level):
            choice = replace(choice, enrichment=search.enrichment, spare=None)
    return replace(choice, solves=search.solves)


def _spare(search: Search, level: AtSize) -> Enrichment | None:
    """The singular features of a problem, unless the conditions at its corners make nothing singular."""
    found = enrichment_of(search.problem, level.blocks, level.linear, search.parameters)
    if found is None or not found.corners or found.inner:
        return found
    smooth = misfit_at_corners(search.problem, search.statements, search.parameters, found) < COMPATIBLE
    return None if smooth else found


def raced(choice: Choice, search: Search, neurons: int) -> Choice:
    """A search for the best bandwidth of each coordinate at nearly the size that is to be solved."""
    d = search.dimension
    size = min(neurons, max(RACED[d] // len(search.problem.unknowns), choice.second[0]))
    level = search.at(size)
    axes = np.log(choice.axes)
    level.attempt(choice.fill(size), axes - axes.mean())
    _climb(level)
    if d > 1:
        guess = operator_axes(level.blocks, level.linear, search.placement.scale)
        if np.ptp(guess) > log(2.0):
            level.attempt(level.fill, guess, GAIN)
            level.attempt(level.fill, 0.5 * (guess + level.axes), GAIN)
        level.turn_axes(log(3.0))
        _climb(level)
        level.turn_axes(0.5 * log(3.0))
    return replace(choice, first=(size, level.fill), second=(size, level.fill), axes=np.exp(level.axes))


def _climb(level: AtSize) -> None:
    """Widen the band, or else narrow it, while that pays."""
    d = level.search.dimension
    for factor in (2.0 ** (d / 2), 0.5 ** (d / 2)):
        while level.attempt(level.fill * factor, level.axes, GAIN):
            pass


def _compared(search: Search, sizes: tuple[int, int]) -> tuple[Choice, AtSize, bool]:
    """The best bandwidths at two sizes, the larger level, and whether the residual falls slowly between them."""
    d = search.dimension
    level = search.at(sizes[0])
    narrow, middle, wide = (in_dimension(fill, d) for fill in FILLS)
    power = max(0.5 * d, 1.0)
    even = np.zeros(d)
    level.attempt(middle, even)
    level.attempt(CAP[d] if level.attempt(wide, even) else narrow, even)
    if d > 1:
        level.turn_axes(log(2.0))
        for factor in (WIDER**power, WIDER**-power):
            if level.attempt(level.fill * factor, level.axes):
                level.attempt(level.fill * factor, level.axes)
                break
        if np.ptp(level.axes) > 0 or sizes[0] == sizes[1]:
            level.turn_axes(0.5 * log(2.0))
    first, axes, residual = level.fill, level.axes, level.residual
    if sizes[1] > sizes[0]:
        level = search.at(sizes[1])
    unequal = np.ptp(axes) > 0
    if d > 2:
        level.attempt(first, axes)
        if unequal:
            # The smaller network exaggerates how unequal the axes are.
            level.attempt(first, 0.5 * axes)
        axes = level.axes
    # A larger network usually wants a smaller fill; the others are tried only if that is not so.
    narrower = level.attempt(NARROWER**power * first, axes)
    if not (narrower and level.attempt(NARROWER ** (2 * power) * first, level.axes)) and (
        level.attempt(first, level.axes) or not narrower
    ):
        level.attempt(WIDER**power * first, level.axes)
    if unequal and d == 2:
        level.turn_axes(0.5 * log(2.0))
    if level.relative > UNSEEN:
        # Nothing is resolved: the band is as wide as possible, until a larger network shows more.
        return Choice(d, (sizes[0], CAP[d]), (sizes[1], CAP[d]), np.exp(level.axes)), level, True
    # A residual that hardly falls is not resolved yet, and does not show how the band changes with the size.
    seen = level.residual < FALLS * residual
    choice = Choice(d, (sizes[0], first if seen else level.fill), (sizes[1], level.fill), np.exp(level.axes))
    return choice, level, level.residual > SLOW * residual or sizes[0] == sizes[1]
