"""Unknown coefficients: which unknowns they are, how smooth they should be, and a start found from the data.

At zero nothing depends on a coefficient, so an iteration from there goes nowhere. But the measured unknown can be
fitted without any equation, and the equation is then linear in the coefficient.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from transnet.errors import NotFiniteError
from transnet.iterate.system import Iterate, System
from transnet.linalg.least_squares import triangle_of
from transnet.linalg.sizes import rms
from transnet.rows.assembly import row_norm, write_block
from transnet.rows.roughness import sought

ROUNDS = 4
"""How often coefficients and the other unknowns are solved for in turn; a start need not be accurate."""
SMOOTH = 1e-3
"""The weight of second derivatives when only the data and conditions are fitted: just enough to fill the gaps."""
MILD = 1e-4
"""The weight of the prior while a start is searched for, relative to the largest column."""


DECADES, A_DECADE, TRIED = 3.0, 5, 60
"""Numbers are searched for in this many decades on either side of where the terms of their equation balance: this many
values per decade for one number, of each sign; and this many sets for several numbers."""
PROMISING = 4
"""How many of these starts are tried, those with the smallest residual first."""
FITTED, ROUGHLY = 3.0, 0.2
"""Data are fitted if their misfit is below this many times their noise; without a stated noise, below this part of
them."""


def measured_unknowns(system: System) -> set[int]:
    """The unknowns of which there are data."""
    return {k for b in system.blocks if b.statement.kind == "data" for k, _ in b.slots}


def coefficients_of(system: System) -> list[int]:
    """The sought unknowns that occur in statements that are not linear."""
    bent = {k for b in system.blocks if not b.statement.equation.linear for k, _ in b.slots}
    return [k for k in sought(system.blocks, system.basis) if k in bent]


def penalties(system: System, unknowns: list[int]) -> np.ndarray:
    """1 + |w|^2 for each neuron of some unknowns, whose square is that of second derivatives; 0 for everything else."""
    found = np.zeros(system.basis.columns)
    for k in unknowns:
        space = system.basis.spaces[k]
        mine = np.zeros(space.size)
        mine[space.neuron_columns] = 1.0 + space.shapes**2
        found[system.basis.slice_of(k)] = mine
    return found


def start_from_data(system: System) -> Iterate | None:
    """A start for unknown coefficients; None if there are none, or nothing is found."""
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


def unfitted(system: System, iterate: Iterate) -> float:
    """The misfit of measured values, in units of what is acceptable."""
    worst = 0.0
    for block, left in zip(system.blocks, system.residuals(iterate), strict=True):
        if block.statement.kind == "data" and block.values is not None:
            sizes = [float(rms(v)) for v in (left, block.values)]
            allowed = ROUGHLY * sizes[1] if block.statement.noise is None else FITTED * block.statement.noise
            worst = max(worst, sizes[0] / (allowed or 1.0))
    return worst


def starts_by_numbers(system: System) -> list[Iterate]:
    """Starts for unknown numbers, the most promising first: many values are substituted, and the residuals of all rows
    compared.

    The misfit of waves has many minima, and an iteration ends in the nearest. A field is a constant here.
    """
    wanted = coefficients_of(system)
    if not wanted:
        return []
    each = [np.arange(system.basis.columns)[system.basis.slice_of(k)] for k in wanted]
    columns = np.array([mine[0] for mine in each])
    others = np.ones(system.basis.columns, dtype=bool)
    others[np.concatenate(each)] = False
    nothing = np.zeros(system.basis.columns)
    found = []
    for values in _tried(_balances(system, wanted)):
        here = nothing.copy()
        here[columns] = values
        try:
            system.forget()
            start = system.iterate(_partial(system, here, others, nothing))
            found.append((system.norm(start) / _weighed(system), start))
        except (NotFiniteError, ValueError):
            continue
    system.forget()
    found = [f for f in found if np.isfinite(f[0])]
    return [start for _, start in sorted(found, key=lambda f: f[0])[:PROMISING]]


def _weighed(system: System) -> float:
    """The weighted size of the data, which the weights of other rows do not change."""
    data = [(b, w) for b, w in zip(system.blocks, system.weights, strict=True) if b.statement.kind == "data"]
    return float(np.linalg.norm([w * np.linalg.norm(b.values) for b, w in data if b.values is not None])) or 1.0


def _balances(system: System, wanted: list[int]) -> np.ndarray:
    """For each number the size at which the terms with it are as large as those without."""
    found = []
    for k in wanted:
        with_it, without = [np.zeros(system.basis.columns) for _ in range(2)]
        with_it[np.arange(system.basis.columns)[system.basis.slice_of(k)][0]] = 1.0
        sizes = []
        for block in system.blocks:
            if block.statement.equation.linear or not any(j == k for j, _ in block.slots):
                continue
            norms = []
            try:
                for here in (with_it, without):
                    state = block.state(system.basis, here)
                    norms.append(row_norm(block, system.basis, block.linearise(system.parameters, state).coefficients))
            except NotFiniteError:  # it divides by a number that is zero here
                continue
            larger = np.sqrt(max(norms[0] ** 2 - norms[1] ** 2, 0.0))
            sizes += [norms[1] / larger] if larger > 0 and norms[1] > 0 else []
        found.append(float(np.median(sizes)) if sizes else 1.0)
    return np.array(found)


def _tried(sizes: np.ndarray) -> list[np.ndarray]:
    """The values of numbers to try: powers of ten for one number, random ones of all signs for several."""
    if len(sizes) == 1:
        powers = 10.0 ** np.arange(-DECADES, DECADES + 1e-9, 1.0 / A_DECADE)
        return [sizes * s * p for p in powers for s in (1.0, -1.0)]
    rng = np.random.default_rng(0)
    signs = list(product((1.0, -1.0), repeat=len(sizes)))[:4]
    return [
        sizes * np.array(s) * 10.0 ** rng.uniform(-DECADES, DECADES, len(sizes)) for s in signs for _ in range(TRIED)
    ]


def _fitted(system: System, columns: np.ndarray) -> np.ndarray:
    """The measured unknowns from the linear conditions and the data alone, as smooth as these allow."""
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
    return solved_for(system, np.concatenate(parts, axis=1).T, np.zeros(n), columns)


def _partial(system: System, here: np.ndarray, columns: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """A step of Newton's iteration for some of the columns, with the others fixed."""
    iterate = system.iterate(here)
    system.forget()
    linear = system.linearise(iterate)
    system.weigh(linear)
    rows = system._rows([True] * len(system.blocks), linear)
    size = float(np.linalg.norm(rows[:, :-1], axis=0).max())
    smooth = np.pad(np.diag(prior * (MILD * size / prior.max(initial=1.0)) * columns), ((0, 0), (0, 1)))
    return solved_for(system, np.concatenate([rows, smooth]), here, columns)


def solved_for(system: System, rows: np.ndarray, here: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The least-squares solution of rows [A | b] for some of the columns, with the others fixed."""
    right = rows[:, -1] - rows[:, :-1][:, ~columns] @ here[~columns]
    matrix = np.asfortranarray(np.column_stack([rows[:, :-1][:, columns], right]))
    n = matrix.shape[1] - 1
    matrix = matrix if len(matrix) > n else np.vstack([matrix, np.zeros((n + 1 - len(matrix), n + 1))])
    triangle = triangle_of(np.asfortranarray(matrix))
    found = here.copy()
    found[columns] = system.solver.solve(np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]).values[:, 0]
    return found
