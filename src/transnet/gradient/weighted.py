"""The derivatives of a result from the solution of the adjoint problem: what changes, weighted and summed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from transnet.doors.solve import carried_out
from transnet.drive.plan import Plan
from transnet.errors import ProblemError
from transnet.geometry import Pieces
from transnet.gradient.adjoint import adjoint_problem
from transnet.gradient.along import explicit_rates
from transnet.gradient.dual import AdjointProblem
from transnet.gradient.motion import away_from_corners
from transnet.gradient.network import held_changes
from transnet.gradient.stated import asked_of, condition_statements, fluxes_by_piece, interfaces_of
from transnet.gradient.variation import Variation, act_on_unknowns, slope_by
from transnet.pieces.laws import known_laws
from transnet.problem import Problem, jump
from transnet.remember import Remembered
from transnet.rows.statements import Statement, statements_of
from transnet.sections.surface import Distance, surface_rule
from transnet.solution.expressions import compiled, compiled_on
from transnet.solution.results.networks import ROUGH, STEEP
from transnet.solution.results.numbers import Number
from transnet.solution.results.places import LEVELS, NODES_AROUND, place_of
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread
from transnet.tolerances import ROUNDED

SECONDS = 20.0
"""The most time for an adjoint problem that is not marched."""


@on_one_thread
def adjoint_slopes(
    solution: Solution, terms: Sequence[tuple[float, Any]], variations: Sequence[Variation]
) -> list[Number]:
    """dJ/dk of a sum of functionals with factors for each parameter; ProblemError where there is no adjoint."""
    stated, z = _adjoints.get(solution, tuple(terms), lambda: _solved(solution, terms))
    own = explicit_rates(solution, terms, variations)
    trust = ROUGH * (z.error + STEEP * solution.error)
    found, sizes, rule = weighted_changes(solution, stated, z, variations, trust)
    values = own.values[:, 0] - found
    errors = trust * (sizes + own.size) + ROUGH * solution.error * own.bent + rule + own.rule
    errors = errors + ROUNDED * (sizes + own.size)
    return [Number(float(v), float(e)) for v, e in zip(values, errors, strict=True)]


def weighted_changes(
    solution: Solution, stated: AdjointProblem, z: Solution, variations: Sequence[Variation], enough: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """int z F_k + oint lam C_k for each parameter, the size of its terms, and the error of the rule, which is refined
    until that is small enough."""
    found = _refined(solution, stated, z, variations, enough, None)
    distance = away_from_corners(solution.problem.domain, solution, z)
    if distance is None or np.all(found[2] <= enough * found[1].max()):
        return found
    other = _refined(solution, stated, z, variations, enough, distance)
    fine, size, rule = (np.where(other[2] < found[2], a, b) for a, b in zip(other, found, strict=True))
    return fine, size, rule


def _refined(
    solution: Solution,
    stated: AdjointProblem,
    z: Solution,
    variations: Sequence[Variation],
    enough: float,
    distance: Distance | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    fine, size = _weighted(solution, stated, z, variations, 0, distance)
    for level in range(1, LEVELS):
        coarse, (fine, size) = fine, _weighted(solution, stated, z, variations, level, distance)
        rule = np.abs(fine - coarse)
        if rule.max() <= enough * size.max():
            break
    return fine, size, rule


_adjoints: Remembered[Solution, tuple[AdjointProblem, Solution]] = Remembered()


def _solved(solution: Solution, terms: Sequence[tuple[float, Any]]) -> tuple[AdjointProblem, Solution]:
    """The adjoint problem and its solution, for any number of parameters, functions and parts."""
    stated = adjoint_problem(solution, terms)
    marched = solution.basis.kind == "slabs"
    z = carried_out(Plan(stated.problem, tol=asked_of(solution), seconds=None if marched else SECONDS))
    if not np.isfinite(z.error):
        raise ProblemError("The adjoint solution has no error estimate.")
    return stated, z


def _weighted(
    solution: Solution,
    stated: AdjointProblem,
    z: Solution,
    variations: Sequence[Variation],
    level: int,
    distance: Distance | None,
) -> tuple[np.ndarray, np.ndarray]:
    """int z F_k + oint lam C_k for each parameter, and the size of its terms."""
    total, size = np.zeros(len(variations)), np.zeros(len(variations))
    for weights, changes in _changes(solution, stated, z, variations, level, distance):
        total += weights @ changes
        size += np.abs(weights) @ np.abs(changes)
    return total, size


def _changes(
    solution: Solution,
    stated: AdjointProblem,
    z: Solution,
    variations: Sequence[Variation],
    level: int,
    distance: Distance | None,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What changes in each statement at the nodes of its place, and the weights there: those of a rule times z."""
    problem, moving = solution.problem, any(v.shapes for v in variations)

    def changes(statement: Any, points: np.ndarray, normals: np.ndarray | None) -> np.ndarray:
        slots = statement.equation.slots
        if moving or act_on_unknowns(variations, statement.equation):
            state = solution.basis.derivatives(solution.coefficients, points, slots)
        else:
            state = [np.zeros(len(points))] * len(slots)  # which a source does not need
        return held_changes(solution, statement, points, normals, state, variations)

    for place, inside in _insides(problem):
        if any(v.explicit(s.equation) for v in variations for s in inside):
            points, _, weights = place_of(solution, place, {}).rule(level)
            slots = [(i, (0,) * points.shape[1]) for i in range(len(inside))]
            found = z.basis.derivatives(z.coefficients, stated.places(points), slots)
            for s, values in zip(inside, found, strict=True):
                yield weights * values, changes(s, points, None)
    if isinstance(problem.domain, Pieces):
        yield from _across(solution, z, variations, level)
    for m in stated.multipliers:
        if moving or any(v.explicit(m.statement.equation) for v in variations):
            points, normals, weights = surface_rule(problem.domain, m.part, NODES_AROUND[level], distance)
            factor = compiled(z, m.factor, normals=True)(stated.places(points), normals)
            yield weights * factor, changes(m.statement, points, normals)
    for s in condition_statements(problem):
        if s.part is None and any(v.explicit(s.equation) for v in variations):
            raise ProblemError("The adjoint of a condition that is not on the boundary has no factor.")


def _insides(problem: Problem) -> Iterator[tuple[str | None, tuple[Statement, ...]]]:
    """The equations inside, as each piece has them."""
    if isinstance(problem.domain, Pieces):
        yield from zip(problem.domain.piece_names, known_laws(problem).equations, strict=True)
    else:
        yield None, tuple(s for s in statements_of(problem, lagged=False) if s.kind == "equation")


def _across(
    solution: Solution, z: Solution, variations: Sequence[Variation], level: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """What changes in the fluxes that are continuous across interfaces, weighted."""
    problem, domain = solution.problem, solution.problem.domain
    assert isinstance(domain, Pieces)
    for i, flux in enumerate(fluxes_by_piece(problem)):
        slopes = [slope_by(flux, v.symbol) for v in variations]
        for part in interfaces_of(domain) if any(s != 0 for s in slopes) else ():
            points, normals, weights = place_of(solution, part, {}).rule(level)
            changes = np.zeros((len(points), len(variations)))
            for k, slope in enumerate(slopes):
                if slope != 0:
                    changes[:, k] = compiled_on(solution, jump(slope), part)(points, normals)
            yield weights * z.basis.derivatives(z.coefficients, points, [(i, (0,) * points.shape[1])])[0], changes
