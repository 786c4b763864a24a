"""How smooth an unknown coefficient has to be: chosen from the noise of the data, on the triangle of the last step.

Rows lambda (1 + |w|^2) alpha = 0 for the neurons of a coefficient make it smooth. Of all lambda the largest is taken
with which the data are still fitted to their noise (the discrepancy principle); where the noise is not known, that of
generalised cross-validation, the fit that would predict a value left out best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from transnet.iterate.coefficients import coefficients_of, penalties
from transnet.iterate.outcome import Outcome
from transnet.iterate.system import System
from transnet.linalg.least_squares import triangle_of
from transnet.rows.assembly import write_block

LAMBDAS = 10.0 ** np.arange(0.0, -9.5, -0.5)
"""The weights of the prior that are compared, relative to the largest entry of the triangle."""
ROUNDS = 3
"""How often the weight is chosen anew at the most; it seldom changes after the second time."""
FLOOR = 1e-9
"""The weight of a prior for all output weights where there is noise: without it those that the rows do not see grow
until the rounding of the rows is as large as the noise."""
EXACT = 1e-6
"""Data without a stated noise that are fitted to this part of their size are taken for exact."""


@dataclass(frozen=True, eq=False)
class Measured:
    """The rows of all data, each divided by its noise, or by the size of the data where that is not known."""

    rows: np.ndarray
    right: np.ndarray
    known: bool
    scale: np.ndarray

    @classmethod
    def of(cls, system: System, outcome: Outcome) -> Measured:
        n = system.basis.columns
        blocks = [k for k, b in enumerate(system.blocks) if b.statement.kind == "data"]
        known = all(system.blocks[k].statement.noise is not None for k in blocks)
        rows, right, scale = [], [], []
        linear = system.linearise(outcome.iterate)
        for k in blocks:
            block, lin = system.blocks[k], linear[k]
            values = np.zeros(1) if block.values is None else block.values
            level = block.statement.noise or float(np.sqrt(np.mean(np.square(values)))) or 1.0
            out = np.empty((n, block.rows))
            write_block(out, block, system.basis, lin.coefficients)
            rows.append(out.T / level)
            right.append(lin.right / level)
            scale.append(np.full(block.rows, system.weights[k] * level))
        return cls(np.concatenate(rows), np.concatenate(right), known, np.concatenate(scale))

    def misfit(self, coefficients: np.ndarray) -> float:
        """The root mean square of what is left of the data."""
        return float(np.sqrt(np.mean(np.square(self.rows @ coefficients - self.right))))


def floor_of(system: System) -> np.ndarray | None:
    """A prior for all output weights where there is noise."""
    noisy = any(b.statement.noise is not None for b in system.blocks)
    return np.full(system.basis.columns, FLOOR) if noisy else None


def regularised(system: System, outcome: Outcome, iterate: Callable[[Outcome], Outcome]) -> tuple[Outcome, str]:
    """The outcome with smooth coefficients, and what was done in words; `iterate` goes on from an outcome."""
    fields = [k for k in coefficients_of(system) if system.basis.spaces[k].neurons]
    if not fields:
        return outcome, ""
    weights = penalties(system, fields)
    chosen, text = 0.0, ""
    for _ in range(ROUNDS):
        measured = Measured.of(system, outcome)
        if not measured.known and outcome.found is not None and measured.misfit(outcome.found.values[:, 0]) < EXACT:
            return outcome, ""
        system.prior = floor_of(system)
        triangle, _ = system.solve(system.linearise(outcome.iterate))
        new, misfit = _choose(system, triangle, weights, measured)
        system.prior = np.maximum(new * weights, FLOOR if measured.known else 0.0)
        outcome = iterate(outcome)
        rule = "the data are fitted to their noise" if measured.known else "generalised cross-validation is least"
        text = f"coefficients are smoothed with the weight {new:.1e}, at which {rule} (misfit {misfit:.2g})"
        if outcome.status != "converged" or 0.5 < chosen / new < 2.0:
            break
        chosen = new
    return outcome, text


def _choose(system: System, triangle: np.ndarray, weights: np.ndarray, measured: Measured) -> tuple[float, float]:
    """The weight of the prior, and the misfit of the data with it.

    The other unknowns are eliminated first: with the coefficients' columns last the triangle has one of its own for
    them, and what the data see of them, the others following, is a matrix of that size.
    """
    n, mine = system.basis.columns, weights > 0
    order = np.concatenate([np.flatnonzero(~mine), np.flatnonzero(mine)])
    rest = int(np.count_nonzero(~mine))
    held = np.zeros((rest, triangle.shape[1]))
    held[:, :rest] = FLOOR * float(np.abs(np.diag(triangle)[:n]).max()) * np.eye(rest)
    moved = np.concatenate([triangle[:, [*order, *range(n, triangle.shape[1])]], held])
    r = triangle_of(np.asfortranarray(moved))
    follow = lapack.dtrtrs(np.asfortranarray(r[:rest, :rest]), np.asfortranarray(r[:rest, rest : n + 1]))[0]
    seen = np.column_stack([measured.rows[:, mine], measured.right]) - measured.rows[:, ~mine] @ follow
    own = np.asfortranarray(r[rest:, rest : n + 1])
    unit = float(np.abs(np.diag(own)).max()) / float(weights.max())
    scores = []
    for factor in LAMBDAS:
        rows = np.concatenate([own, np.column_stack([np.diag(factor * unit * weights[mine]), np.zeros(mine.sum())])])
        small = triangle_of(np.asfortranarray(rows))
        k = n - rest
        found = system.solver.solve(np.asfortranarray(small[:k, :k]), small[:k, k:]).values[:, 0]
        misfit = float(np.sqrt(np.mean(np.square(seen[:, :-1] @ found - seen[:, -1]))))
        if measured.known and misfit <= 1.0:
            return factor * unit, misfit
        spread = lapack.dtrtrs(np.asfortranarray(small[:k, :k]), np.asfortranarray(seen[:, :-1].T), trans=1)[0]
        freedom = 0.0 if measured.known else float(np.sum(np.square(spread * measured.scale)) / len(seen))
        scores.append((factor * unit, misfit / max(1.0 - freedom, 1e-3)))
    return min(scores, key=lambda s: s[1])
