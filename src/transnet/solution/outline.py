"""What remains of a problem that could not be stored with its solution: names, coordinates, and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.geometry import Domain


@dataclass(frozen=True, eq=False)
class Remainder:
    """Stands in for the `Problem` of a solution that was loaded without it.

    The solution can be called, differentiated and evaluated; whatever needs the equations says why they are missing.
    """

    unknowns: tuple[sp.Expr, ...]
    coordinates: tuple[sp.Symbol, ...]
    parameters: tuple[sp.Symbol, ...]
    domain: Domain
    reason: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the unknowns."""
        return tuple(u.func.__name__ for u in self.unknowns)

    @property
    def equations(self) -> Any:
        self._missing()

    @property
    def conditions(self) -> Any:
        self._missing()

    def _missing(self) -> NoReturn:
        raise ProblemError(
            f"The problem itself is not stored with this solution, because it has {self.reason}. The solution can be "
            f"evaluated and drawn; for residuals state the problem again and solve it."
        )

    def __repr__(self) -> str:
        return f"A problem for {', '.join(map(str, self.unknowns))} that is not stored: it has {self.reason}"


@dataclass(frozen=True, eq=False, repr=False)
class LostDomain(Domain):
    """A domain of which only the name, the coordinates and the bounding box are known."""

    shown: str
    axes: tuple[str | None, ...]
    box: np.ndarray

    @property
    def names(self) -> tuple[str | None, ...]:
        return self.axes

    @property
    def bounds(self) -> np.ndarray:
        return self.box

    @property
    def volume(self) -> float:
        return self._missing()

    @property
    def parts(self) -> tuple[str, ...]:
        return self._missing()

    def _inside(self, points: np.ndarray, sign: int) -> np.ndarray:
        return self._missing()

    def resolve(self, part: str) -> tuple[str, ...]:
        return self._missing()

    def _missing(self) -> NoReturn:
        raise ProblemError(
            f"The shape of the domain {self.shown} is not stored with this solution, so it cannot be drawn or sampled. "
            f"Evaluate the solution at points of your own."
        )

    def __repr__(self) -> str:
        return self.shown
