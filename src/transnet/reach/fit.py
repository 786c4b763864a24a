"""The method of a law whose functions solve the equation and what holds far away: they are fitted on the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

from transnet.choose.harmonic import MOST_FUNCTIONS
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Level, Refusal
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.method.on_boundary import boundary_seconds
from transnet.method.outside import outside_levels
from transnet.reach.ends import OpenLaw
from transnet.reach.walls import WalledLaw


@dataclass(frozen=True)
class FittedLaw:
    """Such functions beside walls or between open ends."""

    law: WalledLaw | OpenLaw
    name: str = "outside"
    options: frozenset[str] = frozenset()
    floor: float = 0.0

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        basis = self.law.basis(-log10(plan.effort.goal))
        count = MOST_FUNCTIONS if basis is None else basis.columns
        return Fit(boundary_seconds(count), f"{count} functions that solve the equation {self.law.where}")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        found = False
        for level in outside_levels(plan, self.law.basis, self.law.edges):
            found = True
            yield level
        if not found:
            names = ", ".join(plan.problem.names)
            raise ProblemError(f"The conditions do not determine {names} {self.law.where}{self.law.cause}")
