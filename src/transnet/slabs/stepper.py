"""What a march asks of a discretisation of space and time: attempts at a step, which it may take or leave.

A `Scheme` begins a stepper: collocation at Radau's points with features of space (`slabs.collocation`), or a diagonally
implicit method with an elliptic problem in pieces for each stage (`steps.implicit`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from transnet.slabs.evolution import Passing
from transnet.slabs.lengths import Lengths
from transnet.slabs.track import Settings, Track
from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class TrialStep:
    """A step that was solved and may be taken; errors and sizes are root mean squares over space, by unknown.

    Parameters
    ----------
    polynomials : (degree + 1, unknowns, columns) array
        Legendre's coefficients in time.
    sizes : array
        The largest sizes so far, with those of this step.
    now : array
        The largest sizes in this step.
    inside, end : arrays
        The step's own error inside and at its end.
    steps : int
        Newton's steps.
    reached : Any
        What the stepper needs to go there.
    """

    polynomials: np.ndarray
    sizes: np.ndarray
    now: np.ndarray
    inside: np.ndarray
    end: np.ndarray
    steps: int
    reached: Any


class Stepper(Protocol):
    """A discretisation at a place of its march.

    Parameters
    ----------
    settings : Settings
    place : Any
        An immutable position, to which it can be returned.
    carried : float
        The relative error at the place: a step need not be far better.
    gap : Any
        By how much the start does not fit a boundary condition; None if it does.
    """

    settings: Settings
    place: Any
    carried: float
    gap: Any

    @property
    def evolution(self) -> Passing: ...
    @property
    def linear(self) -> bool:
        """Whether a step is one linear problem."""

    @property
    def t(self) -> float: ...
    @property
    def space(self) -> Any:
        """The features of space, as a basis has them."""

    def lengths(self) -> Lengths:
        """How lengths of steps are chosen."""

    def share(self, tau: float) -> float:
        """The part of the tolerance that the end of a step may have."""

    def attempt(self, tau: float) -> TrialStep | None:
        """A step of a length, or None if it cannot be solved."""

    def accept(self, found: TrialStep, end: float, track: Track) -> np.ndarray:
        """Go to the end of a step: its errors at the end and inside, (2, unknowns).

        Those of earlier ones may be known better then.
        """

    def conclude(self, track: Track) -> None:
        """Know the errors of all steps that were taken."""

    def begin_anew(self) -> None:
        """Something switches here: what was known of the slope is no longer true."""

    def tails(self, found: TrialStep, scale: np.ndarray) -> tuple[float, float]:
        """What is missing in space and in time, relative."""

    def finer(self, found: TrialStep, scale: np.ndarray, quality: float) -> Any:
        """Features for a step whose error was so many tolerances; None if there are none."""

    def use(self, space: Any) -> None:
        """Go on with other features."""

    def adapt(self) -> None:
        """Resolve more in space behind a step that was taken."""

    def cut(self, found: TrialStep, tau: float) -> float | None:
        """The length up to where the solution meets something sharp; None if it does not."""

    @property
    def words(self) -> str:
        """How it solves a step."""

    @property
    def shape(self) -> tuple[int, int]:
        """The rows and columns of a step."""

    def cause(self, missed: bool) -> str | None:
        """Why a tolerance was missed, if that is known."""


@dataclass(frozen=True, eq=False)
class Scheme:
    """A way to march.

    Parameters
    ----------
    begin : callable
        From an evolution, its parameters, settings and a solution to continue to a stepper.
    aim, acceptable : float
        The error that a plain solve aims at, and above which it warns.
    marches : int
        The most marches: with a smaller tolerance for each step where errors are amplified.
    stops : tuple of float
        The times at which something switches, begins or ends: steps end there.
    least : float
        Sizes of unknowns below count as this: a part of what sources can make from zero.
    places : array, optional
        Points of space at which an expression is evaluated that ends a march.
    """

    begin: Callable[[Any, Mapping[Any, Any], Settings, Solution | None], Stepper]
    aim: float
    acceptable: float
    marches: int
    stops: tuple[float, ...]
    least: float
    places: np.ndarray | None = None
