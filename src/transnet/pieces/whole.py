"""Whole materials first: one network for each material between flat interfaces, if that is all a problem needs.

A disk in a square, a coated rod, two half planes: with the poles of its holes and the powers of its corners one cell of
a material often has more digits than twenty, and takes a tenth of their time. If not, little is lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transnet.clock import Clock
from transnet.cuts.boxes import Boxes
from transnet.cuts.cut import cut_domain
from transnet.cuts.first_boxes import flat_places
from transnet.cuts.plan import density_of, space_for
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.pieces.enrich import CellEnrichment
from transnet.pieces.estimate import estimate
from transnet.pieces.laws import Laws
from transnet.pieces.layers import graded_boxes
from transnet.pieces.level import CutLevel, solve_level
from transnet.rows.unseen import may_be_steep

WAVES = {2: 240, 3: 700}
"""Neurons of a whole material, by dimension: in the plane 160 leave 1.8 times the error, 360 the same
(benchmarks/constants.py whole)."""
MOST_HOLES = 2
"""The most holes of a material: the rows of one cell do not determine poles in more."""


@dataclass(frozen=True, eq=False)
class Whole:
    """The solution with one cell for each material and its estimate."""

    level: CutLevel
    smaller: FeatureSpace
    error: float


def boxes_of_whole(laws: Laws, singular: CellEnrichment, numbers: Sequence[Any], usual: Boxes) -> Boxes | None:
    """Boxes that end only at flat interfaces; None if these are not worth a trial."""
    domain = laws.problem.domain
    d = domain.dimension
    if d not in WAVES or not isinstance(domain, Pieces) or len(laws.problem.unknowns) > 1 or not laws.linear:
        return None
    if any(may_be_steep(s.equation) for group in laws.statements for s in group):
        return None  # its few points may miss data concentrated on a small spot
    held = [sum(m == k for m, _ in singular.holes) for k in range(len(domain.shapes))]
    held += [sum(m == k for m, _ in singular.balls) for k in range(len(domain.shapes))]
    if max(held) > MOST_HOLES:
        return None
    cuts = [
        np.array([low, *flat, high]) for flat, (low, high) in zip(flat_places(domain), domain.bounds.T, strict=True)
    ]
    boxes = Boxes.lattice(cuts)
    if len(boxes) >= len(usual):
        return None
    cells = cut_domain(domain, boxes, density_of(space_for(d), singular.vertices), laws.periodic)
    return boxes if len(graded_boxes(laws, cells, numbers)) == len(boxes) else None


def solve_whole(
    laws: Laws,
    singular: CellEnrichment,
    numbers: Sequence[Any],
    usual: Boxes,
    wanted: float,
    part: float,
    clock: Clock,
) -> Whole | None:
    """The solution with one cell for each material, if it is good enough; it is compared with `part` of the neurons."""
    boxes = boxes_of_whole(laws, singular, numbers, usual)
    clock.lap("cut")
    if boxes is None:
        return None
    d = laws.problem.domain.dimension
    space = space_for(d, WAVES[d])
    level = solve_level(laws, boxes, space, numbers, {}, clock, singular=singular)
    if level.found.largest > wanted:
        return None
    smaller = space_for(d, int(part * space.neurons))
    error = estimate(solve_level(laws, boxes, smaller, numbers, {}, clock, singular=singular), level)
    return Whole(level, smaller, error) if error <= wanted else None
