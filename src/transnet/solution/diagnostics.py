"""What is known about a solve: rank, singular values, residuals at points that were not fitted, the error estimate."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from transnet.errors import Message
from transnet.linalg.least_squares import singular_values
from transnet.tolerances import EPS


@dataclass(frozen=True)
class Residual:
    """How well one statement holds at points that were not fitted.

    Parameters
    ----------
    label : str
        The statement.
    rows : int
        How many rows of the least-squares problem it made.
    weight : float
        The factor of those rows.
    rms, largest : float
        The root mean square and the largest absolute residual at held-out points, in the equation's own units.
    relative : float
        `rms` relative to the size of the terms of the statement: the number of digits to which it holds.
    """

    label: str
    rows: int
    weight: float
    rms: float
    largest: float
    relative: float


Status = Literal["solved", "converged", "stalled", "diverged", "limit reached", "interrupted", "event"]
"""How a solve ended: a linear one is `solved`, an iteration ends as one of the others; `event` means that `until=`
changed sign."""


def error_in_words(error: float) -> str:
    """An estimated error as it is shown: "unknown" where nothing is known of it."""
    return "unknown" if np.isnan(error) else f"{error:.1e}"


@dataclass(frozen=True)
class Step:
    """One step of an iteration.

    Parameters
    ----------
    number : int
        Counted from one on each network.
    neurons : int
        The size of the network, for each unknown.
    residual : float
        The weighted residual norm after the step.
    change : float
        The relative L2 change of the unknowns, the largest of them.
    length : float
        How far the step went towards the solution of the linearised problem: 1 for the full step.
    """

    number: int
    neurons: int
    residual: float
    change: float
    length: float


@dataclass(frozen=True)
class Tried:
    """One network that a solve to a tolerance tried: an entry of `solution.history`.

    Parameters
    ----------
    neurons : int
        For each unknown; in pieces the total over all pieces.
    error : float
        The estimated relative error.
    seconds : float
        The time it took.
    pieces : int
        The number of pieces into which the domain was cut.
    indicator : float
        The largest indicator of the pieces, which decides where to cut further.
    """

    neurons: int
    error: float
    seconds: float
    pieces: int = 1
    indicator: float = float("nan")


@dataclass(frozen=True)
class Attempt:
    """One entry of the trail of a solve: what was tried, and what came of it.

    Parameters
    ----------
    method : str
        The name of the method, as `tn.solve(problem, method=...)` takes it.
    words : str
        What it was: "network of 200 neurons".
    error : float
        The estimated relative error; nan if there is no solution.
    seconds : float
        The time it took.
    outcome : str
        Why the method was left, if it was: "rate too slow", or the reason why it failed.
    """

    method: str
    words: str
    error: float
    seconds: float
    outcome: str = ""

    def __str__(self) -> str:
        said = self.words if np.isnan(self.error) else f"{self.words}: {self.error:.1e}"
        return f"{said}, {self.outcome}" if self.outcome else said


@dataclass(frozen=True, eq=False)
class Coarser:
    """A coarser solution that a solve leaves, or a slightly finer one whose distance is the error: its basis and
    coefficients, and its relative distance."""

    basis: Any
    coefficients: np.ndarray
    distance: float


@dataclass(frozen=True, eq=False)
class Diagnostics:
    """Everything that is known about a solve besides the solution itself.

    Parameters
    ----------
    triangle : array or None
        R of the QR factorisation; rank and singular values are computed from it on demand.
    error : float
        The estimated relative L2 error of the solution; nan where nothing is known of it, because the problem or its
        data do not determine it, or an iteration went astray.
    amplification : float
        The largest |u| over |rows u| = 1: an error is at most the weighted residual times this.
    nested : tuple of (neurons, difference)
        The distances of the solutions of growing parts of the network from that of the whole: a convergence study.
    coarser : Coarser, optional
        A coarser or slightly finer solution, for the errors of results.
    seconds : dict
        Where the time went: that of this solution, of other levels that were tried, and of choosing among methods.
    messages : tuple of Message
        What the user should know; the public functions issue a warning for each.
    steps : tuple of Step
        The steps of an iteration, for a nonlinear problem.
    status : Status
        How the solve ended.
    notes : tuple of str
        Decisions made during the solve, for the report.
    uncertain : dict
        For a problem with measured values the relative standard error of each unknown, by name.
    trail : tuple of Attempt
        Everything that the driver tried, in order, and what came of it.
    """

    residuals: tuple[Residual, ...]
    solver: str
    rows: int
    columns: int
    error: float
    amplification: float = float("nan")
    nested: tuple[tuple[int, float], ...] = ()
    coarser: Coarser | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    triangle: np.ndarray | None = None
    stated_rank: int | None = None
    messages: tuple[Message, ...] = ()
    steps: tuple[Step, ...] = field(default=())
    status: Status = "solved"
    notes: tuple[str, ...] = ()
    uncertain: dict[str, float] = field(default_factory=dict)
    trail: tuple[Attempt, ...] = ()

    def within(self, total: float) -> Diagnostics:
        """The same for a solve that took so many seconds in all: what is not yet accounted for is added."""
        own = sum(self.seconds.values())
        levels = max(sum(attempt.seconds for attempt in self.trail), own)
        more = {"other levels": levels - own, "choosing": total - levels}
        return replace(self, seconds=self.seconds | {name: spent for name, spent in more.items() if spent > 0})

    @property
    def statistical(self) -> float:
        """The largest relative standard error of an unknown found from measured values; 0 if there is none."""
        return max(self.uncertain.values(), default=0.0)

    @cached_property
    def singular_values(self) -> np.ndarray:
        """The singular values of the weighted matrix, largest first."""
        return np.zeros(0) if self.triangle is None else singular_values(self.triangle)

    @cached_property
    def rank(self) -> int:
        """The numerical rank: the one used by the solver, otherwise the number of singular values above eps times the
        largest."""
        if self.stated_rank is not None:
            return self.stated_rank
        s = self.singular_values
        return int(np.count_nonzero(s > EPS * s[0])) if len(s) else 0

    @property
    def condition(self) -> float:
        """The ratio of the largest to the smallest singular value."""
        s = self.singular_values
        return float(s[0] / s[-1]) if len(s) and s[-1] > 0 else np.inf
