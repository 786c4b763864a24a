"""Five to ten coordinates: products of waves of few coordinates at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from transnet.choose.trials import MORE_THAN
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan
from transnet.remedies import Remedy
from transnet.solution.diagnostics import Tried
from transnet.solution.solution import Solution

SECONDS = 3.0
"""A first comparison of small sets of products."""
PER_PRODUCT = 1e-3
"""Seconds for each product of the next set."""


@dataclass(frozen=True)
class FewAtATime:
    """Products of waves of few coordinates at a time, parity by parity."""

    name: str = "cross"
    options: frozenset[str] = frozenset({"neurons", "solver"})
    floor: float = 1.0

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        if facts.dimension <= MORE_THAN:
            return Refusal(f"it is for more than {MORE_THAN} coordinates")
        from transnet.cross.grow import refuse_what_has_no_cross

        refuse_what_has_no_cross(facts.stated)
        return Fit(SECONDS, "products of waves of few coordinates at a time")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.cross.grow import cross_levels

        for found, following in cross_levels(facts.stated, plan.triangle_solver, facts.values, plan.seed, plan.neurons):
            words, seconds = f"{found.neurons} products of waves", PER_PRODUCT * found.neurons
            yield Judged(found, words, seconds, PER_PRODUCT * following, sure=True, last=plan.neurons is not None)

    def cause(self, best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
        """What limits the accuracy, in words."""
        return (
            f"The estimated relative error is {best.error:.1e}: in {best.problem.domain.dimension} coordinates "
            f"{best.neurons} products of waves do not resolve the solution. Only smooth functions that couple few "
            f"coordinates at a time, and sums and products of functions of one coordinate, can be resolved."
        ), {}
