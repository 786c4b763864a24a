"""Measured values whose noise is not stated: are they exact, and if not, how large are their errors?

Data are first taken as exact. What a network then does not fit, or fits by functions that the data do not determine, is
noise: its size is estimated along with the smoothness of the sought field, and the problem is solved again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from transnet.basis.basis import Basis
from transnet.drive.plan import Plan
from transnet.engines.engine import factored_rows
from transnet.errors import undetermined
from transnet.linalg.sizes import rms
from transnet.problem import Problem
from transnet.rows.blocks import Block
from transnet.rows.roughness import Roughness, sought
from transnet.solution.solution import Solution

EXACT = 1e-5
"""Data fitted to this part of their size are exact, if they determine what was found."""
AGAIN = 2
"""The most times that the size of the noise is estimated."""
ALIKE = 1.3
"""An estimate that changes by less than this factor has converged."""


def unsaid(problem: Problem) -> bool:
    """Whether data without a stated noise replace missing equations."""
    data = [c for c in problem.conditions if c.fitted]
    few = len(problem.equations) < len(problem.unknowns)
    return few and bool(data) and all(c.noise is None and c.weight is None for c in data)


def with_estimated_noise(plan: Plan, way_of: Callable[[Plan], Solution]) -> Solution:
    """The solution with exact data or, if they are not exact, with noise of the estimated size."""
    found = way_of(plan)
    if found.status == "interrupted" or not isinstance(found.basis, Basis) or not found.blocks:
        return found
    misfit = _misfit(found)
    if misfit < EXACT and not undetermined(found.diagnostics.messages):
        return found
    levels: dict[int, float] = {}
    best = found
    for _ in range(AGAIN):
        before, levels = levels, _levels(plan, best)
        if not levels or max(levels.values()) < EXACT:
            return found
        if before and all(1.0 / ALIKE < levels[k] / before[k] < ALIKE for k in levels):
            break
        numbers = iter(range(len(plan.problem.conditions)))
        conditions = [
            replace(c, noise=levels[k] * _size(c.measured)) if c.fitted else c  # type: ignore[type-var]
            for k, c in zip(numbers, plan.problem.conditions, strict=False)
        ]
        problem = Problem(plan.problem.domain, plan.problem.equations, conditions)
        best = way_of(replace(plan, problem=problem))
        if not isinstance(best.basis, Basis) or best.status == "interrupted":
            break
    words = ", ".join(f"{c.noise:.2g}" for c in best.problem.conditions if c.fitted)
    note = f"the noise of the data is not stated, and estimated: {words}"
    return replace(best, diagnostics=replace(best.diagnostics, notes=(*best.diagnostics.notes, note)))


def _size(values: np.ndarray | None) -> float:
    assert values is not None
    return float(rms(values)) or 1.0


def _misfit(found: Solution) -> float:
    """The largest part of measured values that is not fitted."""
    return max(
        (
            _size(b.residual(b.state(found.basis, found.coefficients), tuple(found.parameters.values())))
            / _size(b.values)
            for b in found.blocks
            if b.statement.kind == "data" and b.values is not None
        ),
        default=0.0,
    )


def _levels(plan: Plan, found: Solution) -> dict[int, float]:
    """The size of the noise of each data condition relative to its values, if it were relatively the same for all."""
    basis, numbers = found.basis, tuple(found.parameters.values())
    assert isinstance(basis, Basis)
    blocks = [_noisy(b) for b in found.blocks]
    states = [None if b.statement.equation.linear else b.state(basis, found.coefficients) for b in blocks]
    linearised = [b.linearise(numbers, s) for b, s in zip(blocks, states, strict=True)]
    factored, weights = factored_rows(blocks, basis, linearised)
    data = [(b, w) for b, w in zip(blocks, weights, strict=True) if b.statement.kind == "data"]
    rows = sum(b.rows for b, _ in data)
    rough = Roughness.of(basis, blocks)
    if rough is not None:
        _, level = rough.chosen(factored.array, rows)
    else:
        level = float(np.abs(factored.array[-1, -1])) / np.sqrt(max(rows - len(sought(blocks, basis)), 1))
    size = float(np.sqrt(sum(float(b.rows * (w * _size(b.values)) ** 2) for b, w in data) / rows))
    return {k: level / size for k, c in enumerate(plan.problem.conditions) if c.fitted}


def _noisy(block: Block) -> Block:
    """The block with the row weights of noisy data."""
    source = block.statement.source
    if source is None or not source.fitted:
        return block
    return replace(block, statement=replace(block.statement, source=replace(source, noise=1.0)))  # type: ignore[type-var]
