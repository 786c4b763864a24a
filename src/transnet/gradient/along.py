"""The derivatives of a functional of the solution along its tangents, all at once, and by what is explicit in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from transnet.counts import LOOKS
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.gradient.motion import away_from_corners
from transnet.gradient.network import Tangents
from transnet.gradient.variation import Variation, slope_by
from transnet.linalg.sizes import rms
from transnet.sections.surface import Distance, surface_rule
from transnet.solution.corners import derivatives_near_corners
from transnet.solution.expressions import Across, Compiled, compiled, compiled_on
from transnet.solution.results.functionals import OfIntegral, OfValue
from transnet.solution.results.networks import OF_SENSITIVITY, ROUGH, STEEP
from transnet.solution.results.numbers import Number
from transnet.solution.results.places import LEVELS, NODES_AROUND, place_of
from transnet.solution.solution import Solution
from transnet.tolerances import ROUNDED


@dataclass(frozen=True, eq=False)
class Rates:
    """dF/dk for each parameter.

    Parameters
    ----------
    values : (K, c) array
        For the whole network and its parts.
    size, rule, bent : (K,) arrays
        The size of its terms, the error of the rule, and what the error of the solution changes in f_u: where a square
        has nearly vanished, that is more than what is left of it.
    order : int
        The highest derivative in the functional.
    along : (K,) array
        The size of those terms that contain the tangent.
    """

    values: np.ndarray
    size: np.ndarray
    rule: np.ndarray | float = 0.0
    order: int = 0
    bent: np.ndarray | float = 0.0
    along: np.ndarray | float = 0.0


def differentials(
    solution: Solution, functional: Any, tangents: Tangents, variations: Sequence[Variation]
) -> list[Number]:
    """dF/dk with its error for each parameter."""
    if isinstance(functional, OfValue):
        nodes = (functional.point[None, :], None, np.ones(1))
        found = _nodal(solution, functional.expression, None, nodes, tangents, variations)
    else:
        found = _integral(solution, functional, tangents, variations)
    errors = np.asarray(tangents.errors)
    if len(tangents.changes):
        lack = np.abs(found.values[:, 1:] - found.values[:, :1]) / tangents.changes
        error = OF_SENSITIVITY * solution.error * lack.max(axis=1)
    else:
        own = errors * found.along + STEEP * solution.error * found.size
        error = ROUGH * (own + found.bent) * STEEP**found.order
    error = error + found.rule + ROUNDED * found.size
    return [Number(float(v), float(e)) for v, e in zip(found.values[:, 0], error, strict=True)]


def _integral(solution: Solution, of: OfIntegral, tangents: Tangents, variations: Sequence[Variation]) -> Rates:
    place = place_of(solution, of.part, of.fixed)
    parts, coarse, fine = (
        _nodal(solution, of.expression, of.part, place.rule(level), tangents if level == 0 else whole, variations)
        for whole in (tangents.whole,)
        for level in (0, LEVELS - 2, LEVELS - 1)
    )
    rule = np.abs(fine.values[:, 0] - coarse.values[:, 0])
    values = parts.values - parts.values[:, :1] + fine.values[:, :1]
    size = fine.size
    for k, variation in enumerate(variations):
        if variation.shapes:
            moved, lack = _moved(solution, of, tangents.states, variation)
            values[k] += moved
            size[k] += float(np.max(np.abs(moved)))
            rule[k] += lack
    return Rates(values, size, rule, fine.order, fine.bent, fine.along)


def _moved(solution: Solution, of: OfIntegral, states: np.ndarray, variation: Variation) -> tuple[np.ndarray, float]:
    """The derivative of the integral by its place, with the solution held: Hadamard's term for the domain; and the
    error of the rule."""
    found = []
    for distance in (None, away_from_corners(solution.problem.domain, solution)):
        coarse, fine = (_moved_at(m, distance, solution, of, states, variation) for m in NODES_AROUND[-2:])
        found.append((fine, float(abs(fine[0] - coarse[0]))))
        if of.part is None or found[0][1] <= ROUNDED * float(abs(fine[0])):
            break
    return min(found, key=lambda one: one[1])


def _moved_at(
    nodes: int,
    distance: Distance | None,
    solution: Solution,
    of: OfIntegral,
    states: np.ndarray,
    variation: Variation,
) -> np.ndarray:
    domain = solution.problem.domain
    if isinstance(domain, Pieces) or of.fixed:
        raise ProblemError(
            "The derivative of an integral with respect to a size of the domain is available over the whole domain and "
            "over parts of its boundary, not over pieces or at fixed coordinates."
        )
    function = compiled_on(solution, of.expression, "boundary" if of.part is None else of.part)
    assert isinstance(function, Compiled)
    part = of.part
    if part is None:
        total = np.zeros(states.shape[1])
        for edge in domain.parts:
            points, normals, weights = surface_rule(domain, edge, nodes)
            speed = variation.normal_speed([edge], points, normals)
            total = total + (weights * speed) @ function(points, normals, states)
        return np.asarray(total)
    assert isinstance(function, Compiled)  # jumps are across interfaces of pieces
    return variation.over_part(part, function, states, nodes, distance)


def _nodal(
    solution: Solution,
    expression: sp.Expr,
    part: str | None,
    nodes: Any,
    tangents: Tangents,
    variations: Sequence[Variation],
) -> Rates:
    """sum_j w_j (f_u du/dk + df/dk) over nodes."""
    points, normals, weights = nodes
    function = compiled_on(solution, expression, part)
    if isinstance(function, Across) or function.imaginary is not None:
        raise ProblemError(
            f"The derivative of a result of {expression} is not available, as it is complex or has jumps. Take its "
            f"real and imaginary part, or one side of the interface."
        )
    values = _along(function, points, normals, tangents)
    along = np.abs(weights) @ np.abs(values[:, :, 0])
    for k, own in _explicit(solution, expression, function, normals, variations):
        values[:, k] += own(points, normals, tangents.states)
    size = np.abs(weights) @ np.abs(values[:, :, 0])
    bent = np.zeros(len(variations))
    if not len(tangents.changes) and len(function.equations) == 1 and np.isfinite(solution.error):
        bent = np.abs(weights) @ _bent(function, points, normals, tangents)
    return Rates(np.einsum("n,nkc->kc", weights, values), size, order=function.order, bent=bent, along=along)


def _explicit(
    solution: Solution, expression: sp.Expr, function: Any, normals: Any, variations: Sequence[Variation]
) -> Iterator[tuple[int, Compiled]]:
    """The derivatives of an expression by the parameters that it contains."""
    for k, by in enumerate(variations):
        slope = slope_by(expression, by.symbol)
        if slope != 0:
            own = compiled(solution, slope, normals is not None)
            yield k, own if function.piece is None else own.within(function.piece)


def explicit_rates(solution: Solution, terms: Sequence[tuple[float, Any]], variations: Sequence[Variation]) -> Rates:
    """What the parameters change in a sum of integrals with the solution held: explicitly, and by moving the place."""
    values, size, rule, bent = (np.zeros(len(variations)) for _ in range(4))
    for factor, of in terms:
        place, function = place_of(solution, of.part, of.fixed), compiled_on(solution, of.expression, of.part)
        if any(slope_by(of.expression, v.symbol) != 0 for v in variations):
            nodes = [place.rule(level) for level in (LEVELS - 2, LEVELS - 1)]
            for k, own in _explicit(solution, of.expression, function, nodes[0][1], variations):
                coarse, fine = (float(weights @ own(points, normals)) for points, normals, weights in nodes)
                values[k] += factor * fine
                size[k] += abs(factor * fine)
                rule[k] += abs(factor) * abs(fine - coarse)
        for k, variation in enumerate(variations):
            if variation.shapes:
                there, lack = _moved(solution, of, solution.coefficients[:, None], variation)
                moved = factor * float(there[0])
                rule[k] += abs(factor) * lack
                values[k] += moved
                size[k] += abs(moved)
                bent[k] += STEEP ** (function.order + (of.part is not None)) * abs(moved)
    return Rates(values[:, None], size, rule, bent=bent)


def _bent(function: Compiled, points: np.ndarray, normals: np.ndarray | None, tangents: Tangents) -> np.ndarray:
    """How much f_u applied to each tangent changes when the solution is off by its error: (n, K)."""
    solution, equation = function.solution, function.equations[0]
    sample, numbers = solution.problem.domain.interior(LOOKS), tuple(solution.parameters.values())
    sizes = [float(rms(s)) for s in solution.basis.derivatives(solution.coefficients, sample, equation.slots)]
    at = solution.basis.derivatives(solution.coefficients, points, equation.slots)
    off = [s + solution.error * size for s, size in zip(at, sizes, strict=True)]
    here, there = (equation.jacobian(points, normals, numbers, slots) for slots in (at, off))
    bends = [after - before for before, after in zip(here, there, strict=True)]
    total = np.zeros((len(points), len(tangents.bases)))
    if any(np.any(b) for b in bends):  # a linear functional does not bend
        for bend, c in zip(bends, tangents.at(points, equation.slots), strict=True):
            total += np.abs(np.broadcast_to(bend, len(points))[:, None] * c[:, :, 0])
    return total


def _along(function: Compiled, points: np.ndarray, normals: np.ndarray | None, tangents: Tangents) -> np.ndarray:
    """f_u applied to each tangent at points, for each pair of output weights of solution and tangent: (n, K, c)."""
    domain = function.solution.problem.domain
    if len(function.equations) == 1 or not isinstance(domain, Pieces):
        return _one(function, 0, points, normals, tangents)
    if function.piece is not None:
        return _one(function, function.piece, points, normals, tangents)
    which = domain.nearest(points)
    values = np.zeros((len(points), len(tangents.bases), tangents.states.shape[1]))
    for number in np.unique(which):
        mine = which == number
        along = None if normals is None else normals[mine]
        values[mine] = _one(function, int(number), points[mine], along, tangents)
    return values


def _one(
    function: Compiled, number: int, points: np.ndarray, normals: np.ndarray | None, tangents: Tangents
) -> np.ndarray:
    equation, solution = function.equations[number], function.solution
    own = solution.basis
    if function.piece is not None:
        own, tangents = own.within(function.piece), tangents.within(function.piece)  # type: ignore[attr-defined]
    numbers = tuple(solution.parameters.values())
    at = derivatives_near_corners(own, tangents.states, points, equation.slots, solution.error)
    change = tangents.at(points, equation.slots, solution.error)
    total = np.zeros((len(points), len(tangents.bases), tangents.states.shape[1]))
    for j in range(total.shape[2]):
        factors = equation.jacobian(points, normals, numbers, [s[:, j] for s in at])
        for factor, c in zip(factors, change, strict=True):
            total[:, :, j] += np.broadcast_to(factor, len(points))[:, None] * c[:, :, j]
    return total
