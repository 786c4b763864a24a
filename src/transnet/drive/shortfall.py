"""The end of a solve: the best solution with the trail, and a message if it falls short of what was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from transnet.counts import SAMPLE
from transnet.drive.plan import Plan
from transnet.errors import AccuracyWarning, EstimateWarning, Message, undetermined
from transnet.judge.diagnose import least_satisfied
from transnet.judge.estimate import VISIBLE, distances
from transnet.remedies import Remedy
from transnet.solution.diagnostics import Attempt, Diagnostics, Tried
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.drive.driver import Run

NOISE = 1e-7
"""Relative standard errors below this are rounding, not noise."""
NOISY = 1.5
"""If the estimated error is below this many standard errors, the noise of the data is the limit."""
LONGER = 4
"""A solve that ran out of time is advised to take this much longer: a level takes about three times as long as that
before it."""
ROSE = 10.0
"""Estimates of finer levels that are so many times larger belong to iterations that wander."""
OVER = ("stalled", "diverged", "limit reached")
"""Iterations that ended so say why themselves."""


def noisy(solution: Solution) -> bool:
    """Whether the noise of measured values limits the accuracy: nothing finer changes that."""
    known = solution.diagnostics
    if isnan(known.statistical):  # data that do not fit: nothing finer changes that either
        return True
    return known.statistical > NOISE and known.error <= NOISY * known.statistical


def distance_between(new: Solution, old: Solution) -> float:
    """How far two solutions of one problem are apart, relative to the first."""
    points = new.problem.domain.interior(SAMPLE, "quasi", 1)
    slots = [(u, (0,) * points.shape[1]) for u in range(new.basis.unknowns)]
    now, then = (s.basis.derivatives(s.coefficients[:, None], points, slots) for s in (new, old))
    return float(distances(now, [[a - b] for a, b in zip(now, then, strict=True)])[0, 0])


def doubted(best: Solution, others: Sequence[Solution]) -> Solution:
    """The best solution with the doubts of another method whose iteration wandered: what is stated hardly determines
    something, and then no estimate of a single method sees it."""
    for other in others:
        doubts = tuple(m for m in other.diagnostics.messages if m.remedy.get("iterate"))
        known = best.diagnostics
        if doubts and not undetermined(known.messages):
            error = max(known.error, distance_between(best, other))
            best = replace(best, diagnostics=replace(known, error=error, messages=(*known.messages, *doubts)))
    return best


def _plainly(best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
    """The estimate alone, for a method that knows no cause."""
    what = f"The best of {len(tried)} levels, {best.basis.summary()},"
    return f"{what} has an estimated relative error of {best.error:.1e}.", {}


def came_to_nothing(best: Solution, tried: Sequence[Tried]) -> bool:
    """Whether finer levels than the best have estimates above everything: of a needle that none of them resolves 334
    neurons told 2e-3, 668 and 1336 more than a thousand, and all were 35 % off."""
    which = min((k for k, t in enumerate(tried) if t.error <= best.error), default=len(tried))
    return any(t.error > max(ROSE * best.error, 1.0) for t in tried[which + 1 :])


def no_solution(known: Diagnostics) -> Message | None:
    """That a nonlinear problem with a warning ended at something which is no solution, and finer levels went astray:
    networks are compared on their last linearisation, so the estimate says nothing of how far the solution is."""
    worst = max(known.residuals, key=lambda r: r.relative, default=None)
    doubtful = any(m.kind is EstimateWarning for m in known.messages) and known.status in ("converged", "limit reached")
    if worst is None or not doubtful or worst.relative < VISIBLE:
        return None
    best = min((i for i, a in enumerate(known.trail) if a.error <= known.error), default=0)
    if not any(a.error > ROSE * known.error for a in known.trail[best + 1 :]):
        return None
    text = (
        f"The iteration ended where '{worst.label}' is violated by {100 * min(worst.relative, 1.0):.0f} % of its "
        f"terms: that is no solution, and nothing is known of its error."
    )
    return Message(AccuracyWarning, text, {"iterate": True})


def concluded(run: Run, others: Sequence[Solution], trail: Sequence[Attempt], plan: Plan) -> Solution:
    """The best solution of a run with its history, the trail, and a message if it falls short."""
    assert run.best is not None
    best = doubted(run.best, others)
    known = best.diagnostics
    limit = run.fit.acceptable if plan.tol is None else plan.tol
    cause: Any = getattr(run.method, "cause", _plainly)
    told = any(m.kind is AccuracyWarning and (cause is _plainly or m.remedy.get("iterate")) for m in known.messages)
    fixed = run.level is not None and run.level.last
    if best.status == "interrupted" and not fixed and best.error > limit:
        text = f"The solve was interrupted. The best by then has an estimated relative error of {best.error:.1e}."
        kept = tuple(m for m in known.messages if m.kind is not EstimateWarning)
        known = replace(known, messages=(*kept, Message(EstimateWarning, text)))
    elif best.error > limit and not fixed and not told and best.status not in OVER and not noisy(best):
        kept = tuple(m for m in known.messages if m.kind is not EstimateWarning)
        if not undetermined(kept):
            asked = "" if plan.tol is None else f"The tolerance {plan.tol:.1e} was not reached{plan.effort.spent}. "
            reason, remedy = cause(best, run.tried)
            if plan.seconds is not None:  # time was the limit, whatever else is
                remedy = {"seconds": float(f"{LONGER * plan.seconds:.2g}")}
            text = f"{asked}{reason}{least_satisfied(known.residuals)}"
            if came_to_nothing(best, run.tried):
                text += " Finer levels resolve nothing at all, so that estimate is luck, and the error is unknown."
                known = replace(known, error=nan)
            kept = (*kept, Message(EstimateWarning, text, remedy))
        known = replace(known, messages=kept)
    return replace(best, diagnostics=replace(known, trail=tuple(trail)), history=tuple(run.tried))
