"""Coefficients from noisy data: Gauss-Newton iteration among the solutions of the equations.

The equations count a hundred times as much as the data, so the residual has a narrow and curved valley, along which an
iteration that treats all unknowns alike creeps. Here the iteration is over the coefficients alone, and the other
unknowns are solved for each time. That takes few steps.
"""

from __future__ import annotations

import numpy as np

from transnet.counts import STEPS
from transnet.errors import NotFiniteError
from transnet.iterate.coefficients import solved_for
from transnet.iterate.guess import with_coefficients
from transnet.iterate.outcome import Outcome, Watch
from transnet.iterate.system import Iterate, System
from transnet.rows.roughness import noise_of, sought
from transnet.solution.diagnostics import Step

SHORTEST = 2.0**-8
"""The shortest step that is tried, relative to the full Gauss-Newton step."""
FOLLOW, FALLS = 4, 0.9
"""How often the other unknowns are solved for with given coefficients, if they are in no linear equation, as long as
the residual falls by this factor."""
SETTLED, CLOSE = 1e-3, 0.1
"""The iteration ends when a step can gain no more than the first of these, in units of the squared noise (a thirtieth
of a standard error); if no step gains anything, it has converged below the second."""


def project(system: System, outcome: Outcome, watch: Watch) -> None:
    """Iterate from `outcome.iterate`, keeping the outcome up to date."""
    basis = system.basis
    others = np.ones(basis.columns, dtype=bool)
    for k in sought(system.blocks, basis):
        others[basis.slice_of(k)] = False
    begin = with_coefficients(system, outcome.iterate)
    system.weigh(system.linearise(begin))
    here, norm = _following(system, begin, others)
    for number in range(1, STEPS + 1):
        linearised = system.linearise(here)
        if system.weigh(linearised):
            norm = system.norm(here)
        triangle, found = system.solve(linearised)
        outcome.triangle, outcome.found, outcome.iterate = triangle, found, here
        if not np.isfinite(found.values).all():
            outcome.status, outcome.reason = "diverged", "the linearised problem has no finite solution"
            return
        noise = noise_of(system.blocks, system.weights)
        level = 1.0 if noise is None else noise[1]
        gain = (norm**2 - float(np.sum(triangle[basis.columns :, -1] ** 2))) / level**2
        there = system.iterate(found.values[:, 0])
        length, moved, new = _search(system, here, there, others, norm)
        if moved is None:
            settled = gain < CLOSE
            outcome.status = "converged" if settled else "stalled"
            outcome.reason = "" if settled else "no step along the coefficients reduces what is left of the data"
            return
        change = system.change(here, moved)
        gained = (norm**2 - new**2) / level**2
        here, norm = moved, new
        outcome.iterate = here
        outcome.steps.append(Step(number, watch.neurons, norm, change, length))
        watch(outcome.steps[-1])
        if gain < SETTLED or (length == 1.0 and gained < SETTLED):
            outcome.status, outcome.remaining = "converged", 0.0
            return


def _search(
    system: System, here: Iterate, there: Iterate, others: np.ndarray, norm: float
) -> tuple[float, Iterate | None, float]:
    """The first of the lengths 1, 1/2, 1/4, ... that reduces the misfit, the iterate there and its misfit."""
    length = 1.0
    while length >= SHORTEST:
        try:
            moved, new = _following(system, system.between(here, there, length), others)
        except (NotFiniteError, ValueError):
            new = np.inf
        if new < norm:
            return length, moved, new
        length /= 2
    return 0.0, None, norm


def _following(system: System, iterate: Iterate, others: np.ndarray) -> tuple[Iterate, float]:
    """The iterate with the same coefficients and the other unknowns solved for, and its misfit."""
    norm = system.norm(iterate)
    for _ in range(FOLLOW):
        assert iterate.coefficients is not None
        rows = system.rows_of(system.linearise(iterate))
        moved = system.iterate(solved_for(system, rows, iterate.coefficients, others))
        new = system.norm(moved)
        if not new < norm:
            break
        iterate, before, norm = moved, norm, new
        if new > FALLS * before:
            break
    return iterate, norm
