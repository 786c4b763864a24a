"""One network: of a given size, or growing until it is good enough."""

from __future__ import annotations

from dataclasses import replace

from transnet.choose.bandwidth import Choice
from transnet.choose.grow import grow
from transnet.choose.spaces import spaces_for
from transnet.clock import Clock
from transnet.doors.activations import with_other_activations
from transnet.doors.first import (
    FURTHER,
    content,
    first_network,
    first_of_nonlinear,
    good_enough,
    promising,
    smooth,
    usual,
)
from transnet.doors.network import features_for, solve_with
from transnet.doors.plan import Plan
from transnet.features.space import FeatureSpace
from transnet.solution.solution import Solution

Begun = tuple[Choice | None, Solution | None]
"""The usual law and the solution of a first network, as far as they are available."""


def with_chosen_features(plan: Plan, neurons: int) -> Solution:
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
        return with_other_activations(plan, found)
    steps = (*start.diagnostics.steps, *found.diagnostics.steps)
    return replace(found, diagnostics=replace(found.diagnostics, steps=steps))


def one_block(plan: Plan) -> Solution:
    """Space and time as one network, of a given size or growing."""
    return growing(plan, begin(plan)) if plan.neurons is None else with_chosen_features(plan, plan.neurons)


def begin(plan: Plan, most: int | None = None) -> Begun:
    """A first network with the usual bandwidth; none if it would have more neurons than `most`."""
    if not plan.linear:
        return first_of_nonlinear(plan)
    usually = usual(plan)
    if usually is None or (most is not None and usually[1] > most):
        return None, None
    first = first_network(plan, *usually)
    if first is None or usually[0].enrichment is not None or smooth(plan, first):
        return usually[0], first
    cornered = usual(plan, looked=True)
    return (usually[0], first) if cornered is None else (cornered[0], first_network(plan, *cornered))


def growing(plan: Plan, begun: Begun) -> Solution:
    """Networks that grow until the estimated error is below the tolerance."""
    unknowns = len(plan.problem.unknowns)
    pilot: Solution | None = None

    def solve_at(space: FeatureSpace, previous: Solution | None) -> Solution:
        start = previous or pilot
        converged = start is not None and start.status == "converged"
        return solve_with(plan, spaces_for(plan.problem, space), start if converged else None)

    with plan.shown() as shown:
        law, first = begun
        if first is not None and first.status == "interrupted":
            return first
        if law is not None and first is not None and promising(plan, first, law.enrichment is not None):
            found = grow(law, unknowns, solve_at, plan.effort, plan.seed, shown, first, FURTHER * first.neurons)
            if content(plan, found):
                return found
        choice, pilot = features_for(plan, known=None if plan.linear else first)
        if pilot is not None and pilot.status == "interrupted":
            return pilot
        found = grow(choice, unknowns, solve_at, plan.effort, plan.seed, shown)
    if pilot is None or not pilot.diagnostics.notes:
        return found
    notes = (*pilot.diagnostics.notes, *found.diagnostics.notes)
    return replace(found, diagnostics=replace(found.diagnostics, notes=tuple(dict.fromkeys(notes))))
