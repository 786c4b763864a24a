"""TransNet: one least-squares solve for the output weights of a fixed feature space (paper, Eq. ls)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from transnet.calls import explained
from transnet.doors.solve import warned
from transnet.drive.plan import Plan, refuse_no_size
from transnet.errors import ProblemError
from transnet.features.space import FeatureSpace
from transnet.iterate.guess import Guess
from transnet.iterate.outcome import Progress
from transnet.iterate.strategies import Strategy, refuse_other_strategies
from transnet.linalg.least_squares import QR, Solver
from transnet.problem import Problem
from transnet.rows.points import Points
from transnet.solution.solution import Solution


@explained
@dataclass(frozen=True)
class TransNet:
    """A network of one hidden layer whose neurons are fixed and whose output weights solve the problem.

    Parameters
    ----------
    neurons : int, optional
        Neurons for each unknown; not needed when a space is given.
    space : FeatureSpace or sequence of them, optional
        The feature space, or one for each unknown; by default plane waves with bandwidths chosen from the residuals of
        small networks.
    points : Points, optional
        The collocation points; by default chosen from the number of neurons.
    solver : Solver
        How the triangle is solved: `QR()`, `PivotedQR()`, `SVD()`, `Ridge()`, `Sparse()`, `Lasso()`.
    strategy : Newton, Picard or Descent, optional
        How a nonlinear problem is iterated; by default chosen by the problem.
    engine : Engine or dask.distributed.Client, optional
        Where the rows are factored: by default in memory, or streamed through it if they would not fit.
    seed : int
        Random seed.
    """

    neurons: int | None = None
    space: FeatureSpace | Sequence[FeatureSpace] | None = None
    points: Points | None = None
    solver: Solver = field(default_factory=QR)
    strategy: Strategy | None = None
    engine: Any = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.neurons is None and self.space is None:
            raise ProblemError("The size of the network is not given. Pass neurons=500, or a feature space.")
        refuse_no_size(self.neurons)
        refuse_other_strategies(self.strategy)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """What it was made with, as scikit-learn asks for it: `sklearn.base.clone` and its grids work with it."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @explained
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
        return warned(
            Plan(
                problem, None, self.neurons, self.space, self.points, self.solver, parameters, self.strategy, guess,
                continuation, progress, None, self.engine, self.seed,
            )
        )  # fmt: skip
