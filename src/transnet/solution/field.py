"""One unknown of a solution, and points given by their coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.problem.tables import columns_of, is_frame, unmasked
from transnet.solution.outside import warn_outside
from transnet.solution.same_library import same_library

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


def located(
    points: tuple[Any, ...], coordinates: dict[str, Any], names: Sequence[str]
) -> tuple[np.ndarray, tuple[int, ...]]:
    """Points given as an array, as coordinates one by one, or by name: (n, d), and the shape of the result."""
    if points and coordinates:
        raise ProblemError("Give either an array of points or coordinates by name, not both.")
    if len(points) == 1 and isinstance(points[0], tuple) and len(points[0]) == len(names) > 1:
        grids = points[0]  # a tuple of arrays is one array for each coordinate, as in scipy.interpolate
        points = grids if all(isinstance(grid, np.ndarray) and grid.ndim for grid in grids) else points
    if len(points) > 1:
        if len(points) != len(names):
            raise ProblemError(
                f"{len(points)} coordinates were given, but the solution depends on {len(names)}: {', '.join(names)}. "
                f"Give an array of shape (n, {len(names)}), or coordinates by name: "
                f"solution({', '.join(f'{n}=...' for n in names)})."
            )
        coordinates = dict(zip(names, points, strict=True))
    return by_name(coordinates, names) if coordinates else by_rows(points[0], names)


def by_name(coordinates: dict[str, Any], names: Sequence[str]) -> tuple[np.ndarray, tuple[int, ...]]:
    """Coordinates by name, broadcast against each other: the points (n, d), and the shape of the result."""
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


def by_rows(points: Any, names: Sequence[str]) -> tuple[np.ndarray, tuple[int, ...]]:
    """An array of points (..., d) as (n, d), and the shape of the result."""
    array = numbers(columns_of(points, names, "A solution") if is_frame(points) else points, "Points")
    if len(names) == 1 and array.ndim < 2:
        array = array[..., None]  # one coordinate needs no column of its own
    if array.ndim == 0 or array.shape[-1] != len(names):
        raise ProblemError(
            f"Points must have shape (n, {len(names)}), one column for each of {', '.join(names)}, not {array.shape}. "
            f"Coordinates by name are broadcast: solution({', '.join(f'{n}=...' for n in names)})."
        )
    return array.reshape(-1, len(names)), array.shape[:-1]


def numbers(values: Any, what: str) -> np.ndarray:
    """Finite numbers as an array."""
    try:
        array = np.asarray(unmasked(values, what))
        if np.iscomplexobj(array):
            raise ProblemError(f"{what} must be real, not complex: a solution is a function of real coordinates.")
        array = np.asarray(array, dtype=float)
    except ProblemError:
        raise
    except (TypeError, ValueError, OverflowError):
        raise ProblemError(f"{what} must be an array of numbers, not {shown(values)}.") from None
    if not np.isfinite(array).all():
        raise ProblemError(f"{what} must be finite, but some are NaN or infinite.")
    return array


@dataclass(frozen=True, eq=False, repr=False)
class Field:
    """One unknown of a solution: callable like the solution itself.

    A complex unknown is `psi_re + I psi_im`, with complex values; a vector is a column of its components, with values
    (n, components).
    """

    solution: Solution
    unknown: sp.Expr

    @same_library
    def __call__(self, *points: Any, **coordinates: Any) -> np.ndarray:
        where, shape = self._where(points, coordinates)
        values = self.at(where)
        return values.reshape(shape + values.shape[1:])

    def _where(self, points: tuple[Any, ...], coordinates: dict[str, Any]) -> tuple[np.ndarray, tuple[int, ...]]:
        """The points (n, d), and the shape of the result. An unknown of fewer coordinates needs only those."""
        problem = self.solution.problem
        own, names = [str(c) for c in getattr(self.unknown, "args", ())], [c.name for c in problem.coordinates]
        if self.unknown not in problem.unknowns or not 0 < len(own) < len(names) or not (points or coordinates):
            return self.solution._located(points, coordinates)
        if coordinates:
            alone = set(coordinates) <= set(own)
        elif len(points) > 1:
            alone = len(points) == len(own)
        else:
            shape = np.shape(points[0])
            alone = not is_frame(points[0]) and shape[-1:] != (len(names),) and (len(own) == 1 or len(shape) > 0)
        if not alone:
            return self.solution._located(points, coordinates)
        found, shape = located(points, coordinates, own)
        # Somewhere in the domain: the unknown does not depend on the other coordinates.
        where = np.repeat(problem.domain.interior(1), len(found), axis=0)
        axes = [names.index(name) for name in own]
        where[:, axes] = found
        low, high = problem.domain.bounds[:, axes]
        if np.any((found < low) | (found > high)):
            warn_outside(problem, where)
        return where, shape

    def __repr__(self) -> str:
        if getattr(self.unknown, "args", None) != ():
            return f"{self.unknown} of the {self.solution!r}"
        error = self.standard_error()
        return f"{self.unknown.func.__name__} = {float(self):.10g}" + (f" ± {error:.1g}" if np.isfinite(error) else "")

    def __float__(self) -> float:
        """The value of an unknown number."""
        if getattr(self.unknown, "args", None) != ():
            raise TypeError(f"{self.unknown} is a function, not a number: call it at points.")
        return float(self.at(np.zeros((1, len(self.solution.problem.coordinates))))[0])

    def standard_error(self, *points: Any, **coordinates: Any) -> Any:
        """Its standard error from the noise of measured values, at points; without points for a number."""
        solution = self.solution
        known, numbers_only = solution.diagnostics, getattr(self.unknown, "args", None) == ()
        if numbers_only and not points and not coordinates:
            return abs(float(self)) * known.uncertain.get(self.unknown.func.__name__, float("nan"))
        if not known.uncertain or known.triangle is None:
            raise ProblemError(
                "Standard errors are known only for a problem with measured values (tn.data), and are not saved."
            )
        where, shape = self._where(points, coordinates)
        number = solution.problem.unknowns.index(self.unknown)
        return solution.uncertainty.of(number, where).reshape(shape)

    def at(self, points: np.ndarray) -> np.ndarray:
        """Its values at points (n, d), without a check that they lie in the domain."""
        if self.unknown not in self.solution.problem.unknowns:
            return self.solution.value_of(self.unknown, points)
        number = self.solution.problem.unknowns.index(self.unknown)
        zero = (0,) * points.shape[1]
        return self.solution.basis.derivatives(self.solution.coefficients, points, [(number, zero)])[0]

    @cached_property
    def coefficients(self) -> np.ndarray:
        """Its output weights, the constant first."""
        number = self.solution.problem.unknowns.index(self.unknown)
        return self.solution.coefficients[self.solution.basis.slice_of(number)]
