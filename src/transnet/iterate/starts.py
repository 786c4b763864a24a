"""Other starts for when an iteration from zero fails: a function with the data and the right curvature.

The derivatives of the Monge-Ampère equation, or of one with the p-Laplacian, vanish or have no sign at zero, and an
iteration from there fails, or converges to something that does not solve the equation. A harmonic function with the
boundary's values, plus a multiple of one whose Laplacian is one and whose data are zero, is a better start; the
multiple is the one at which the equations are violated least.
"""

from __future__ import annotations

import numpy as np

from transnet.errors import NotFiniteError
from transnet.iterate.system import Iterate, System
from transnet.linalg.least_squares import triangle_of
from transnet.rows.assembly import write_block

MULTIPLES = np.concatenate([s * 10.0 ** np.arange(-3.0, 3.5, 0.5) for s in (1.0, -1.0)])
"""Multiples of the function whose Laplacian is one."""
ROWS = 3
"""The most interior rows per feature of an unknown: a start need not be accurate."""


def violation(system: System, iterate: Iterate) -> float:
    """The largest residual of a nonlinear equation, relative to its largest linearised term or its part without
    unknowns."""
    worst = 0.0
    for block, state in zip(system.blocks, iterate.slots, strict=True):
        equation, where = block.statement.equation, (block.points, block.normals, system.parameters)
        if equation.linear:
            continue
        try:
            residual = equation.residual(*where, state)
            terms = [c * s for c, s in zip(equation.jacobian(*where, state), state, strict=True)]
        except NotFiniteError:
            return float("inf")
        size = max([float(np.linalg.norm(t)) for t in terms] + [float(np.linalg.norm(residual - sum(terms)))])
        worst = max(worst, float(np.linalg.norm(residual)) / (size or 1.0))
    return worst


def vanishing(system: System, iterate: Iterate) -> str | None:
    """The equation whose derivatives with respect to all unknowns are zero at an iterate, if there is one."""
    for block, lin in zip(system.blocks, system.linearise(iterate), strict=True):
        if not block.statement.equation.linear and not any(np.any(c) for c in lin.coefficients):
            return block.statement.label
    return None


def other_starts(system: System) -> list[Iterate]:
    """Starts with the data of the linear conditions, the most promising first; none if there are no such conditions."""
    conditions = [b for b in system.blocks if b.statement.kind == "condition" and b.statement.equation.linear]
    if not conditions:
        return []
    basis, n = system.basis, system.basis.columns
    inside = system.blocks[0].points[: ROWS * max(s.size for s in basis.spaces)]
    d = inside.shape[1]
    rows = len(inside) * basis.unknowns + sum(b.rows for b in conditions)
    transposed = np.zeros((n + 2, rows))
    start = 0
    for unknown in range(basis.unknowns):
        here = slice(start, start + len(inside))
        slots = [(unknown, tuple(2 * int(i == axis) for i in range(d))) for axis in range(d)]
        basis.write(transposed[:n, here], inside, slots, [np.ones(())] * d)
        scale = _scaled(transposed[:n, here])
        transposed[n + 1, here] = scale
        start += len(inside)
    for block in conditions:
        lin = block.linearise(system.parameters)
        here = slice(start, start + block.rows)
        write_block(transposed[:n, here], block, basis, lin.coefficients)
        transposed[n, here] = _scaled(transposed[:n, here]) * lin.right
        start += block.rows
    triangle = triangle_of(transposed.T)
    found = system.solver.solve(np.asfortranarray(triangle[:n, :n]), triangle[:n, n:]).values
    if not np.isfinite(found).all():
        return []
    harmonic, curved = (system.iterate(found[:, k]) for k in range(2))
    candidates = [harmonic]
    for sign in (1.0, -1.0):
        mine = [system.mixed([harmonic, curved], np.array([1.0, m])) for m in MULTIPLES if m * sign > 0]
        candidates.append(min(mine, key=lambda i: _size(system, i)))
    finite = [c for c in candidates if np.isfinite(_size(system, c)) and vanishing(system, c) is None]
    return sorted(finite, key=lambda i: _size(system, i))


def _scaled(rows: np.ndarray) -> float:
    """Scale rows to norm one together, and return the factor."""
    norm = float(np.sqrt(np.einsum("ij,ij->", rows, rows))) or 1.0
    rows /= norm
    return 1.0 / norm


def _size(system: System, iterate: Iterate) -> float:
    """The violation of the nonlinear equations."""
    try:
        return float(
            sum(
                np.linalg.norm(block.residual(state, system.parameters))
                for block, state in zip(system.blocks, iterate.slots, strict=True)
                if not block.statement.equation.linear
            )
        )
    except NotFiniteError:
        return float("inf")
