"""Derivatives of results, and what they predict, as values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.errors import ProblemError
from transnet.solution.results.numbers import Numbers

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class Gradient(Mapping[Any, Any]):
    """Derivatives by parameter: `gradient[k]`, or by name `gradient["k"]`, is a number with its `error`."""

    entries: dict[sp.Symbol, Any]

    def __getitem__(self, key: Any) -> Any:
        for symbol, value in self.entries.items():
            if symbol.name == str(key):
                return value
        raise KeyError(f"There is no derivative with respect to {key}; there are: {', '.join(map(str, self.entries))}.")

    def __iter__(self) -> Iterator[sp.Symbol]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{k}: {v!r}" for k, v in self.entries.items()) + "}"


@dataclass(frozen=True, eq=False)
class Prediction:
    """A solution for other values of parameters, by tangents: call it on points as a solution.

    `prediction.numbers(points)` has the estimated errors, those of the solution and of the tangents; what is curved in
    between grows with the square of the change and is the caller's to judge.
    """

    solution: Solution
    tangents: tuple[Solution, ...]
    changes: tuple[float, ...]

    def __call__(self, *points: Any, **coordinates: Any) -> np.ndarray:
        steps = (c * t(*points, **coordinates) for c, t in zip(self.changes, self.tangents, strict=True))
        return sum(steps, start=self.solution(*points, **coordinates))

    def numbers(self, *points: Any, **coordinates: Any) -> Numbers:
        """The values with their errors."""
        if len(self.solution.fields) > 1:
            raise ProblemError("The errors of a prediction are available for one unknown.")
        what = self.solution.problem.unknowns[0]
        found = [s.evaluate(what, *points, error=True, **coordinates) for s in (self.solution, *self.tangents)]
        factors = (1.0, *self.changes)
        value = sum(c * f.value for c, f in zip(factors, found, strict=True))
        return Numbers(
            np.asarray(value), np.asarray(sum(abs(c) * f.error for c, f in zip(factors, found, strict=True)))
        )
