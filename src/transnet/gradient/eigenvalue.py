"""The derivative of a simple eigenvalue: F(u, lam; k) = 0 with a norm, differentiated as a whole.

In one network the rows of the eigenfunction get one more column, dF/dlam, for the derivative of the eigenvalue, and one
more row, <u, s> = 0, as the norm is kept. Anywhere else z, the eigenfunction of the adjoint problem, weights what
changes: dlam = -<z, F_k> / <z, F_lam> (Hellmann and Feynman, if z is u). Both hold for any boundary conditions and
powers of lam, self-adjoint or not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from transnet.basis.basis import Basis
from transnet.doors.eigen import EigenPlan, found_pairs
from transnet.eigen.pairs import Eigenpairs, OfEigenvalue
from transnet.errors import ProblemError, TransnetError
from transnet.gradient.adjoint import adjoint_problem
from transnet.gradient.differences import corners_move, neighbours, slope_of, stated_with
from transnet.gradient.network import held_changes
from transnet.gradient.split import Put, split_gradient
from transnet.gradient.variation import Variation
from transnet.gradient.weighted import weighted_changes
from transnet.linalg.least_squares import QR
from transnet.linalg.nested import nested_solutions
from transnet.linalg.triangle import Triangle
from transnet.rows.assembly import weight_of, write_block
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.solution.derivatives import Gradient
from transnet.solution.results.networks import PARTS, ROUGH, STEEP
from transnet.solution.results.numbers import Number
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread
from transnet.tolerances import BESIDE, ROUNDED

FEW = 40
"""How many tangents, which share a factorisation, cost as much as an adjoint eigenfunction."""


def eigenvalues_gradient(result: Number, wrt: Any) -> Gradient:
    """The derivatives of a sum of eigenvalues with factors by parameters."""
    if not all(isinstance(of, OfEigenvalue) for _, of in result.of):
        raise ProblemError("Eigenvalues and results of a solution are differentiated one by one, not their sum.")
    if len(result.of) == 1 and result.of[0][0] == 1:
        return eigenvalue_gradient(result.of[0][1].pairs, result.of[0][1].number, wrt)
    found = [(factor, eigenvalue_gradient(of.pairs, of.number, wrt)) for factor, of in result.of]
    if not all(isinstance(n, Number) for _, gradient in found for n in gradient.values()):
        raise ProblemError("The derivative with respect to a function is available for one eigenvalue at a time.")
    zero = Number(0.0, 0.0)
    return Gradient({p: sum((factor * g[p] for factor, g in found), zero) for p in found[0][1]})


def eigenvalue_gradient(pairs: Eigenpairs, number: int, wrt: Any) -> Gradient:
    """The derivatives of one eigenvalue."""
    values, solution = np.asarray(pairs.values), pairs[number]
    value = values[number]
    others = np.delete(values, number % len(values))
    _refuse_double(value, others)
    if pairs.lam not in solution.parameters:
        raise ProblemError("Derivatives are available for real eigenvalues.")
    last = number % len(values) == len(values) - 1  # those beyond it were not asked for

    @cache
    def gap() -> float:
        """The distance from the closest other eigenvalue."""
        given = {p: v for p, v in pairs.parameters.items() if p != pairs.lam}
        near = EigenPlan(pairs.problem, pairs.lam, 2, near=complex(value), parameters=given)
        known = np.append(others, _others(value, found_pairs(near))) if last else others
        _refuse_double(value, known)
        return float(np.min(np.abs(known - value), initial=np.inf))

    def slopes(there: Solution, variations: Sequence[Variation], put: Put | None = None) -> list[Number]:
        smooth = [v for v in variations if not corners_move(v)]
        found = _smooth_slopes(pairs, there, value, smooth, put is None, gap) if smooth else {}
        return [found[v] if v in found else _by_differences(pairs, value, gap(), v) for v in variations]

    return split_gradient(solution, wrt, slopes)


class DoubleError(ProblemError):
    """An eigenvalue that is double has no derivative."""


def _others(value: complex, found: Eigenpairs) -> np.ndarray:
    """The eigenvalues that were found beside the one that is closest."""
    return np.delete(found.values, np.argmin(np.abs(found.values - value)))


def _refuse_double(value: complex, others: np.ndarray) -> None:
    if len(others) and np.min(np.abs(others - value)) <= BESIDE * max(abs(value), 1e-300):
        raise DoubleError(
            f"The eigenvalue {value:.10g} is double, and a double eigenvalue has no derivative: it splits, and how "
            f"depends on the direction of the change. Break the symmetry, if only a little."
        )


def _smooth_slopes(
    pairs: Eigenpairs,
    solution: Solution,
    value: float,
    variations: Sequence[Variation],
    few: bool,
    gap: Callable[[], float],
) -> dict[Variation, Number]:
    """Those for which nothing but the eigenfunction and its adjoint is needed: functions vary in many ways, of which
    some need more neurons than the eigenfunction does."""
    ways = [_by_adjoint, _by_tangents] if isinstance(solution.basis, Basis) else [_by_adjoint]
    for way in reversed(ways) if few and len(variations) <= FEW else ways:
        try:
            return way(pairs, solution, value, variations, gap)
        except DoubleError:
            raise
        except TransnetError:
            continue
    return {}


@on_one_thread
def _by_adjoint(
    pairs: Eigenpairs, solution: Solution, value: float, variations: Sequence[Variation], _: Callable[[], float]
) -> dict[Variation, Number]:
    stated = adjoint_problem(solution, (), (pairs.lam,))
    found = found_pairs(EigenPlan(stated.problem, pairs.lam, 2, near=float(value)))  # it has the same eigenvalues
    _refuse_double(value, _others(value, found))
    number = int(np.argmin(np.abs(found.values - value)))
    z, all_of = found[number], [Variation(solution, pairs.lam), *variations]
    trust = ROUGH * (z.error + STEEP * solution.error) + abs(found.values[number] / value - 1 if value else 0.0)
    changes, sizes, rule = weighted_changes(solution, stated, z, all_of, trust)
    slopes = -changes[1:] / changes[0]
    off = (trust * sizes + rule) / abs(changes[0])
    errors = off[1:] + np.abs(slopes) * off[0]
    if not np.all(np.isfinite(errors)):
        raise ProblemError("The adjoint eigenfunction has no error estimate.")
    return {v: Number(float(n), float(e)) for v, n, e in zip(variations, slopes, errors, strict=True)}


def _by_differences(pairs: Eigenpairs, value: float, gap: float, variation: Variation) -> Number:
    """By eigenvalues of neighbouring problems: where a corner moves, and where there is no adjoint."""
    problem, known = stated_with(variation)
    if variation.symbol not in known:
        raise ProblemError(f"The derivative of the eigenvalue {value:.10g} by a function is not available here.")

    def solve(values: Mapping[Any, Any]) -> Number:
        given = {p: v for p, v in values.items() if p != pairs.lam}
        found = found_pairs(EigenPlan(problem, pairs.lam, 1, near=float(value), parameters=given))
        if abs(found.values[0] - value) >= gap / 2:
            raise ProblemError("The eigenvalue cannot be told from the next one.")
        return Number(float(found.values[0]), float(found.errors[0]))

    return slope_of(*neighbours(variation, solve))


def _by_tangents(
    pairs: Eigenpairs, solution: Solution, value: float, variations: Sequence[Variation], gap: Callable[[], float]
) -> dict[Variation, Number]:
    gap()  # which a double eigenvalue does not have
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
    entries: dict[Variation, Number] = {}
    for k, variation in enumerate(variations):
        scale = abs(float(np.real(value))) / (abs(variation.value) or 1.0)
        lack = abs(whole[k] - parts[0, k]) if parts is not None else abs(whole[k])
        error = min(lack, solution.error * max(abs(whole[k]), scale)) + ROUNDED * max(abs(whole[k]), scale)
        entries[variation] = Number(float(whole[k]), float(error))
    return entries
