"""The front door: `tn.solve(problem)` chooses everything that is not said."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

from transnet.discretise.collocation import Points
from transnet.errors import AccuracyWarning, ProblemError
from transnet.features.space import FeatureSpace
from transnet.linalg.least_squares import QR, Solver
from transnet.methods.transnet import TransNet
from transnet.problem import Problem
from transnet.solution.solution import Solution

TOLERANCE = 1e-8
"""The relative L2 error that a plain solve aims at."""
SIZES = {1: (20, 40, 80, 160), 2: (150, 300, 600, 1200, 2000), 3: (300, 700, 1500, 3000), 4: (500, 1200, 2500, 4000)}
"""Neurons an unknown, by dimension, that a tolerance-driven solve tries one after the other."""


def solve(
    problem: Problem,
    *,
    tol: float | None = None,
    neurons: int | None = None,
    space: FeatureSpace | Sequence[FeatureSpace] | None = None,
    points: Points | None = None,
    solver: Solver | None = None,
    parameters: Mapping[Any, Any] | None = None,
    seed: int = 0,
) -> Solution:
    """Solve a problem.

    Parameters
    ----------
    problem : Problem
        What holds, and where.
    tol : float, optional
        The relative L2 error to reach; the network grows until its estimate is below (1e-8 by default).
    neurons : int, optional
        A fixed number of neurons for each unknown instead: one solve.
    space : FeatureSpace, optional
        A feature space of your own, or one for each unknown: one solve.
    points : Points, optional
        The collocation points.
    solver : Solver, optional
        `QR()` by default, `PivotedQR()` or `SVD()`.
    parameters : mapping, optional
        Values for the symbols of the problem that are not coordinates.
    seed : int
        Where all randomness comes from.

    Returns
    -------
    Solution
    """
    if not isinstance(problem, Problem):
        raise ProblemError(f"tn.solve takes a tn.Problem, not {type(problem).__name__}.")
    if tol is not None and not 0 < tol < 1:
        raise ProblemError(f"tol is the relative error to reach, a number between 0 and 1, not {tol!r}.")
    solver = solver or QR()
    if neurons is not None or space is not None:
        return TransNet(neurons, space, points, solver, seed).solve(problem, parameters)
    return _grow(problem, TOLERANCE if tol is None else tol, points, solver, parameters, seed)


def _grow(
    problem: Problem,
    tol: float,
    points: Points | None,
    solver: Solver,
    parameters: Mapping[Any, Any] | None,
    seed: int,
) -> Solution:
    """Solve with growing networks until the estimated error is below the tolerance; keep the best."""
    best: Solution | None = None
    caught: list[warnings.WarningMessage] = []
    for size in SIZES[problem.domain.dimension]:
        with warnings.catch_warnings(record=True) as now:
            warnings.simplefilter("always")
            found = TransNet(size, None, points, solver, seed).solve(problem, parameters)
        if best is None or not found.error >= best.error:
            best, caught = found, now
        if found.error <= tol:
            break
    assert best is not None
    for w in caught:
        warnings.warn(w.message, w.category, stacklevel=3)
    if not best.error <= tol and not best.diagnostics.messages:
        warnings.warn(
            f"The tolerance {tol:.1e} was not reached: the best of the networks tried has an estimated relative error "
            f"of {best.error:.1e} with {best.neurons} neurons.",
            AccuracyWarning,
            stacklevel=3,
        )
    return best
