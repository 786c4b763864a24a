"""Values along a line and at probes over time, as arrays, tables and pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike
from sympy.core.function import AppliedUndef

from transnet.arguments import Formula
from transnet.arrays import FLOAT, check_room, detached
from transnet.calls import explained, shown
from transnet.errors import ProblemError
from transnet.pictures.labels import Labels
from transnet.pictures.picture import Picture
from transnet.problem.complex import in_given_names
from transnet.sections.section import embedded
from transnet.solution.held import held
from transnet.solution.quantities import expression_of, math_of, quantities_of

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

COLUMNS = 8
"""Columns of numbers beside the coordinates, while a cut is made: distances, values, and those as a list."""
LINES, LINE = (6.0, 3.4), {"linewidth": 1.8}
"""How a line is drawn: inches of the picture, points of its width."""


@dataclass(frozen=True, eq=False)
class Profile:
    """Values along a line: `distance` (n,) from its start, `points` (n, d), and `values` (n,), or one column for each
    quantity. Points outside the domain have NaN."""

    points: np.ndarray
    distance: np.ndarray
    values: np.ndarray
    names: tuple[str, ...]
    labels: tuple[str, ...]
    coordinates: tuple[str, ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __len__(self) -> int:
        return len(self.distance)

    def plot(self, **look: Any) -> Picture:
        """Draw the values over the distance; `title`, `label`, `unit`, `limits` and `size` as for `Solution.plot`."""
        label = self.labels[0] if len(self.labels) == 1 else ""
        return line_picture(self.distance, self.values, "distance", label, () if label else self.labels, **look)

    def save(self, path: str | Path) -> Path:
        """Write points, distance and values as a CSV file."""
        from transnet.solution.export import write_table

        columns = [self.points, self.distance[:, None], self.values.reshape(len(self), -1)]
        return write_table(path, [*self.coordinates, "distance", *self.names], np.hstack(columns))

    def __repr__(self) -> str:
        return f"Cut of {', '.join(self.names)} at {len(self)} points: .distance, .values, .plot(), .save('cut.csv')"


@dataclass(frozen=True, eq=False)
class Probes:
    """Values at fixed places over time: `times` (n,) and `values` (n, places), complex for a complex unknown."""

    times: np.ndarray
    points: np.ndarray
    values: np.ndarray
    name: str
    label: str

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def plot(self, **look: Any) -> Picture:
        """Draw the values over time, a line for each place; for complex ones the modulus.

        `title`, `label`, `unit`, `limits` and `size` are as for `Solution.plot`.
        """
        places = tuple("(" + ", ".join(f"{c:.4g}" for c in p) + ")" for p in self.points)
        if np.iscomplexobj(self.values):
            return line_picture(self.times, np.abs(self.values), "$t$", f"$|{self.label.strip('$')}|$", places, **look)
        return line_picture(self.times, self.values, "$t$", self.label, places, **look)

    def save(self, path: str | Path) -> Path:
        """Write times and values as a CSV file."""
        from transnet.solution.export import write_table

        parts = {self.name: self.values}
        if np.iscomplexobj(self.values):
            parts = {f"{self.name}_re": self.values.real, f"{self.name}_im": self.values.imag}
        names = ["t", *(f"{n} at {' '.join(f'{c:.6g}' for c in p)}" for n in parts for p in self.points)]
        return write_table(path, names, np.column_stack([self.times, *parts.values()]))

    def __repr__(self) -> str:
        return (
            f"Probes of {self.name} at {len(self.points)} places and {len(self.times)} times: .times, .values, "
            f".plot(), .save('probes.csv')"
        )


@explained
def along(
    self: Solution, start: ArrayLike, stop: ArrayLike, what: Formula | None = None, *, points: int = 201, **fixed: float
) -> Profile:
    """Values along the straight line from one point to another.

    Parameters
    ----------
    start, stop : sequences of numbers
        Its ends, in the domain's order of coordinates, without those that are fixed.
    what : str, expression or list of them, optional
        All unknowns by default.
    points : int
        How many points, evenly spaced.
    fixed
        Coordinates that are fixed: `solution.along((0, 0), (1, 1), t=0.5)`.

    Returns
    -------
    Cut
        With `points`, `distance` and `values`, `plot()` and `save("cut.csv")`.
    """
    names = [c.name for c in self.problem.coordinates]
    axes = held(names, fixed)
    free = tuple(k for k in range(len(names)) if k not in axes)
    a, b = (_point(p, [names[k] for k in free]) for p in (start, stop))
    if points < 2:
        raise ProblemError(f"A cut has two points or more, not {points}.")
    check_room(points, (len(names) + COLUMNS) * FLOAT, f"A cut of {points} points")
    part = np.linspace(0.0, 1.0, points)
    where = embedded(a + part[:, None] * (b - a), free, axes)
    quantities = quantities_of(self, what)
    values = np.full((points, len(quantities)), np.nan)
    inside = self.problem.domain.nearly_contains(where)
    if not inside.any():
        raise ProblemError(
            f"The line from {tuple(map(float, a))} to {tuple(map(float, b))} misses the domain {self.problem.domain}."
        )
    for k, q in enumerate(quantities):
        values[inside, k] = q.values(where[inside])
    return Profile(
        where,
        part * float(np.linalg.norm(b - a)),
        values[:, 0] if len(quantities) == 1 else values,
        tuple(q.name for q in quantities),
        tuple(q.label for q in quantities),
        tuple(names),
    )


@explained
def probe(self: Solution, points: ArrayLike, what: Formula | None = None, *, times: int | ArrayLike = 101) -> Probes:
    """Values at places over time: `solution.probe([(0.2, 0.5), (0.8, 0.5)])`.

    Parameters
    ----------
    points : (n, d - 1) array
        Places in space, without the coordinate `t`.
    what : str or expression, optional
        Needed if there are several unknowns.
    times : int or sequence
        The times, or how many of them.
    """
    names = [c.name for c in self.problem.coordinates]
    if "t" not in names:
        raise ProblemError(
            f"Nothing happens over time: the coordinates are {', '.join(names)}. Call the solution on points."
        )
    if what is None and len(self.fields) > 1:
        raise ProblemError(f"Choose what to probe: {', '.join(map(repr, self.fields))} or an expression.")
    axis = names.index("t")
    free = [n for n in names if n != "t"]
    places = np.atleast_2d(np.asarray(points, dtype=float))
    if len(free) == 1 and places.shape[0] == 1:
        places = places.reshape(-1, 1)
    if places.ndim != 2 or places.shape[1] != len(free):
        raise ProblemError(f"A probe is a place in space, {', '.join(free)}, not an array of shape {places.shape}.")
    low, high = self.problem.domain.bounds[:, axis]
    if isinstance(times, int):
        check_room(
            max(times, 0) * len(places), (len(names) + COLUMNS) * FLOAT, f"{times} times at {len(places)} places"
        )
    moments = np.linspace(low, high, times) if isinstance(times, int) else np.asarray(times, dtype=float)
    where = np.repeat(np.insert(places, axis, 0.0, axis=1)[None], len(moments), axis=0)
    where[:, :, axis] = moments[:, None]
    expression = expression_of(self, self.fields[0] if what is None else what)
    if isinstance(expression, sp.MatrixBase):
        raise ProblemError("A probe has one value at a time: choose a component of the vector, or its length.")
    flat = where.reshape(-1, len(names))
    from transnet.solution.outside import warn_outside

    warn_outside(self.problem, flat)
    values = self.value_of(expression, flat).reshape(len(moments), -1)
    text = in_given_names(expression)
    name = text.func.__name__ if isinstance(text, AppliedUndef) else str(text)
    return Probes(moments, places, values, name, f"${math_of(sp.Symbol(name) if name != str(text) else text)}$")


@explained
def line_picture(
    x: np.ndarray, y: np.ndarray, across: str, up: str, labels: tuple[str, ...] = (), **given: Any
) -> Picture:
    """Lines over one coordinate; `title`, `label`, `unit`, `limits` and `size` as for `Solution.plot`."""
    from transnet.pictures.panels import dress_lines, new_figure

    look = Labels(**given)
    figure = new_figure(*LINES)
    axes = figure.subplots()
    lines = axes.plot(x, y, **LINE)
    dress_lines(axes, across, look.labels([up])[0], False)
    if look.limits is not None:
        axes.set_ylim(*look.limits)
    if labels:
        axes.legend(lines, labels, frameon=False, fontsize="small")
    return Picture(look.dressed(figure, [axes]))


def _point(point: Any, names: list[str]) -> np.ndarray:
    try:
        array = np.atleast_1d(np.asarray(detached(point), dtype=float))
    except (TypeError, ValueError):
        array = np.zeros(0)
    if array.shape != (len(names),):
        zeros = ", ".join("0" * len(names))
        raise ProblemError(
            f"An end of the line has the coordinates {', '.join(names)}, as in ({zeros}), and is not {shown(point)}."
        )
    return array
