"""How far a result can be trusted: what it would be with smaller networks.

The leading columns of the triangle of a solve are smaller networks, whose coefficients cost one back substitution each.
How much a result changes with them, in units of how much the solution does, is its sensitivity; times the estimated
error of the solution it is the error of the result. A single part of the network would not do: a result may agree by
chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.counts import LOOKS
from transnet.linalg.nested import nested_solutions

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

PARTS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
"""The parts of the network that a solve uses for its own estimate."""
OF_SENSITIVITY = 2.0
"""On known results the error was up to 1.1 times the sensitivity times the error of the solution."""
ROUGH = 5.0
"""The same where there are no smaller networks to compare with: the largest value of a solution in a ball was off by
2.6 times the estimated error of the whole."""
CHANCE = 0.03
"""The part of that which is kept where one coarser solution agrees: integrals and fluxes that symmetry makes zero were
known thirty to ten thousand times better."""
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


def coarser_error(solution: Solution, change: np.ndarray, rough: np.ndarray) -> np.ndarray:
    """How much results still depend on the features, from their change since a coarser solution; `rough` is what is
    known without it, of which a part remains: results of two solutions may agree by chance."""
    distance = max(solution.diagnostics.coarser.distance, 1e-300)  # type: ignore[union-attr]
    error = solution.error if np.isfinite(solution.error) else 1.0
    return np.clip(OF_SENSITIVITY * error * change / distance, CHANCE * rough, rough)


def typical(solution: Solution, function: Any) -> float:
    """The size of an expression in the domain, for a solution without smaller networks.

    Where it happens to be small, like values on a boundary where zero is stated, its error is not: that is relative to
    its size elsewhere. Expressions with a normal are evaluated in random directions.
    """
    points = solution.problem.domain.interior(LOOKS)
    directions = np.random.default_rng(0).standard_normal(points.shape)
    values = function.everywhere(points, directions / np.linalg.norm(directions, axis=1, keepdims=True))
    return float(np.sqrt(np.mean(np.abs(values[np.isfinite(values)]) ** 2)))


def network_error(solution: Solution, results: np.ndarray, size: float, order: int) -> np.ndarray:
    """How much results still depend on the network.

    Parameters
    ----------
    results : (k, c) array
        The results of each network.
    size : float
        The size of the terms in them, for a solution without smaller networks.
    order : int
        The highest derivative in them, for such a solution.
    """
    error = solution.error if np.isfinite(solution.error) else 1.0
    if results.shape[1] == 1:
        return np.full(len(results), ROUGH * error * size * STEEP**order)
    changes = np.array([max(difference, 1e-300) for _, difference in solution.diagnostics.nested])
    sensitivity = np.abs(results[:, 1:] - results[:, :1]) / changes
    return np.asarray(OF_SENSITIVITY * error * sensitivity.max(axis=1))
