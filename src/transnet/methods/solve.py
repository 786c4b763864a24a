"""The front door: `tn.solve(problem)` chooses everything that is not said."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from transnet.discretise.collocation import Points
from transnet.errors import AccuracyWarning, ProblemError
from transnet.features.space import FeatureSpace
from transnet.linalg.least_squares import QR, Solver
from transnet.methods.nonlinear.guess import Guess
from transnet.methods.nonlinear.outcome import Progress
from transnet.methods.nonlinear.strategies import Strategy
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
    strategy: Strategy | None = None,
    guess: Guess = None,
    continuation: Mapping[Any, Sequence[float]] | None = None,
    progress: Progress = None,
    engine: Any = None,
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
        `QR()` by default, `PivotedQR()`, `SVD()`, `Ridge()`, `Sparse()` or `Lasso()`.
    parameters : mapping, optional
        Values for the symbols of the problem that are not coordinates.
    strategy : Newton, Picard or Descent, optional
        How a nonlinear problem is iterated. By default `Picard()` where the markers `tn.lagged` leave a linear
        problem, otherwise `Newton()`.
    guess : optional
        Where the iteration starts: a number, a formula, a callable of arrays, another Solution, or a mapping from
        unknowns to any of the first three. Zero by default.
    continuation : mapping, optional
        Values of a parameter to go through one after the other, each solution the guess of the next:
        `continuation={Re: [10, 40, 100]}`.
    progress : bool or callable, optional
        Called with each `Step` of the iteration; True prints them, False never does. By default they are printed on a
        terminal once a second has passed.
    engine : dask.distributed.Client or Engine, optional
        Where the rows are factored: on the workers of a cluster, or with `tn.Streamed()` in blocks that pass through
        memory, which happens by itself where the matrix would not fit.
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
        return TransNet(neurons, space, points, solver, seed, strategy, engine).solve(
            problem, parameters, guess=guess, continuation=continuation, progress=progress
        )
    iteration = Iteration(strategy, guess, continuation, progress)
    return _grow(problem, TOLERANCE if tol is None else tol, points, solver, parameters, engine, seed, iteration)


@dataclass(frozen=True, eq=False)
class Iteration:
    """What a nonlinear solve is told besides."""

    strategy: Strategy | None
    guess: Guess
    continuation: Mapping[Any, Sequence[float]] | None
    progress: Progress


def _grow(
    problem: Problem,
    tol: float,
    points: Points | None,
    solver: Solver,
    parameters: Mapping[Any, Any] | None,
    engine: Any,
    seed: int,
    iteration: Iteration,
) -> Solution:
    """Solve with growing networks until the estimated error is below the tolerance; keep the best.

    A nonlinear problem goes on from the smaller network's solution, which is there already at the end of a
    continuation.
    """
    guess, continuation = iteration.guess, iteration.continuation
    best: Solution | None = None
    caught: list[warnings.WarningMessage] = []
    for size in SIZES[problem.domain.dimension]:
        with warnings.catch_warnings(record=True) as now:
            warnings.simplefilter("always")
            found = TransNet(size, None, points, solver, seed, iteration.strategy, engine).solve(
                problem, parameters, guess=guess, continuation=continuation, progress=iteration.progress
            )
        if found.status == "converged":
            guess, continuation, parameters = found, None, found.parameters
        if best is None or not found.error >= best.error:
            best, caught = found, now
        if found.error <= tol or found.status == "interrupted":
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
