"""From an evolution on any domain to its solution: steps in time on cells, until the end, an event or a limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np

from transnet.arrays import floored
from transnet.clock import Clock
from transnet.errors import AccuracyWarning, Message, ProblemError
from transnet.geometry import Pieces
from transnet.pieces.boxes import Boxes
from transnet.pieces.solve import MOST
from transnet.progress import ProgressLine
from transnet.slabs.ask import Ask, kept, slab_ends
from transnet.slabs.disk import finished
from transnet.slabs.domain import end_of
from transnet.slabs.events import Event
from transnet.slabs.evolution import Passing
from transnet.slabs.expansion import SlabBasis
from transnet.slabs.records import SlabRecord, Slabs
from transnet.solution.solution import Solution
from transnet.steps.cells import LOOSE, SHARE, end_in_both, fits, levels, same_levels, smaller
from transnet.steps.errors import Leg, estimates
from transnet.steps.level import Moment, StepLevel
from transnet.steps.made import made_solution
from transnet.steps.march import EARLY, FINEST, Walk, cut_short, march
from transnet.steps.resolved import carried, on_boxes, unresolved
from transnet.steps.statement import Rothe
from transnet.steps.written import Written, polynomials
from transnet.tolerances import SAME

AIM = 3e-5
"""What a plain solve aims at."""
LEGS = 12
"""Sets of cells, one after the other, that a march takes at most."""
PLACES = 400
"""Points of space at which the expression of an event is evaluated."""


def solve_in_steps(
    rothe: Rothe, tol: float | None, values: Mapping[Any, Any], ask: Ask, progress: Any = None,
    seconds: float | None = None,
) -> Solution:  # fmt: skip
    """March an evolution by Rothe's method; messages are in the diagnostics."""
    clock, until = Clock(), None if seconds is None else monotonic() + seconds
    wanted = AIM if tol is None else float(tol)
    numbers = dict(values)
    whole, before = rothe, ask.start
    begun: tuple[Moment, Moment] | None = None
    if before is not None:
        rothe = replace(rothe, start=end_of(rothe, before))
    edges = slab_ends(ask, rothe.start, rothe.stop)
    kept(ask, whole.start, whole.stop)  # wrong times are refused before any work
    event = None
    if ask.until is not None:
        everywhere = rothe.elliptic.domain.interior(PLACES, "quasi", 0)
        axis = rothe.problem.coordinates.index(rothe.time)
        event = Event(Passing(rothe.problem, axis), ask.until, tuple(values.values()), everywhere)
    if before is not None:
        fine, coarse = same_levels(rothe, wanted, numbers, before)
        begun = end_in_both(rothe, before, fine, coarse)
    else:
        fine, coarse = levels(rothe, wanted, numbers, seconds)
    clock.lap("cut")
    name, status = rothe.time.name, "solved"
    line = ProgressLine("time", 1, None if progress is None else bool(progress))

    # Where the start does not fit, or may not, layers that decay are not resolved.
    smooth = not isinstance(rothe.elliptic.domain, Pieces) and fits(rothe, numbers)
    limit = wanted * (SHARE if smooth else LOOSE[False])
    finer: Boxes | None = None
    written = Written(whole, values, ask)
    written.turn(fine)
    legs = [Leg(fine, coarse, Walk([], np.zeros(0)))]

    def watch(walk: Walk, tau: float) -> bool:
        nonlocal status, finer
        line.show(f"{name} = {walk.moments[-1].t:.4g} of {rothe.stop:g}, step {tau:.2g} ")
        if event is not None and (moment := _crossed(event, rothe, fine, walk)) is not None:
            cut_short(fine, walk, moment)
            status = "event"
            return True
        written.follow(walk)
        finer = _finer(fine, walk, limit, len(legs)) if not edges else None
        if until is not None and monotonic() > until and walk.moments[-1].t != rothe.stop:
            status = "limit reached"
            return True
        return finer is not None

    begin = None if begun is None else begun[0]
    with line:
        try:
            march(fine, SHARE * wanted, watch, legs[-1].walk, edges, begin)
            while status == "solved" and finer is not None:
                last = legs[-1].walk
                fresh = on_boxes(fine, finer)
                written.turn(fresh, last)
                walk = Walk([], last.sizes, place=last.place, power=last.power)
                legs.append(Leg(fresh, smaller(fresh), walk))
                begin, fine, finer = carried(fine, fresh, last.moments[-1]), fresh, None
                march(fine, SHARE * wanted, watch, walk, (), begin)
        except KeyboardInterrupt:
            if len(legs[0].walk.moments) < 2:
                raise
            status = "interrupted"
    legs = [leg for leg in legs if len(leg.walk.moments) > 1]
    if not legs:
        raise ProblemError("Not even the first step could be solved. Check the initial and boundary conditions.")
    clock.lap("march")
    found_errors = estimates(legs, None if begun is None else begun[1])
    if before is not None:
        carried_on = before.basis.slabs[-1].estimate  # type: ignore[attr-defined]
        found_errors = [np.hypot(e, carried_on) for e in found_errors]
    clock.lap("estimate")
    found = made_solution(whole, values, legs, found_errors, status, clock, ask, tol, written)  # type: ignore[arg-type]
    if status == "solved":
        known = replace(found.diagnostics, messages=(*found.diagnostics.messages, *_unmet(rothe, event, legs[-1].walk)))
        found = replace(found, diagnostics=known)
    if ask.to is not None:
        finished(found, ask.to)
    return found


def _finer(fine: StepLevel, walk: Walk, limit: float, legs: int) -> Boxes | None:
    """Finer boxes, where the cells no longer resolve the solution and there are not too many yet."""
    early, over = walk.place < EARLY * 2**FINEST, walk.place >= 2**FINEST
    if fine.taken is None or early or over or legs >= LEGS:
        return None
    share = float((fine.looked_at(walk.moments[-1].state[0]) / floored(walk.sizes)).max())
    boxes = unresolved(fine, fine.taken, share, limit)
    most = MOST[fine.space.dimension] // max(1, fine.unknowns - 1)
    return None if boxes is None or len(boxes) > most else boxes


def _unmet(rothe: Rothe, event: Event | None, walk: Walk) -> list[Message]:
    """Messages about an event that did not happen, or an end that was not reached."""
    name, reached = rothe.time.name, walk.moments[-1].t
    found = []
    if event is not None:
        found.append(Message(AccuracyWarning, f"until={event.text} did not change sign up to {name} = {reached:g}."))
    if not np.isclose(reached, rothe.stop, rtol=SAME):
        text = (
            f"The march ended at {name} = {reached:g} and not at {rothe.stop:g}: Newton's iteration did not converge "
            f"there, however short the step. The usual cause is a solution that becomes infinite or loses its "
            f"derivatives then. Solve up to an earlier time."
        )
        found.append(Message(AccuracyWarning, text))
    return found


def _crossed(event: Event, rothe: Rothe, fine: StepLevel, walk: Walk) -> float | None:
    """When an expression changes sign in the last step; None if it does not."""
    k = len(walk.own) - 1
    block = polynomials(walk, k, fine.moving)
    begin, end = walk.moments[k].t, walk.moments[k + 1].t
    record = SlabRecord(begin, end, 0.0, 0.0, 1, fine.basis.columns)
    axis = rothe.problem.coordinates.index(rothe.time)
    basis = SlabBasis(axis, len(rothe.orders), Slabs((record,)), (fine.basis,), (0,), (len(block) - 1,))
    return event.crossed(basis, block.ravel(), begin, end)
