"""Which products, and how many, suit a problem in many coordinates: small sets are compared, the best grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.choose.effort import Effort
from transnet.choose.levels import MORE_THAN
from transnet.cross.degrees import FAMILIES, degrees
from transnet.cross.solve import solve_cross
from transnet.errors import EstimateWarning, Message, ProblemError, undetermined
from transnet.linalg.least_squares import Solver
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution
from transnet.symmetry.mirrors import mirrors_of

COMPARED = 1_500
"""The number of products in the sets that are compared."""
BANDS = (0.5, 1.0, 0.5 * np.pi)
"""Their bandwidths: nearly polynomials, in between, and half a wave for each degree."""
TURNS = (1.25, 0.8)
"""Factors by which the best bandwidth is changed while that pays."""
SIZES = (4_000, 10_000, 25_000, 50_000)
"""The numbers of products that are tried; no parity may have more than `WIDEST` of them."""
WIDEST = 2_500
ACCEPTABLE = 1e-5
"""An estimated error above this raises a warning when no tolerance was asked for."""

Law = tuple[str, float]
"""A family of products and a bandwidth."""


def refuse_what_has_no_cross(problem: Problem) -> None:
    """Raise unless a problem in many coordinates is of a kind that can be solved."""
    d = problem.domain.dimension
    statements = statements_of(problem)
    if len(problem.unknowns) > 1 or not all(s.equation.linear for s in statements):
        raise ProblemError(
            f"In more than {MORE_THAN} coordinates only linear problems for one unknown can be solved; this one has "
            f"{d} coordinates and is {'a system' if len(problem.unknowns) > 1 else 'nonlinear'}. Hold some of the "
            f"coordinates as parameters."
        )
    if any(s.equation.places for s in statements) or any(s.kind == "periodic" for s in statements):
        raise ProblemError(
            f"In more than {MORE_THAN} coordinates integrals, values elsewhere and periodicity are not supported; this "
            f"problem has {d}."
        )


def solve_in_many_coordinates(
    problem: Problem,
    effort: Effort,
    solver: Solver,
    parameters: Any,
    seed: int,
    products: int | None,
    watch: Callable[[Solution], None] | None,
) -> Solution:
    """Solve with growing sets of products until the estimated error is below the tolerance.

    Parameters
    ----------
    products : int, optional
        Solve once, with this many.
    """
    refuse_what_has_no_cross(problem)
    values = parameter_values(problem, parameters)
    d = problem.domain.dimension

    def at(law: Law, count: int) -> Solution:
        family, band = law
        return solve_cross(problem, degrees(d, count, family), np.full(d, band), solver, values, seed)

    first = COMPARED if products is None else min(COMPARED, products)
    law, best = _compared(at, first)
    if products is not None:
        return at(law, products) if products > first else best
    for count in SIZES:
        if (
            effort.reached(best.error)
            or effort.enough(best.error, best.neurons)
            or undetermined(best.diagnostics.messages)
        ):
            break
        if _widest(problem, values, d, count, law) > WIDEST:
            break
        if effort.over(sum(best.diagnostics.seconds.values()), count / best.neurons):
            break
        larger = at(law, count)
        if watch is not None:
            watch(larger)
        best = larger if larger.error <= best.error else best
    return _told(best, effort)


def _compared(at: Callable[[Law, int], Solution], count: int) -> tuple[Law, Solution]:
    """The best family and bandwidth at a small size, by the residual at points that were not fitted."""
    tried = {(family, band): at((family, band), count) for family in FAMILIES for band in BANDS}
    law = min(tried, key=lambda key: _misfit(tried[key]))
    for factor in TURNS:
        while True:
            turned = (law[0], law[1] * factor)
            if turned in tried:
                break
            tried[turned] = at(turned, count)
            if _misfit(tried[turned]) >= _misfit(tried[law]):
                break
            law = turned
    return law, tried[law]


def _misfit(solution: Solution) -> float:
    return float(np.hypot.reduce([r.relative for r in solution.diagnostics.residuals]))


def _widest(problem: Problem, values: dict[sp.Symbol, Any], d: int, count: int, law: Law) -> int:
    """The products of the largest parity."""
    mirrors = mirrors_of(problem, tuple(values.values()))
    axes = [] if mirrors is None else list(mirrors.axes)
    return int(np.bincount((degrees(d, count, law[0])[:, axes] % 2) @ (1 << np.arange(len(axes)))).max())


def _told(best: Solution, effort: Effort) -> Solution:
    """The solution with a message if it falls short."""
    known = best.diagnostics
    if best.error <= (ACCEPTABLE if effort.tol is None else effort.tol):
        return best
    others = tuple(m for m in known.messages if m.kind is not EstimateWarning)
    if not undetermined(others):
        asked = "" if effort.tol is None else f"The tolerance {effort.tol:.1e} was not reached{effort.spent}. "
        text = (
            f"{asked}The estimated relative error is {best.error:.1e}: in {best.problem.domain.dimension} coordinates "
            f"{best.neurons} products of waves do not resolve the solution. Only smooth functions that couple few "
            f"coordinates at a time, and sums and products of functions of one coordinate, can be resolved."
        )
        others = (*others, Message(EstimateWarning, text))
    return replace(best, diagnostics=replace(known, messages=others))
