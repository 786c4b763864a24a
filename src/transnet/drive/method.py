"""What a method of solution is: it says whether it fits a problem and at which cost, and gives levels, coarse to fine.

The driver does everything else: it ranks the methods, draws levels, stops, keeps the best and records the trail. So a
method has no loop over tolerances, no time limit and no messages about a goal that was missed, except its own cause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from transnet.basis.expansion import Expansion
from transnet.choose.effort import ACCEPTABLE, GOOD
from transnet.counts import SAMPLE
from transnet.errors import ProblemError
from transnet.judge.estimate import distances
from transnet.judge.expanded import expanded_solution, judge_expansion
from transnet.solution.solution import Solution
from transnet.tolerances import EPS

if TYPE_CHECKING:
    from transnet.drive.facts import Facts
    from transnet.drive.plan import Plan

GROWTH = 4.0
"""The next level of a method that predicts nothing takes this many times the time of the last."""


LAST_RESORT = 300.0
"""Seconds predicted where something is known that a method resolves badly: it is taken only if nothing else found
anything."""
CALLS, CUBIC = 4e-3, 3e-10
"""Seconds of a least-squares solve with n columns, a + b n^3: 5 ms for 200 and 0.5 s for 1,200, estimates included."""


def dense_seconds(columns: float) -> float:
    """The predicted time of a dense least-squares solve."""
    return CALLS + CUBIC * columns**3


@dataclass(frozen=True)
class Fit:
    """A method fits.

    Parameters
    ----------
    seconds : float
        The predicted time to its goal, on one core.
    why : str
        How it would be solved, in words.
    aim : float
        The error that a plain solve aims at.
    acceptable : float
        The estimated error above which a plain solve warns.
    """

    seconds: float
    why: str = ""
    aim: float = GOOD
    acceptable: float = ACCEPTABLE


@dataclass(frozen=True)
class Refusal:
    """A method does not fit: the reason in words, the error for a user who asks for it all the same, and the option
    that rules it out."""

    reason: str
    error: ProblemError | None = None
    option: str = ""


class Level(Protocol):
    """One approximation of a method."""

    @property
    def words(self) -> str:
        """What it is, for the trail: "network of 200 neurons"."""

    @property
    def sure(self) -> bool:
        """Whether its estimate needs no second level to confirm it."""

    @property
    def last(self) -> bool:
        """Whether it is all that was asked for, good or not, as a network of a given size is."""

    @property
    def cost(self) -> float:
        """Its time in seconds of one core, as predicted from its size: a choice by measured times would differ from
        run to run."""

    def error(self, previous: Level | None) -> float:
        """The estimated relative error, compared with the level before it."""

    def solution(self, error: float) -> Solution:
        """The solution with this estimate."""

    def next_seconds(self) -> float:
        """The predicted time of the next level."""

    def remaining(self, goal: float) -> float:
        """The predicted time until an error of `goal`, at the rate seen so far; infinite if that is out of reach."""


@runtime_checkable
class Method(Protocol):
    """A way to solve problems; `tn.register` adds one of your own.

    Attributes
    ----------
    name : str
        What a user calls it: `tn.solve(problem, method="pieces")`.
    options : frozenset of str
        The keywords of `tn.solve` that it understands, besides those that every method does.
    floor : float
        The seconds below which it solves no problem: it is not asked whether it fits while another is cheaper.
    """

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> frozenset[str]: ...
    @property
    def floor(self) -> float: ...

    def fits(self, facts: Facts, plan: Plan) -> Fit | Refusal:
        """Whether it can solve a problem: cheap, and without side effects."""

    def levels(self, facts: Facts, plan: Plan) -> Iterator[Level]:
        """Approximations from coarse to fine, as many as there are."""


@dataclass(frozen=True, eq=False)
class Judged:
    """A level whose solution carries its own estimate.

    Parameters
    ----------
    after : float
        The predicted seconds of the next level.
    ahead : callable, optional
        The predicted seconds until an error is reached; by default those of the next level.
    source : optional
        What the solution was made from, for those who keep it.
    """

    found: Solution
    words: str
    cost: float = 0.0
    after: float = inf
    ahead: Callable[[float], float] | None = None
    sure: bool = False
    last: bool = False
    source: Any = None

    def error(self, previous: Level | None) -> float:
        return float(self.found.error)

    def solution(self, error: float) -> Solution:
        return self.found

    def next_seconds(self) -> float:
        return self.after

    def remaining(self, goal: float) -> float:
        return self.after if self.ahead is None else self.ahead(goal)


@dataclass(frozen=True, eq=False)
class Expanded:
    """A level made of a basis and coefficients; its error is its distance from the level before.

    Everything that a solution needs besides (residuals, messages about the data) is found here, so this is all that a
    method of your own has to give.
    """

    facts: Facts
    basis: Expansion
    coefficients: np.ndarray
    words: str
    sure: bool = False
    last: bool = False

    @property
    def cost(self) -> float:
        return dense_seconds(self.basis.columns)

    def values(self, points: np.ndarray) -> list[np.ndarray]:
        """The unknowns at points."""
        zero = (0,) * points.shape[1]
        slots = [(u, zero) for u in range(self.basis.unknowns)]
        return [np.asarray(v) for v in self.basis.derivatives(self.coefficients, points, slots)]

    def error(self, previous: Level | None) -> float:
        if not isinstance(previous, Expanded):
            return inf
        points = self.facts.problem.domain.interior(SAMPLE, "quasi", 1)
        fine, coarse = ([v[:, None] for v in level.values(points)] for level in (self, previous))
        return max(float(distances(fine, [[a - b] for a, b in zip(fine, coarse, strict=True)])[0, 0]), 4 * EPS)

    def solution(self, error: float) -> Solution:
        found = self.facts.problem, self.basis, self.coefficients
        residuals, messages = judge_expansion(*found, self.facts.numbers)
        return expanded_solution(
            *found, self.facts.values, solver=self.words, error=error, residuals=residuals,
            seconds={"solve": self.cost}, messages=messages,
        )  # fmt: skip

    def next_seconds(self) -> float:
        return GROWTH * self.cost

    def remaining(self, goal: float) -> float:
        return GROWTH * self.cost
