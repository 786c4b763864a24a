"""Outside bodies: functions that radiate or decay, fitted on the boundaries alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import log10
from typing import TYPE_CHECKING, Any

import sympy as sp

from transnet.clock import Clock
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.method.on_boundary import Bases, Edges, boundary_levels, boundary_seconds, fitted
from transnet.problem import Problem
from transnet.rows.points import inside_of

if TYPE_CHECKING:
    from transnet.basis.outside import Outside
    from transnet.choose.outside import OutsideLaw
    from transnet.choose.slow import SlowLaw
    from transnet.method.penetrable import PenetrableLaw

UNFITTED = 1e-3
"""An estimated error above which it is asked whether a constant or a charge at infinity is missing."""
CURED = 0.01
"""What the error must fall to with it, as a part, for that to be the cause."""
WELL = 1e4
"""The amplification, in units of the natural one, up to which a solution is used: it enters the estimate."""
MORE = 1.4
"""How many times as many digits the functions of the next try are for: at corners their number goes with the square."""


@dataclass(frozen=True)
class OutsideBodies:
    """Functions that solve the equation outside bodies and satisfy the condition at infinity."""

    name: str = "outside"
    options: frozenset[str] = frozenset()
    floor: float = 0.0
    special: str = "unbounded"

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        if facts.special != self.special:
            return Refusal("it is for the unbounded domain outside bodies")
        from transnet.choose.harmonic import MOST_FUNCTIONS

        basis = law_of(facts.stated, plan.values).basis(-log10(plan.effort.goal))
        count = MOST_FUNCTIONS if basis is None else basis.columns
        return Fit(
            boundary_seconds(count), f"{count} functions that solve the equation outside, fitted on the boundary"
        )

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.choose.outside import OutsideLaw

        law, found = law_of(facts.stated, plan.values), None
        for level in outside_levels(plan, law.basis, getattr(law, "edges", None)):
            assert isinstance(level, Judged)
            if found is None and level.found.error > UNFITTED and isinstance(law, OutsideLaw):
                _refuse_contradiction(plan, law, level.found.error)
            found = level
            yield level
        if found is None:
            raise ProblemError(
                f"The conditions do not determine {', '.join(plan.problem.names)} outside the bodies. The usual "
                f"causes are a number to be found that nothing determines, a part of the boundary without a "
                f"condition, and fluxes on all of it, which leave a constant open: state it, tn.at_infinity(u, 0)."
            )


def outside_levels(plan: Plan, bases: Bases, edges: Edges | None = None) -> Iterator[Level]:
    """Fits with functions for more and more digits."""
    return boundary_levels(plan, bases, WELL, MORE, edges)


def law_of(problem: Problem, values: Mapping[Any, Any]) -> OutsideLaw | SlowLaw | PenetrableLaw:
    """What a problem outside bodies, or also inside them, asks for."""
    if isinstance(problem.domain, Pieces):
        from transnet.method.penetrable import penetrable_of

        return penetrable_of(problem, values)
    from transnet.choose.outside import outside_of

    return outside_of(problem, values)


def _refuse_contradiction(plan: Plan, law: OutsideLaw, error: float) -> None:
    """Raise an error if a constant or a charge at infinity is what a potential lacks."""
    if law.wavenumber or law.domain.dimension == 3:
        return
    from transnet.basis.outside import Formula

    x, y = law.given.coordinates
    r = sp.sqrt((x - float(law.domain.corners_and_holes[1][0].centre[0])) ** 2
                + (y - float(law.domain.corners_and_holes[1][0].centre[1])) ** 2)  # fmt: skip
    number = len(plan.problem.unknowns)
    for missing, text in ((sp.Integer(1), "c"), (sp.log(r), "c*sp.log(r)")):
        numbers = {**law.numbers, number: Formula(missing, (x, y))}
        basis = replace(law, numbers=numbers).basis(-log10(plan.effort.goal))
        found = None if basis is None else _with(plan, basis)
        if found is not None and found[0] < CURED * error:
            what = "value at infinity" if missing == 1 else "flux through the boundary"
            raise ProblemError(
                f"The conditions contradict each other: in the plane a potential with these conditions on the bodies "
                f"cannot have this {what}; it differs by {found[1]:.6g}{'' if missing == 1 else ' log r'}. Let it be a "
                f"number that is found, c = tn.unknown('c') and tn.at_infinity(u, f + {text}), f being the given field."
            )


def _with(plan: Plan, basis: Outside) -> tuple[float, float] | None:
    found = fitted(plan, basis, inside_of(plan.problem.domain), Clock(), WELL)
    return None if found is None else (found.error, float(found.coefficients[-1]))
