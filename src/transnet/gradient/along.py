"""The derivative of a functional of the solution along a tangent, and by what is explicit in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.geometry.surface import surface_rule
from transnet.gradient.network import Tangents
from transnet.gradient.variation import Variation
from transnet.solution.corners import derivatives_near_corners
from transnet.solution.expressions import Across, Compiled, compiled, compiled_on
from transnet.solution.results.functionals import OfIntegral, OfValue
from transnet.solution.results.networks import ROUGH, SAFETY, STEEP
from transnet.solution.results.numbers import Number
from transnet.solution.results.places import AROUND, LEVELS, place_of
from transnet.solution.solution import Solution

LOST = 1e-13
"""What differences of places and sums leave of the size of their terms."""


@dataclass(frozen=True, eq=False)
class Rate:
    """dF/dk for the whole network and its parts, (c,), the size of its terms, and the error of the rule."""

    values: np.ndarray
    size: float
    rule: float = 0.0
    order: int = 0


def differential(solution: Solution, functional: Any, tangents: Tangents, k: int, variation: Variation) -> Number:
    """dF/dk with its error."""
    if isinstance(functional, OfValue):
        point = functional.point[None, :]
        found = _nodal(solution, functional.expression, None, (point, None, np.ones(1)), tangents, k, variation)
    else:
        found = _integral(solution, functional, tangents, k, variation)
    if len(tangents.changes):
        lack = np.abs(found.values[1:] - found.values[0]) / tangents.changes
        error = SAFETY * solution.error * float(lack.max())
    else:
        error = ROUGH * (tangents.errors[k] + STEEP * solution.error) * found.size * STEEP**found.order
    return Number(found.values[0], error + found.rule + LOST * found.size)


def _integral(solution: Solution, of: OfIntegral, tangents: Tangents, k: int, variation: Variation) -> Rate:
    place = place_of(solution, of.part, of.fixed)
    parts = _nodal(solution, of.expression, of.part, place.rule(0), tangents, k, variation)
    coarse, fine = (
        _nodal(solution, of.expression, of.part, place.rule(level), tangents.whole, k, variation)
        for level in (LEVELS - 2, LEVELS - 1)
    )
    rule = float(abs(fine.values[0] - coarse.values[0]))
    values = parts.values - parts.values[0] + fine.values[0]
    moved = _moved(solution, of, tangents, variation) if variation.shapes else 0.0
    size = fine.size + float(np.max(np.abs(moved)))
    return Rate(values + moved, size, rule, fine.order)


def _moved(solution: Solution, of: OfIntegral, tangents: Tangents, variation: Variation) -> np.ndarray:
    """The derivative of the integral by its place, with the solution held: Hadamard's term for the domain."""
    domain = solution.problem.domain
    if isinstance(domain, Pieces) or of.fixed:
        raise ProblemError(
            "The derivative of an integral with respect to a size of the domain is available over the whole domain and "
            "over parts of its boundary, not over pieces or at fixed coordinates."
        )
    function = compiled_on(solution, of.expression, "boundary" if of.part is None else of.part)
    states = tangents.states
    part = of.part
    if part is None:
        total = np.zeros(states.shape[1])
        for edge in domain.parts:
            points, normals, weights = surface_rule(domain, edge, AROUND[-1])
            speed = variation.normal_speed([edge], points, normals)
            total = total + (weights * speed) @ function(points, normals, states)
        return np.asarray(total)

    def there(shape: Any) -> np.ndarray:
        points, normals, weights = surface_rule(shape, part, AROUND[-1])
        return np.asarray(weights @ function(points, normals, states))

    return np.asarray(variation.difference(there))


def _nodal(
    solution: Solution, expression: sp.Expr, part: str | None, nodes: Any, tangents: Tangents, k: int, by: Variation
) -> Rate:
    """sum_j w_j (f_u du/dk + df/dk) over nodes."""
    points, normals, weights = nodes
    function = compiled_on(solution, expression, part)
    if isinstance(function, Across) or function.imaginary is not None:
        raise ProblemError(
            f"The derivative of a result of {expression} is not available, as it is complex or has jumps. Take its "
            f"real and imaginary part, or one side of the interface."
        )
    values = _along(function, points, normals, tangents.states, tangents.bases[k], tangents.coefficients[k])
    slope = sp.diff(expression, by.symbol)
    if slope != 0:
        own = compiled(solution, slope, normals is not None)
        own = own if function.piece is None else own.within(function.piece)
        values = values + own(points, normals, tangents.states)
    size = float(np.abs(weights) @ np.abs(values[:, 0]))
    return Rate(weights @ values, size, order=function.order)


def _along(
    function: Compiled,
    points: np.ndarray,
    normals: np.ndarray | None,
    states: np.ndarray,
    basis: Any,
    tangent: np.ndarray,
) -> np.ndarray:
    """f_u applied to a tangent at points, for each pair of output weights of the solution and the tangent: (n, c)."""
    domain = function.solution.problem.domain
    if len(function.equations) == 1 or not isinstance(domain, Pieces):
        return _one(function, 0, points, normals, states, basis, tangent)
    if function.piece is not None:
        return _one(function, function.piece, points, normals, states, basis, tangent)
    which, values = domain.nearest(points), np.zeros((len(points), states.shape[1]))
    for number in np.unique(which):
        mine = which == number
        along = None if normals is None else normals[mine]
        values[mine] = _one(function, int(number), points[mine], along, states, basis, tangent)
    return values


def _one(
    function: Compiled,
    number: int,
    points: np.ndarray,
    normals: np.ndarray | None,
    states: np.ndarray,
    basis: Any,
    tangent: np.ndarray,
) -> np.ndarray:
    equation, solution = function.equations[number], function.solution
    own = solution.basis
    if function.piece is not None:
        own, basis = own.within(function.piece), basis.within(function.piece)  # type: ignore[attr-defined]
    numbers = tuple(solution.parameters.values())
    at = derivatives_near_corners(own, states, points, equation.slots, solution.error)
    change = derivatives_near_corners(basis, tangent, points, equation.slots, solution.error)
    columns = []
    for j in range(states.shape[1]):
        factors = equation.jacobian(points, normals, numbers, [s[:, j] for s in at])
        total = np.zeros(len(points))
        for factor, c in zip(factors, change, strict=True):
            total = total + factor * c[:, j]
        columns.append(total)
    return np.stack(columns, axis=1)
