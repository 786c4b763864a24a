"""One network: of a given size, or of sizes that grow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, log

import numpy as np

from transnet.choose.bandwidth import search_band
from transnet.choose.effort import ENOUGH, FREE, GOOD
from transnet.choose.limits import limit_of
from transnet.choose.spaces import spaces_for
from transnet.choose.trials import MORE_THAN
from transnet.clock import Clock
from transnet.drive.driver import UNRESOLVED
from transnet.drive.facts import Facts
from transnet.drive.method import LAST_RESORT, Fit, Judged, Level, Refusal, dense_seconds
from transnet.drive.plan import Plan
from transnet.errors import undetermined
from transnet.features.space import FeatureSpace
from transnet.method.defaults import default_choice, first_size, further_functions
from transnet.method.one_size import features_for, solve_with, trials_of
from transnet.remedies import Remedy
from transnet.solution.diagnostics import Tried
from transnet.solution.solution import Solution

SMALLEST = 50
LARGEST = {1: 2000, 2: 2400, 3: 6500, 4: 6500}
"""Neurons per unknown of the smallest and the largest network that are tried, the latter by dimension."""
COLUMNS = 6_500
"""The most coefficients of all unknowns together."""
BACKWARD = 200
"""Neurons for a backward heat equation, for which no network is better than another."""
COARSE = {1: 40, 2: 80, 3: 200, 4: 300}
"""Neurons of the network on which Picard's iteration begins, by dimension."""
SEARCH = 8.0
"""The time to find features, and of the networks before the last, in units of that of the last network: around holes
and at corners 2 to 20 were measured on random problems."""
UNKNOWN = 2
"""What a network with features that are searched for may need, in units of the first: its rate is not known yet."""
MORE_FOR = (2, 1.5)
"""In the plane corners and holes have functions of their own, half as many as there are neurons."""
STEPS = 8.0
"""The linear solves of an iteration, with its pilot."""
FURTHER = 3.0
"""If more than this many times as many neurons are predicted to be needed, other features are searched for."""
RESOLVED = 1e-3
"""And if the estimated error is above this."""
LEAST, MOST = 1.2, 2.5
"""How many times as large a network is as the one before it. With larger first steps ten digits take a tenth longer,
with last ones of 1.5 they are missed by a factor of 2.5 (benchmarks/constants.py growth)."""
FALLS_STILL = 0.3
"""An error that falls this much from one network to the next, about twice as large, is not limited by a corner: at one
of r^(2/3) it falls by 0.6 to 0.8, at a smooth peak by 0.05 to 0.2."""

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
        size = plan.neurons or first_size(min(d, MORE_THAN), plan.effort.goal)
        seconds = dense_seconds(size * unknowns) * (1.0 if facts.linear else STEPS)
        if plan.neurons is None and plan.spaces is None and d == MORE_FOR[0] and any(domain.corners_and_holes):
            seconds = SEARCH * dense_seconds(MORE_FOR[1] * size * unknowns) * (1.0 if facts.linear else STEPS)
            seconds *= 1.0 if unknowns == 1 else UNKNOWN * max(len(domain.corners_and_holes[1]), 1)
        why = f"about {size} neurons for each unknown"
        if plan.spaces is None and plan.neurons is None and (facts.block_edges or facts.jumping or facts.edged):
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
            yield from grown_networks(plan)

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
    clock, usual = Clock(), None
    if plan.linear:
        space = default_choice(plan)[0].space(neurons, plan.seed)
        usual = solve_with(plan, spaces_for(plan.problem, space), None, clock)
        if usual.error <= ENOUGH and not undetermined(usual.diagnostics.messages):
            return usual  # there is little left for a search to gain
    choice, pilot = features_for(plan, neurons)
    clock.lap("choose")
    if pilot is not None and pilot.status == "interrupted":
        return pilot
    start = pilot if pilot is not None and plan.iteration[0].cascade else None
    found = solve_with(plan, spaces_for(plan.problem, choice.space(neurons, plan.seed)), start, clock)
    if start is None:
        # The search compares smaller networks, which may mistake what this one needs.
        return usual if usual is not None and usual.error < found.error else found
    steps = (*start.diagnostics.steps, *found.diagnostics.steps)
    return replace(found, diagnostics=replace(found.diagnostics, steps=steps))


def grown_networks(plan: Plan, solve_at: SolveAt | None = None) -> Iterator[Judged]:
    """Networks of growing size, with the default features until they converge too slowly.

    Parameters
    ----------
    solve_at : callable, optional
        Solves with a given space; it also receives the previous solution.
    """
    solve_at = solve_at or partial(solve_from, plan)
    choice, size = default_choice(plan)
    d, unknowns, goal = choice.dimension, len(plan.problem.unknowns), plan.effort.goal
    largest = max(min(LARGEST[d], COLUMNS // unknowns), SMALLEST)
    iterations = 1.0 if plan.linear else STEPS
    size = min(size, largest)
    sizes: list[tuple[int, float]] = []
    previous: Solution | None = None
    searched = False
    while True:
        found = solve_at(choice.space(size, plan.seed), previous)
        unsure = undetermined(found.diagnostics.messages) and found.status != "interrupted"
        if unsure and choice.enrichment is not None:
            # The points may not determine the singular features: try waves alone.
            choice = replace(choice, enrichment=None)
            continue
        previous = found = _with_notes(found, previous)
        sizes.append((size, found.error))
        nested = found.diagnostics.nested
        wanted = size_for(sizes, goal, d, nested)
        worse = len(sizes) > 1 and sizes[-1][1] > sizes[-2][1]
        factor = min(max(wanted / size, LEAST), MOST)
        slow = wanted > FURTHER * size or worse or found.error > RESOLVED
        # A plain solve takes what is nearly free: beyond that a search gains more digits than neurons do.
        slow |= plan.tol is None and dense_seconds(factor * size * unknowns) > FREE
        again = slow and not searched and found.error > goal and (plan.linear or found.status == "converged")
        # The rate of the default features says nothing of those that are searched for.
        factor = 1.0 if again else factor
        following = min(2 * int(np.ceil(0.5 * size * factor)), largest)

        def ahead(error: float, nested: tuple[tuple[int, float], ...] = nested, searched: bool = searched) -> float:
            needed = min(size_for([before, sizes[-1]], error, d, nested) for before in sizes[:-1] or sizes)
            # Features that are searched for may do better.
            needed = needed if searched else min(needed, UNKNOWN * first_size(d, GOOD))
            return inf if needed > LARGEST[d] else iterations * SEARCH * dense_seconds(needed * unknowns)

        after = inf if following <= size and not again else iterations * dense_seconds(following * unknowns)
        yield Judged(found, _words(found), iterations * dense_seconds(size * unknowns), after, ahead)
        if following <= size and not again:
            return
        if slow and (plan.linear or found.status == "converged"):
            if choice.enrichment is None and not searched:
                choice = replace(choice, enrichment=further_functions(plan))
            choice = search_band(choice, trials_of(plan, found), following)
            searched = True
        size = following


def solve_from(plan: Plan, space: FeatureSpace, previous: Solution | None) -> Solution:
    """The solution with a space, started from the previous one; what Picard's iteration begins on a small network
    Newton's ends on that one."""
    start = previous if previous is not None and previous.status == "converged" else None
    if previous is None and not plan.linear and plan.iteration[0].lagged:
        small = spaces_for(plan.problem, default_choice(plan)[0].space(COARSE[space.dimension], plan.seed))
        start = solve_with(plan, small, judged=False)
        if start.status == "interrupted":
            return start
        start = start if start.status == "converged" else None
    return solve_with(plan, spaces_for(plan.problem, space), start)


def _with_notes(found: Solution, previous: Solution | None) -> Solution:
    """What was decided for the first network stands in the report of each."""
    if previous is None or not previous.diagnostics.notes:
        return found
    notes = tuple(dict.fromkeys((*previous.diagnostics.notes, *found.diagnostics.notes)))
    return replace(found, diagnostics=replace(found.diagnostics, notes=notes))


def size_for(
    sizes: Sequence[tuple[int, float]], goal: float, dimension: int, nested: Sequence[tuple[int, float]] = ()
) -> float:
    """The neurons that root-exponential convergence, error ~ exp(-c M^(1/d)), predicts for an error.

    The slope is that of the last two networks, or of the first half of the only one there is to the whole; twice as
    many if the error does not fall, or nothing is resolved yet.
    """
    neurons, error = sizes[-1]
    before = next((s for s in sizes[-2::-1] if s[0] < neurons), nested[0] if nested else (0, 0.0))
    if not (before[0] > 0 and 0 < error < before[1]) or error > UNRESOLVED:
        return 2.0 * neurons
    if error <= 0.5 * goal:
        return float(neurons)
    roots = [n ** (1 / dimension) for n in (before[0], neurons)]
    slope = log(before[1] / error) / (roots[1] - roots[0])
    return float((roots[1] + log(error / (0.5 * goal)) / slope) ** dimension)
