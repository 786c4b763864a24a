"""A tolerance instead of a number of neurons: the network grows until its estimated error is below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log

import numpy as np

from transnet.basis.basis import Basis
from transnet.choose.bandwidth import Choice
from transnet.choose.effort import Effort
from transnet.choose.limits import ROUNDING, limit_of
from transnet.errors import EstimateWarning, Message, undetermined
from transnet.features.space import FeatureSpace
from transnet.geometry.sampling import spread
from transnet.judge.diagnose import least_satisfied
from transnet.judge.estimate import SAMPLE, distances
from transnet.solution.diagnostics import Tried
from transnet.solution.solution import Solution

SMALLEST = 50
START = {1: 40, 2: 200, 3: 600, 4: 800}
LARGEST = {1: 2000, 2: 2400, 3: 6500, 4: 6500}
"""Neurons per unknown of the smallest, the first and the largest network that are tried, by dimension."""
COLUMNS = 6_500
"""The most coefficients of all unknowns together."""
ACCEPTABLE = 1e-5
"""An estimated error above this raises a warning when no tolerance was asked for."""

UNRESOLVED = 0.3
"""Above this estimated error nothing of the solution is resolved yet, and an error that does not fall says nothing. In
three and more coordinates larger networks are too expensive to go on blindly."""
RESOLVED = 1e-3
"""Above this estimated error, and if more neurons were worse, bandwidths are compared again at the next size."""

FALLING = 10.0
"""If the error of mirrored networks falls by this factor nothing is singular, and they stay as cheap as they are."""
LARGER = 10.0
"""A larger network is taken unless its estimated error is this many times the smallest: on |x - 1/3|^3 the estimate of
40 neurons is 46 times too small, that of 52 six times."""
SMALLEST_STEP, LARGEST_STEP = 1.2, 2.5
"""How many times as large a network is as the one before it. With larger first steps ten digits take a tenth longer,
with last ones of 1.5 they are missed by a factor of 2.5 (benchmarks/constants.py growth)."""
STALLED = 3.0
"""Growth ends after two networks that together gain less than this factor; from 1.5 to 10 the same problems end the
same."""
ALIKE = 30.0
"""If half of the network is at most this many times further from the whole than nearly all of it is, bandwidth is
missing, not neurons."""
FALLS_STILL = 0.3
"""An error that falls this much from one network to the next, about twice as large, is not limited by a corner: at one
of r^(2/3) it falls by 0.6 to 0.8, at a smooth peak by 0.05 to 0.2."""
NOISE = 1e-7
"""Relative standard errors below this are rounding, not noise."""
NOISY = 1.5
"""If the estimated error is below this many standard errors, the noise of the data is the limit."""

BETTER = 0.5
"""A network whose estimated error is below this part of another's shows how large the error of the other is."""
SCATTER = 1.5
"""An estimate that is below a tolerance by less than this factor is confirmed by a second network: of 400 random
problems two missed the tolerance by 1.2 and 1.3 times without that."""
MISJUDGED = 10.0
"""Estimates that are further off come from networks that resolved nothing, which says nothing about larger ones."""

SolveAt = Callable[[FeatureSpace, Solution | None], Solution]
ABOVE = 10.0
"""Above this many times rounding the differences of networks still show how they converge."""


def grow(
    choice: Choice,
    unknowns: int,
    solve_at: SolveAt,
    effort: Effort,
    seed: int = 0,
    watch: Callable[[Solution], None] | None = None,
    first: Solution | None = None,
    most: int | None = None,
) -> Solution:
    """Solve with growing networks until the estimated error is below the tolerance; the best one is returned.

    Parameters
    ----------
    choice : Choice
        The law for the feature spaces.
    solve_at : callable
        Solves with a given space; it also receives the previous solution.
    effort : Effort
        The relative L2 error to reach, or the time to take; by default six digits, and more while networks are small.
    watch : callable, optional
        Called with the solution of each network.
    first : Solution, optional
        The solution of the first network, if it is solved already.
    most : int, optional
        The most neurons, if growth is to end sooner.

    An interruption with Ctrl-C ends the growth: what was found so far is returned, with the status "interrupted".
    """
    d = choice.dimension
    largest = max(min(most or LARGEST[d], LARGEST[d], COLUMNS // unknowns), SMALLEST)
    size = min(START[d], largest) if first is None else first.neurons
    steps: list[Tried] = []
    best: Solution | None = None
    previous: Solution | None = None
    suspect: Solution | None = None
    # The choice before its band was widened, to return to if that does not help; it is then not widened again.
    narrower: Choice | None = None
    wide = below = False
    off = 1.0  # how many times too small the estimate of the best one is likely to be
    try:
        while True:
            previous = first if first is not None and not steps else solve_at(choice.space(size, seed), previous)
            unsure = undetermined(previous.diagnostics.messages)
            if unsure and choice.enrichment is not None and previous.status != "interrupted":
                # The points may not determine the singular features: try waves alone.
                choice, suspect, previous = choice.plain(), previous, best
                continue
            doubt = 1.0 if best is None or unsure else misjudged(best, previous)
            steps.append(Tried(size, previous.error, sum(previous.diagnostics.seconds.values())))
            # The estimate of a small network may be small by luck; a larger one that gives about the same is trusted.
            if best is None or not previous.error >= LARGER * min(s.error for s in steps):
                best, off = previous, doubt
            if watch is not None:
                watch(previous)
            if unsure:
                # More neurons would only confirm it.
                best, off = suspect or previous, 1.0
            before, below = below, effort.reached(doubt * previous.error)
            reached = below and (before or effort.reached(SCATTER * doubt * previous.error))
            if unsure or previous.status == "interrupted" or reached or _noisy(previous):
                break
            if size >= largest or (_stalled(steps) and not (d <= 2 and best.error > UNRESOLVED)):
                break
            nested = previous.diagnostics.nested
            size = min(_next_size(steps, effort.goal(previous.error), d, choice.group, nested), largest)
            if effort.enough(previous.error, size * unknowns) or effort.over(
                steps[-1].seconds, size / steps[-1].neurons
            ):
                break
            if len(steps) > 1 and not (choice.mirrors is not None and steps[-1].error < steps[-2].error / FALLING):
                # Corners and holes may begin to matter only after the rest is resolved.
                choice = choice.enriched()
            worse = len(steps) > 1 and steps[-1].error > steps[-2].error
            if narrower is not None and worse:
                choice, narrower, wide = choice.with_band_of(narrower), None, True
            elif worse or previous.error > RESOLVED:
                choice = choice.raced(size)
            elif _bandwidth_limited(previous) and not wide:
                narrower, choice = choice, choice.widened(2.0)
            else:
                narrower = None
    except KeyboardInterrupt:
        if best is None:
            raise
        best = replace(best, diagnostics=replace(best.diagnostics, status="interrupted"))
    if previous is not None and previous.status == "interrupted" and best is not None:
        best = replace(best, diagnostics=replace(best.diagnostics, status="interrupted"))
    known = best.diagnostics
    best = replace(best, diagnostics=replace(known, error=off * known.error))
    return _judged(best, steps, effort).with_history(tuple(steps))


def misjudged(before: Solution, now: Solution) -> float:
    """By how much the estimate of a smaller network turned out too small; at least one.

    For one problem estimates fail in one direction: what converges more and more slowly does so at every size. So an
    estimate is increased by this factor before it is compared with a tolerance, and reported.
    """
    if not (isinstance(now.basis, Basis) and now.blocks and now.error < BETTER * before.error < BETTER):
        return 1.0
    points = now.blocks[0].points
    points = points[spread(len(points), SAMPLE)]
    zero = (0,) * points.shape[1]
    slots = [(u, zero) for u in range(now.basis.unknowns)]
    larger, smaller = (s.basis.derivatives(s.coefficients[:, None], points, slots) for s in (now, before))
    off = float(distances(larger, [[a - b] for a, b in zip(larger, smaller, strict=True)])[0, 0])
    return min(max(off / before.error, 1.0), MISJUDGED)


def _stalled(steps: list[Tried]) -> bool:
    """Whether the last two steps together gained less than a factor of three."""
    return len(steps) > 2 and all(s.error > steps[-3].error / STALLED for s in steps[-2:])


def _noisy(solution: Solution) -> bool:
    """Whether the noise of measured values limits the accuracy: no network changes that."""
    known = solution.diagnostics
    return known.statistical > NOISE and known.error <= NOISY * known.statistical


def _bandwidth_limited(solution: Solution) -> bool:
    """Whether half of the network is nearly as good as the whole, so that bandwidth is missing, not neurons.

    The parts of the network are also alike before the solution is resolved at all, so that is checked first.
    """
    nested = [difference for _, difference in solution.diagnostics.nested]
    resolved = ABOVE * ROUNDING < solution.error < RESOLVED
    return resolved and len(nested) > 1 and nested[0] < ALIKE * nested[-1]


def _next_size(
    steps: list[Tried], wanted: float, dimension: int, group: int = 2, nested: Sequence[tuple[int, float]] = ()
) -> int:
    """The size that root-exponential convergence, error ~ exp(-c M^(1/d)), predicts.

    The slope is that of the last two networks, or of the first half of the only one there is to the whole. A multiple
    of the group of neurons that belong together.
    """
    last = steps[-1]
    factor = 2.0
    before = (steps[-2].neurons, steps[-2].error) if len(steps) > 1 else nested[0] if nested else (0, 0.0)
    if before[0] > 0 and 0 < last.error < before[1]:
        roots = [n ** (1 / dimension) for n in (before[0], last.neurons)]
        slope = log(before[1] / last.error) / (roots[1] - roots[0])
        root = roots[1] + log(last.error / (0.5 * wanted)) / slope
        factor = root**dimension / last.neurons
    return group * int(np.ceil(last.neurons * min(max(factor, SMALLEST_STEP), LARGEST_STEP) / group))


def _judged(best: Solution, steps: list[Tried], effort: Effort) -> Solution:
    """The best solution with a message about all networks, instead of its own estimate, if it falls short."""
    known = best.diagnostics
    if best.error <= (ACCEPTABLE if effort.tol is None else effort.tol) or _noisy(best):
        return best
    if best.status in ("stalled", "diverged", "limit reached"):
        return best  # the reason why the iteration ended is reported, and has nothing to do with the networks
    others = tuple(m for m in known.messages if m.kind is not EstimateWarning)
    if not undetermined(others):
        asked = "" if effort.tol is None else f"The tolerance {effort.tol:.1e} was not reached{effort.spent}. "
        smaller = [step.error for step in steps if step.neurons < best.neurons]
        falling = bool(smaller) and best.error < FALLS_STILL * smaller[-1]
        cause, remedy = limit_of(best, max(s.neurons for s in steps), falling, not smaller or best.error < min(smaller))
        text = (
            f"{asked}The best of {len(steps)} networks, with {best.neurons} neurons, has an estimated relative error "
            f"of {best.error:.1e}. {cause}{least_satisfied(known.residuals)}"
        )
        others = (*others, Message(EstimateWarning, text, remedy))
    return replace(best, diagnostics=replace(known, messages=others))
