"""Which products, and how many, suit a problem in many coordinates: small sets are compared, the best grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import sympy as sp

from transnet.choose.trials import MORE_THAN
from transnet.cross.degrees import FAMILIES, degrees
from transnet.cross.mirrors import mirrors_of
from transnet.cross.solve import solve_cross
from transnet.errors import ProblemError
from transnet.linalg.least_squares import Solver
from transnet.problem import Problem
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution

COMPARED = 1_500
"""The number of products in the sets that are compared."""
BANDS = (0.5, 1.0, 0.5 * np.pi)
"""Their bandwidths: nearly polynomials, in between, and half a wave for each degree."""
TURNS = (1.25, 0.8)
"""Factors by which the best bandwidth is changed while that pays."""
SIZES = (4_000, 10_000, 25_000, 50_000)
"""The numbers of products that are tried; no parity may have more than `WIDEST` of them."""
WIDEST = 2_500
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


def cross_levels(
    problem: Problem, solver: Solver, values: dict[sp.Symbol, Any], seed: int = 0, products: int | None = None
) -> Iterator[tuple[Solution, int]]:
    """Solutions with more and more products, each with the number of the next set; none follows the last.

    Parameters
    ----------
    products : int, optional
        Solve once, with this many.
    """
    d = problem.domain.dimension

    def at(law: Law, count: int) -> Solution:
        family, band = law
        return solve_cross(problem, degrees(d, count, family), np.full(d, band), solver, values, seed)

    first = COMPARED if products is None else min(COMPARED, products)
    law, best = _compared(at, first)
    if products is not None:
        yield at(law, products) if products > first else best, 0
        return
    yield best, SIZES[0]
    for count, following in zip(SIZES, (*SIZES[1:], 0), strict=True):
        if _widest(problem, values, d, count, law) > WIDEST:
            return
        yield at(law, count), following


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
