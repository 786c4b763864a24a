"""A plan: how the user wants a problem to be solved, checked and read once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.choose.effort import Effort, Shown
from transnet.choose.spaces import spaces_for
from transnet.engines.engine import automatic
from transnet.errors import ProblemError
from transnet.features.space import FeatureSpace
from transnet.geometry.symbolic import Sized
from transnet.iterate.continuation import stages_of
from transnet.linalg.least_squares import QR, Solver
from transnet.problem import Problem
from transnet.problem.origin import Origin
from transnet.rows.points import Points
from transnet.rows.statements import Statement, statements_of
from transnet.solution.solution import Solution

if TYPE_CHECKING:
    from transnet.cuts.plan import Cut
    from transnet.iterate.guess import Guess
    from transnet.iterate.outcome import Progress
    from transnet.iterate.strategies import Strategy

NO_SPACE = "{} is not a feature space. Make one with tn.FeatureSpace.uniform(...) or tn.FeatureSpace.spectral(...)."


@dataclass(frozen=True, eq=False)
class Plan:
    """How a problem is to be solved; the fields are the keywords of `tn.solve`.

    What follows from them (the parameters' values, the strategy) is computed once, on first use.
    """

    problem: Problem
    tol: float | None = None
    neurons: int | None = None
    space: FeatureSpace | Sequence[FeatureSpace] | None = None
    points: Points | None = None
    solver: Solver | None = None
    parameters: Mapping[Any, Any] | None = None
    strategy: Strategy | None = None
    guess: Guess = None
    continuation: Mapping[Any, Sequence[float]] | None = None
    progress: Progress = None
    watch: Callable[[Solution], None] | None = None
    engine: Any = None
    seed: int = 0
    pieces: int | Cut | bool | None = None
    seconds: float | None = None
    slabs: int | Sequence[float] | None = None
    start: Solution | None = None
    until: Any = None
    keep: int | Sequence[float] | None = None
    to: str | Path | None = None
    method: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise ProblemError(f"tn.solve takes a tn.Problem, not {type(self.problem).__name__}.")
        self._take_sizes()
        if self.tol is not None and not (isinstance(self.tol, Real) and 0 < self.tol < 1):
            raise ProblemError(f"tol is the relative error to reach, a number between 0 and 1, not {shown(self.tol)}.")
        if self.tol is not None and (self.neurons is not None or self.space is not None):
            raise ProblemError("Give either tol, for a network that grows, or neurons or a space, for a single solve.")
        if self.points is not None and not isinstance(self.points, Points):
            raise ProblemError(f"points must be tn.Points(interior=..., boundary=...), not {shown(self.points)}.")
        if self.parameters is not None and not isinstance(self.parameters, Mapping):
            raise ProblemError(f"parameters must be a dictionary such as {{k: 2.0}}, not {shown(self.parameters)}.")
        if isinstance(self.seed, bool) or not isinstance(self.seed, Integral) or self.seed < 0:
            raise ProblemError(f"seed must be a whole number of at least 0, not {shown(self.seed)}.")
        if self.seconds is not None and not (isinstance(self.seconds, Real) and self.seconds > 0):
            raise ProblemError(f"seconds is the time to take, a positive number, not {shown(self.seconds)}.")
        _ = self.effort  # the clock begins to run
        refuse_no_size(self.neurons)
        if self.neurons is not None:
            automatic(self.neurons, self.neurons)  # which raises if they do not fit into memory
        if self.strategy is not None:
            from transnet.iterate.strategies import refuse_other_strategies

            refuse_other_strategies(self.strategy)
        if self.solver is not None and not isinstance(self.solver, Solver):
            raise ProblemError(
                f"{shown(self.solver)} is not a solver. Pass tn.QR(), tn.PivotedQR(), tn.SVD(), "
                f"tn.Ridge(), tn.Sparse() or tn.Lasso()."
            )

    def _take_sizes(self) -> None:
        """Give the symbols of the domain their values: whatever follows has a domain with numbers."""
        if isinstance(self.problem.domain, Sized) and self.problem.domain.time is None:
            origin = Origin.of(self.problem, self.parameters)
            problem, values = origin.solved_for()
            for name, value in (("problem", problem), ("parameters", values), ("_origin", origin)):
                object.__setattr__(self, name, value)

    @property
    def origin(self) -> Origin | None:
        """What the problem was before the sizes of its domain had values."""
        return getattr(self, "_origin", None)

    # -- what follows ------------------------------------------------------------------------------------------------
    @property
    def given(self) -> tuple[str, ...]:
        """The keywords that were given, or say more than "choose": `pieces=False` only rules pieces out."""
        names = (f.name for f in fields(self))
        return tuple(n for n in names if getattr(self, n) is not None and (n != "pieces" or self.pieces is not False))

    @property
    def may_cut(self) -> bool:
        """Whether no option for a single network rules out pieces."""
        about_one = (self.points, self.solver, self.strategy, self.continuation, self.neurons, self.space)
        return self.pieces is not False and all(setting is None for setting in about_one)

    @cached_property
    def effort(self) -> Effort:
        """How far to go."""
        return Effort(None if self.tol is None else float(self.tol), self.seconds)

    @contextmanager
    def shown(self) -> Iterator[Shown]:
        """Who is notified of each solution on the way."""
        shown = Shown(self.progress, self.watch)
        try:
            yield shown
        finally:
            shown.done()

    @cached_property
    def stages(self) -> tuple[dict[sp.Symbol, Any], ...]:
        """The values of all parameters: one set, or one for each stage of a continuation."""
        return stages_of(self.problem, self.parameters, self.continuation)

    @property
    def values(self) -> dict[sp.Symbol, Any]:
        """The values of the parameters for which the problem is to be solved."""
        return self.stages[-1]

    @cached_property
    def linear(self) -> bool:
        """Whether one least-squares solve gives the solution."""
        return all(s.equation.linear for s in statements_of(self.problem))

    @cached_property
    def iteration(self) -> tuple[Strategy, tuple[Statement, ...]]:
        """The strategy for a nonlinear problem, and the statements as it needs them."""
        if self.engine is not None:
            raise ProblemError(
                "engine factors the rows of a linear problem; this one is not linear in its unknowns, and its "
                "iteration runs in memory. Leave engine out."
            )
        from transnet.iterate.strategies import strategy_for

        return strategy_for(self.problem, self.strategy)

    @cached_property
    def end(self) -> tuple[Strategy, tuple[Statement, ...]]:
        """The same close to the solution: Newton's iteration, which is faster there, unless a strategy was given."""
        if self.strategy is not None or not self.iteration[0].lagged:
            return self.iteration
        from transnet.iterate.newton import Newton

        return Newton(), statements_of(self.problem, lagged=False)

    @property
    def triangle_solver(self) -> Solver:
        """How the triangle is solved."""
        return self.solver or QR()

    @property
    def denser_points(self) -> bool:
        """Whether points may be added where features need them: not if the user has given their number."""
        return self.points is None or self.points.boundary is None

    @property
    def spaces(self) -> tuple[FeatureSpace, ...] | None:
        """The given spaces, one for each unknown; None if they are to be chosen."""
        if self.space is None:
            return None
        if not isinstance(self.space, FeatureSpace | Sequence):
            raise ProblemError(NO_SPACE.format(shown(self.space)))
        unknowns, dimension = len(self.problem.unknowns), self.problem.domain.dimension
        spaces = tuple(self.space) if isinstance(self.space, Sequence) else spaces_for(self.problem, self.space)
        if not all(isinstance(s, FeatureSpace) for s in spaces):
            raise ProblemError(NO_SPACE.format(shown(self.space)))
        if len(spaces) != unknowns:
            names = ", ".join(self.problem.names)
            raise ProblemError(f"There are {unknowns} unknowns ({names}) but {len(spaces)} spaces.")
        for s in spaces:
            if s.dimension != dimension:
                raise ProblemError(
                    f"The feature space has dimension {s.dimension}, but the problem has {dimension} coordinates: "
                    f"{', '.join(map(str, self.problem.coordinates))}. Make a space of dimension {dimension}."
                )
        return spaces


def refuse_no_size(neurons: Any) -> None:
    """Raise if this is not a number of neurons, or None."""
    whole = isinstance(neurons, int | np.integer) and not isinstance(neurons, bool)
    if neurons is not None and not (whole and neurons >= 1):
        raise ProblemError(
            f"The number of neurons is a whole number of at least one, not {shown(neurons)}, such as 500."
        )
