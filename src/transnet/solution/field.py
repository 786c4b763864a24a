"""One unknown of a solution, and points given by their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.discretise.assembly import derivatives
from transnet.errors import ProblemError

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


def by_name(coordinates: dict[str, Any], names: Sequence[str]) -> tuple[np.ndarray, tuple[int, ...]]:
    """Coordinates by name, broadcast against each other: the points (n, d), and the shape that the result has."""
    missing = [n for n in names if n not in coordinates]
    unknown = [n for n in coordinates if n not in names]
    if missing or unknown:
        raise ProblemError(
            f"The solution depends on {', '.join(names)}; "
            + "; ".join(
                [f"missing: {', '.join(missing)}"] * bool(missing) + [f"unknown: {', '.join(unknown)}"] * bool(unknown)
            )
            + "."
        )
    values = [numbers(coordinates[n], f"The coordinate {n}") for n in names]
    try:
        arrays = np.broadcast_arrays(*values)
    except ValueError:
        shapes = ", ".join(f"{n} {v.shape}" for n, v in zip(names, values, strict=True))
        raise ProblemError(f"The coordinates have shapes that do not fit together: {shapes}.") from None
    return np.column_stack([a.ravel() for a in arrays]), arrays[0].shape


def numbers(values: Any, what: str) -> np.ndarray:
    """Finite numbers as an array."""
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise ProblemError(f"{what} must be an array of numbers, not {values!r}.") from None
    if not np.isfinite(array).all():
        raise ProblemError(f"{what} must be finite, but some are NaN or infinite.")
    return array


@dataclass(frozen=True, eq=False)
class Field:
    """One unknown of a solution: callable like the solution itself."""

    solution: Solution
    unknown: sp.Expr

    def __call__(self, points: Any = None, **coordinates: Any) -> np.ndarray:
        where, shape = self.solution._points(points, coordinates)
        number = self.solution.problem.unknowns.index(self.unknown)
        zero = (0,) * len(self.solution.problem.coordinates)
        return derivatives(self.solution.layout, self.solution.coefficients, where, [(number, zero)])[0].reshape(shape)

    @cached_property
    def coefficients(self) -> np.ndarray:
        """Its output weights, the constant first."""
        number = self.solution.problem.unknowns.index(self.unknown)
        return self.solution.coefficients[self.solution.layout.slice_of(number)]
