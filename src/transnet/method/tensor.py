"""Products of polynomials on boxes: steady problems, without a matrix."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan

SPACE = 3
"""The coordinates of boxes for which products of polynomials come first."""
SECONDS = 0.1
"""In a cube of one wavelength ten digits take a tenth of a second."""


@dataclass(frozen=True)
class Tensor:
    """Products of polynomials along the axes of a box."""

    name: str = "tensor"
    options: frozenset[str] = frozenset()
    floor: float = 5e-3

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        if facts.dimension != SPACE:
            return Refusal("it is for boxes in space")
        if plan.pieces is False or facts.steady is None:
            return Refusal("it is for steady problems of smooth data on boxes")
        return Fit(SECONDS, "products of polynomials along the axes")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.boxes.solve import solve_in_box

        assert facts.steady is not None
        found = solve_in_box(facts.steady, plan.effort, plan.values, facts.frequencies)
        if found is not None:
            yield Judged(replace(found), found.basis.summary(), SECONDS, sure=True)
