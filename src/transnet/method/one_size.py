"""One network: its features chosen, and the problem solved with them (paper, Eq. ls)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.basis.reduce import reduced
from transnet.checks.places import refuse_too_few_rows
from transnet.choose.bandwidth import Choice, search_band
from transnet.choose.spaces import spaces_for
from transnet.choose.trials import Trials
from transnet.clock import Clock
from transnet.drive.plan import Plan
from transnet.engines.engine import factored_rows
from transnet.engines.shortage import refuse_if_too_large
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.iterate.continuation import continued
from transnet.iterate.guess import Guess
from transnet.iterate.nonlinear import solve_nonlinear
from transnet.iterate.regularise import smoothed
from transnet.judge.diagnose import diagnose
from transnet.linalg.memory import DOUBLE
from transnet.method.defaults import default_choice, further_functions
from transnet.rows.blocks import Block, Linearisation
from transnet.rows.collocation import collocate
from transnet.rows.roughness import FLOOR, Roughness, noise_of
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

Spaces = tuple[FeatureSpace, ...]
PILOT = {1: 60, 2: 150, 3: 300, 4: 400}
"""Neurons of the small network whose solution is used to linearise a nonlinear problem, by dimension."""
ENRICHED = 400
"""Neurons, of all unknowns together, of the networks that decide whether one of a given size has singular functions."""
SINGULAR = 10.0
"""How many times smaller the squared residual has to be for that."""


def features_for(plan: Plan, neurons: int) -> tuple[Choice, Solution | None]:
    """The features that suit a network of a given size, and for a nonlinear problem a small solution.

    If the user interrupts that small solve, its last iterate is returned, and the solve ends with it.
    """
    matrix = DOUBLE * (neurons * len(plan.problem.unknowns)) ** 2
    refuse_if_too_large(matrix, f"The triangle of a network of {neurons} neurons for each unknown")
    choice = default_choice(plan)[0]
    if plan.linear:
        pilot = None
    else:
        size = min(PILOT[choice.dimension], neurons)
        space = replace(choice, enrichment=None).space(size, plan.seed)
        pilot = solve_with(replace(plan, points=None, engine=None), spaces_for(plan.problem, space), judged=False)
        if pilot.status != "converged":
            return choice, pilot if pilot.status == "interrupted" else None
    trials = trials_of(plan, pilot)
    found = search_band(choice, trials, neurons)
    further = None if choice.enrichment is not None else further_functions(plan)
    if further is None:
        return found, pilot
    size = min(neurons, ENRICHED // len(plan.problem.unknowns))
    plain, rich = trials.at(size), trials.at(size, further)
    for level in (plain, rich):
        level.attempt(found.fill(size), np.log(found.axes))
    if SINGULAR * rich.residual > plain.residual:
        return found, pilot
    return search_band(replace(found, enrichment=further), trials, neurons), pilot


def trials_of(plan: Plan, known: Solution | None = None) -> Trials:
    """Small networks for the problem, linearised at a solution if it is nonlinear."""
    numbers = tuple(plan.values.values())

    def linearise(block: Block) -> Linearisation:
        if plan.linear or known is None:
            return block.linearise(numbers)
        return block.linearise(numbers, block.state(known.basis, known.coefficients))

    return Trials(plan.problem, statements_of(plan.problem), linearise, plan.seed)


def solve_with(
    plan: Plan, spaces: Spaces, start: Solution | None = None, clock: Clock | None = None, judged: bool = True
) -> Solution:
    """Solve with given features: a linear problem at once, a nonlinear one by iteration.

    Parameters
    ----------
    start : Solution, optional
        Where the iteration of a nonlinear problem starts; by default the plan's guess, stage by stage of its
        continuation.
    judged : bool
        Whether the result is judged; one that only leads to another solve need not be.
    """
    basis = Basis(spaces, Placement.of(plan.problem.domain))
    if plan.linear:
        return solve_linear(plan, basis, clock or Clock())

    def iterate(values: dict[sp.Symbol, Any], guess: Guess, ending: bool = False) -> Solution:
        strategy, statements = plan.end if ending else plan.iteration
        return solve_nonlinear(
            plan.problem, statements, basis, strategy, guess, values, plan.points, plan.triangle_solver, plan.seed,
            plan.progress, clock or Clock(), judged,
        )  # fmt: skip

    if start is None:
        return continued(iterate, plan.stages, plan.guess)
    if start.status == "converged" and plan.end is not plan.iteration:
        found = iterate(plan.values, start, ending=True)
        if found.status in ("converged", "interrupted"):
            return found
    return iterate(plan.values, start)


def solve_linear(plan: Plan, basis: Basis, clock: Clock) -> Solution:
    """Rows, one factorisation, the solution of the triangle, and how good it is."""
    problem, numbers = plan.problem, tuple(plan.values.values())
    blocks = collocate(problem, statements_of(problem), basis.columns, plan.points, plan.seed, basis.foci)
    refuse_too_few_rows(blocks, basis)
    clock.lap("points")
    notes: tuple[str, ...] = ()
    rough = Roughness.of(basis, blocks) if any(b.statement.noise is not None for b in blocks) else None
    linearised = [b.linearise(numbers) for b in blocks]
    factored, weights = factored_rows(blocks, basis, linearised, plan.engine, clock)
    noise = None if rough is None else noise_of(blocks, weights)
    if rough is not None and noise is not None:
        weight, level = rough.chosen(factored.array, *noise)
        floor = FLOOR * np.eye(basis.columns)
        floor[rough.columns] = 0.0  # they have a prior of their own
        prior = np.vstack([floor, rough.rows(weight, basis.columns)])
        factored = factored.absorb(np.asfortranarray(np.pad(prior, ((0, 0), (0, 1)))))
        notes = (smoothed(weight, level),)
    triangle, found = factored.array, factored.solve(plan.triangle_solver, basis.columns)
    if found.kept is not None:
        basis, triangle, found = reduced(basis, triangle, found)
    clock.lap("solve")
    diagnostics = replace(diagnose(problem, basis, blocks, weights, triangle, found, numbers, clock), notes=notes)
    return Solution(problem, basis, found.values[:, 0], plan.values, diagnostics, tuple(blocks))
