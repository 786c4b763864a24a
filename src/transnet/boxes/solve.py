"""The solution of a steady problem on a box: products of polynomials of rising degree.

Products of polynomials along the axes need no matrix (see `boxes.equations`): a step of the iteration takes a few small
matrix products, and for constant coefficients there is only one. The price is that jumps, and strong singularities at
corners and edges, spoil them: what they do not reach is left to networks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from transnet.boxes.basis import BoxBasis
from transnet.boxes.levels import BoxLevel
from transnet.boxes.statement import Steady
from transnet.clock import Clock
from transnet.judge.diagnose import HOLDS
from transnet.judge.expanded import expanded_solution, judge_expansion
from transnet.solution.solution import Solution


def solution_in_box(
    steady: Steady, level: BoxLevel, values: Mapping[sp.Symbol, Any], clock: Clock, judged: bool = True
) -> Solution:
    """The solution of a level, with its residuals if it is to be judged: one that leads to another need not be."""
    problem, numbers = steady.problem, tuple(values.values())
    basis, coefficients = BoxBasis(len(problem.unknowns), level.space), level.coefficients.ravel()
    residuals, messages = judge_expansion(problem, basis, coefficients, numbers) if judged else ((), ())
    # Coefficients that fall say nothing of what lies between the points at which data were looked at.
    worst = max((r.relative for r in residuals), default=0.0)
    error = max(level.error, worst) if worst > HOLDS else level.error
    clock.lap("check")
    return expanded_solution(
        problem, basis, coefficients, values, solver="modes along the axes", error=error, residuals=residuals,
        seconds=clock.laps, messages=messages, status="solved" if steady.linear else "converged",
        coarser=level.compared,
    )  # fmt: skip
