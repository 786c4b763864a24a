"""Drawing into axes: lines, maps on the true shape of a section, arrows."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import numpy as np

from transnet.errors import ProblemError, missing_extra

VALUES, ERRORS, CYCLIC = "viridis", "magma", "twilight"
"""Perceptually uniform colour maps that also work in greyscale; the last returns to its start, for angles."""
SHORT = 10
"""The most letters of a label that fit above a colour bar."""
DECADES = 6
"""The most decades of a logarithmic colour bar."""
FLAT, ROUNDING, TINY = 1e-7, 1e-16, 1e-290
"""Values that differ by less, relative to their size, are drawn as equal: the rest is the error of the solution. Ends
of a logarithmic bar where all is zero, and where the next decades are no numbers."""


def pyplot() -> Any:
    """matplotlib.pyplot, or the error that says how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise missing_extra("matplotlib", "plot", "Drawing") from None
    return plt


def in_notebook() -> bool:
    """Whether the cell that makes a picture also shows it: a pyplot figure would be shown twice."""
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


def new_figure(width: float, height: float, managed: bool = True) -> Any:
    """A figure that keeps its labels inside; `managed` ones are shown by `plt.show()`."""
    plt = pyplot()
    if managed and not in_notebook():
        return plt.figure(figsize=(width, height), layout="compressed")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="compressed")
    FigureCanvasAgg(figure)
    return figure


TAIL, SPIKE = 0.005, 5.0
"""The part of the values at either end without a colour of its own if a quantity is unbounded, or if these few values
take more than so many times the range of the others: a field at the sharp corner of a magnet."""


def norm_of(
    values: Sequence[np.ndarray],
    logarithmic: bool,
    angle: float | None = None,
    limits: Sequence[float] | None = None,
) -> Any:
    """One scale of colours for several arrays; `angle` is the end of a scale around zero, `limits` are its ends."""
    pyplot()
    from matplotlib.colors import LogNorm, Normalize

    if limits is not None or angle is not None:
        low, high = limits if limits is not None else (-float(angle or 0), float(angle or 0))
        return LogNorm(max(low, high * 10.0**-DECADES), high) if logarithmic and high > 0 else Normalize(low, high)

    everything = np.concatenate([np.ravel(v) for v in values])
    unbounded, ends = np.isinf(everything).any(), (False, False)
    everything = everything[np.isfinite(everything)]
    if len(everything) and not logarithmic:  # at a sharp corner: scale to the rest of the picture
        low, high = np.quantile(everything, (TAIL, 1.0 - TAIL))
        past = SPIKE * (high - low) * (high > low) or np.inf
        ends = unbounded or low - everything.min() > past, unbounded or everything.max() - high > past
        everything = np.clip(everything, low if ends[0] else None, high if ends[1] else None)
    low, high = (float(everything.min()), float(everything.max())) if len(everything) else (0.0, 1.0)
    if logarithmic:
        high = max(high, TINY) if high > 0 else ROUNDING
        low = float(np.quantile(everything, 0.02)) if len(everything) else high / 10
        return LogNorm(min(max(low, high * 10.0**-DECADES), 0.5 * high), high)
    if high - low <= FLAT * max(abs(low), abs(high)):
        margin = max(abs(low), 1.0) * 0.5
        low, high = low - margin, high + margin
    norm = Normalize(low, high)
    beyond = ("neither", "max", "min", "both")[2 * ends[0] + ends[1]]
    norm.extend = beyond  # type: ignore[attr-defined]  # arrows of the colour bar, past its ends
    return norm


def check_colours(cmap: Any) -> None:
    """Refuse a colour map that matplotlib does not have, and suggest the nearest."""
    if not isinstance(cmap, str):
        return
    pyplot()
    from matplotlib import colormaps

    if cmap not in colormaps:
        near = get_close_matches(cmap, list(colormaps), n=3)
        hint = f" Did you mean {', '.join(map(repr, near))}?" if near else " Some are 'viridis', 'magma', 'RdBu_r'."
        raise ProblemError(f"Matplotlib has no colours '{cmap}'.{hint}")


def draw_map(axes: Any, cut: Any, values: np.ndarray, norm: Any, cmap: str | None, logarithmic: bool) -> Any:
    """Colours on the cells of a plane section, with its edge."""
    from matplotlib.collections import LineCollection

    x, y = cut.cells.points.T
    shown = np.clip(values, norm.vmin, norm.vmax)
    colours = cmap or (ERRORS if logarithmic else VALUES)
    drawn = axes.tripcolor(
        x, y, shown, triangles=cut.cells.corners, shading="gouraud", norm=norm, cmap=colours, rasterized=True
    )
    axes.add_collection(LineCollection(cut.lines, colors="black", linewidths=0.8, capstyle="round"))
    return drawn


def draw_outline(axes: Any, lines: Sequence[np.ndarray]) -> None:
    """The shape of a body before it was deformed."""
    from matplotlib.collections import LineCollection

    axes.add_collection(LineCollection(lines, colors="0.7", linewidths=0.7, linestyles="--"))


def dress_map(axes: Any, cut: Any, labels: Sequence[str], equal: bool, title: str = "") -> None:
    """Labels, limits with a margin, and equal scales if both axes are lengths."""
    low, high = cut.cells.points.min(axis=0), cut.cells.points.max(axis=0)
    room = 0.02 * (high - low).max() * np.ones(2) if equal else 0.01 * (high - low)
    axes.set(xlim=(low[0] - room[0], high[0] + room[0]), ylim=(low[1] - room[1], high[1] + room[1]))
    axes.set(xlabel=labels[0], ylabel=labels[1])
    axes.set_title(title, fontsize="medium")
    if equal:
        axes.set_aspect("equal")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def colour_bar(figure: Any, drawn: Any, axes: Sequence[Any], label: str, logarithmic: bool, above: bool = True) -> Any:
    """A colour bar as high as its axes, with the label above it, or along it if it is long."""
    above = above and len(re.sub(r"\\[a-zA-Z]+|[{}$_^\\ ]", "", label)) <= SHORT
    beside = {"ax": list(axes), "fraction": 0.08, "pad": 0.03}
    bar = figure.colorbar(
        drawn, extend="min" if logarithmic else getattr(drawn.norm, "extend", None), **beside, aspect=24
    )
    if above:
        bar.ax.set_title(label, fontsize="medium", pad=8)
    else:
        bar.set_label(label)
    if not logarithmic:
        bar.formatter.set_powerlimits((-3, 4))
        bar.formatter.set_useMathText(True)
        bar.update_ticks()
    return bar


def draw_lines(axes: Any, cut: Any, values: np.ndarray, **style: Any) -> None:
    """A function of one coordinate; a gap of the domain is a gap of the line."""
    x = cut.cells.points[:, 0]
    breaks = np.flatnonzero(cut.cells.corners[1:, 0] != cut.cells.corners[:-1, 1]) + 1
    for number, run in enumerate(np.split(cut.cells.corners, breaks)):
        nodes = np.append(run[:, 0], run[-1, 1])
        drawn = axes.plot(x[nodes], values[nodes], **style)
        if number == 0:
            style = {**style, "color": drawn[0].get_color(), "label": None}


def dress_lines(axes: Any, label: str, value: str, logarithmic: bool, title: str = "") -> None:
    """Labels and a faint grid."""
    axes.set(xlabel=label, ylabel=value, title=title)
    if logarithmic:
        axes.set_yscale("log")
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.margins(x=0.01)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw_arrows(axes: Any, points: np.ndarray, first: np.ndarray, second: np.ndarray, spacing: float) -> None:
    """Arrows that are visible on dark and on bright colours, the longest slightly shorter than their spacing."""
    from matplotlib import patheffects

    size = np.hypot(first, second)
    largest = float(size.max(initial=0.0)) or 1.0
    seen = size > 0.003 * largest
    points, first, second, size = points[seen], first[seen], second[seen], size[seen]
    # Small vectors keep their direction visible: lengths grow like the root of the size.
    length = 1.15 * spacing * np.sqrt(size / largest) / size
    arrows = axes.quiver(
        *points.T,
        first * length,
        second * length,
        angles="xy",
        scale_units="xy",
        scale=1.0,
        pivot="middle",
        width=0.0045,
        headwidth=3.2,
        headlength=3.4,
        headaxislength=3.0,
        minlength=0,
        color="black",
    )
    arrows.set_path_effects([patheffects.withStroke(linewidth=1.4, foreground="white", alpha=0.9)])


def draw_streamlines(axes: Any, grids: Sequence[np.ndarray], first: np.ndarray, second: np.ndarray) -> None:
    """Lines along a field on a regular grid, (ny, nx), that end where it is not a number."""
    from matplotlib import patheffects

    speed = np.hypot(first, second)
    fastest = float(np.nanmax(speed, initial=0.0)) or 1.0
    width = 0.4 + 0.8 * np.nan_to_num(speed / fastest)
    # The lines are equally spaced along both axes: streamplot counts them by the side of the picture.
    extent = [float(np.ptp(grid)) for grid in grids]
    density = tuple(0.85 * e / max(extent) for e in extent)
    fields = (np.ma.masked_invalid(first), np.ma.masked_invalid(second))
    lines = axes.streamplot(*grids, *fields, density=density, color="black", linewidth=width, arrowsize=0.7)
    lines.lines.set_path_effects([patheffects.withStroke(linewidth=1.9, foreground="white", alpha=0.4)])


def draw_contours(axes: Any, cut: Any, values: np.ndarray, norm: Any, levels: Any, logarithmic: bool) -> None:
    """Lines of equal value: a number of them, or at given values."""
    x, y = cut.cells.points.T
    if isinstance(levels, bool | int | np.integer):
        count = 10 if isinstance(levels, bool) else int(levels)
        space = np.geomspace if logarithmic else np.linspace
        levels = space(norm.vmin, norm.vmax, count + 2)[1:-1]
    axes.tricontour(x, y, cut.cells.corners, values, levels=np.sort(np.ravel(levels)), colors="white", linewidths=0.7)
