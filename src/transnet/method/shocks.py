"""Conservation laws in one coordinate: characteristics and the one with entropy, waves between states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan

SECONDS = 0.2
"""Buckley and Leverett's law takes as long, Sod's tube half of it."""


@dataclass(frozen=True)
class Shocks:
    """Entropy solutions of `tn.conserved`."""

    name: str = "shocks"
    options: frozenset[str] = frozenset()
    floor: float = 0.0
    special: str = "conserved"

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        if facts.special != self.special:
            return Refusal("it is for conservation laws, tn.conserved(u, flux)")
        from transnet.shocks.statement import stated_laws

        several = len(stated_laws(plan)) > 1
        return Fit(SECONDS, "waves between two states" if several else "characteristics, one through each point")

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.shocks.solve import solve_conserved

        found = solve_conserved(plan)
        yield Judged(found, found.basis.summary(), SECONDS, sure=True, last=True)
