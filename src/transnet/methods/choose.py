"""Choosing the feature space for a problem from its own residual on small networks; no exact solution is needed.

Plane waves need a bandwidth for each coordinate. Which one is best depends on the solution, whose length scales are
seldom known. But the residual of the least-squares problem tells: networks of a hundred neurons, solved in a
millisecond each, are compared, and the one with the smallest residual wins. A second, larger size tells how the
bandwidth has to change with the number of neurons: a solution that is not yet resolved needs a bandwidth that grows
with them (constant fill), one that is resolved needs no more.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import inf, log
from typing import Any

import numpy as np
import sympy as sp

from transnet.discretise.assembly import Layout, Linearisation, assemble, linear, linearised
from transnet.discretise.collocation import Block, Points, collocate
from transnet.discretise.foci import foci_of
from transnet.discretise.placement import Placement
from transnet.discretise.statements import Statement, statements_of
from transnet.features.singular import Singular
from transnet.features.space import FeatureSpace
from transnet.linalg.least_squares import misfit
from transnet.methods.enrich import Enrichment, enrichment_of
from transnet.problem import Problem
from transnet.solution.solution import Solution

FIRST = {1: 60, 2: 100, 3: 200, 4: 300}
SECOND = {1: 120, 2: 200, 3: 800, 4: 900}
"""Neurons of the networks that are compared, by dimension."""
CAP = {1: 0.35, 2: 0.35, 3: 0.25, 4: 0.25}
"""The largest fill; above it the waves are too few to represent functions that are not periodic."""
PILOT = {1: 60, 2: 150, 3: 300, 4: 400}
PLAIN = 1 / 8
"""Neurons and fill of the small network that shows where a nonlinear problem is linearised."""
FLOOR = 0.06
"""The smallest fill of a thousand neurons or more: what is not needed for the solution costs little."""
FILLS = (0.06, 0.12, 0.25)
RATIO = 4.0
"""The largest ratio between the bandwidths of two coordinates."""
CLOSE = 1.5
"""Two sizes within this factor tell the same: one is enough."""
SAME = 0.05
"""Bandwidths whose logarithms differ by less are not worth a second attempt."""
SINGULAR = 10.0
"""How many times smaller the squared residual has to be for singular features to be taken."""
FREQUENCY = 3.0
"""A typical frequency in the unit box, for the weights that make residuals of different spaces comparable."""

Linearise = Callable[[Block], Linearisation]


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
        The singular features that go with the waves, where they pay.
    spare : Enrichment, optional
        Those that might, where small networks did not tell.
    """

    dimension: int
    first: tuple[int, float]
    second: tuple[int, float]
    axes: np.ndarray
    solves: int = 0
    enrichment: Enrichment | None = None
    spare: Enrichment | None = None

    def fill(self, neurons: int) -> float:
        """The fill for a number of neurons: carried on from the two sizes, at most constant."""
        (m1, f1), (m2, f2) = self.first, self.second
        if neurons <= m2 or m2 <= m1:
            return f2
        decline = min(1.0, max(f2 / f1, 0.5)) ** (log(neurons / m2) / log(m2 / m1))
        return max(f2 * decline, FLOOR * min(1.0, neurons / 1000))

    def widened(self, factor: float) -> Choice:
        """The same law with a larger bandwidth, up to the limit."""
        (m1, f1), (m2, f2), cap = self.first, self.second, CAP[self.dimension]
        return replace(self, first=(m1, min(f1 * factor, cap)), second=(m2, min(f2 * factor, cap)))

    def enriched(self) -> Choice:
        """The same law with all the singular features that there are."""
        return self if self.spare is None else replace(self, enrichment=self.spare, spare=None)

    def space(self, neurons: int, seed: int = 0) -> FeatureSpace:
        """The feature space of that many neurons, and of the singular features that go with them."""
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

    If the user interrupts that small solve, its last iterate is given, and is to be the end of it all.

    Parameters
    ----------
    pilot : callable
        Solves the nonlinear problem with a given small space.
    enrich : bool
        Whether singular features may be chosen: they need points of their own.
    """
    statements = statements_of(problem)
    numbers = tuple(parameters.values())
    if all(s.equation.linear for s in statements):
        return choose(problem, statements, lambda block: linear(block, numbers), neurons, seed, enrich), None
    d = problem.domain.dimension
    size = min(PILOT[d], neurons or PILOT[d])
    plain = Choice(d, (size, PLAIN), (size, PLAIN), np.ones(d))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = pilot(plain.space(size, seed))
    if found.status != "converged":
        return plain, found if found.status == "interrupted" else None

    def linearise(block: Block) -> Linearisation:
        return linearised(block, found.layout, found.coefficients, numbers)

    return choose(problem, statements, linearise, neurons, seed, enrich), found


def choose(
    problem: Problem,
    statements: Sequence[Statement],
    linearise: Linearise,
    neurons: int | None = None,
    seed: int = 0,
    enrich: bool = True,
) -> Choice:
    """Compare small networks and give the law of the best.

    Parameters
    ----------
    linearise : callable
        Gives the `Linearisation` of a block: of the linear problem, or at an iterate of a nonlinear one.
    neurons : int, optional
        The size of the network to be solved, if it is smaller than those that would be compared.
    """
    d = problem.domain.dimension
    limit = neurons or SECOND[d]
    # Several unknowns share the budget of the larger network, so that systems are not dearer than scalar problems.
    second = min(max(FIRST[d], SECOND[d] // len(problem.unknowns)), limit)
    sizes = (second if second < CLOSE * FIRST[d] else FIRST[d], second)
    search = _Search(problem, statements, linearise, d, seed)
    level = search.at(sizes[0])
    search.spare = enrichment_of(problem, level.blocks, level.linear) if enrich else None
    narrow, middle, wide = FILLS
    even = np.zeros(d)
    level.attempt(middle, even)
    if search.enriched(level):
        level = search.at(sizes[0])
        level.attempt(middle, even)
    level.attempt(CAP[d] if level.attempt(wide, even) else narrow, even)
    if d > 1:
        level.turn_axes(log(2.0))
        for factor in (1.5, 1 / 1.5):
            if level.attempt(level.fill * factor, level.axes):
                level.attempt(level.fill * factor, level.axes)
                break
        if np.ptp(level.axes) > 0:
            level.turn_axes(0.5 * log(2.0))
    first, axes = level.fill, level.axes
    if sizes[1] > sizes[0]:
        level = search.at(sizes[1])
        level.attempt(first, axes)
        if search.enriched(level):
            level = search.at(sizes[1])
            level.attempt(first, axes)
    unequal = np.ptp(axes) > 0
    if unequal and d > 2:
        # The smaller network exaggerates how unequal the axes are.
        level.attempt(first, 0.5 * axes)
    level.attempt(0.6 * first, level.axes)
    level.attempt(0.6 * level.fill if level.fill < 0.9 * first else 1.5 * first, level.axes)
    if unequal and d == 2:
        level.turn_axes(0.5 * log(2.0))
    return Choice(
        d, (sizes[0], first), (sizes[1], level.fill), np.exp(level.axes), search.solves, search.enrichment, search.spare
    )


class _Search:
    """What all the small solves have in common."""

    def __init__(
        self, problem: Problem, statements: Sequence[Statement], linearise: Linearise, dimension: int, seed: int
    ) -> None:
        self.problem, self.statements, self.linearise = problem, statements, linearise
        self.dimension, self.seed, self.solves = dimension, seed, 0
        self.placement = Placement.of(problem.domain)
        self.enrichment: Enrichment | None = None
        self.spare: Enrichment | None = None

    def enriched(self, level: _Level) -> bool:
        """Whether singular features in the place of some of the waves make the residual clearly smaller."""
        if self.spare is None:
            return False
        some = level.neurons // 2
        singular = self.spare.features(some, level.neurons - some)
        waves = 2 * ((level.neurons - len(singular)) // 2)
        space = FeatureSpace.waves(2, waves, level.fill, tuple(np.exp(level.axes)), self.seed)
        if SINGULAR * level.residual_of(space.with_singular(singular)) > level.residual:
            return False
        self.enrichment, self.spare = self.spare, None
        return True

    def at(self, neurons: int) -> _Level:
        singular = Singular() if self.enrichment is None else self.enrichment.features(neurons)
        columns = (neurons + 1 + len(singular)) * len(self.problem.unknowns)
        foci = foci_of(singular, self.placement.centre, self.placement.scale)
        blocks = collocate(self.problem, self.statements, columns, Points(), self.seed, foci, crude=True)
        linear = [self.linearise(b) for b in blocks]
        weights = [self._weight(b, lin) for b, lin in zip(blocks, linear, strict=True)]
        return _Level(self, neurons, singular, blocks, linear, weights)

    def _weight(self, block: Block, linear: Linearisation) -> float:
        """A weight that does not depend on the features: the size of the operator at a typical frequency."""
        total = 0.0
        for (_, index), c in zip(block.statement.equation.slots, linear.coefficients, strict=True):
            scaled = FREQUENCY ** sum(index) / np.prod(self.placement.scale ** np.array(index))
            total += float(np.mean(np.square(c))) * scaled**2
        wanted = block.statement.weight or 1.0
        return wanted / (np.sqrt(total) or 1.0) / np.sqrt(block.rows)


class _Level:
    """The best fill and axes at one size of the network."""

    def __init__(
        self,
        search: _Search,
        neurons: int,
        singular: Singular,
        blocks: list[Block],
        linear: list[Linearisation],
        weights: list[float],
    ) -> None:
        self.search, self.neurons = search, neurons
        self.blocks, self.linear, self.weights = blocks, linear, weights
        self.unit = FeatureSpace.waves(search.dimension, neurons, 1.0, seed=search.seed).with_singular(singular)
        self.residual, self.fill, self.axes = inf, FILLS[1], np.zeros(search.dimension)
        self._seen: list[np.ndarray] = []

    def attempt(self, fill: float, axes: np.ndarray, gain: float = 1.0) -> bool:
        """Solve with another bandwidth; keep it if the squared residual falls by more than `gain`."""
        fill = min(fill, CAP[self.search.dimension])
        here = np.array([log(fill), *axes])
        if np.ptp(axes) > log(RATIO) + 0.01 or any(np.abs(here - seen).max() < SAME for seen in self._seen):
            return False
        self._seen.append(here)
        # The weight vectors are proportional to the bandwidth, so every space is the first one stretched.
        d = self.search.dimension
        residual = self.residual_of(self.unit.stretched(fill ** (1 / d) * np.exp(axes - axes.mean())))
        if np.isfinite(residual) and residual * gain < self.residual:
            self.residual, self.fill, self.axes = residual, fill, axes
            return True
        return False

    def residual_of(self, space: FeatureSpace) -> float:
        """The squared residual of the solve with a space."""
        self.search.solves += 1
        layout = Layout((space,) * len(self.search.problem.unknowns), self.search.placement)
        return misfit(assemble(self.blocks, layout, self.linear, self.weights).matrix) ** 2

    def turn_axes(self, step: float) -> None:
        """Widen the band of one coordinate against the others by exp(step), where that pays."""
        d = self.search.dimension
        for axis, sign in product(range(d if d > 2 else d - 1), (1.0, -1.0)):
            direction = np.full(d, -1.0 / d)
            direction[axis] += 1.0
            move = sign * step * direction
            if self.attempt(self.fill, self.axes + move, 1.5):
                self.attempt(self.fill, self.axes + move, 1.5)
