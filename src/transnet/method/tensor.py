"""Products of polynomials on intervals, rectangles and boxes: steady problems, without a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transnet.choose.effort import ACCEPTABLE
from transnet.clock import Clock
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan

SPACE = 3
"""The most coordinates."""
CALLS, PER_COLUMN = 2e-3, 3e-6
"""Seconds of a level, a + b columns: 3 ms for 20 x 20, 0.1 s for 30 x 30 x 30."""
COLUMNS = 25
"""Columns along an axis of a usual level."""
NEXT = 2.0
"""The time of the next level, in units of the last."""


@dataclass(frozen=True)
class Tensor:
    """Products of polynomials along the axes of a box."""

    name: str = "tensor"
    options: frozenset[str] = frozenset()
    floor: float = 5e-4

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        if facts.dimension > SPACE or plan.pieces is False:
            return Refusal("it is for intervals, rectangles and boxes")
        if facts.steady is None:
            return Refusal("it is for steady problems on intervals, rectangles and boxes")
        if facts.spots:
            return Refusal("its nodes would miss data that are concentrated on a small spot")
        seconds = CALLS + PER_COLUMN * COLUMNS**facts.dimension
        return Fit(seconds, "products of polynomials along the axes")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.boxes.levels import box_levels
        from transnet.boxes.solve import solution_in_box

        clock, steady = Clock(), facts.steady
        assert steady is not None
        for level in box_levels(steady, facts.numbers, plan.effort.goal):
            clock.lap("solve")
            columns = level.space.columns
            seconds = CALLS + PER_COLUMN * columns * len(facts.problem.unknowns)
            good = level.error <= max(ACCEPTABLE, plan.effort.goal)
            found = solution_in_box(steady, level, facts.values, clock, good)
            yield Judged(found, f"{columns} products of polynomials", seconds, NEXT * seconds, sure=True)
