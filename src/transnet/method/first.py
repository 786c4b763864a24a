"""Verify first, search later: a network with the usual bandwidth, whose estimate shows whether more is needed."""

from __future__ import annotations

from math import inf, log, log10

import numpy as np

from transnet.choose.bandwidth import FILLS, PLAIN, Choice
from transnet.choose.compatible import FORCED, misfit_at_corners
from transnet.choose.effort import ENOUGH
from transnet.choose.enrich import Enrichment, enrichment_of
from transnet.choose.inner import may_have_inner_points
from transnet.choose.levels import CAP, in_dimension
from transnet.choose.spaces import spaces_for
from transnet.drive.driver import SCATTER
from transnet.drive.plan import Plan
from transnet.errors import undetermined
from transnet.geometry import Domain
from transnet.geometry.placement import Placement
from transnet.judge.estimate import FRACTIONS
from transnet.linalg.least_squares import QR
from transnet.method.one_size import solve_with
from transnet.rows.blocks import Block
from transnet.rows.nodes import Nodes
from transnet.rows.points import inside_of
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

CERTAIN = 1e-9
"""At this estimated error a search for bandwidths, or for singular features, has little left to gain."""
FAST = 1e3
"""If half of the network is this many times worse than nearly all of it nothing is singular, and another bandwidth is
worth a factor of three at most on smooth problems of the plane."""
STEADY = (2, 30.0)
"""Nothing is singular at convex corners if this part of the network, seven tenths, is this many times worse than nearly
all of it: nine loads and boundary values that do not fit there were below 15, six smooth ones above 37."""
PROMISING = 0.1
"""If the estimated error is below this and falls well, more neurons reach a tolerance sooner than a search."""
NEAR = 100.0
"""How many times the tolerance the error may be if it does not fall fast."""
FURTHER = 3
"""How many times as large as the first network a network may be before there is a search."""
BEYOND = 1.1
"""How far the band reaches beyond the frequency of waves that solve the equation."""
PER_MODE = (2.5, 0.15)
"""Neurons for each mode of a wave that solves the equation, and more for each digit (Helmholtz, k = 20 to 60)."""
ENRICHED = (4.3, 1.2)
"""Beside singular functions (a + b digits)^2 are enough (measured on a ring and an L-shape)."""
COARSE = {2: 80, 3: 200}
"""Neurons of the network on which Picard's iteration begins."""
REENTRANT = 1.1 * np.pi
"""The opening of a corner from which on waves alone see little of the solution: it has infinite derivatives there."""
GROUPS = {2: (16, 7.0, 4), 3: (20, 9.0, 8)}
"""The first network for a tolerance, (a + b digits) c neurons by dimension: what smooth solutions need."""


def usual(plan: Plan, looked: bool = False) -> tuple[Choice, int] | None:
    """The law of the usual bandwidth and a number of neurons to begin with; None where a search is needed at once.

    Around holes and at corners that reach into the domain singular functions stand beside the waves; with `looked` at
    all corners where the data ask for them, and it is None where they do not.
    """
    d = plan.problem.domain.dimension
    if not (plan.linear and len(plan.problem.unknowns) == 1 and d in GROUPS):
        return None
    if plan.engine is not None or type(plan.triangle_solver) is not QR:
        return None
    modes = (2.0 * frequency(plan) / np.pi) ** d
    tol = ENOUGH if plan.tol is None else plan.tol
    special = at_corners(plan) if looked else _singular(plan)
    if looked and special is None:
        return None
    size = first_size(d, tol, modes) if special is None else enriched_size(tol, modes)
    fill = _fill(d, modes, size)
    return Choice(d, (1, fill), (1, fill), np.ones(d), enrichment=special), size


def _fill(dimension: int, modes: float, size: int) -> float:
    return min(max(in_dimension(FILLS[1], dimension), BEYOND**dimension * modes / size), CAP[dimension])


def _singular(plan: Plan) -> Enrichment | None:
    """Singular functions, where the domain has holes or corners that reach into it, or conditions change on an edge."""
    if plan.problem.domain.dimension != 2 or not plan.denser_points:
        return None
    reaching = _reaching(plan.problem.domain) or may_have_inner_points(plan.problem)
    if not reaching and all(c.where is None for c in plan.problem.conditions):
        return None
    found = _enrichment(plan)
    reaching = _reaching(plan.problem.domain)
    return found if found is not None and (reaching or found.switches or found.inner) else None


def at_corners(plan: Plan) -> Enrichment | None:
    """Those of convex corners, where the data ask for them."""
    problem = plan.problem
    if problem.domain.dimension != 2 or not plan.denser_points or not problem.domain.corners_and_holes[0]:
        return None
    found = _enrichment(plan)
    if found is None:
        return None
    needed = FORCED < misfit_at_corners(problem, statements_of(problem), tuple(plan.values.values()), found) < inf
    return found if needed else None


def _enrichment(plan: Plan) -> Enrichment | None:
    """All singular functions that the domain may have."""
    # A few points show what kind of operator it is.
    points = inside_of(plan.problem.domain)
    blocks = [Block(s, Nodes(points)) for s in statements_of(plan.problem)]
    numbers = tuple(plan.values.values())
    # The leading part of a nonlinear equation is looked at for a solution of zero.
    states = [[np.zeros(len(points))] * len(b.statement.equation.slots) for b in blocks]
    linear = [
        b.linearise(numbers, None if plan.linear else s) if b.statement.kind == "equation" else None
        for b, s in zip(blocks, states, strict=True)
    ]
    found = enrichment_of(plan.problem, blocks, linear, numbers)
    return found if found is not None and found.corners else None


def _reaching(domain: Domain) -> bool:
    """Whether it has holes, or corners that reach into it."""
    corners, holes = domain.corners_and_holes
    return bool(holes) or any(c.opening() > REENTRANT for c in corners)


def frequency(plan: Plan) -> float:
    """The largest frequency, in the box [-1, 1]^d, of waves that solve the equation: k for Helmholtz' equation.

    It is that where a second derivative balances a term without derivatives; zero where their signs forbid it.
    """
    problem = plan.problem
    scale = Placement.of(problem.domain).scale
    equation = statements_of(problem)[0].equation
    points = inside_of(problem.domain)
    numbers = tuple(plan.values.values())
    terms = {
        i: float(np.mean(c)) for (_, i), c in zip(equation.slots, equation.jacobian(points, None, numbers), strict=True)
    }
    level = terms.get((0,) * len(scale), 0.0)
    found = [0.0]
    for axis, length in enumerate(scale):
        second = terms.get(tuple(2 * (k == axis) for k in range(len(scale))), 0.0)
        if level * second > 0:
            found.append(float(np.sqrt(level / second) * length))
    return max(found)


def first_network(plan: Plan, choice: Choice, neurons: int) -> Solution | None:
    """The solution with the usual bandwidth; None if it shows nothing."""
    found = solve_with(plan, (choice.space(neurons, plan.seed),))
    return None if undetermined(found.diagnostics.messages) else found


def first_of_nonlinear(plan: Plan) -> tuple[Choice | None, Solution | None]:
    """The usual law and a solution with it, of a size that goes with the tolerance; or nothing.

    What Picard's iteration begins on a small network Newton's ends on that one.
    """
    problem, d = plan.problem, plan.problem.domain.dimension
    if plan.linear or plan.tol is None or d not in GROUPS or type(plan.triangle_solver) is not QR:
        return None, None
    whole = all(len(u.args) == len(problem.coordinates) for u in problem.unknowns)
    if not whole or any(c.fitted for c in problem.conditions):
        return None, None
    special = None
    if _reaching(problem.domain):
        special = _enrichment(plan) if d == 2 and len(problem.unknowns) == 1 and plan.denser_points else None
        if special is None:
            return None, None
    size = first_size(d, plan.tol) if special is None else enriched_size(plan.tol)
    fill = in_dimension(PLAIN, d)
    law = Choice(d, (1, fill), (1, fill), np.ones(d), enrichment=special)
    start = None
    if plan.iteration[0].lagged:
        start = solve_with(plan, spaces_for(problem, law.space(COARSE[d], plan.seed)), judged=False)
    if start is None or start.status == "converged":
        found = solve_with(plan, spaces_for(problem, law.space(size, plan.seed)), start)
        if found.status == "interrupted" or (
            found.status == "converged" and not undetermined(found.diagnostics.messages)
        ):
            return law, found
    return None, None


def promising(plan: Plan, found: Solution, special: bool = False) -> bool:
    """Whether a few more neurons will reach the tolerance, judging by the parts of the network.

    Parameters
    ----------
    special : bool
        Whether it has the singular functions of its domain already.
    """
    wanted = CERTAIN if plan.tol is None else plan.tol
    if found.error <= wanted:
        return True
    nested, d = found.diagnostics.nested, plan.problem.domain.dimension
    if not (nested and found.error <= PROMISING and nested[0][1] > found.error):
        return False
    if not special and not fast(found) and found.error > NEAR * wanted:
        return False  # there may be something singular, for which there are better features
    first, whole = nested[0][0] ** (1 / d), found.neurons ** (1 / d)
    slope = log(nested[0][1] / found.error) / (whole - first)
    return bool((whole + log(found.error / wanted) / slope) ** d <= FURTHER * found.neurons)


def smooth(plan: Plan, found: Solution) -> bool:
    """Whether the network meets the tolerance, and its parts show that nothing is singular at a convex corner.

    What is singular there is missed by estimates of waves alone. Where waves solve the equation the smallest parts see
    nothing at all, which looks like a fast fall.
    """
    nested = [difference for _, difference in found.diagnostics.nested]
    if len(nested) != len(FRACTIONS) or SCATTER * found.error > (CERTAIN if plan.tol is None else plan.tol):
        return False
    return nested[STEADY[0]] > STEADY[1] * nested[-1] and (
        frequency(plan) == 0.0 or not plan.problem.domain.corners_and_holes[0]
    )


def fast(found: Solution) -> bool:
    """Whether the error falls so fast with the number of neurons that nothing can be singular."""
    nested = [difference for _, difference in found.diagnostics.nested]
    return len(nested) > 1 and nested[0] > FAST * nested[-1]


def first_size(dimension: int, tol: float, modes: float = 0.0) -> int:
    """The neurons with which a smooth solution usually has that error, and some for each mode that it must have."""
    base, slope, group = GROUPS[dimension]
    digits = -log10(tol)
    return group * int(base + slope * digits + (PER_MODE[0] + PER_MODE[1] * digits) * modes / group)


def enriched_size(tol: float, modes: float = 0.0) -> int:
    """The neurons that are needed beside singular functions in the plane."""
    base, slope = ENRICHED
    digits = -log10(tol)
    return 2 * int(0.5 * (base + slope * digits) ** 2 + 0.5 * (PER_MODE[0] + PER_MODE[1] * digits) * modes)
