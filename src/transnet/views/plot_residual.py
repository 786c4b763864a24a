"""Where the equations hold and where they do not: the residual of every statement, on a logarithmic scale."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.pictures.panels import ERRORS, colour_bar, draw_map, dress_lines, dress_map, new_figure, norm_of
from transnet.problem import expressions_of
from transnet.problem.equations import shortened
from transnet.problem.latex import latex_of
from transnet.sections.section import section
from transnet.solution.held import fineness
from transnet.solution.quantities import Quantity
from transnet.solution.residuals import left_of
from transnet.views.plot import RESOLUTION, _alike, _axis_labels, panel_rows, views_of

if TYPE_CHECKING:
    from transnet.solution.solution import Solution


COLUMNS = 600
"""Conditions are shown at as many points as for this many columns."""


def plot_residual(solution: Solution, resolution: int | None = None, managed: bool = True, **fixed: Any) -> Any:
    """Draw; see `Solution.plot_residual`."""
    pairs = [(e, r) for e in solution.problem.equations for r in expressions_of(e)]
    quantities = [_residual(solution, r, title_of(e, k + 1)) for k, (e, r) in enumerate(pairs)]
    views = views_of(solution, fixed)
    free = solution.problem.domain.dimension - len(views[0].fixed)
    cuts = [section(solution.problem.domain, view.fixed, fineness(resolution, RESOLUTION[free])) for view in views]
    if free == 1:
        return _lines(solution, quantities, cuts[0], views[0].title, managed)
    names = [c.name for c in solution.problem.coordinates]
    equal = [_alike(cut, names) for cut in cuts]
    size = np.ptp(cuts[0].cells.points, axis=0)
    aspect = float(np.clip(size[1] / size[0], 0.25, 2.5)) if equal[0] else 0.75
    # A plane problem has room for its conditions: one more panel, with the residual along the boundary.
    plane = solution.problem.domain.dimension == 2 and bool(solution.problem.conditions)
    rows = panel_rows(len(quantities) + plane, len(views), None, aspect, managed)
    for quantity, row in zip(quantities, rows, strict=False):
        values = [quantity.values(cut.points) for cut in cuts]
        norm = norm_of(values, True)
        for axes, view, cut, value, same in zip(row, views, cuts, values, equal, strict=True):
            drawn = draw_map(axes, cut, value, norm, None, True)
            dress_map(axes, cut, _axis_labels(solution, cut), same, view.title or quantity.label)
        colour_bar(row[0].figure, drawn, row, "|residual|", True)
    if plane:
        _conditions(solution, rows[-1][0], cuts[0], equal[0])
    return rows[0][0].figure


def _residual(solution: Solution, expression: Any, text: str) -> Quantity:
    def values(points: np.ndarray) -> np.ndarray:
        return np.abs(solution.value_of(expression, points))

    return Quantity("residual", text, values, True)


def title_of(equation: Any, number: int, width: int = 30) -> str:
    """The equation as mathematics if it is short enough for the title of a panel, otherwise its number."""
    text = latex_of(equation)
    seen = re.sub(r"\\[a-zA-Z]+|[{}_^\\ ]", "", text)
    return f"${text}$" if len(seen) <= width and "begin" not in text else f"equation {number}"


def plain(text: str, width: int = 44) -> str:
    """A statement as a title: readable without mathematics, and not wider than a panel."""
    return shortened(text.replace("Derivative", "D").replace("$", ""), width)


def _blocks(solution: Solution) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Label, points and absolute residual of each condition, at points that were not fitted."""
    left = [r for r in left_of(solution, COLUMNS, 0) if r.source is not None and len(r.points)]
    return [(r.label, r.points, np.abs(r.values)) for r in left]


def _conditions(solution: Solution, axes: Any, cut: Any, equal: bool) -> None:
    from matplotlib.collections import LineCollection

    axes.add_collection(LineCollection(cut.lines, colors="0.75", linewidths=0.8))
    blocks = _blocks(solution)
    if blocks:
        norm = norm_of([value for _, _, value in blocks], True)
        points = np.concatenate([p for _, p, _ in blocks])
        values = np.concatenate([v for _, _, v in blocks])
        drawn = axes.scatter(*points.T, c=np.clip(values, norm.vmin, None), norm=norm, cmap=ERRORS, s=9, zorder=3)
        colour_bar(axes.figure, drawn, [axes], "|residual|", True)
    dress_map(axes, cut, _axis_labels(solution, cut), equal, "conditions")


def _lines(solution: Solution, quantities: list[Quantity], cut: Any, title: str, managed: bool) -> Any:
    figure = new_figure(6.0, 3.4, managed)
    axes = figure.subplots()
    for quantity in quantities:
        axes.plot(cut.cells.points[:, 0], quantity.values(cut.points), linewidth=1.4, label=quantity.label)
    if solution.problem.domain.dimension == 1:
        for label, points, values in _blocks(solution):
            axes.plot(points[:, 0], np.maximum(values, 1e-17), "o", markersize=5, label=plain(label), clip_on=False)
    dress_lines(axes, _axis_labels(solution, cut)[0], "|residual|", True, title)
    axes.legend(frameon=False, fontsize="small")
    return figure
