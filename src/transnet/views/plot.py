"""Pictures of a solution: lines, maps on the true shape of the domain, slices, snapshots, arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from transnet.calls import shown
from transnet.errors import ProblemError
from transnet.geometry.manifold import manifold_of
from transnet.pictures.labels import Labels
from transnet.pictures.panels import (
    CYCLIC,
    check_colours,
    colour_bar,
    draw_arrows,
    draw_contours,
    draw_lines,
    draw_map,
    draw_outline,
    draw_streamlines,
    dress_lines,
    dress_map,
    new_figure,
    norm_of,
)
from transnet.sections.section import Section, embedded, section
from transnet.solution.held import fineness
from transnet.solution.quantities import Quantity, expression_of, math_of, quantities_of
from transnet.views.deformed import Deformation
from transnet.views.plot_surface import plot_surface

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

RESOLUTION = {1: 400, 2: 120}
SNAPSHOTS = 4
OPTIONS = (
    "error_against", "vector", "arrows", "streamlines", "contours", "resolution", "cmap", "title", "label", "unit",
    "limits", "size", "deformed", "scale", "ax",
)  # fmt: skip
OTHERS = {
    "colormap": "cmap", "color": "cmap", "colors": "cmap", "colour": "cmap", "levels": "contours",
    "contour": "contours",
    "quiver": "arrows", "stream": "streamlines", "streamplot": "streamlines", "points": "resolution",
    "vmin": "limits", "vmax": "limits", "clim": "limits", "range": "limits", "figsize": "size", "name": "label",
    "units": "unit", "warp": "deformed", "displaced": "deformed", "factor": "scale",
    "n": "resolution", "exact": "error_against", "error": "error_against", "axes": "ax", "axis": "ax",
}  # fmt: skip
"""What other libraries call the options of a plot."""


@dataclass(frozen=True)
class View:
    """One panel: the fixed coordinates, by number, and what its title says about them."""

    fixed: dict[int, float]
    title: str


@dataclass(frozen=True)
class Overlay:
    """A field of two components to draw over a map, as lines or as arrows."""

    components: list[Quantity]
    lines: bool


def plot(
    solution: Solution,
    what: Any = None,
    *,
    error_against: Any = None,
    vector: Sequence[Any] | None = None,
    arrows: Any = False,
    streamlines: Any = False,
    contours: Any = False,
    resolution: int | None = None,
    cmap: str | None = None,
    look: Labels | None = None,
    deformed: Any = None,
    scale: float | None = None,
    ax: Any = None,
    managed: bool = True,
    **fixed: Any,
) -> Any:
    """Draw; see `Solution.plot`."""
    check_colours(cmap)
    look = look or Labels()
    chosen = _vector(solution, vector) if vector is not None else quantities_of(solution, what, error_against)
    labels = look.labels([quantity.label for quantity in chosen])
    chosen = [replace(quantity, label=text) for quantity, text in zip(chosen, labels, strict=True)]
    surface = manifold_of(solution.problem.domain)
    if surface is not None:
        fine = fineness(resolution, RESOLUTION[2] // 3)
        return plot_surface(solution, surface, chosen, fine, cmap, look, managed, fixed)
    views = views_of(solution, fixed)
    free = solution.problem.domain.dimension - len(views[0].fixed)
    resolution = fineness(resolution, RESOLUTION[free])
    cuts = [section(solution.problem.domain, view.fixed, resolution) for view in views]
    if free == 1:
        return _lines(solution, chosen, views, cuts, ax, look, managed)
    wanted = vector if vector is not None else next((f for f in (streamlines, arrows) if f is not False), None)
    flow = None if wanted is None else Overlay(_components(solution, _field(solution, what, wanted)), bool(streamlines))
    moved = None if deformed is None else Deformation.of(solution, cuts, deformed, scale)
    return _maps(solution, chosen, views, cuts, ax, cmap, flow, contours, look, moved, managed)


def views_of(solution: Solution, fixed: dict[str, Any]) -> list[View]:
    """The panels: those asked for, otherwise snapshots in time, or the three middle slices of a body."""
    names = [c.name for c in solution.problem.coordinates]
    unknown = [n for n in fixed if n not in names]
    if unknown:
        meant = OTHERS.get(unknown[0].lower())
        hint = f" Did you mean {meant}?" if meant else f" The options are {', '.join(OPTIONS)}."
        raise ProblemError(f"'{unknown[0]}' is neither an option of plot nor a coordinate ({', '.join(names)}).{hint}")
    low, high = np.asarray(solution.problem.domain.bounds)
    lists = [n for n, v in fixed.items() if np.ndim(v) > 0]
    if len(lists) > 1:
        raise ProblemError(f"Several values are possible for one coordinate only, not for {', '.join(lists)}.")
    if lists and np.size(fixed[lists[0]]) == 0:
        raise ProblemError(f"There is nothing to draw: the list of values of {lists[0]} is empty.")
    at = {names.index(n): float(v) for n, v in fixed.items() if n not in lists}
    free = [k for k in range(len(names)) if k not in at and names[k] not in lists]
    shown: list[dict[int, float]] = [{}]
    if lists:
        shown = [{names.index(lists[0]): float(v)} for v in np.ravel(fixed[lists[0]])]
    elif len(free) == 3 and "t" in names and names.index("t") in free:
        t = names.index("t")
        shown = [{t: v} for v in np.linspace(low[t], high[t], SNAPSHOTS)]
        free = [k for k in free if k != t]
    elif len(free) == 4 and "t" in names:
        t = names.index("t")
        at[t] = float(high[t])
        free = [k for k in free if k != t]
    if len(free) == 3 and len(shown) == 1:
        middle = 0.5 * (low + high)
        shown = [{k: float(middle[k])} for k in reversed(free)]
        free = free[:2]
    if not 1 <= len(free) <= 2:
        which = "fix fewer" if len(free) < 1 else "fix more"
        raise ProblemError(f"A picture has one or two coordinates, but {len(free)} are free: {which}, e.g. z=0.5.")
    views = []
    for extra in shown:
        named = dict({**at, **extra}.items())
        title = ", ".join(f"${math_of(sp.Symbol(names[k]))} = {v:.4g}$" for k, v in named.items())
        views.append(View(named, title))
    return views


def _axis_labels(solution: Solution, cut: Section) -> list[str]:
    return [f"${math_of(solution.problem.coordinates[k])}$" for k in cut.axes]


# -- one coordinate ----------------------------------------------------------------------------------------------------
def _lines(
    solution: Solution,
    chosen: list[Quantity],
    views: list[View],
    cuts: list[Section],
    ax: Any,
    look: Labels,
    managed: bool,
) -> Any:
    figure, rows = _axes(ax, len(chosen), 1, 6.0, 3.4, managed)
    from matplotlib import colormaps

    for quantity, (axes,) in zip(chosen, rows, strict=True):
        for number, (view, cut) in enumerate(zip(views, cuts, strict=True)):
            colour = colormaps["viridis"](0.85 * number / max(len(views) - 1, 1))
            values = quantity.values(cut.points)
            draw_lines(axes, cut, values, color=colour, linewidth=1.8, label=view.title or None)
        title = views[0].title if len(views) == 1 else ""
        dress_lines(axes, _axis_labels(solution, cuts[0])[0], quantity.label, quantity.logarithmic, title)
        if look.limits is not None:
            axes.set_ylim(*look.limits)
        if len(views) > 1:
            axes.legend(frameon=False, fontsize="small")
    return look.dressed(figure, [axes for row in rows for axes in row])


# -- two coordinates ---------------------------------------------------------------------------------------------------
def _maps(
    solution: Solution,
    chosen: list[Quantity],
    views: list[View],
    cuts: list[Section],
    ax: Any,
    cmap: str | None,
    flow: Overlay | None,
    contours: Any,
    look: Labels,
    moved: Deformation | None,
    managed: bool,
) -> Any:
    names = [c.name for c in solution.problem.coordinates]
    equal = [_alike(cut, names) for cut in cuts]
    shape = np.ptp(cuts[0].cells.points, axis=0)
    aspect = float(np.clip(shape[1] / shape[0], 0.25, 2.5)) if equal[0] else 0.75
    rows = panel_rows(len(chosen), len(views), ax, aspect, managed)
    for quantity, row in zip(chosen, rows, strict=True):
        values = [quantity.values(cut.points) for cut in cuts]
        norm = norm_of(values, quantity.logarithmic, np.pi if quantity.cyclic else None, look.limits)
        colours = cmap or (CYCLIC if quantity.cyclic else None)
        for axes, view, cut, value, same in zip(row, views, cuts, values, equal, strict=True):
            if moved is not None:
                draw_outline(axes, cut.lines)
                cut = moved.applied(cut)
            drawn = draw_map(axes, cut, value, norm, colours, quantity.logarithmic)
            if contours is not False and contours is not None:
                draw_contours(axes, cut, value, norm, contours, quantity.logarithmic)
            if flow is not None:
                _draw_flow(axes, cut, solution, flow)
            title = view.title if moved is None else ", ".join(filter(None, (view.title, moved.title)))
            dress_map(axes, cut, _axis_labels(solution, cut), same, title)
        if len(views) > 1 and len({cut.axes for cut in cuts}) == 1:
            for axes in row[1:]:
                axes.set_ylabel("")
                axes.tick_params(labelleft=False)
        colour_bar(row[-1].figure, drawn, row, quantity.label, quantity.logarithmic)
    return look.dressed(rows[0][0].figure, [axes for row in rows for axes in row])


def panel_rows(quantities: int, views: int, ax: Any, aspect: float, managed: bool) -> list[list[Any]]:
    """Axes for each quantity and view: one row per quantity, or all in a row if each has one view."""
    if views > 1 or ax is not None:
        return _axes(ax, quantities, views, 2.9, max(2.6 * aspect, 1.5) + 0.65, managed, 0.9)[1]
    columns = 2 if quantities == 4 else min(quantities, 3)
    down = -(-quantities // columns)
    width = 5.2 if columns == 1 else 4.3
    _, rows = _axes(None, down, columns, width, max((width - 1.3) * aspect, 1.5) + 0.75, managed)
    every = [axes for row in rows for axes in row]
    for axes in every[quantities:]:
        axes.remove()
    return [[axes] for axes in every[:quantities]]


def _alike(cut: Section, names: list[str]) -> bool:
    """Whether both axes are lengths, of a shape that can be shown to scale."""
    size = np.ptp(cut.cells.points, axis=0)
    return "t" not in [names[k] for k in cut.axes] and float(size.max() / size.min()) < 12


def _draw_flow(axes: Any, cut: Section, solution: Solution, flow: Overlay) -> None:
    size = np.ptp(cut.cells.points, axis=0)
    low = cut.cells.points.min(axis=0)
    step = float(size.max()) / (80 if flow.lines else 15)
    counts = np.maximum((size / step).astype(int), 2)
    grids = [a + (np.arange(n) + 0.5) * s / n for a, s, n in zip(low, size, counts, strict=True)]
    points = np.stack([g.ravel() for g in np.meshgrid(*grids)], axis=-1)
    whole = embedded(points, cut.axes, cut.fixed)
    inside = solution.problem.domain.contains(whole)
    first, second = (component.values(whole[inside]) for component in flow.components)
    if flow.lines:
        fields = np.full((2, len(points)), np.nan)
        fields[:, inside] = first, second
        draw_streamlines(axes, grids, *fields.reshape(2, counts[1], counts[0]))
    else:
        draw_arrows(axes, points[inside], first, second, step)


def _field(solution: Solution, what: Any, wanted: Any) -> Sequence[Any]:
    """The two components of a field to draw: those given, those named, or the gradient of what is drawn."""
    if wanted is not True:
        if not isinstance(wanted, list | tuple | sp.MatrixBase):
            raise ProblemError(f"A field to draw is True, or its two components, not {shown(wanted)}.")
        return list(wanted)
    if isinstance(what, list | tuple) and len(what) == 2:
        return list(what)
    if what is None and len(solution.names) > 1:
        raise ProblemError(
            f"Say which field: plot({solution.names[0]!r}, streamlines=True) draws along the gradient of one unknown, "
            f"plot(vector=(u, v), streamlines=True) along a field of two."
        )
    expression = expression_of(solution, solution.names[0] if what is None else what)
    axes = [c for c in solution.problem.coordinates if c.name != "t"]
    if len(axes) != 2:
        raise ProblemError(f"The gradient by {', '.join(map(str, axes))} is not a plane field: give two components.")
    return [sp.diff(expression, c) for c in axes]


def _components(solution: Solution, vector: Sequence[Any]) -> list[Quantity]:
    components = list(vector)
    if len(components) != 2:
        raise ProblemError(f"A field of arrows has two components, not {len(components)}: plot(vector=(u, v)).")
    return quantities_of(solution, components)


def _vector(solution: Solution, vector: Sequence[Any]) -> list[Quantity]:
    first, second = _components(solution, vector)

    def size(points: np.ndarray) -> np.ndarray:
        return np.hypot(first.values(points), second.values(points))

    label = f"$|({first.label.strip('$')}, {second.label.strip('$')})|$"
    return [Quantity(f"size of {first.name}, {second.name}", label, size)]


def _axes(
    ax: Any, rows: int, columns: int, width: float, height: float, managed: bool, extra: float = 0.0
) -> tuple[Any, list[list[Any]]]:
    if ax is not None:
        if rows * columns > 1:
            raise ProblemError(f"ax= takes a picture of one panel, but this has {rows * columns}: choose with what=.")
        return ax.figure, [[ax]]
    figure = new_figure(columns * width + extra, rows * height, managed)
    grid = figure.subplots(rows, columns, squeeze=False)
    return figure, [list(row) for row in grid]
