"""How smooth an unknown coefficient has to be: chosen from the noise of the data, on the triangle of the last step.

Rows lambda (1 + |w|^2) alpha = 0 for the neurons of a coefficient make it smooth. Of all lambda the largest is taken
with which the data are still fitted to their noise (the discrepancy principle); where the noise is not known, that of
generalised cross-validation, the fit that would predict a value left out best.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from transnet.iterate.coefficients import coefficients_of, penalties
from transnet.iterate.outcome import Outcome
from transnet.iterate.system import System
from transnet.linalg import lapack
from transnet.linalg.least_squares import triangle_of

LAMBDAS = 10.0 ** np.arange(0.0, -9.5, -0.5)
"""The weights of the prior that are compared, relative to the largest entry of the triangle."""
ROUNDS = 3
"""How often the weight is chosen anew at the most; it seldom changes after the second time."""
FLOOR = 1e-9
"""The weight of a prior for all output weights where there is noise: without it those that the rows do not see grow
until the rounding of the rows is as large as the noise."""
MARGIN = 1.02
"""How far above the noise, or what no coefficient can fit, the misfit may be: noise itself varies by more."""
EXACT = 1e-6
"""Data without a stated noise that are fitted to this part of their size are taken for exact."""
FREEDOM = 1e-3
"""The part of the data's freedom that is left at least: where the fit takes all of it the score is not defined."""


def expected(system: System) -> float | None:
    """The norm of what noise leaves of the weighted rows; None where it is not known."""
    parts = [(b, w) for b, w in zip(system.blocks, system.weights, strict=True) if b.statement.kind == "data"]
    if any(b.statement.noise is None for b, _ in parts):
        return None
    return float(np.sqrt(sum(b.rows * (w * (b.statement.noise or 0.0)) ** 2 for b, w in parts)))


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
        system.prior = floor_of(system)
        triangle, _ = system.solve(system.linearise(outcome.iterate))
        level = expected(system)
        if level is None and float(np.abs(triangle[-1, -1])) < EXACT * float(np.linalg.norm(triangle[:, -1])):
            return outcome, ""
        new, misfit = _choose(system, triangle, weights, level)
        system.prior = np.maximum(new * weights, 0.0 if level is None else FLOOR)
        outcome = iterate(outcome)
        rule = "generalised cross-validation is least" if level is None else "the rows are fitted to the noise"
        text = f"coefficients are smoothed with the weight {new:.1e}, at which {rule} (misfit {misfit:.2g})"
        if outcome.status != "converged" or 0.5 < chosen / new < 2.0:
            break
        chosen = new
    return outcome, text


def _choose(system: System, triangle: np.ndarray, weights: np.ndarray, level: float | None) -> tuple[float, float]:
    """The weight of the prior, and the misfit with it: of all rows, so that no equation is bent for smoothness.

    The other unknowns are eliminated first: with the coefficients' columns last the triangle has one of its own for
    them, and they are free to follow.
    """
    n, mine = system.basis.columns, weights > 0
    order = np.concatenate([np.flatnonzero(~mine), np.flatnonzero(mine)])
    rest, k = int(np.count_nonzero(~mine)), int(np.count_nonzero(mine))
    r = triangle_of(np.asfortranarray(triangle[:, [*order, n]]))
    own, unfit = r[rest:n, rest:], float(np.abs(r[n:, -1]).sum())
    unit = float(np.abs(np.diag(own)).max()) / float(weights.max())
    rows = sum(b.rows for b in system.blocks if b.statement.kind == "data")
    scores = []
    for factor in LAMBDAS:
        prior = np.column_stack([np.diag(factor * unit * weights[mine]), np.zeros(k)])
        small = triangle_of(np.asfortranarray(np.concatenate([own, prior])))
        found = system.solver.solve(np.asfortranarray(small[:k, :k]), small[:k, k:]).values[:, 0]
        total = float(np.hypot(np.linalg.norm(own[:, :-1] @ found - own[:, -1]), unfit))
        if level is not None:
            scores.append((factor * unit, total / level))
            if total <= MARGIN * max(level, unfit):
                return scores[-1]
            continue
        hat = lapack.dtrtrs(np.asfortranarray(small[:k, :k]), np.asfortranarray(own[:, :-1].T), trans=1)[0]
        freedom = float(np.sum(np.square(hat))) / rows
        scores.append((factor * unit, total / max(1.0 - freedom, FREEDOM)))
    return min(scores, key=lambda s: s[1])
