"""One network: of a given size, or of sizes that grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, log

import numpy as np

from transnet.choose.bandwidth import Choice
from transnet.choose.effort import FREE
from transnet.choose.levels import MORE_THAN
from transnet.choose.limits import ROUNDING, limit_of
from transnet.choose.spaces import spaces_for
from transnet.clock import Clock
from transnet.drive.facts import Facts
from transnet.drive.method import LAST_RESORT, Fit, Judged, Level, Refusal, dense_seconds
from transnet.drive.plan import Plan
from transnet.errors import undetermined
from transnet.features.space import FeatureSpace
from transnet.method.first import (
    FURTHER,
    GROUPS,
    first_network,
    first_of_nonlinear,
    first_size,
    good_enough,
    promising,
    smooth,
    usual,
)
from transnet.method.one_size import features_for, solve_with
from transnet.remedies import Remedy
from transnet.solution.diagnostics import Tried
from transnet.solution.solution import Solution

SMALLEST = 50
START = {1: 40, 2: 200, 3: 600, 4: 800}
LARGEST = {1: 2000, 2: 2400, 3: 6500, 4: 6500}
"""Neurons per unknown of the smallest, the first and the largest network that are tried, by dimension."""
COLUMNS = 6_500
"""The most coefficients of all unknowns together."""
BACKWARD = 200
"""Neurons for a backward heat equation, for which no network is better than another."""
SEARCH = 4.0
"""The time to find features, and of the networks before the last, in units of that of the last network."""
SEARCHED = 4
"""What a network with features that are searched for may need, in units of the first: its rate is not known yet."""
MORE_FOR = (2, 1.5)
"""In the plane corners and holes have functions of their own, half as many as there are neurons."""
CLOSE = 100.0
"""Within so many times the goal a network grows on from where it is, also with other features."""
STEPS = 8.0
"""The linear solves of an iteration, with its pilot."""
RESOLVED = 1e-3
"""Above this estimated error, and if more neurons were worse, bandwidths are compared again at the next size."""
FALLING = 10.0
"""If the error of mirrored networks falls by this factor nothing is singular, and they stay as cheap as they are."""
SMALLEST_STEP, LARGEST_STEP = 1.2, 2.5
"""How many times as large a network is as the one before it. With larger first steps ten digits take a tenth longer,
with last ones of 1.5 they are missed by a factor of 2.5 (benchmarks/constants.py growth)."""
FALLS_STILL = 0.3
"""An error that falls this much from one network to the next, about twice as large, is not limited by a corner: at one
of r^(2/3) it falls by 0.6 to 0.8, at a smooth peak by 0.05 to 0.2."""
ALIKE = 30.0
"""If half of the network is at most this many times further from the whole than nearly all of it is, bandwidth is
missing, not neurons."""
ABOVE = 10.0
"""Above this many times rounding the differences of networks still show how they converge."""

Begun = tuple[Choice | None, Solution | None]
"""The usual law and the solution of a first network, as far as they are available."""
SolveAt = Callable[[FeatureSpace, Solution | None], Solution]


@dataclass(frozen=True)
class Network:
    """One network of waves, with singular functions where the domain has holes and corners."""

    name: str = "network"
    options: frozenset[str] = frozenset(
        {"neurons", "space", "points", "solver", "strategy", "guess", "continuation", "engine"}
    )
    floor: float = 1e-3
    universal: bool = True

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        d, unknowns, domain = facts.dimension, len(facts.problem.unknowns), facts.problem.domain
        if facts.materials:
            return Refusal("the domain consists of pieces, each of which needs features of its own")
        if d > MORE_THAN and plan.spaces is None:
            return Refusal(f"in {d} coordinates one network would need too many neurons")
        size = plan.neurons or (first_size(d, plan.effort.goal) if d in GROUPS else START.get(d, START[4]))
        seconds = dense_seconds(size * unknowns) * (1.0 if facts.linear else STEPS)
        if plan.neurons is None and plan.spaces is None and d == MORE_FOR[0] and any(domain.corners_and_holes):
            seconds = SEARCH * dense_seconds(MORE_FOR[1] * size * unknowns) * (1.0 if facts.linear else STEPS)
            seconds *= 1.0 if unknowns == 1 else SEARCHED
        why = f"about {size} neurons for each unknown"
        if plan.spaces is None and plan.neurons is None and (facts.jumping or facts.edged):
            return Fit(LAST_RESORT, f"{why}; values jump or derivatives are unbounded, which it resolves badly")
        if plan.spaces is None and plan.neurons is None and facts.marches and not facts.backward:
            return Fit(LAST_RESORT, f"{why} of space and time together")
        return Fit(seconds, why)

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        plan = replace(plan, problem=facts.problem)
        if plan.spaces is not None:
            yield Judged(found := solve_with(plan, plan.spaces), _words(found), last=True)
        elif plan.neurons is not None or facts.backward:
            yield Judged(found := of_given_size(plan, plan.neurons or BACKWARD), _words(found), last=True)
        else:
            yield from growing(plan, begin(plan))

    def cause(self, best: Solution, tried: Sequence[Tried]) -> tuple[str, Remedy]:
        """What limits the accuracy, in words, and what to do."""
        smaller = [step.error for step in tried if step.neurons < best.neurons]
        falling = bool(smaller) and best.error < FALLS_STILL * smaller[-1]
        most = max(s.neurons for s in tried)
        cause, remedy = limit_of(best, most, falling, not smaller or best.error < min(smaller))
        return (
            f"The best of {len(tried)} networks, with {best.neurons} neurons, has an estimated relative error of "
            f"{best.error:.1e}. {cause}"
        ), remedy


def _words(found: Solution) -> str:
    return f"network of {found.neurons} neurons"


def of_given_size(plan: Plan, neurons: int) -> Solution:
    """One network of a given size, with features that suit the problem."""
    clock = Clock()
    law = usual(plan, neurons)
    first = None if law is None else first_network(plan, *law)
    if first is not None and good_enough(first):
        return first
    choice, pilot = features_for(plan, neurons)
    clock.lap("choose")
    if pilot is not None and pilot.status == "interrupted":
        return pilot
    start = pilot if pilot is not None and plan.iteration[0].cascade else None
    found = solve_with(plan, spaces_for(plan.problem, choice.space(neurons, plan.seed)), start, clock)
    if start is None:
        return found
    steps = (*start.diagnostics.steps, *found.diagnostics.steps)
    return replace(found, diagnostics=replace(found.diagnostics, steps=steps))


def begin(plan: Plan) -> Begun:
    """A first network with the usual bandwidth."""
    if not plan.linear:
        return first_of_nonlinear(plan)
    usually = usual(plan)
    if usually is None:
        return None, None
    first = first_network(plan, *usually)
    if first is None or usually[0].enrichment is not None or smooth(plan, first):
        return usually[0], first
    cornered = usual(plan, looked=True)
    return (usually[0], first) if cornered is None else (cornered[0], first_network(plan, *cornered))


def growing(plan: Plan, begun: Begun) -> Iterator[Level]:
    """Networks that grow: with the usual law as long as that is promising, then with features that are searched for."""
    law, first = begun
    pilot: Solution | None = None
    begun_at: int | None = None

    def solve_at(space: FeatureSpace, previous: Solution | None) -> Solution:
        start = previous or pilot
        converged = start is not None and start.status == "converged"
        return solve_with(plan, spaces_for(plan.problem, space), start if converged else None)

    if law is not None and first is not None:
        larger = dense_seconds(SMALLEST_STEP * first.neurons * len(plan.problem.unknowns))
        # Beyond what is nearly free a search for better features gains more digits than neurons do.
        hopeful = promising(plan, first, law.enrichment is not None) and (plan.tol is not None or larger <= FREE)
        most = FURTHER * first.neurons if hopeful else first.neurons
        for level in grown_networks(law, plan, solve_at, first, most):
            yield level
        last = level.found
        begun_at = last.neurons if last.error <= CLOSE * plan.effort.goal else None
    choice, pilot = features_for(plan, known=None if plan.linear else first)
    if pilot is not None and pilot.status == "interrupted":
        yield Judged(pilot, _words(pilot))
        return
    for level in grown_networks(choice, plan, solve_at, begun_at=begun_at):
        yield _with_notes(level, pilot)


def _with_notes(level: Judged, pilot: Solution | None) -> Judged:
    """What was decided for the pilot stands in the report of each network."""
    if pilot is None or not pilot.diagnostics.notes:
        return level
    known = level.found.diagnostics
    notes = tuple(dict.fromkeys((*pilot.diagnostics.notes, *known.notes)))
    return replace(level, found=replace(level.found, diagnostics=replace(known, notes=notes)))


def grown_networks(
    choice: Choice,
    plan: Plan,
    solve_at: SolveAt,
    first: Solution | None = None,
    most: int | None = None,
    begun_at: int | None = None,
) -> Iterator[Judged]:
    """Networks of growing size by one law, which is adapted on the way: singular functions where they are missed, a
    wider band where the band limits.

    Parameters
    ----------
    solve_at : callable
        Solves with a given space; it also receives the previous solution.
    first : Solution, optional
        The solution of the first network, if it is solved already.
    most : int, optional
        The most neurons.
    begun_at : int, optional
        The neurons to begin with.
    """
    d, unknowns, goal = choice.dimension, len(plan.problem.unknowns), plan.effort.goal
    largest = max(min(most or LARGEST[d], LARGEST[d], COLUMNS // unknowns), SMALLEST)
    iterations = 1.0 if plan.linear else STEPS
    size = min(begun_at or START[d], largest) if first is None else first.neurons
    sizes: list[tuple[int, float]] = []
    previous: Solution | None = None
    narrower: Choice | None = None  # the law before its band was widened, to return to if that does not help
    wide = False
    while True:
        found = first if first is not None and not sizes else solve_at(choice.space(size, plan.seed), previous)
        unsure = undetermined(found.diagnostics.messages) and found.status != "interrupted"
        if unsure and choice.enrichment is not None:
            # The points may not determine the singular features: try waves alone.
            choice = choice.plain()
            continue
        previous = found
        sizes.append((size, found.error))
        wanted = size_for(sizes, goal, d, found.diagnostics.nested)
        factor = min(max(wanted / size, SMALLEST_STEP), LARGEST_STEP)
        following = min(choice.group * int(np.ceil(size * factor / choice.group)), largest)
        done = following <= size
        seconds = iterations * dense_seconds(size * unknowns)

        def ahead(error: float, size: int = size, nested: tuple[tuple[int, float], ...] = found.diagnostics.nested):  # type: ignore[no-untyped-def]
            needed = min(size_for([before, sizes[-1]], error, d, nested) for before in sizes[:-1] or sizes)
            # Beyond the usual law features that are searched for may do better.
            needed = needed if most is None else min(needed, SEARCHED * START[d])
            return inf if needed > LARGEST[d] else iterations * SEARCH * dense_seconds(needed * unknowns)

        after = dense_seconds((START[d] if done else following) * unknowns) * iterations
        after = inf if done and most is None else after
        yield Judged(found, _words(found), seconds, after, ahead)
        if done:
            return
        size = following
        worse = len(sizes) > 1 and sizes[-1][1] > sizes[-2][1]
        if len(sizes) > 1 and not (choice.mirrors is not None and sizes[-1][1] < sizes[-2][1] / FALLING):
            choice = choice.enriched()  # corners and holes may begin to matter only after the rest is resolved
        if narrower is not None and worse:
            choice, narrower, wide = choice.with_band_of(narrower), None, True
        elif worse or found.error > RESOLVED:
            choice = choice.raced(size)
        elif _bandwidth_limited(found) and not wide:
            narrower, choice = choice, choice.widened(2.0)
        else:
            narrower = None


def _bandwidth_limited(solution: Solution) -> bool:
    """Whether half of the network is nearly as good as the whole, so that bandwidth is missing, not neurons.

    The parts of the network are also alike before the solution is resolved at all, so that is checked first.
    """
    nested = [difference for _, difference in solution.diagnostics.nested]
    resolved = ABOVE * ROUNDING < solution.error < RESOLVED
    return resolved and len(nested) > 1 and nested[0] < ALIKE * nested[-1]


def size_for(
    sizes: Sequence[tuple[int, float]], goal: float, dimension: int, nested: Sequence[tuple[int, float]] = ()
) -> float:
    """The neurons that root-exponential convergence, error ~ exp(-c M^(1/d)), predicts for an error.

    The slope is that of the last two networks, or of the first half of the only one there is to the whole; twice as
    many if the error does not fall.
    """
    neurons, error = sizes[-1]
    before = sizes[-2] if len(sizes) > 1 else nested[0] if nested else (0, 0.0)
    if not (before[0] > 0 and 0 < error < before[1]):
        return 2.0 * neurons
    if error <= 0.5 * goal:
        return float(neurons)
    roots = [n ** (1 / dimension) for n in (before[0], neurons)]
    slope = log(before[1] / error) / (roots[1] - roots[0])
    return float((roots[1] + log(error / (0.5 * goal)) / slope) ** dimension)
