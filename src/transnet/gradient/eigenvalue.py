"""The derivative of a simple eigenvalue: F(u, lam; k) = 0 with a norm, differentiated as a whole.

The rows of the eigenfunction get one more column, dF/dlam, for the derivative of the eigenvalue, and one more row,
<u, s> = 0, as the norm is kept. That holds for any boundary conditions and powers of lam, self-adjoint or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.doors.eigen import EigenPlan, found_pairs
from transnet.eigen.pairs import Eigenpairs
from transnet.errors import ProblemError
from transnet.gradient.differences import corners_move, neighbours, slope_of, stated_with
from transnet.gradient.network import held_changes
from transnet.gradient.variation import Variation, variations_of
from transnet.linalg.least_squares import QR
from transnet.linalg.nested import nested_solutions
from transnet.linalg.triangle import Triangle
from transnet.rows.assembly import weight_of, write_block
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.solution.derivatives import Gradient
from transnet.solution.results.networks import PARTS
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution
from transnet.tolerances import BESIDE, ROUNDED


def eigenvalue_gradient(pairs: Eigenpairs, number: int, wrt: Any) -> Gradient:
    """The derivatives of one eigenvalue."""
    values, solution = np.asarray(pairs.values), pairs[number]
    value = values[number]
    others = np.delete(values, number % len(values))
    if len(others) and np.min(np.abs(others - value)) <= BESIDE * max(abs(value), 1e-300):
        raise ProblemError(
            f"The eigenvalue {value:.10g} is double, and a double eigenvalue has no derivative: it splits, and how "
            f"depends on the direction of the change. Break the symmetry, if only a little."
        )
    if pairs.lam not in solution.parameters:
        raise ProblemError("Derivatives are available for real eigenvalues.")
    variations = variations_of(solution, wrt)
    smooth = [v for v in variations if isinstance(solution.basis, Basis) and not corners_move(v)]
    found = _by_tangents(pairs, solution, value, smooth) if smooth else {}
    gap = float(np.min(np.abs(others - value))) if len(others) else np.inf
    return Gradient(
        {v.symbol: found[v.symbol] if v in smooth else _by_differences(pairs, value, gap, v) for v in variations}
    )


def _by_differences(pairs: Eigenpairs, value: float, gap: float, variation: Variation) -> Number:
    """By eigenvalues of neighbouring problems: in pieces, and where a corner moves."""
    problem, _ = stated_with(variation)

    def solve(values: Mapping[Any, Any]) -> Number:
        given = {p: v for p, v in values.items() if p != pairs.lam}
        found = found_pairs(EigenPlan(problem, pairs.lam, 1, near=float(value), parameters=given))
        if abs(found.values[0] - value) >= gap / 2:
            raise ProblemError("The eigenvalue cannot be told from the next one.")
        return Number(float(found.values[0]), float(found.errors[0]))

    return slope_of(*neighbours(variation, solve))


def _by_tangents(
    pairs: Eigenpairs, solution: Solution, value: float, variations: Sequence[Variation]
) -> dict[sp.Symbol, Number]:
    basis, numbers = solution.basis, tuple(solution.parameters.values())
    assert isinstance(basis, Basis)
    # Those of the solution may be on a part of the domain, as reflections are used.
    blocks = collocate(solution.problem, statements_of(solution.problem), basis.columns, None, 0, basis.foci)
    by_lam = Variation(solution, pairs.lam)
    rows = [b.rows for b in blocks]
    ends = np.cumsum(rows)
    matrix = np.empty((ends[-1] + 1, basis.columns + 1), order="F")
    rights = np.zeros((ends[-1] + 1, len(variations)), order="F")
    for block, end in zip(blocks, ends, strict=True):
        here = slice(end - block.rows, end)
        state = block.state(basis, solution.coefficients)
        linear = block.linearise(numbers)
        weight = weight_of(block, basis, linear.coefficients)
        write_block(matrix.T[1:, here], block, basis, linear.coefficients, weight)
        found = weight * block.nodes.folded(
            held_changes(solution, block.statement, block.points, block.normals, state, [by_lam, *variations])
        )
        matrix[here, 0], rights[here] = found[:, 0], -found[:, 1:]
    points = blocks[0].points
    features, zero = basis.features(points), (0,) * points.shape[1]
    matrix[-1] = 0.0
    for u, array in enumerate(features):
        size = basis.derivatives(solution.coefficients, points, [(u, zero)])[0]
        matrix[-1, 1:][basis.slice_of(u)] = size @ array / len(points)
    triangle = Triangle.of(matrix, keep=True)
    rotated = np.asfortranarray(triangle.rotated(rights))
    whole = QR().solve(triangle.array, rotated).values[0]
    parts = nested_solutions(triangle.array, rotated, [1 + basis.leading(p)[1] for p in PARTS[-1:]])
    entries: dict[sp.Symbol, Number] = {}
    for k, variation in enumerate(variations):
        scale = abs(float(np.real(value))) / (abs(variation.value) or 1.0)
        lack = abs(whole[k] - parts[0, k]) if parts is not None else abs(whole[k])
        error = min(lack, solution.error * max(abs(whole[k]), scale)) + ROUNDED * max(abs(whole[k]), scale)
        entries[variation.symbol] = Number(float(whole[k]), float(error))
    return entries
