"""The front door: `tn.solve(problem)` chooses everything that is not said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

from transnet.calls import explained
from transnet.choose.bandwidth import choose_for
from transnet.choose.grow import grow
from transnet.doors.transnet import TransNet, denser_points
from transnet.errors import ProblemError, warn
from transnet.features.space import FeatureSpace
from transnet.geometry import Pieces
from transnet.iterate.continuation import final_parameters
from transnet.iterate.guess import Guess
from transnet.iterate.outcome import Progress
from transnet.iterate.strategies import Strategy
from transnet.linalg.least_squares import QR, Solver
from transnet.pieces.plan import Cut, cut_of
from transnet.pieces.solve import solve_pieces
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import Points
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread


@explained
@on_one_thread
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
    watch: Callable[[Solution], None] | None = None,
    engine: Any = None,
    seed: int = 0,
    pieces: int | Cut | None = None,
) -> Solution:
    """Solve a problem.

    Parameters
    ----------
    problem : Problem
        What holds, and where.
    tol : float, optional
        The relative L2 error to reach; the network grows until its estimate is below. By default ten digits are
        aimed at, and fewer than five are warned of.
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
    watch : callable, optional
        Called with the solution of each network that is tried for a tolerance. Ctrl-C ends such a solve with the best
        of them, whose status is then "interrupted".
    engine : dask.distributed.Client or Engine, optional
        Where the rows are factored: on the workers of a cluster, or with `tn.Streamed()` in blocks that pass through
        memory, which happens by itself where the matrix would not fit.
    seed : int
        Where all randomness comes from.
    pieces : int or Cut, optional
        Cut the domain into about so many pieces, each with a small network of its own; `tn.Cut(8, 4)` says how many
        along each axis. A domain of `tn.Pieces` is always cut.

    Returns
    -------
    Solution
    """
    found = unwarned(
        problem, tol, neurons, space, points, solver, parameters, strategy, guess, continuation, progress, watch,
        engine, seed, pieces,
    )  # fmt: skip
    warn(found.diagnostics.messages)
    return found


def unwarned(
    problem: Problem,
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
    watch: Callable[[Solution], None] | None = None,
    engine: Any = None,
    seed: int = 0,
    pieces: int | Cut | None = None,
) -> Solution:
    """The solution with its messages, of which nobody has been warned yet; for front ends that tell them themselves."""
    if not isinstance(problem, Problem):
        raise ProblemError(f"tn.solve takes a tn.Problem, not {type(problem).__name__}.")
    refuse_wrong_kinds(tol, points, parameters, seed)
    if tol is not None and not 0 < tol < 1:
        raise ProblemError(f"tol is the relative error to reach, a number between 0 and 1, not {tol!r}.")
    if tol is not None and (neurons is not None or space is not None):
        raise ProblemError("Give either tol, for a network that grows, or neurons or a space, for a single solve.")
    if pieces is not None or isinstance(problem.domain, Pieces):
        refuse_with_pieces(neurons=neurons, space=space, points=points, solver=solver, engine=engine)
        values = parameter_values(problem, final_parameters(problem, parameters, continuation))
        return solve_pieces(problem, cut_of(pieces, problem.domain), tol, values, watch)
    solver = solver or QR()
    if neurons is not None or space is not None:
        return TransNet(neurons, space, points, solver, seed, strategy, engine).unwarned(
            problem, parameters, guess, continuation, progress
        )
    method = TransNet(None, None, points, solver, seed, strategy, engine)

    def pilot(small: FeatureSpace) -> Solution:
        light = replace(method, space=small, points=None, engine=None)
        return light.unwarned(problem, parameters, guess, continuation, progress)

    values = parameter_values(problem, final_parameters(problem, parameters, continuation))
    choice, first = choose_for(problem, values, None, seed, pilot, enrich=denser_points(points))
    if first is not None and first.status == "interrupted":
        return first

    def solve_at(chosen: FeatureSpace, previous: Solution | None) -> Solution:
        start = previous or first
        if start is not None and start.status == "converged":
            return replace(method, space=chosen).unwarned(problem, values, start, None, progress)
        return replace(method, space=chosen).unwarned(problem, parameters, guess, continuation, progress)

    return grow(choice, len(problem.unknowns), solve_at, tol, seed, watch)


def refuse_wrong_kinds(tol: Any, points: Any, parameters: Any, seed: Any) -> None:
    """Raise if an argument is of the wrong kind."""
    if tol is not None and not isinstance(tol, Real):
        raise ProblemError(f"tol is the relative error to reach, a number between 0 and 1, not {tol!r}.")
    if points is not None and not isinstance(points, Points):
        raise ProblemError(f"points must be tn.Points(interior=..., boundary=...), not {points!r}.")
    if parameters is not None and not isinstance(parameters, Mapping):
        raise ProblemError(f"parameters must be a dictionary such as {{k: 2.0}}, not {parameters!r}.")
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        raise ProblemError(f"seed must be a whole number of at least 0, not {seed!r}.")


def refuse_with_pieces(**settings: Any) -> None:
    """Raise if something is set that is about one network while the domain is cut into pieces."""
    for name, value in settings.items():
        if value is not None:
            raise ProblemError(
                f"{name}= is about one network, and this problem is solved in pieces, each with one of its own. Leave "
                f"it out; pieces=tn.Cut(8, 8, neurons=160) says how the domain is cut and how large each network is."
            )
