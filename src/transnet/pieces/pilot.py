"""The start of Newton's iteration: small networks on the first cells, and the nonlinear part raised step by step.

From zero the first steps of an iteration are large and need no accuracy: they are taken with half as many neurons, at
an eighth of the cost. If it does not converge, as in a flow at a Reynolds number of a thousand, the equations
s F(u) + (1 - s) (F(0) + F'(0) u) = 0 are solved for increasing s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.clock import Clock
from transnet.cuts.boxes import Boxes
from transnet.cuts.cells import Cells
from transnet.cuts.cut import cut_domain
from transnet.cuts.plan import density_of
from transnet.errors import NotFiniteError
from transnet.features.space import FeatureSpace
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.enrich import CellEnrichment, enrich
from transnet.pieces.laws import Laws
from transnet.pieces.newton import Elsewhere, Here, Iterated, State, iterate
from transnet.solution.diagnostics import Step

LOOSE = 0.03
"""The relative change that ends the iteration of a pilot."""
PATIENCE = 7
"""The most steps for one share: a flow in a cavity at a Reynolds number of 400 takes five from zero."""
BACK = 0.2
"""The first share to try after the full problem failed from zero."""
ON = 2.5
"""The factor from one share to the next."""
TRIES = 8
"""The most shares that are tried."""
CLOSE = 0.4
"""A share from which the iteration continues with the full networks if that of the pilot fails: 0.5 works in the cavity
at a Reynolds number of 1000."""


@dataclass(frozen=True, eq=False)
class Pilot:
    """What an iteration begins with: boxes, small networks on them, and the problem."""

    laws: Laws
    space: FeatureSpace
    numbers: Sequence[Any]
    clock: Clock
    singular: CellEnrichment
    report: Callable[[Step], None] | None = None

    def cells(self, boxes: Boxes) -> Cells:
        density = density_of(self.space, self.singular.vertices)
        cells = cut_domain(self.laws.problem.domain, boxes, density, self.laws.periodic)
        enrich(cells, self.singular)
        self.clock.lap("cut")
        return cells

    def iterated(self, cells: Cells, state: State | None, share: float, most: int = PATIENCE) -> Iterated:
        laws, space, numbers, clock = self.laws, self.space, self.numbers, self.clock
        return iterate(laws, cells, space, numbers, {}, state, LOOSE, clock, self.report, share=share, most=most)

    def elsewhere(self, cells: Cells, done: Iterated) -> Elsewhere:
        basis = PiecewiseBasis.of(cells, self.space, len(self.laws.problem.unknowns))
        return Elsewhere(basis, np.concatenate(done.coefficients))

    def start(self, boxes: Boxes) -> Elsewhere | None:
        """A rough solution on boxes; None if there is none."""
        cells = self.cells(boxes)
        state: State | None = None
        reached, share = 0.0, 1.0
        found = None
        for _ in range(TRIES):
            try:
                done = self.iterated(cells, state, share)
            except NotFiniteError:
                if share < 1.0:
                    break  # F(0) is undefined, so there is nothing to start from
                raise
            if done.converged:
                reached, found = share, done
                state = Here(done.system.frames, done.coefficients)
                if share == 1.0:
                    break
                share = min(1.0, ON * share)
            elif reached > CLOSE:
                break
            else:
                share = float(np.sqrt(reached * share)) if reached else BACK * share
        return None if found is None else self.elsewhere(cells, found)
