"""Small networks of one size, whose residuals show which bandwidth suits a problem."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import inf, log

import numpy as np

from transnet.basis.basis import Basis
from transnet.basis.foci import foci_of
from transnet.choose.enrich import Enrichment
from transnet.choose.spaces import spaces_for
from transnet.features.placement import Placement
from transnet.features.singular import NO_FUNCTIONS, Singular
from transnet.features.space import FeatureSpace
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
TURNS, TURN_GAIN = 4, 1.5
"""How often a change of the axes that pays is repeated, and the factor by which the squared residual falls if it
does."""
SAME = 0.05
"""Bandwidths whose logarithms differ by less are not worth a second attempt."""
FREQUENCY = 3.0
"""A typical frequency in the unit box, for the weights that make residuals of different spaces comparable."""


def in_dimension(fill: float, dimension: int) -> float:
    """The fill in d dimensions that corresponds to one in the plane: the bandwidth relative to M^(1/d) is the same.

    With it one set of numbers serves all dimensions: a fill of 0.1 of the plane is 0.01 in four dimensions, where that
    is best for a smooth solution, and 0.35, the limit of the plane, is 0.59 on a line.
    """
    return float(fill ** (dimension / 2))


@dataclass(frozen=True, eq=False)
class Trials:
    """What all the small solves have in common: the problem, and how its blocks are linearised."""

    problem: Problem
    statements: Sequence[Statement]
    linearise: Callable[[Block], Linearisation]
    seed: int

    @cached_property
    def placement(self) -> Placement:
        return Placement.of(self.problem.domain)

    def at(self, neurons: int, enrichment: Enrichment | None = None) -> AtSize:
        """Networks of one size, with the singular features that go with it."""
        singular = NO_FUNCTIONS if enrichment is None else enrichment.features(neurons)
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
        trials: Trials,
        neurons: int,
        singular: Singular,
        blocks: list[Block],
        linear: list[Linearisation],
        weights: list[float],
    ) -> None:
        self.trials, self.neurons = trials, neurons
        self.blocks, self.linear, self.weights = blocks, linear, weights
        self.dimension = d = trials.problem.domain.dimension
        self.unit = FeatureSpace.waves(d, neurons, 1.0, seed=trials.seed).with_singular(singular)
        self.residual, self.fill, self.axes = inf, CAP[d], np.zeros(d)
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
        fill = min(fill, CAP[self.dimension])
        here = np.array([log(fill), *axes])
        if np.ptp(axes) > log(RATIO) + SAME or any(np.abs(here - seen).max() < SAME for seen in self._seen):
            return False
        self._seen.append(here)
        # The weight vectors are proportional to the bandwidth, so every space is the first one stretched.
        stretched = self.unit.stretched(fill ** (1 / self.dimension) * np.exp(axes - axes.mean()))
        basis = Basis(spaces_for(self.trials.problem, stretched), self.trials.placement)
        residual = misfit(assemble(self.blocks, basis, self.linear, self.weights).matrix) ** 2
        if np.isfinite(residual) and residual * gain < self.residual:
            self.residual, self.fill, self.axes = residual, fill, axes
            return True
        return False

    def climb(self, factor: float, gain: float = 1.0) -> None:
        """Narrow the band, or else widen it, while that pays."""
        if self.attempt(self.fill / factor, self.axes, gain):
            while self.attempt(self.fill / factor, self.axes, gain):
                pass
        else:
            while self.attempt(self.fill * factor, self.axes, gain):
                pass

    def turn_axes(self, step: float) -> None:
        """Widen the band of one coordinate against the others by exp(step), if that pays."""
        d = self.dimension
        for axis, sign in product(range(d if d > 2 else d - 1), (1.0, -1.0)):
            direction = np.full(d, -1.0 / d)
            direction[axis] += 1.0
            move = sign * step * direction
            for _ in range(TURNS):
                if not self.attempt(self.fill, self.axes + move, TURN_GAIN):
                    break
