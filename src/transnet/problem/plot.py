"""A picture of a problem: its domain, with the conditions on each part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.pictures.picture import Picture
from transnet.problem.equations import text_of
from transnet.sections.plot import plot_domain

if TYPE_CHECKING:
    from transnet.problem.problem import Problem

WIDTH = 44
"""The most characters of a line in the legend."""
MOST = 2_000
"""The most points of data that are drawn."""


def plot_problem(problem: Problem, normals: bool = False, ax: Any = None) -> Picture:
    """Draw; see `Problem.plot`."""
    stated: dict[str, list[str]] = {part: [] for part in problem.domain.parts}
    for condition in problem.conditions:
        where = "" if condition.where is None else f" where {condition.where}"
        lines = [_short((e if isinstance(e, str) else text_of(e)) + where) for e, _ in condition.lines()]
        for part in condition.parts(problem):
            stated.setdefault(part, []).extend(lines)
    for part, lines in list(stated.items()):
        if not lines:
            stated[part] = ["nothing is stated"]
    names = [c.name for c in problem.coordinates]
    picture = plot_domain(problem.domain, normals=normals, stated=stated, names=names, ax=ax)
    if problem.domain.dimension == 2:
        for condition in problem.conditions:
            if condition.at_points is not None:
                points = np.atleast_2d(condition.at_points)[:MOST]
                mark = "." if condition.fitted else "x"
                picture.figure.axes[0].plot(*points.T, mark, color="0.2", markersize=5, zorder=5)
    return picture


def _short(text: str) -> str:
    plain = text.replace("Derivative", "D").replace("$", "")
    return plain if len(plain) <= WIDTH else plain[: WIDTH - 3] + "..."
