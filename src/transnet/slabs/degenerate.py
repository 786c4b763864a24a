"""Equations that lose their highest derivative somewhere, such as that of a porous medium where there is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.slabs.evolution import Evolution
from transnet.slabs.space import Space
from transnet.slabs.start import initial_state

VANISHES = 1e-3
"""A coefficient that is smaller than this part of its largest value vanishes."""


def degenerate(evolution: Evolution, space: Space, values: Sequence[Any]) -> str | None:
    """Where the coefficient of a highest derivative in space vanishes at the start; None if it does nowhere."""
    points = space.grid[0]
    if not points.shape[1]:
        return None
    state, at = initial_state(evolution, space, values), evolution.joined(points, np.array([evolution.start]))
    for statement in evolution.equations:
        equation = statement.equation
        parts = [(number, *evolution.split(index)) for number, index in equation.slots]
        slots = [
            space.at_grid(state[order, number], k) if order < evolution.orders[number] else np.zeros(len(points))
            for number, k, order in parts
        ]
        factors = equation.jacobian(at, None, values, slots)
        for (number, k, order), factor in zip(parts, factors, strict=True):
            sizes = np.abs(factor)
            if order or sum(k) < max(1, *evolution.space_orders[number]) or sizes.ndim == 0:
                continue
            if sizes.min() <= VANISHES * sizes.max():
                return _told(evolution, number, statement.label, points[int(np.argmin(sizes))])
    return None


def _told(evolution: Evolution, number: int, label: str, where: np.ndarray) -> str:
    coordinates = evolution.problem.coordinates
    names = [c.name for i, c in enumerate(coordinates) if i != evolution.axis]
    at = ", ".join(f"{name} = {value:.4g}" for name, value in zip(names, where, strict=True))
    u = evolution.problem.unknowns[number]
    return (
        f"The coefficient of the highest derivative of {u.func.__name__} in '{label}' vanishes at {at}: the equation "
        f"is degenerate there, and its solution has a front without derivatives, which polynomials cannot follow. Add "
        f"a little diffusion, or start from values that vanish nowhere"
    )
