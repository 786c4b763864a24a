"""How far a solution is from something else: another solution, a formula, a file or a table of values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.arrays import detached
from transnet.calls import explained, shown
from transnet.counts import MANY
from transnet.errors import ProblemError
from transnet.geometry import Domain, Exterior
from transnet.pictures.picture import Picture
from transnet.solution.quantities import expression_of
from transnet.solution.results.numbers import Extremum
from transnet.tables import read_table, select

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


@dataclass(frozen=True, eq=False)
class Comparison:
    """The difference between an unknown and something else.

    Attributes
    ----------
    norm : float
        The L2 norm of the difference; at the points of a table its root mean square.
    relative : float
        The same in units of the norm of the other.
    largest : Extremum
        The largest difference found, at `largest.place`.
    points, difference : arrays
        The points of comparison, (n, d), and this minus the other there, (n,).
    shared : float
        The part of the domain that the other solution shares; they are compared there.
    """

    name: str
    norm: float
    relative: float
    largest: Extremum
    points: np.ndarray
    difference: np.ndarray
    shared: float = 1.0
    _plot: Callable[[], Picture] | None = None

    def plot(self) -> Picture:
        """Draw the size of the difference on a logarithmic scale."""
        if self._plot is None:
            raise ProblemError("A table has values at its points only: draw .difference at .points.")
        return self._plot()

    def __repr__(self) -> str:
        where = ", ".join(f"{n} = {v:.4g}" for n, v in zip(self.largest.names, self.largest.place, strict=True))
        part = "" if self.shared == 1 else f", on the {100 * self.shared:.3g} % of the domain that both have"
        return (
            f"{self.name} differs by {self.relative:.1e} (relative L2), at most by {float(self.largest):.1e} at "
            f"{where}{part}"
        )


@explained
def compare(self: Solution, other: Any, unknown: str | sp.Expr | None = None) -> Any:
    """The difference from another solution, a formula, a callable of arrays, a file or a table.

    Parameters
    ----------
    other : Solution, expression, callable, mapping, path, data frame or (points, values)
        A mapping has one of the first three for each unknown. A file (.vtu, .csv, .parquet) or a data frame has
        columns with the names of the coordinates and of the unknown, in any order. Points are (n, d), values (n,).
    unknown : str or unknown, optional
        Which one, if there are several; without it a mapping from names to comparisons is returned.

    Returns
    -------
    Comparison, or a dictionary of them where there are several unknowns
    """
    if unknown is None and len(self.fields) > 1:
        keys = {_name(k): v for k, v in other.items()} if isinstance(other, Mapping) else None
        if keys is None and not _has_names(other):
            raise ProblemError(
                f"Say which unknown {shown(other)} is: compare(other, {self.fields[0]!r}), or give a mapping of all."
            )
        chosen = [n for n in self.fields if keys is None or n in keys]
        return {n: _compared(self, other if keys is None else keys[n], n) for n in chosen}
    name = self.fields[0] if unknown is None else _name(unknown)
    if isinstance(other, Mapping) and not _has_names(other):
        keys = {_name(k): v for k, v in other.items()}
        if name not in keys:
            raise ProblemError(
                f"The mapping to compare with has nothing for '{name}', but {', '.join(keys) or 'is empty'}."
            )
        other = keys[name]
    return _compared(self, other, name)


def _name(key: Any) -> str:
    return key if isinstance(key, str) else getattr(getattr(key, "func", None), "__name__", None) or shown(key)


def _has_names(other: Any) -> bool:
    """Whether something has values for several unknowns by itself."""
    return isinstance(other, str | Path) or hasattr(other, "problem") or hasattr(other, "columns")


def _compared(solution: Solution, other: Any, name: str) -> Comparison:
    coordinates = tuple(c.name for c in solution.problem.coordinates)
    shared = 1.0
    if isinstance(other, str | Path) or hasattr(other, "columns"):
        d, complex_one = len(coordinates), name in solution.groups and name not in solution.names
        table = select(read_table(other), [*coordinates, *((f"{name}_re", f"{name}_im") if complex_one else (name,))])
        table = table[np.isfinite(table).all(axis=1)]
        points, truth = table[:, :d], table[:, d] + 1j * table[:, -1] if complex_one else table[:, d]
        weights = np.full(len(points), 1.0 / max(len(points), 1))
        plot = None
    elif isinstance(other, tuple | list | np.ndarray):
        points, truth = _pair(other, len(coordinates))
        weights, plot = np.full(len(points), 1.0 / len(points)), None
    else:
        function = _function(solution, other, name)
        points, weights = _nodes(solution.problem.domain)
        if hasattr(other, "problem"):
            points, weights, shared = _shared(solution, other, points, weights)
        truth = function(points)
        if truth.shape != points.shape[:1]:
            raise ProblemError(f"{shown(other)} has several components: compare one with one unknown.")

        def plot() -> Picture:
            return solution.plot(name, error_against={name: lambda *c: function(np.column_stack(c))})

    difference = solution[name].at(points) - truth
    norm = float(np.sqrt(weights @ np.abs(difference) ** 2))
    size = float(np.sqrt(weights @ np.abs(truth) ** 2))
    k = int(np.argmax(np.abs(difference)))
    largest = Extremum.at(float(abs(difference[k])), float("nan"), points[k], coordinates)
    return Comparison(name, norm, norm / size if size > 0 else np.inf, largest, points, difference, shared, plot)


def _pair(other: Any, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, d) and values (n,) that were given as (points, values)."""
    try:
        points, values = other
        points, truth = np.asarray(detached(points), dtype=float), np.asarray(detached(values))
        truth = truth.astype(complex if np.iscomplexobj(truth) else float)
    except (TypeError, ValueError):
        points, truth = np.empty(0), np.empty(0)
    points = points[:, None] if points.ndim == 1 == dimension else points
    if points.ndim != 2 or points.shape[1] != dimension or truth.shape != points.shape[:1] or not len(points):
        shapes = f"{points.shape} and {truth.shape}" if points.size else shown(other)
        raise ProblemError(
            f"Values at points are given as (points, values), of shapes (n, {dimension}) and (n,), not {shapes}."
        )
    return points, truth


def _shared(
    solution: Solution, other: Solution, points: np.ndarray, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """The nodes that also lie in the domain of the other solution, and their share of this domain."""
    both = other.problem.domain.nearly_contains(points[:, _order(solution, other)])
    if not both.any():
        raise ProblemError(
            f"The domains have nothing in common: {solution.problem.domain} and {other.problem.domain}. There is "
            f"nothing to compare."
        )
    size = np.abs(weights)
    return points[both], weights[both], 1.0 if both.all() else float(size[both].sum() / size.sum())


def _order(solution: Solution, other: Solution) -> list[int]:
    """The positions of the other solution's coordinates among those of this one."""
    here, there = ([c.name for c in s.problem.coordinates] for s in (solution, other))
    if sorted(here) != sorted(there):
        raise ProblemError(f"The other solution depends on {', '.join(there)}, this one on {', '.join(here)}.")
    return [here.index(n) for n in there]


def _nodes(domain: Domain) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights for the squares, without nodes outside, which a rule for a difference of shapes may have."""
    points, weights = (domain.window if isinstance(domain, Exterior) else domain).quadrature(MANY)
    here = domain.contains(points) & (weights > 0)
    return points[here], weights[here]


def _called(function: Callable[..., Any], points: np.ndarray) -> np.ndarray:
    try:
        values = np.asarray(function(*points.T))
        return np.broadcast_to(values.astype(complex if np.iscomplexobj(values) else float), len(points))
    except (TypeError, ValueError) as error:
        raise ProblemError(
            f"{shown(function)} cannot be compared with: it must be a function of one array for each coordinate "
            f"({error})."
        ) from error


def _function(solution: Solution, other: Any, name: str) -> Callable[[np.ndarray], np.ndarray]:
    """The values of the other solution at points (n, d)."""
    if hasattr(other, "problem") and hasattr(other, "names"):
        if name not in other.names and name not in other.groups:
            raise ProblemError(f"The other solution has no unknown '{name}', but {', '.join(other.fields)}.")
        order = _order(solution, other)
        return lambda points: other[name].at(points[:, order])
    if callable(other) and not isinstance(other, sp.Basic):
        return lambda points: _called(other, points)
    expression = expression_of(solution, other)
    return lambda points: solution.value_of(expression, points)
