"""Small networks of one size, whose residuals show which bandwidth and which features suit a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import inf, log
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.foci import foci_of
from transnet.choose.enrich import Enrichment
from transnet.choose.spaces import spaces_for
from transnet.features.singular import NOTHING, Singular
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.linalg.least_squares import misfit
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.rows.assembly import NOISY, assemble
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.collocation import collocate
from transnet.rows.points import Points
from transnet.rows.statements import Statement

CAP = {1: 0.6, 2: 0.35, 3: 0.25, 4: 0.15}
"""The largest fill; above it the waves are too few to represent functions that are not periodic."""
MORE_THAN = max(CAP)
"""The most coordinates for one network."""
RATIO = 64.0
"""The largest ratio between the bandwidths of two coordinates."""
TURNS = 4
"""How often a change of the axes that pays is repeated."""
SAME = 0.05
"""Bandwidths whose logarithms differ by less are not worth a second attempt."""
SINGULAR = 10.0
"""How many times smaller the squared residual has to be for singular features to be used."""
FREQUENCY = 3.0
"""A typical frequency in the unit box, for the weights that make residuals of different spaces comparable."""

Linearise = Callable[[Block], Linearisation]


def in_dimension(fill: float, dimension: int) -> float:
    """The fill in d dimensions that corresponds to one in the plane: the bandwidth relative to M^(1/d) is the same.

    With it one set of numbers serves all dimensions: a fill of 0.1 of the plane is 0.01 in four dimensions, where that
    is best for a smooth solution, and 0.35, the limit of the plane, is 0.59 on a line.
    """
    return float(fill ** (dimension / 2))


class Search:
    """What all the small solves have in common."""

    def __init__(
        self,
        problem: Problem,
        statements: Sequence[Statement],
        linearise: Linearise,
        dimension: int,
        seed: int,
        parameters: tuple[Any, ...] = (),
    ) -> None:
        self.problem, self.statements, self.linearise = problem, statements, linearise
        self.dimension, self.seed, self.solves = dimension, seed, 0
        self.parameters = parameters
        self.placement = Placement.of(problem.domain)
        self.enrichment: Enrichment | None = None
        self.spare: Enrichment | None = None

    def enriched(self, level: AtSize) -> bool:
        """Whether singular features in place of some of the waves make the residual clearly smaller.

        If stresses are unbounded at corners they are always used: small networks hold too few of them to decide.
        """
        if self.spare is None:
            return False
        if not self.spare.reaching:
            some = level.neurons // 2
            singular = self.spare.features(some, level.neurons - some)
            waves = 2 * ((level.neurons - len(singular)) // 2)
            space = FeatureSpace.waves(2, waves, level.fill, tuple(np.exp(level.axes)), self.seed)
            if SINGULAR * level.residual_of(space.with_singular(singular)) > level.residual:
                return False
        self.enrichment, self.spare = self.spare, None
        return True

    def at(self, neurons: int) -> AtSize:
        singular = NOTHING if self.enrichment is None else self.enrichment.features(neurons)
        columns = (neurons + 1 + len(singular)) * len(self.problem.unknowns)
        foci = foci_of(singular, self.placement.centre, self.placement.scale)
        blocks = collocate(self.problem, self.statements, columns, Points(), self.seed, foci, crude=True)
        linear = [self.linearise(b) for b in blocks]
        weights = [self._weight(b, lin) for b, lin in zip(blocks, linear, strict=True)]
        # In units in which squares neither overflow nor underflow.
        size = max(float(w * np.abs(lin.right).max(initial=0.0)) for w, lin in zip(weights, linear, strict=True))
        size = size if 0 < size < np.inf else 1.0
        linear = [replace(lin, right=lin.right / size) for lin in linear]
        return AtSize(self, neurons, singular, blocks, linear, weights)

    def _weight(self, block: Block, linear: Linearisation) -> float:
        """A weight that does not depend on the features: the size of the operator at a typical frequency."""
        total = 0.0
        for (_, index), c in zip(block.statement.equation.slots, linear.coefficients, strict=True):
            scaled = FREQUENCY ** sum(index) / self.placement.unit(index)
            total += float(rms(c) * scaled) ** 2
        wanted = block.statement.weight or (1.0 if block.statement.noise is None else NOISY)
        return wanted / (np.sqrt(total) or 1.0) / np.sqrt(block.rows)


class AtSize:
    """The best fill and axes at one size of the network."""

    def __init__(
        self,
        search: Search,
        neurons: int,
        singular: Singular,
        blocks: list[Block],
        linear: list[Linearisation],
        weights: list[float],
    ) -> None:
        self.search, self.neurons = search, neurons
        self.blocks, self.linear, self.weights = blocks, linear, weights
        self.unit = FeatureSpace.waves(search.dimension, neurons, 1.0, seed=search.seed).with_singular(singular)
        self.residual, self.fill, self.axes = inf, CAP[search.dimension], np.zeros(search.dimension)
        self._seen: list[np.ndarray] = []

    @property
    def relative(self) -> float:
        """The residual of the best relative to the right-hand side: near one nothing is resolved."""
        right = sum(
            w**2 * float(np.sum(np.square(lin.right))) for w, lin in zip(self.weights, self.linear, strict=True)
        )
        return float(np.sqrt(self.residual / right)) if right > 0 else 0.0

    def attempt(self, fill: float, axes: np.ndarray, gain: float = 1.0) -> bool:
        """Solve with another bandwidth; keep it if the squared residual falls by more than `gain`."""
        fill = min(fill, CAP[self.search.dimension])
        here = np.array([log(fill), *axes])
        if np.ptp(axes) > log(RATIO) + SAME or any(np.abs(here - seen).max() < SAME for seen in self._seen):
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
        basis = Basis(spaces_for(self.search.problem, space), self.search.placement)
        return misfit(assemble(self.blocks, basis, self.linear, self.weights).matrix) ** 2

    def turn_axes(self, step: float) -> None:
        """Widen the band of one coordinate against the others by exp(step), if that pays."""
        d = self.search.dimension
        for axis, sign in product(range(d if d > 2 else d - 1), (1.0, -1.0)):
            direction = np.full(d, -1.0 / d)
            direction[axis] += 1.0
            move = sign * step * direction
            for _ in range(TURNS):
                if not self.attempt(self.fill, self.axes + move, 1.5):
                    break
