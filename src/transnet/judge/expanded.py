"""The solution that a basis and its coefficients make, with what is known of it, whichever method found them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from transnet.basis.expansion import Expansion
from transnet.errors import Message
from transnet.judge.diagnose import data_messages, held_out_residuals
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.collocation import collocate
from transnet.rows.statements import statements_of
from transnet.solution.diagnostics import Diagnostics, Residual
from transnet.solution.solution import Solution

HELD_OUT = 60
"""Residuals are evaluated at the points of a network with this many columns."""


def expanded_solution(
    problem: Problem,
    basis: Expansion,
    coefficients: np.ndarray,
    values: Mapping[Any, Any],
    *,
    solver: str,
    error: float = nan,
    residuals: tuple[Residual, ...] = (),
    shape: tuple[int, int] | None = None,
    blocks: Sequence[Block] = (),
    points: np.ndarray | None = None,
    **known: Any,
) -> Solution:
    """A solution of which no triangle is kept; `shape` are the rows and columns that were solved at a time."""
    rows, columns = shape or (basis.columns, basis.columns)
    found = Diagnostics(residuals, solver, rows, columns, error, **{"stated_rank": columns, **known})
    return Solution(problem, basis, coefficients, dict(values), found, tuple(blocks), stored_points=points)


def judge_expansion(
    problem: Problem, basis: Expansion, coefficients: np.ndarray, numbers: tuple[Any, ...]
) -> tuple[tuple[Residual, ...], tuple[Message, ...]]:
    """The residual of each statement at points that no method has fitted, and what is to be said of the data."""
    blocks = collocate(problem, statements_of(problem, lagged=False), HELD_OUT, None, 0)
    ones = [1.0] * len(blocks)
    residuals = held_out_residuals(problem, basis, coefficients, numbers, ones, blocks)  # type: ignore[arg-type]
    return residuals, tuple(data_messages(problem, [b.statement for b in blocks], numbers))
