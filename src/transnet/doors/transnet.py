"""TransNet: one least-squares solve for the output weights of a fixed feature space (paper, Eq. ls)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.basis.reduce import reduced
from transnet.calls import explained
from transnet.checks.places import refuse_too_few_rows
from transnet.choose.bandwidth import choose_for
from transnet.clock import Clock
from transnet.engines.engine import factored_rows
from transnet.engines.shortage import refuse_if_too_large
from transnet.errors import ProblemError, warn
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.iterate.continuation import continued
from transnet.iterate.guess import Guess
from transnet.iterate.nonlinear import solve_nonlinear
from transnet.iterate.outcome import Progress
from transnet.iterate.strategies import Strategy
from transnet.iterate.strategies import choose as choose_strategy
from transnet.iterate.strategies import refuse_others as refuse_other_strategies
from transnet.judge.diagnose import diagnose
from transnet.linalg.least_squares import QR, Solver
from transnet.problem import Problem
from transnet.problem.parameters import parameter_values
from transnet.rows.collocation import Points, collocate
from transnet.rows.statements import statements_of
from transnet.solution.solution import Solution
from transnet.threads import on_one_thread


@explained
@dataclass(frozen=True)
class TransNet:
    """A network of one hidden layer whose neurons are fixed and whose output weights solve the problem.

    Parameters
    ----------
    neurons : int, optional
        Neurons for each unknown; not needed when a space is given.
    space : FeatureSpace or sequence of them, optional
        The feature space, or one for each unknown; by default plane waves whose bandwidths are
        chosen by the residuals of small networks.
    points : Points, optional
        The collocation points; by default chosen from the number of neurons.
    solver : Solver
        How the triangle is solved: `QR()`, `PivotedQR()`, `SVD()`, `Ridge()`, `Sparse()`, `Lasso()`.
    seed : int
        Where all randomness comes from.
    strategy : Newton, Picard or Descent, optional
        How a nonlinear problem is iterated; by default chosen by the problem.
    engine : Engine or dask.distributed.Client, optional
        Where the rows are factored: by default in memory, or streamed through it where they would not fit.
    """

    neurons: int | None = None
    space: FeatureSpace | Sequence[FeatureSpace] | None = None
    points: Points | None = None
    solver: Solver = field(default_factory=QR)
    seed: int = 0
    strategy: Strategy | None = None
    engine: Any = None

    def __post_init__(self) -> None:
        whole = isinstance(self.neurons, int | np.integer) and not isinstance(self.neurons, bool)
        if self.neurons is not None and not (whole and self.neurons >= 1):
            raise ProblemError(
                f"The number of neurons is a whole number of at least one, not {self.neurons!r}. Pass neurons=500."
            )
        refuse_other_strategies(self.strategy)
        if not isinstance(self.solver, Solver):
            raise ProblemError(
                f"{self.solver!r} is not a solver. Pass tn.QR(), tn.PivotedQR(), tn.SVD(), "
                f"tn.Ridge(), tn.Sparse() or tn.Lasso()."
            )

    @explained
    @on_one_thread
    def solve(
        self,
        problem: Problem,
        parameters: Mapping[Any, Any] | None = None,
        *,
        guess: Guess = None,
        continuation: Mapping[Any, Sequence[float]] | None = None,
        progress: Progress = None,
    ) -> Solution:
        """Solve a problem: a linear one by one least-squares solve, a nonlinear one by the strategy.

        Parameters
        ----------
        parameters : mapping, optional
            Values for the symbols of the problem that are not coordinates.
        guess, continuation, progress : optional
            For a nonlinear problem, as in `tn.solve`.
        """
        found = self.unwarned(problem, parameters, guess, continuation, progress)
        warn(found.diagnostics.messages)
        return found

    def unwarned(
        self,
        problem: Problem,
        parameters: Mapping[Any, Any] | None = None,
        guess: Guess = None,
        continuation: Mapping[Any, Sequence[float]] | None = None,
        progress: Progress = None,
    ) -> Solution:
        """The solution with its messages, of which nobody has been warned yet."""
        if continuation:
            return continued(
                lambda p, g: self.unwarned(problem, p, g, None, progress), problem, parameters, continuation, guess
            )
        clock = Clock()
        statements = statements_of(problem)
        values = parameter_values(problem, parameters)
        linear_problem = all(s.equation.linear for s in statements)
        if not linear_problem:
            choose_strategy(problem, self.strategy)
            if self.engine is not None:
                raise ProblemError(
                    "engine factors the rows of a linear problem; this one is not linear in its unknowns, and its "
                    "iteration runs in memory. Leave engine out."
                )
        numbers = tuple(values.values())
        clock.lap("compile")
        spaces, start = self.spaces_for(problem, values, guess)
        if isinstance(start, Solution) and start is not guess and start.status == "interrupted":
            return start
        basis = Basis(spaces, Placement.of(problem.domain))
        clock.lap("choose")
        if not linear_problem:
            earlier = start.diagnostics.steps if isinstance(start, Solution) and start is not guess else ()
            return solve_nonlinear(
                problem, basis, self.points, self.solver, self.strategy, start, values, self.seed, progress, earlier
            )
        blocks = collocate(problem, statements, basis.columns, self.points, self.seed, basis.foci)
        refuse_too_few_rows(blocks, basis)
        clock.lap("points")
        linearised = [b.linearise(numbers) for b in blocks]
        factored, weights = factored_rows(blocks, basis, linearised, self.engine, clock)
        triangle, found = factored.array, factored.solve(self.solver, basis.columns)
        if found.kept is not None:
            basis, triangle, found = reduced(basis, triangle, found)
        clock.lap("solve")
        coefficients = found.values[:, 0]
        diagnostics = diagnose(problem, basis, blocks, weights, triangle, found, numbers, clock)
        return Solution(problem, basis, coefficients, values, diagnostics, tuple(blocks))

    def spaces_for(
        self, problem: Problem, values: dict[sp.Symbol, Any], guess: Guess = None
    ) -> tuple[tuple[FeatureSpace, ...], Guess]:
        """The space of each unknown, given or chosen, and where to start from a nonlinear problem."""
        spaces = self._given_spaces(problem)
        if spaces is not None:
            return spaces, guess
        matrix = 8.0 * ((self.neurons or 0) * len(problem.unknowns)) ** 2
        refuse_if_too_large(matrix, f"The triangle of a network of {self.neurons} neurons an unknown")
        choice, pilot = choose_for(
            problem,
            values,
            self.neurons,
            self.seed,
            self._pilot(problem, values, guess),
            enrich=denser_points(self.points),
        )
        interrupted = pilot is not None and pilot.status == "interrupted"
        cascades = pilot is not None and getattr(self.strategy, "cascade", True)
        start = pilot if interrupted or cascades else guess
        return (choice.space(self.neurons or 0, self.seed),) * len(problem.unknowns), start

    def _pilot(
        self, problem: Problem, values: dict[sp.Symbol, Any], guess: Guess
    ) -> Callable[[FeatureSpace], Solution]:
        """How a small network is solved to look at a nonlinear problem near its solution."""

        def solve_small(space: FeatureSpace) -> Solution:
            small = replace(self, neurons=None, space=space, points=None, engine=None)
            return small.unwarned(problem, values, guess, progress=False)

        return solve_small

    def _given_spaces(self, problem: Problem) -> tuple[FeatureSpace, ...] | None:
        """The spaces that the user gave, one for each unknown; None if there are to be chosen."""
        unknowns, dimension = len(problem.unknowns), problem.domain.dimension
        if self.space is not None:
            spaces = tuple(self.space) if isinstance(self.space, Sequence) else (self.space,) * unknowns
            if not all(isinstance(s, FeatureSpace) for s in spaces):
                raise ProblemError(
                    f"{self.space!r} is not a feature space. Make one with tn.FeatureSpace.uniform(...) or "
                    f"tn.FeatureSpace.spectral(...)."
                )
            if len(spaces) != unknowns:
                raise ProblemError(
                    f"There are {unknowns} unknowns ({', '.join(problem.names)}) but {len(spaces)} spaces."
                )
            for s in spaces:
                if s.dimension != dimension:
                    raise ProblemError(
                        f"The feature space has dimension {s.dimension}, but the problem has {dimension} coordinates: "
                        f"{', '.join(map(str, problem.coordinates))}. Make a space of dimension {dimension}."
                    )
            return spaces
        if self.neurons is None:
            raise ProblemError("The size of the network is not given. Pass neurons=500, or a feature space.")
        return None


def denser_points(points: Points | None) -> bool:
    """Whether there may be more points where features need them: not if the user has given their number."""
    return points is None or points.boundary is None
