"""Where the neurons are, and how much each is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.basis.basis import Basis
from transnet.errors import ProblemError
from transnet.pictures.panels import VALUES, colour_bar, dress_lines, dress_map, new_figure
from transnet.sections.section import section
from transnet.solution.quantities import math_of
from transnet.views.plot import _axis_labels

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

MOST = 400
"""The most lines in a picture; of more neurons those that are used most are drawn."""


def plot_neurons(solution: Solution, unknown: str | None = None, managed: bool = True) -> Any:
    """Draw; see `Solution.plot_neurons`."""
    name = unknown or solution.names[0]
    if name not in solution.names:
        raise ProblemError(f"There is no unknown '{name}'. The solution has: {', '.join(solution.names)}.")
    if not isinstance(solution.basis, Basis):
        raise ProblemError("The neurons of one network can be drawn. This solution is made of several.")
    number = solution.names.index(name)
    space = solution.basis.spaces[number]
    if not space.neurons and len(space.singular):
        return _functions(solution, solution.basis, number, managed)
    if space.inner:
        raise ProblemError("The neurons of one hidden layer can be drawn. This network has several.")
    use = np.abs(solution[name].coefficients[space.neuron_columns])
    if space.dimension == 2 and space.activation.name != "sin":
        return _hyperplanes(solution, solution.basis, number, use, managed)
    draw = _waves if space.dimension > 1 else _shapes
    return draw(solution, solution.basis, number, use, managed)


def _norm(use: np.ndarray) -> Any:
    from matplotlib.colors import LogNorm

    high = max(float(use.max(initial=0.0)), 1e-300)
    return LogNorm(max(float(np.quantile(use, 0.05)) if len(use) else high / 10, 1e-6 * high), high)


def _label(solution: Solution, number: int) -> str:
    return rf"$|\alpha_m|$ of ${math_of(sp.Symbol(solution.names[number]))}$"


def _hyperplanes(solution: Solution, basis: Basis, number: int, use: np.ndarray, managed: bool) -> Any:
    """Draw the lines w.y + b = 0 across the domain, in the colour of their output weight."""
    space, placement = basis.spaces[number], basis.placement
    figure = new_figure(5.4, 4.4, managed)
    axes = figure.subplots()
    from matplotlib.collections import LineCollection

    cut = section(solution.problem.domain, {}, 60)
    order = np.argsort(use)[-MOST:]
    directions, offsets = space.directions[order], space.offsets[order]
    foot = directions * offsets[:, None]
    along = 10.0 * np.stack([-directions[:, 1], directions[:, 0]], axis=-1)
    ends = np.stack([foot - along, foot + along], axis=1) * placement.scale + placement.centre
    norm = _norm(use)
    lines = LineCollection(list(ends), array=np.maximum(use[order], norm.vmin), norm=norm, cmap=VALUES, linewidths=0.7)
    axes.add_collection(lines)
    axes.add_collection(LineCollection(cut.lines, colors="black", linewidths=2.0))
    size = np.ptp(cut.cells.points, axis=0)
    equal = "t" not in [c.name for c in solution.problem.coordinates] and float(size.max() / size.min()) < 12
    dress_map(axes, cut, _axis_labels(solution, cut), equal, f"{space.neurons} {space.activation.name} neurons")
    low, high = cut.cells.points.min(axis=0), cut.cells.points.max(axis=0)
    room = 0.2 * (high - low)
    axes.set(xlim=(low[0] - room[0], high[0] + room[0]), ylim=(low[1] - room[1], high[1] + room[1]))
    colour_bar(figure, lines, [axes], _label(solution, number), True, above=False)
    return figure


def _waves(solution: Solution, basis: Basis, number: int, use: np.ndarray, managed: bool) -> Any:
    """A point for each neuron: its wave vector for sines, otherwise the point of its hyperplane nearest to the
    origin."""
    space = basis.spaces[number]
    waves = space.activation.name == "sin"
    where = space.weights if waves else space.directions * space.offsets[:, None]
    figure = new_figure(5.4, 4.4, managed)
    axes = figure.subplots()
    norm = _norm(use)
    order = np.argsort(use)
    drawn = axes.scatter(
        *where[order, :2].T, c=np.maximum(use[order], norm.vmin), norm=norm, cmap=VALUES, s=14, linewidths=0
    )
    names = [math_of(c) for c in solution.problem.coordinates[:2]]
    labels = [f"$w_{{{n}}}$" if waves else f"${n}$ (in the ball)" for n in names]
    axes.set(xlabel=labels[0], ylabel=labels[1], title=f"{space.neurons} {space.activation.name} neurons")
    axes.set_aspect("equal")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    colour_bar(figure, drawn, [axes], _label(solution, number), True, above=False)
    return figure


def _shapes(solution: Solution, basis: Basis, number: int, use: np.ndarray, managed: bool) -> Any:
    """For one coordinate: the use of each neuron by its frequency, or by its place."""
    space, placement = basis.spaces[number], basis.placement
    figure = new_figure(6.0, 3.4, managed)
    axes = figure.subplots()
    waves = space.activation.name == "sin"
    where = space.shapes if waves else (space.directions[:, 0] * space.offsets) * placement.scale + placement.centre
    axes.vlines(where, np.maximum(use.min(initial=1.0), 1e-300), use, color="C0", linewidth=0.8)
    axes.plot(where, use, "o", markersize=3.5)
    label = "$|w_m|$" if waves else f"${math_of(solution.problem.coordinates[0])}$"
    title = f"{space.neurons} {space.activation.name} neurons"
    dress_lines(axes, label, _label(solution, number), True, title)
    return figure


def _functions(solution: Solution, basis: Basis, number: int, managed: bool) -> Any:
    """Without neurons: the use of each function by its exponent."""
    space = basis.spaces[number]
    figure = new_figure(6.0, 3.4, managed)
    axes = figure.subplots()
    use = np.maximum(np.abs(solution[solution.names[number]].coefficients[space.singular_columns]), 1e-300)
    exponents = getattr(space.singular, "table", np.zeros((len(use), 9)))[:, 8]
    axes.plot(exponents, use, "o", markersize=3.5)
    title = f"{len(space.singular)} functions that solve the equation"
    dress_lines(axes, "exponent", _label(solution, number), True, title)
    return figure
