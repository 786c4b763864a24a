"""From a steady problem on a box to its solution: products of polynomials of rising degree.

Products of polynomials along the axes need no matrix (see `boxes.equations`): a step of the iteration takes a few small
matrix products, and for constant coefficients there is only one. The price is that jumps, and strong singularities at
corners and edges, spoil them: what they do not reach is left to networks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp

from transnet.boxes.basis import BoxBasis
from transnet.boxes.levels import BoxLevel, box_levels
from transnet.boxes.statement import Steady
from transnet.choose.effort import Effort
from transnet.clock import Clock
from transnet.judge.diagnose import data_messages, held_out_residuals
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.rows.unseen import all_spots
from transnet.solution.diagnostics import Diagnostics, Tried
from transnet.solution.solution import Solution

AIM = 1e-10
"""The error that a plain solve aims at: in a cube of one wavelength ten digits take a tenth of a second."""
FREE = 20_000
"""Columns up to which a plain solve continues behind six digits."""
HELD_OUT = 60
"""Residuals are evaluated at the points of a network with this many columns."""


def solve_in_box(steady: Steady, effort: Effort, values: Mapping[sp.Symbol, Any]) -> Solution | None:
    """The solution if products of polynomials reach what is asked for; None if networks have to."""
    if all_spots(steady.problem, statements_of(steady.problem), tuple(values.values())):
        return None  # nodes of products would miss them
    clock = Clock()
    wanted = AIM if effort.tol is None else effort.tol
    best: BoxLevel | None = None
    tried: list[Tried] = []
    for level in box_levels(steady, tuple(values.values()), wanted):
        clock.lap("solve")
        best = level if best is None or level.error < best.error else best
        tried.append(Tried(level.space.columns, level.error, sum(clock.laps.values())))
        enough = effort.tol is None and level.space.columns > FREE and best.error <= effort.goal(np.inf)
        if best.error <= wanted or enough or effort.over(0.0, 1.0):
            break
    if best is None or not best.error <= effort.goal(np.inf):
        return None
    return _solution(steady, best, values, clock).with_history(tuple(tried))


def _solution(steady: Steady, level: BoxLevel, values: Mapping[sp.Symbol, Any], clock: Clock) -> Solution:
    problem, numbers = steady.problem, tuple(values.values())
    basis, coefficients = BoxBasis(len(problem.unknowns), level.space), level.coefficients.ravel()
    blocks = collocate(problem, statements_of(problem, lagged=False), HELD_OUT, None, 0)
    residuals = held_out_residuals(problem, basis, coefficients, numbers, [1.0] * len(blocks), blocks)  # type: ignore[arg-type]
    clock.lap("check")
    known = Diagnostics(
        residuals=residuals,
        solver="modes along the axes",
        rows=basis.columns,
        columns=basis.columns,
        error=level.error,
        amplification=float("nan"),
        stated_rank=basis.columns,
        nested=(),
        seconds=clock.laps,
        messages=tuple(data_messages(problem, blocks, numbers)),
        status="solved" if steady.linear else "converged",
    )
    return Solution(problem, basis, coefficients, dict(values), known)
