"""The derivative of a functional of the solution along a tangent, and by what is explicit in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.geometry.surface import surface_rule
from transnet.gradient.network import Tangents
from transnet.gradient.variation import Variation, slope_by
from transnet.linalg.sizes import rms
from transnet.solution.corners import derivatives_near_corners
from transnet.solution.expressions import Across, Compiled, compiled, compiled_on
from transnet.solution.results.functionals import OfIntegral, OfValue
from transnet.solution.results.networks import ROUGH, SAFETY, STEEP
from transnet.solution.results.numbers import Number
from transnet.solution.results.places import AROUND, LEVELS, Place, place_of
from transnet.solution.solution import Solution
from transnet.tolerances import ROUNDED

AT_ONCE = 4_000
"""Nodes whose features are evaluated at once."""


@dataclass(frozen=True, eq=False)
class Rate:
    """dF/dk for the whole network and its parts, (c,), the size of its terms, the error of the rule, and what the error
    of the solution changes in f_u: where a square has nearly vanished, that is more than what is left of it."""

    values: np.ndarray
    size: float
    rule: float = 0.0
    order: int = 0
    bent: float = 0.0


Rows = dict[Any, np.ndarray]
"""Functionals that are linearised once for all parameters, as rows of the columns of the basis."""


def differential(
    solution: Solution, functional: Any, tangents: Tangents, k: int, variation: Variation, rows: Rows
) -> Number:
    """dF/dk with its error."""
    kept = rows if len(tangents.changes) else None  # tangents that were solved for have bases of their own
    if isinstance(functional, OfValue):
        point = functional.point[None, :]
        nodes = (point, None, np.ones(1))
        found = _nodal(solution, functional.expression, None, nodes, tangents, k, variation)
    else:
        found = _integral(solution, functional, tangents, k, variation, kept)
    if len(tangents.changes):
        lack = np.abs(found.values[1:] - found.values[0]) / tangents.changes
        error = SAFETY * solution.error * float(lack.max())
    else:
        error = ROUGH * ((tangents.errors[k] + STEEP * solution.error) * found.size + found.bent) * STEEP**found.order
    return Number(found.values[0], error + found.rule + ROUNDED * found.size)


def _integral(
    solution: Solution, of: OfIntegral, tangents: Tangents, k: int, variation: Variation, rows: Rows | None
) -> Rate:
    place = place_of(solution, of.part, of.fixed)
    parts, coarse, fine = (
        _at_level(solution, of, place, level, tangents if level == 0 else tangents.whole, k, variation, rows)
        for level in (0, LEVELS - 2, LEVELS - 1)
    )
    rule = float(abs(fine.values[0] - coarse.values[0]))
    values = parts.values - parts.values[0] + fine.values[0]
    moved = _moved(solution, of, tangents, variation) if variation.shapes else 0.0
    size = fine.size + float(np.max(np.abs(moved)))
    return Rate(values + moved, size, rule, fine.order, fine.bent)


def _at_level(
    solution: Solution,
    of: OfIntegral,
    place: Place,
    level: int,
    tangents: Tangents,
    k: int,
    by: Variation,
    rows: Rows | None,
) -> Rate:
    """The derivative by the rule of a level; by a row if the integrand has the parameter in the solution alone."""
    basis = tangents.bases[k]
    function = compiled_on(solution, of.expression, of.part)
    plain = isinstance(basis, Basis) and isinstance(function, Compiled) and function.imaginary is None
    shared = len(tangents.bases) > 1 and slope_by(of.expression, by.symbol) == 0
    # Close to corners derivatives are evaluated without the noise of unbounded functions, which depends on the tangent.
    if rows is None or not plain or not shared or len(function.equations) > 1 or (function.order and basis.foci):  # type: ignore
        return _nodal(solution, of.expression, of.part, place.rule(level), tangents, k, by)
    assert isinstance(function, Compiled)
    key = (id(of), level)
    if key not in rows:
        rows[key] = _row(function, place.rule(level), tangents.states)
    values = np.einsum("mc,mc->c", rows[key], tangents.coefficients[k])
    return Rate(values, float(abs(values[0])), order=function.order)


def _row(function: Compiled, nodes: Any, states: np.ndarray) -> np.ndarray:
    """sum_j w_j f_u phi_m for each column m, and each pair of output weights: (columns, c)."""
    (points, normals, weights), solution = nodes, function.solution
    basis, equation = replace(solution.basis, known=None), function.equations[0]  # type: ignore[type-var]
    numbers, found = tuple(solution.parameters.values()), np.zeros(states.shape)
    for first in range(0, len(points), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        where, along = points[some], None if normals is None else normals[some]
        at = solution.basis.derivatives(states, where, equation.slots)
        rows = np.empty((len(states), len(where)))
        for j in range(states.shape[1]):
            factors = equation.jacobian(where, along, numbers, [s[:, j] for s in at])
            basis.write(rows, where, equation.slots, factors, 1.0)  # type: ignore[attr-defined]
            found[:, j] += rows @ weights[some]
    return found


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
    slope = slope_by(expression, by.symbol)
    if slope != 0:
        own = compiled(solution, slope, normals is not None)
        own = own if function.piece is None else own.within(function.piece)
        values = values + own(points, normals, tangents.states)
    size, bent = float(np.abs(weights) @ np.abs(values[:, 0])), 0.0
    if not len(tangents.changes) and len(function.equations) == 1 and np.isfinite(solution.error):
        bent = float(np.abs(weights) @ _bent(function, points, normals, tangents, k))
    return Rate(weights @ values, size, order=function.order, bent=bent)


def _bent(function: Compiled, points: np.ndarray, normals: np.ndarray | None, tangents: Tangents, k: int) -> np.ndarray:
    """How much f_u applied to the tangent changes when the solution is off by its error, relative to its size."""
    solution, equation = function.solution, function.equations[0]
    sample, numbers = solution.problem.domain.interior(LOOKS), tuple(solution.parameters.values())
    sizes = [float(rms(s)) for s in solution.basis.derivatives(solution.coefficients, sample, equation.slots)]
    at = solution.basis.derivatives(solution.coefficients, points, equation.slots)
    off = [s + solution.error * size for s, size in zip(at, sizes, strict=True)]
    change = tangents.bases[k].derivatives(tangents.coefficients[k][:, 0], points, equation.slots)  # type: ignore[attr-defined]
    here, there = (equation.jacobian(points, normals, numbers, slots) for slots in (at, off))
    total = np.zeros(len(points))
    for before, after, c in zip(here, there, change, strict=True):
        total += np.abs((after - before) * c)
    return total


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
