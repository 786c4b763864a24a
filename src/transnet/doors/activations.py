"""Other activations in place of waves, for a network of a given size that does not resolve the solution.

Where a network may grow, or the domain may be cut, that is the better answer to a front. A network of a given size
cannot do either, and on a line steps of a hundred neurons follow a front that as many waves do not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import sqrt

import numpy as np

from transnet.basis.basis import Basis
from transnet.choose.spaces import spaces_for
from transnet.doors.network import solve_with
from transnet.doors.plan import Plan
from transnet.errors import undetermined
from transnet.features.space import FeatureSpace
from transnet.solution.solution import Solution

UNRESOLVED = 1e-3
"""The estimated error above which waves do not resolve the solution."""
LARGEST = 400
"""Columns of the largest network for which others are tried: eight of that size take half a second."""
SHAPES = (2.0, 4.0, 8.0, 16.0)
"""The shapes that are compared: at (x - 0.4) / 0.02 the best of them is 16, at a tenth of that steepness 2."""
RADIUS = 1.35
"""The radius of the ball of neurons, in units of that of the domain (see `features.scaling`)."""
BETTER = 0.5
"""The part of the residual at fresh points, and of the estimated error, that another activation has to leave."""


def with_other_activations(plan: Plan, waves: Solution) -> Solution:
    """The solution by waves, or by steps or bumps if these leave clearly less of a residual; the residual decides."""
    if not _may_be_better(plan, waves):
        return waves
    spaces = _candidates(plan.problem.domain.dimension, waves.neurons, plan.seed)
    found = [solve_with(plan, spaces_for(plan.problem, space)) for space in spaces]
    best = min(found, key=_residual)
    better = _residual(best) < BETTER * _residual(waves) and best.error < BETTER * waves.error
    return best if better and not undetermined(best.diagnostics.messages) else waves


def _may_be_better(plan: Plan, waves: Solution) -> bool:
    d, basis = plan.problem.domain.dimension, waves.basis
    if not plan.linear or waves.error <= UNRESOLVED or plan.engine is not None:
        return False
    if not isinstance(basis, Basis) or basis.columns > LARGEST or any(len(s.singular) for s in basis.spaces):
        return False
    whole = all(len(u.args) == d for u in plan.problem.unknowns)
    return whole and not undetermined(waves.diagnostics.messages)


def _candidates(dimension: int, neurons: int, seed: int) -> Iterator[FeatureSpace]:
    for activation, shape in product(("tanh", "gauss"), SHAPES):
        yield FeatureSpace.uniform(dimension, neurons, shape, RADIUS * sqrt(dimension), activation, seed=seed)


def _residual(solution: Solution) -> float:
    """The relative residuals of all statements at fresh points."""
    return float(np.hypot.reduce([r.relative for r in solution.diagnostics.residuals]))
