"""The force on a part of the boundary, with the stress that the equations state.

The equations of a flow, mu lap(v) - grad(p) = ..., and of an elastic body, mu lap(v) + (lambda + mu) grad(div v) = ...,
are the divergence of the stress -p I + mu (grad v + grad v^T) + lambda div(v) I; mu, lambda and the factor of p are
read off the second derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from transnet.arguments import Held
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.problem.operators import div, normal
from transnet.solution.quantities import expression_of
from transnet.solution.results.fluxes import coefficient, positive, second_order, stated
from transnet.solution.results.integrals import over_part
from transnet.tolerances import ROUNDED

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


@explained
def force(self: Solution, part: str, stress: Sequence[Any] | sp.Expr | None = None, **fixed: Held) -> Any:
    """The force that the interior of the domain exerts on what is behind a part of its boundary.

    F = - integral of (stress n), with n the normal out of the domain: drag and lift where the part is the rim of a
    body in a flow, the load on a support where it is the clamped end of a beam.

    Parameters
    ----------
    part : str
        A part of the boundary.
    stress : matrix, optional
        The stress, symmetric, of expressions of the unknowns. By default it is read off the equations of a flow
        (velocities and a pressure) or of an isotropic elastic body (displacements).
    fixed
        Coordinates that are fixed: `solution.force("cylinder", t=2)`.

    Returns
    -------
    Numbers
        One component for each coordinate of space, with errors: `drag, lift = solution.force("cylinder")`.
    """
    space = [c for c in self.problem.coordinates if c.name != "t"]
    sigma = stated_stress(self) if stress is None else _matrix(self, stress, len(space))
    return over_part(self, list(-sigma * normal(*space)), part, fixed)


def stated_stress(solution: Solution) -> sp.Matrix:
    """The stress whose divergence the equations state."""
    problem = solution.problem
    space = [c for c in problem.coordinates if c.name != "t"]
    rows = [(e, _moved(e, problem.unknowns, space)) for e in stated(problem)]
    momentum = {unknown: e for e, unknown in rows if unknown is not None}
    pressure = [u for u in problem.unknowns if u not in momentum]
    components = _components(momentum, pressure, space)
    if components is None:
        raise ProblemError(
            "The stress cannot be read off the equations: they are neither those of a flow with a pressure nor those "
            "of an elastic body. Give it: force(part, stress=[[sxx, sxy], [sxy, syy]])."
        )
    x = space[0]
    first = momentum[components[0]]
    other = next(c for c in space if c != x)
    shear = coefficient(first, sp.diff(components[0], other, 2))
    across = coefficient(first, sp.diff(components[1], x, other))
    sign = 1 if positive(solution, shear) else -1
    mu, lam = sign * shear, sp.Integer(0) if across == 0 else sign * (across - shear)
    gradient = sp.Matrix([[sp.diff(v, c) for c in space] for v in components])
    sigma = mu * (gradient + gradient.T) + lam * div(components, *space) * sp.eye(len(space))
    for p in pressure:
        sigma += sign * coefficient(first, sp.diff(p, x)) * p * sp.eye(len(space))
    return sigma


def _moved(expression: sp.Expr, unknowns: Sequence[sp.Expr], space: Sequence[sp.Symbol]) -> sp.Expr | None:
    """The component that an equation moves: the unknown with a second derivative along every coordinate."""
    found = [u for u in unknowns if all(second_order(expression, u, space)[i, i] != 0 for i in range(len(space)))]
    return found[0] if len(found) == 1 else None


def _components(
    momentum: dict[sp.Expr, sp.Expr], pressure: Sequence[sp.Expr], space: Sequence[sp.Symbol]
) -> list[sp.Expr] | None:
    """The components of the velocity or displacement in the order of the coordinates."""
    if len(momentum) != len(space) or len(space) < 2 or len(pressure) > 1:
        return None
    placed: dict[sp.Symbol, sp.Expr] = {}
    for unknown, expression in momentum.items():
        if pressure:
            along = [c for c in space if coefficient(expression, sp.diff(pressure[0], c)) != 0]
        else:
            a = second_order(expression, unknown, space)
            same = [[_same(a[i, i], a[j, j]) for j in range(len(space))] for i in range(len(space))]
            along = [c for c, row in zip(space, same, strict=True) if sum(row) == 1]
        if len(along) != 1:
            # The names may help: in the plane, with two entries that differ, the one with the divergence is larger.
            along = _with_mixed(expression, unknown, momentum, space)
        if len(along) != 1 or along[0] in placed:
            return None
        placed[along[0]] = unknown
    return [placed[c] for c in space]


def _with_mixed(
    expression: sp.Expr, unknown: sp.Expr, momentum: dict[sp.Expr, sp.Expr], space: Sequence[sp.Symbol]
) -> list[sp.Symbol]:
    """The coordinate i of grad(div v)_i = d_i d_i v_i + ...: the second derivative along it is the odd one out.

    In the plane both are; there (lambda + mu) d_xy v, the same in both equations, is the excess of d_ii v_i.
    """
    a = second_order(expression, unknown, space)
    others = [u for u in momentum if u is not unknown]
    mixed = [2 * second_order(expression, u, space)[0, 1] for u in others][:1]
    if len(space) != 2 or not mixed:
        return []
    return [c for i, c in enumerate(space) if _same(a[i, i], a[1 - i, 1 - i] + mixed[0]) and mixed[0] != 0]


def _same(a: sp.Expr, b: sp.Expr) -> bool:
    """Whether two coefficients are the same, numbers up to rounding."""
    if a.is_number and b.is_number:
        return abs(float(a - b)) <= ROUNDED * max(abs(float(a)), abs(float(b)))
    return bool(sp.simplify(a - b) == 0)


def _matrix(solution: Solution, stress: Any, count: int) -> sp.Matrix:
    rows = stress.tolist() if isinstance(stress, sp.MatrixBase) else stress
    if not isinstance(rows, list | tuple) or not all(
        isinstance(row, list | tuple) and len(row) == count for row in rows
    ):
        raise ProblemError(f"The stress is a {count} x {count} matrix here, a list of rows, not {shown(stress)}.")
    matrix = sp.Matrix([[expression_of(solution, s) for s in row] for row in rows])
    if matrix.shape != (count, count):
        raise ProblemError(f"The stress is a {count} x {count} matrix here, not {matrix.shape[0]} x {matrix.shape[1]}.")
    return matrix
