"""How smooth an unknown coefficient should be: chosen from the noise of the data, on the triangle of the last step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.iterate.outcome import Outcome
from transnet.iterate.system import System
from transnet.rows.roughness import FLOOR, Roughness, noise_of

ROUNDS = 5
"""The most times that the weight is chosen; it seldom changes after the third time."""
SMOOTH = "what the data are to determine is smooth"
ALIKE = 2.0
"""A weight that changes by less than this factor has converged."""


def floor_of(system: System) -> np.ndarray | None:
    """A prior for all output weights if there is noise."""
    noisy = any(b.statement.noise is not None for b in system.blocks)
    return FLOOR * np.eye(system.basis.columns) if noisy else None


def regularised(system: System, outcome: Outcome, iterate: Callable[[Outcome], None]) -> bool:
    """Iterate with smooth coefficients, from the start of an outcome; return False if there is no reason for it.

    Rough coefficients follow the noise, and a linearisation there is of little use: so the weight is chosen again until
    it no longer changes.
    """
    floor = floor_of(system)
    rough = None if floor is None else Roughness.of(system.basis, system.blocks)
    if rough is None or floor is None:
        return False
    floor[rough.columns] = 0.0  # they have a prior of their own
    weight = 0.0
    for _ in range(ROUNDS):
        system.prior = floor
        linearised = system.linearise(outcome.iterate)
        system.weigh(linearised)
        triangle, _ = system.solve(linearised)
        noise = noise_of(system.blocks, system.weights)
        if noise is None:
            return False
        new, level = rough.chosen(triangle, *noise)
        if weight and 1.0 / ALIKE < weight / new < ALIKE:
            system.prior = np.concatenate([floor, rough.rows(weight, system.basis.columns)])
            break
        weight = new
        system.prior = np.concatenate([floor, rough.rows(weight, system.basis.columns)])
        outcome.status, outcome.reason = "limit reached", ""
        iterate(outcome)
        outcome.notes = [n for n in outcome.notes if not n.startswith(SMOOTH)] + [smoothed(weight, level)]
        if outcome.status != "converged":
            break
    return True


def smoothed(weight: float, level: float) -> str:
    """A description of what was done."""
    return (
        f"{SMOOTH}: second derivatives of the size {level / weight:.2g}, on the domain "
        f"scaled to [-1, 1], make the data most likely"
    )
