"""What a strategy is: how a nonlinear problem is iterated. Each is one file with a frozen dataclass that is registered.

All of them keep the neurons and solve for the output weights alone (paper, section 3.4).
"""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.iterate.outcome import Outcome, Watch
from transnet.iterate.system import System

S = TypeVar("S", bound="type[Strategy]")


@runtime_checkable
class Strategy(Protocol):
    """How a nonlinear problem is iterated.

    `name` is what problem files call it; `lagged` says whether factors marked with `tn.lagged` are held at the last
    iterate; `cascade` whether the first steps are taken on a smaller network. `iterate` continues from
    `outcome.iterate` and keeps the outcome up to date, so that an interruption leaves the last iterate.
    """

    name: ClassVar[str]
    lagged: ClassVar[bool]

    @property
    def cascade(self) -> bool: ...

    def iterate(self, system: System, outcome: Outcome, watch: Watch) -> None: ...


STRATEGIES: dict[str, type[Strategy]] = {}
"""Strategies by their names in problem files."""


def register(made: S) -> S:
    """Make a strategy known by its name, so that problem files can use it."""
    STRATEGIES[made.name] = made
    return made


def refuse_settings(steps: int, tol: float | None) -> None:
    """Raise if a number of steps or a tolerance is invalid."""
    if steps < 1:
        raise ProblemError(f"An iteration needs at least one step, not {shown(steps)}.")
    if tol is not None and not 0 < tol < 1:
        raise ProblemError(f"The tolerance of an iteration is a relative change between 0 and 1, not {shown(tol)}.")
