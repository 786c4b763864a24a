"""Functions that solve the equation: their coefficients are fitted to the conditions, on the boundary alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

import numpy as np

from transnet.basis.basis import Basis
from transnet.choose.harmonic import MOST_FUNCTIONS, may_be_harmonic
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Level, Refusal
from transnet.drive.plan import Plan
from transnet.facts.conditions import missing_conditions
from transnet.features.activation import sin
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.method.on_boundary import boundary_levels, boundary_seconds


@dataclass(frozen=True)
class Trefftz:
    """Functions that solve the equation; only the conditions on the boundary are fitted."""

    name: str = "trefftz"
    options: frozenset[str] = frozenset({"guess"})
    floor: float = 4e-3

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        problem = facts.stated
        if plan.pieces is False or not may_be_harmonic(problem) or not plan.linear:
            return Refusal("its functions are known for one linear equation of the plane with constant coefficients")
        law = facts.harmonic
        if law is None:
            return Refusal("no particular solution for the source is known, or the conditions are not values or fluxes")
        if missing_conditions(problem):
            return Refusal("a part of the boundary has no condition")
        functions = law.functions(-log10(plan.effort.goal))
        count = MOST_FUNCTIONS if functions is None else len(functions)
        return Fit(
            self.floor + boundary_seconds(count), f"{count} functions that solve the equation, fitted on the boundary"
        )

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        law, placement = facts.harmonic, Placement.of(facts.stated.domain)
        assert law is not None

        def basis(digits: float) -> Basis | None:
            functions = law.functions(digits)
            if functions is None:
                return None
            return Basis((FeatureSpace(np.empty((0, 2)), np.empty(0), sin, 1.0, functions),), placement, law.known)

        return boundary_levels(plan, basis)
