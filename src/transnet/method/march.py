"""Evolutions: time slabs on intervals, boxes and plane domains, in cells if need be; steps in time for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from transnet.choose.effort import ACCEPTABLE
from transnet.choose.inner import singular_places
from transnet.choose.limits import said_of_place
from transnet.drive.facts import Facts
from transnet.drive.method import Fit, Judged, Level, Refusal
from transnet.drive.plan import Plan
from transnet.errors import EstimateWarning, Message, ProblemError
from transnet.slabs.ask import Ask
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.slabs.evolution import Passing
    from transnet.slabs.stepper import Scheme
    from transnet.steps.statement import Rothe

SLABS = {0: 0.02, 1: 0.1, 2: 1.0, 3: 3.0}
"""Seconds of a march in slabs, by the coordinates of space."""
REGION = 3.0
"""Seconds of a march in slabs with polynomials on a domain that is not a box."""
CELLS = {1: 3.0, 2: 10.0}
"""Seconds of a march in slabs with functions of cells, by the order in time."""
STEPS = {1: 10.0, 2: 60.0}
"""Seconds of a march in steps, by the order in time: heat in a ring takes 10 s where one network takes 0.5, a bump
that moves in a disk 3 s where a network takes 33; waves on an L-shape had not finished after a minute where a network
of 1500 neurons had 2e-8 after five seconds."""
STEPPED = 1e-4
"""The error that is acceptable from a plain march in steps."""
AGAIN = 2.0
"""The time of a march with a smaller tolerance, in units of the last."""


@dataclass(frozen=True)
class InTime:
    """Time slabs of polynomials, or of functions of cells; for the rest steps, each an elliptic problem in pieces."""

    name: str = "march"
    options: frozenset[str] = frozenset({"slabs", "start", "until", "keep", "to"})
    floor: float = 0.01

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        if facts.backward and not asked(plan).something:
            return Refusal("it is a backward heat equation, and no march changes that")
        if self._stepped(facts, plan) is not None:
            assert not isinstance(facts.stepped, str)
            if not isinstance(facts.regional, str):
                return Fit(REGION, "time slabs of polynomials", ACCEPTABLE)
            if not isinstance(facts.planar, str):
                return Fit(CELLS[max(facts.planar.orders)], "time slabs in cells", STEPPED, STEPPED)
            seconds = STEPS[max(facts.stepped.orders)]
            return Fit(seconds, "steps in time, each in pieces", STEPPED, STEPPED)
        found = facts.evolution if asked(plan).something else facts.slabbed
        if isinstance(found, str):
            error = ProblemError(
                f"slabs=, start=, until=, keep= and to= are for an evolution: conditions at one end of a time axis, as "
                f"many as the order in time, and none at the other. {found}"
            )
            return Refusal(found.rstrip("."), error)
        return Fit(SLABS.get(len(found.bounds[0]), SLABS[3]), "time slabs of polynomials", ACCEPTABLE)

    def _stepped(self, facts: Facts, plan: Plan) -> Rothe | None:
        """The problem for steps; on a box they are taken only if nothing of slabs is asked for."""
        found = facts.stepped
        if isinstance(found, str):
            return None
        box = not isinstance(facts.evolution, str) and not facts.evolution.pressures
        return None if box and asked(plan).something else found

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        from transnet.plane.march import cell_scheme
        from transnet.plane.space import CellSpace, UnresolvedCellsError
        from transnet.slabs.prepare import UnresolvedStart, radau_scheme
        from transnet.slabs.solve import NoSlab, marches
        from transnet.slabs.space import RegionSpace

        ask, rothe = asked(plan), self._stepped(facts, plan)
        ways: list[tuple[Passing, Scheme, float]] = []
        slabbed = facts.evolution if rothe is None else facts.regional
        # A march goes on as it began.
        spaces = getattr(getattr(ask.start, "basis", None), "spaces", None)
        begun = None if spaces is None else isinstance(spaces[-1], RegionSpace)
        in_cells = None if spaces is None else isinstance(spaces[-1], CellSpace)
        if not isinstance(slabbed, str) and (rothe is None or begun is not False):
            seconds = REGION if slabbed.region is not None else SLABS.get(len(slabbed.bounds[0]), SLABS[3])
            ways.append((slabbed, radau_scheme(slabbed, facts.numbers), seconds))
        planar = "" if rothe is None else facts.planar
        if not isinstance(planar, str) and not begun and in_cells is not False:
            ways.append((planar, cell_scheme(planar, facts.numbers), CELLS[max(planar.orders)]))
        if rothe is not None and not begun and not in_cells and not (isinstance(planar, str) and ways and rothe.waves):
            from transnet.steps.implicit import esdirk_scheme

            ways.append((rothe, esdirk_scheme(rothe, facts.numbers), STEPS[max(rothe.orders)]))
        for evolution, scheme, seconds in ways:
            try:
                for found in marches(evolution, scheme, plan.tol, plan.values, ask, plan.progress, plan.seconds):
                    last = found.status in ("interrupted", "limit reached", "event")
                    words = found.basis.summary()
                    yield Judged(_with_places(found), words, seconds, AGAIN * seconds, sure=True, last=last)
            except (UnresolvedStart, UnresolvedCellsError, NoSlab) as reason:
                if scheme is ways[-1][1] and not isinstance(reason, UnresolvedStart):
                    raise
                continue  # steps have smaller pieces where the start is steep
            if found.error <= (plan.tol or STEPPED) or evolution is planar:
                return


def asked(plan: Plan) -> Ask:
    """The options for time slabs."""
    return Ask(plan.slabs, plan.start, plan.until, plan.keep, plan.to)


def _with_places(found: Solution) -> Solution:
    """A solution by a march, with a message where its equation grows without bound: the estimate does not see that.

    For heat in a disk with the source 1/r it was 1e-5 and the error 1e-4.
    """
    places = singular_places(found.problem, tuple(found.parameters.values()), below=0.0)
    if not places or found.diagnostics.messages:
        return found
    text = f"The estimated relative error of {found.error:.1e} may be too small. {said_of_place(places[0])}"
    return replace(found, diagnostics=replace(found.diagnostics, messages=(Message(EstimateWarning, text),)))
