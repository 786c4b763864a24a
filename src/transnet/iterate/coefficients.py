"""Unknown coefficients: which unknowns they are, how smooth they are to be, and a start that is found from the data.

At zero nothing depends on a coefficient, so an iteration from there goes nowhere. But the measured unknown can be
fitted without any equation, and the equation, with that put in, is linear in the coefficient.
"""

from __future__ import annotations

import numpy as np

from transnet.errors import NotFiniteError
from transnet.iterate.system import Iterate, System, prior_rows
from transnet.linalg.least_squares import triangle_of
from transnet.rows.assembly import write_block

ROUNDS = 4
"""How often coefficients and the rest are found in turn, one with the other put in; a start need not be accurate."""
SMOOTH = 1e-3
"""The weight of second derivatives where only the data and conditions are fitted: no more than fills the gaps."""
MILD = 1e-4
"""The weight of the prior while a start is looked for, relative to the largest column."""


def measured_unknowns(system: System) -> set[int]:
    """The unknowns of which there are data."""
    return {k for b in system.blocks if b.statement.kind == "data" for k, _ in b.slots}


def coefficients_of(system: System) -> list[int]:
    """The unknowns that stand beside measured ones in equations that are not linear, and are not measured."""
    measured = measured_unknowns(system)
    bent = [b for b in system.blocks if not b.statement.equation.linear]
    together = {k for b in bent for k, _ in b.slots if measured & {j for j, _ in b.slots}}
    return sorted(together - measured)


def penalties(system: System, unknowns: list[int]) -> np.ndarray:
    """1 + |w|^2 for each neuron of some unknowns, whose square is that of second derivatives; 0 for all else."""
    found = np.zeros(system.basis.columns)
    for k in unknowns:
        space = system.basis.spaces[k]
        mine = np.zeros(space.size)
        mine[space.neuron_columns] = 1.0 + space.shapes**2
        found[system.basis.slice_of(k)] = mine
    return found


def start_from_data(system: System) -> Iterate | None:
    """A start for unknown coefficients; None where there are none, or nothing is found."""
    wanted = coefficients_of(system)
    if not wanted:
        return None
    n = system.basis.columns
    mine = np.zeros(n, dtype=bool)
    for k in wanted:
        mine[system.basis.slice_of(k)] = True
    prior = penalties(system, list(range(system.basis.unknowns)))
    try:
        found = _fitted(system, ~mine)
        for _ in range(ROUNDS):
            for some in (mine, ~mine):
                found = _partial(system, found, some, prior)
        start = system.iterate(found)
        system.residuals(start)
    except (NotFiniteError, ValueError):
        return None
    finally:
        system.forget()
    return start if np.isfinite(found).all() else None


def _fitted(system: System, columns: np.ndarray) -> np.ndarray:
    """The measured unknowns from the linear conditions and the data alone, as smooth as these let them be."""
    basis, n = system.basis, system.basis.columns
    inside = system.blocks[0].points[: 3 * max(s.size for s in basis.spaces)]
    d = inside.shape[1]
    parts = []
    for unknown in measured_unknowns(system):
        slots = [(unknown, tuple(2 * int(i == axis) for i in range(d))) for axis in range(d)]
        rows = np.zeros((n + 1, len(inside)))
        basis.write(rows[:n], inside, slots, [np.full((), s**2) for s in basis.placement.scale])
        parts.append(rows * (SMOOTH / (np.linalg.norm(rows) or 1.0)))
    for block in system.blocks:
        if block.statement.equation.linear and block.statement.kind != "equation":
            lin = block.linearise(system.parameters)
            rows = np.zeros((n + 1, block.rows))
            write_block(rows[:n], block, basis, lin.coefficients)
            rows[n] = lin.right
            rows[:n][~columns] = 0.0
            norm = float(np.linalg.norm(rows[:n]))
            parts.append(rows / norm if norm else 0.0 * rows)
    return _solved(system, np.concatenate(parts, axis=1).T, np.zeros(n), columns)


def _partial(system: System, here: np.ndarray, columns: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """A step of Newton's iteration for some of the columns, the others being what they are."""
    iterate = system.iterate(here)
    system.forget()
    linear = system.linearise(iterate)
    system.weigh(linear)
    rows = system._rows([True] * len(system.blocks), linear)
    size = float(np.linalg.norm(rows[:, :-1], axis=0).max())
    smooth = prior_rows(prior * (MILD * size / prior.max(initial=1.0)) * columns, 1)
    return _solved(system, np.concatenate([rows, smooth]), here, columns)


def _solved(system: System, rows: np.ndarray, here: np.ndarray, columns: np.ndarray) -> np.ndarray:
    right = rows[:, -1] - rows[:, :-1][:, ~columns] @ here[~columns]
    matrix = np.asfortranarray(np.column_stack([rows[:, :-1][:, columns], right]))
    n = matrix.shape[1] - 1
    matrix = matrix if len(matrix) > n else np.vstack([matrix, np.zeros((n + 1 - len(matrix), n + 1))])
    triangle = triangle_of(np.asfortranarray(matrix))
    found = here.copy()
    found[columns] = system.solver.solve(np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]).values[:, 0]
    return found
