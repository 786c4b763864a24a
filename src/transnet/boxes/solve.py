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
from transnet.judge.diagnose import HOLDS, data_messages, held_out_residuals
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.slabs.track import HELD_OUT
from transnet.solution.diagnostics import Diagnostics, Residual
from transnet.solution.solution import Solution


def solution_in_box(
    steady: Steady, level: BoxLevel, values: Mapping[sp.Symbol, Any], clock: Clock, judged: bool = True
) -> Solution:
    """The solution of a level, with its residuals if it is to be judged: one that leads to another need not be."""
    problem, numbers = steady.problem, tuple(values.values())
    basis, coefficients = BoxBasis(len(problem.unknowns), level.space), level.coefficients.ravel()
    blocks = collocate(problem, statements_of(problem, lagged=False), HELD_OUT, None, 0) if judged else []
    residuals: tuple[Residual, ...] = ()
    if judged:
        ones = [1.0] * len(blocks)
        residuals = held_out_residuals(problem, basis, coefficients, numbers, ones, blocks)  # type: ignore[arg-type]
    # Coefficients that fall say nothing of what lies between the points at which data were looked at.
    worst = max((r.relative for r in residuals), default=0.0)
    error = max(level.error, worst) if worst > HOLDS else level.error
    clock.lap("check")
    known = Diagnostics(
        residuals=residuals,
        solver="modes along the axes",
        rows=basis.columns,
        columns=basis.columns,
        error=error,
        amplification=float("nan"),
        stated_rank=basis.columns,
        nested=(),
        seconds=clock.laps,
        messages=tuple(data_messages(problem, blocks, numbers)) if judged else (),
        status="solved" if steady.linear else "converged",
    )
    return Solution(problem, basis, coefficients, dict(values), known)
