"""The initial state: the unknowns, and their time derivatives below the highest, according to the conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transnet.errors import ProblemError
from transnet.rows.points import where_mask
from transnet.slabs.evolution import Evolution
from transnet.slabs.space import Space
from transnet.tolerances import PRECISION, ROUNDED

STEPS = 30
"""The most Newton steps for initial values given by a nonlinear equation."""


def refuse_undetermined(evolution: Evolution) -> None:
    """Raise if no condition gives the initial value of an unknown, or a time derivative that it needs."""
    time = evolution.time
    given = {(number, evolution.split(index)[1]) for s in evolution.initial for number, index in s.equation.slots}
    for number, order in enumerate(evolution.orders):
        for k in range(order):
            if (number, k) not in given:
                u = evolution.problem.unknowns[number]
                what = u if k == 0 else f"its derivative of order {k} by {time}"
                raise ProblemError(
                    f"{u} has derivatives of order {order} by {time}, but nothing is said of {what} at {time} = "
                    f"{evolution.start:g}. Add an initial condition, tn.on('{time}={evolution.start:g}', ...)."
                )


def initial_state(evolution: Evolution, space: Space, values: Sequence[Any]) -> np.ndarray:
    """u_0, u_0', ... as coefficients: (highest order, unknowns, columns)."""
    orders, n, t = evolution.orders, space.columns, np.array([evolution.start])
    state = np.zeros((max(orders), len(orders), n))
    wanted = [(k, u) for u, order in enumerate(orders) for k in range(order)]
    points, weights = space.grid
    root = np.sqrt(weights)[:, None]
    places = evolution.joined(points, t)
    made: dict[tuple[int, ...], np.ndarray] = {}
    if all(says_one(evolution, s) for s in evolution.initial) and len(evolution.initial) == len(wanted):
        for statement in evolution.initial:
            (number, index), equation = statement.equation.slots[0], statement.equation
            factor = equation.jacobian(places, None, values)[0]
            right = -equation.residual(places, None, values) / factor
            state[evolution.split(index)[1], number] = space.project(right)
        return state
    linear = all(s.equation.linear for s in evolution.initial)
    for _ in range(1 if linear else STEPS):
        blocks, rights = [], []
        for statement in evolution.initial:
            equation = statement.equation
            parts = [(number, *evolution.split(index)) for number, index in equation.slots]
            for _, k, _ in parts:
                if k not in made:
                    made[k] = space.matrix(points, k)
            if any(order >= orders[number] for number, _, order in parts):
                continue  # what follows from the equation is not an initial value
            slots = [made[k] @ state[order, number] for number, k, order in parts]
            factors = equation.jacobian(places, None, values, slots)
            right = -equation.residual(places, None, values, slots)
            row = np.zeros((len(points), len(wanted), n))
            for (number, k, order), c in zip(parts, factors, strict=True):
                row[:, wanted.index((order, number))] += (c if c.ndim == 0 else c[:, None]) * made[k]
            chosen = where_mask(statement.where, evolution.problem.coordinates, places)
            blocks.append((root * row.reshape(len(points), -1))[chosen])
            rights.append((root[:, 0] * right)[chosen])
        change, _, rank, _ = np.linalg.lstsq(np.concatenate(blocks), np.concatenate(rights), rcond=ROUNDED)
        if rank < len(wanted) * n:
            raise ProblemError(
                f"The initial conditions at {evolution.time} = {evolution.start:g} do "
                f"not say what all unknowns are there: {len(wanted)} functions are needed, one for each unknown and "
                f"each of its time derivatives below the highest."
            )
        for j, (order, u) in enumerate(wanted):
            state[order, u] += change.reshape(len(wanted), n)[j]
        if np.abs(change).max() <= PRECISION * np.abs(state).max():
            break
    return state


def rates_at_start(evolution: Evolution, space: Space, state: np.ndarray, values: tuple[Any, ...]) -> np.ndarray | None:
    """The time derivatives at the start of a system of first order in time; None if its equations do not give them."""
    points = evolution.joined(space.grid[0], np.array([evolution.start]))
    n, m = len(evolution.orders), len(points)
    if len(evolution.equations) != n:
        return None
    matrix, right = np.zeros((m, n, n)), np.zeros((m, n))
    for row, statement in enumerate(evolution.equations):
        equation = statement.equation
        parts = [(number, *evolution.split(index)) for number, index in equation.slots]
        if any(order and any(k) for _, k, order in parts):
            return None
        slots = [space.at_grid(state[0, number], k) if order == 0 else np.zeros(m) for number, k, order in parts]
        right[:, row] = -equation.residual(points, None, values, slots)
        for (number, _, order), factor in zip(parts, equation.jacobian(points, None, values, slots), strict=True):
            if order:
                matrix[:, row, number] += factor
    try:
        found = np.linalg.solve(matrix, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        return None
    if not np.isfinite(found).all():
        return None
    return np.stack([space.project(f) for f in found.T])[None]


def says_one(evolution: Evolution, statement: Any) -> bool:
    """Whether a condition gives one unknown, or one time derivative of it, everywhere."""
    equation = statement.equation
    if not equation.linear or len(equation.slots) != 1 or getattr(statement.source, "where", None) is not None:
        return False
    number, index = equation.slots[0]
    k, order = evolution.split(index)
    return not any(k) and order < evolution.orders[number]
