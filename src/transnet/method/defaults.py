"""The features of a first network: the default bandwidth, a size for the goal, singular functions where they count."""

from __future__ import annotations

from math import log10

import numpy as np

from transnet.choose.bandwidth import DEFAULT, Choice
from transnet.choose.effort import GOOD
from transnet.choose.enrich import Enrichment, enrichment_of
from transnet.choose.free_waves import free_waves
from transnet.choose.inner import may_have_inner_points
from transnet.choose.trials import CAP, in_dimension
from transnet.drive.plan import Plan
from transnet.errors import NotFiniteError
from transnet.features.placement import Placement
from transnet.geometry import Domain
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.points import inside_of
from transnet.rows.statements import statements_of

SIZES = {1: (20.0, 5.0), 2: (64.0, 28.0), 3: (160.0, 72.0), 4: (400.0, 100.0)}
"""The neurons that smooth solutions need for some digits, a + b digits, by dimension."""
ENRICHED = (4.3, 1.2)
"""Beside singular functions (a + b digits)^2 are enough (measured on a ring and an L-shape)."""
BEYOND = 1.1
"""How far the band reaches beyond the frequency of waves that solve the equation."""
PER_MODE = (2.5, 0.15)
"""Neurons for each mode of a wave that solves the equation, and more for each digit (Helmholtz, k = 20 to 60)."""
REENTRANT = 1.1 * np.pi
"""The opening of a corner from which on waves alone see little of the solution: it has infinite derivatives there."""


def default_choice(plan: Plan) -> tuple[Choice, int]:
    """The law of the first networks, and the neurons of the first one."""
    d, goal = plan.problem.domain.dimension, plan.effort.goal
    # What is fitted to noisy data has the digits of the noise: a larger network only follows it.
    fitted = any(c.fitted for c in plan.problem.conditions)
    goal = max(goal, GOOD) if any(c.noise is not None for c in plan.problem.conditions) else goal
    special = needed_functions(plan)
    scalar = plan.linear and len(plan.problem.unknowns) == 1
    waves = free_waves(plan.problem, tuple(plan.values.values())) if scalar else 0.0
    modes = float(np.max(2.0 / np.pi * waves * Placement.of(plan.problem.domain).scale)) ** d
    few = special is not None and special.corners
    size = enriched_size(goal, modes) if few else first_size(d, goal, modes)
    # On a line what is fitted to data follows their noise if the band is wide.
    fill = min(max(DEFAULT if fitted and d == 1 else in_dimension(DEFAULT, d), BEYOND**d * modes / size), CAP[d])
    return Choice.of_fill(d, fill, special), size


def first_size(dimension: int, goal: float, modes: float = 0.0) -> int:
    """The neurons with which a smooth solution usually has that error, and some for each mode that it must have."""
    base, slope = SIZES[dimension]
    digits = -log10(goal)
    return 2 * int(0.5 * (base + slope * digits + (PER_MODE[0] + PER_MODE[1] * digits) * modes))


def enriched_size(goal: float, modes: float = 0.0) -> int:
    """The neurons that are needed beside singular functions in the plane."""
    base, slope = ENRICHED
    digits = -log10(goal)
    return 2 * int(0.5 * (base + slope * digits) ** 2 + 0.5 * (PER_MODE[0] + PER_MODE[1] * digits) * modes)


# -- singular functions ------------------------------------------------------------------------------------------------
def needed_functions(plan: Plan) -> Enrichment | None:
    """The singular functions without which a first network is lost: where the domain has holes or corners that reach
    into it, where conditions change on an edge, and where the equation is singular."""
    found = further_functions(plan)
    if found is None:
        return None
    needed = (found.corners and reaching(plan.problem.domain)) or found.switches or found.reaching
    return found if needed else None


def further_functions(plan: Plan) -> Enrichment | None:
    """All singular functions that the problem may have: they may begin to matter only after the rest is resolved."""
    return singular_functions(plan) if _possible(plan) else None


def _possible(plan: Plan) -> bool:
    """Whether there may be any, and points may be placed where they need them."""
    problem = plan.problem
    if problem.domain.dimension != 2 or not plan.denser_points:
        return False
    restricted = any(c.where is not None for c in problem.conditions)
    return any(problem.domain.corners_and_holes) or restricted or may_have_inner_points(problem)


def singular_functions(plan: Plan) -> Enrichment | None:
    """The singular functions of the domain and the equation."""
    # A few points show what kind of operator it is.
    points, numbers = inside_of(plan.problem.domain), tuple(plan.values.values())
    blocks = [Block(s, Nodes(points)) for s in statements_of(plan.problem)]
    # The leading part of a nonlinear equation is looked at for a solution of zero.
    states = [[np.zeros(len(points))] * len(b.statement.equation.slots) for b in blocks]
    try:
        linear = [
            b.linearise(numbers, None if plan.linear else s) if b.statement.kind == "equation" else None
            for b, s in zip(blocks, states, strict=True)
        ]
    except NotFiniteError:
        return None  # an equation has no value there, as where it divides by an unknown
    return enrichment_of(plan.problem, blocks, linear, numbers)


def reaching(domain: Domain) -> bool:
    """Whether it has holes, or corners that reach into it."""
    corners, holes = domain.corners_and_holes
    return bool(holes) or any(c.opening() > REENTRANT for c in corners)
