"""How far a result can be trusted: what it would be with smaller networks, or with coarser or finer cells.

The leading columns of the triangle of a solve are smaller networks, whose coefficients cost one back substitution each.
How much a result changes with them, in units of how much the solution does, is its sensitivity; times the estimated
error of the solution it is the error of the result. A single part would not do: a result may agree by chance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.counts import LOOKS
from transnet.linalg.nested import nested_solutions

if TYPE_CHECKING:
    from transnet.solution.expressions import Across, Compiled
    from transnet.solution.solution import Solution

PARTS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""The parts of the network that a solve uses for its own estimate."""
OF_SENSITIVITY = 2.0
"""On known results the error was up to 1.1 times the sensitivity times the error of the solution."""
ROUGH = 5.0
"""The same where there are no smaller networks to compare with: the largest value of a solution in a ball was off by
2.6 times the estimated error of the whole."""
CHANCE = 0.3
"""The part of the change of what is integrated that its integral is thought to change where a single coarser solution
agrees better: of twenty-four forces and means of elastic plates five were off by up to 0.35 of it."""
FINER, LITTLE = 1.5, 0.003
"""A solution closer than this, in units of the error, is the one that the error was measured with; how much less of the
changes elsewhere counts then."""
STEEP = 10.0
"""The factor by which the relative error grows with each order of a derivative, if nothing better is known."""


def networks(solution: Solution) -> np.ndarray:
    """Output weights (columns, c): first those of the whole network, then those of the parts that the solve used."""
    basis, triangle = solution.basis, solution.diagnostics.triangle
    whole = solution.coefficients[:, None]
    n, nested = len(whole), [m for m, _ in solution.diagnostics.nested]
    if triangle is None or triangle.shape != (n, n) or not isinstance(basis, Basis):
        return whole
    neurons, columns = zip(*map(basis.leading, PARTS), strict=True)
    if list(neurons) != nested:
        return whole
    found = nested_solutions(np.asfortranarray(triangle), triangle @ whole, columns)
    return whole if found is None else np.hstack([whole, found])


def changes_of(
    solution: Solution, function: Compiled | Across, points: np.ndarray, normals: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """The values of an expression (n,), and by how much they differ from those of other solutions, in units of the
    distances between these, (n, c): the parts of the network, a coarser solution, or none."""
    weights, coarser = networks(solution), solution.diagnostics.coarser
    if weights.shape[1] > 1:
        several = function(points, normals, weights)
        distances = np.array([max(difference, 1e-300) for _, difference in solution.diagnostics.nested])
        return several[:, 0], (several[:, 1:] - several[:, :1]) / distances
    values = values_of(solution, function, points, normals)
    if coarser is None:
        return values, np.zeros((len(points), 0))
    other = replace(solution, basis=coarser.basis, coefficients=coarser.coefficients)
    before = values_of(other, function.of(other), points, normals)
    return values, (before - values)[:, None] / max(coarser.distance, 1e-300)


def values_of(
    solution: Solution, function: Compiled | Across, points: np.ndarray, normals: np.ndarray | None
) -> np.ndarray:
    """The values of an expression as sums need them: without a limit in the middle of singular functions."""
    return function(points, normals, solution.coefficients[:, None])[:, 0]


def chance(solution: Solution) -> float:
    """How much of the changes elsewhere counts, since a single other solution may agree by chance: little if that is a
    finer one, whose change is the error itself."""
    coarser = solution.diagnostics.coarser
    return 1.0 if coarser is not None and coarser.distance > FINER * solution.error else LITTLE


def own_error(solution: Solution) -> float:
    """The estimated error of the solution; all of it if nothing is known."""
    return solution.error if np.isfinite(solution.error) else 1.0


def typical(solution: Solution, function: Any) -> float:
    """The size of an expression in the domain, for a solution without smaller networks.

    Where it happens to be small, like values on a boundary where zero is stated, its error is not: that is relative to
    its size elsewhere. Expressions with a normal are evaluated in random directions.
    """
    points = solution.problem.domain.interior(LOOKS)
    directions = np.random.default_rng(0).standard_normal(points.shape)
    values = function.everywhere(points, directions / np.linalg.norm(directions, axis=1, keepdims=True))
    return float(np.sqrt(np.mean(np.abs(values[np.isfinite(values)]) ** 2)))


def integral_error(solution: Solution, changes: np.ndarray, weights: np.ndarray) -> float:
    """How much an integral still depends on the features, from the changes of what is integrated, (n, c)."""
    whole = np.abs(weights @ changes).max()
    if changes.shape[1] == 1:
        whole = max(whole, CHANCE * chance(solution) * float((np.abs(weights) @ np.abs(changes))[0]))
    return OF_SENSITIVITY * own_error(solution) * float(whole)


def rough_error(solution: Solution, size: float, order: int) -> float:
    """The error of a result whose terms have this size and derivatives of this order, if there is nothing to compare
    the solution with."""
    return ROUGH * own_error(solution) * size * STEEP**order
