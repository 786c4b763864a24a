"""One set of cells and the solution on it."""

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
from transnet.engines.distributed import Distributed
from transnet.features.space import FeatureSpace
from transnet.pieces.basis import PiecewiseBasis
from transnet.pieces.enrich import NOTHING, CellEnrichment, enrich
from transnet.pieces.indicate import Indicated, indicate
from transnet.pieces.laws import Laws
from transnet.pieces.local import Reduced
from transnet.pieces.newton import Iterated, State, iterate
from transnet.solution.diagnostics import Step


@dataclass(frozen=True, eq=False)
class CutLevel:
    """A solution on one set of cells."""

    cells: Cells
    space: FeatureSpace
    coefficients: np.ndarray
    basis: PiecewiseBasis
    found: Indicated
    rows: int
    done: Iterated

    def values(self, points: np.ndarray) -> list[np.ndarray]:
        zero = (0,) * points.shape[1]
        return self.basis.derivatives(self.coefficients, points, [(u, zero) for u in range(self.basis.unknowns)])


def solve_level(
    laws: Laws,
    boxes: Boxes,
    space: FeatureSpace,
    numbers: Sequence[Any],
    cache: dict[bytes, Reduced],
    clock: Clock,
    start: State | None = None,
    accuracy: float = 1e-10,
    report: Callable[[Step], None] | None = None,
    singular: CellEnrichment = NOTHING,
    cluster: Distributed | None = None,
) -> CutLevel:
    """Solve on one set of boxes."""
    density = density_of(space, singular.vertices, len(singular.ends) > 0)
    cells = cut_domain(laws.problem.domain, boxes, density, laws.periodic)
    enrich(cells, singular)
    clock.lap("cut")
    done = iterate(laws, cells, space, numbers, cache, start, accuracy, clock, report, cluster)
    found = indicate(laws, done.system, done.coefficients, numbers)
    clock.lap("estimate")
    return made_level(cells, found, done, len(laws.problem.unknowns))


def made_level(cells: Cells, found: Indicated, done: Iterated, unknowns: int) -> CutLevel:
    """The solution on one set of cells with what is known about it."""
    rows = sum(len(b.points) for blocks in done.system.local for _, b in blocks)
    rows += sum(len(r.first.points) for face in done.system.faces for r in face)
    space = done.system.space
    basis = PiecewiseBasis.of(cells, space, unknowns)
    return CutLevel(cells, space, np.concatenate(done.coefficients), basis, found, rows, done)
