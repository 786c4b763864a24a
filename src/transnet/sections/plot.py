"""A picture of a domain: its parts in colours with their names, its pieces, and normals on demand.

Look at it before stating conditions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.counts import ALONG
from transnet.errors import GeometryError
from transnet.geometry.domain import Domain
from transnet.geometry.partition import Pieces
from transnet.pictures.panels import new_figure
from transnet.pictures.picture import Picture
from transnet.sections.section import section

if TYPE_CHECKING:
    from collections.abc import Sequence

RESOLUTION = 60
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31", "#374c80", "#bc5090",
)  # fmt: skip
"""Colours that most eyes distinguish; they repeat after ten parts."""
TINTS = ("#eef3f8", "#f9f0e4", "#ecf5ee", "#f6ecf2", "#f4f1e6", "#e9f2f9")
"""Of the pieces."""
ARROWS = 24
"""The number of normals drawn on a part."""
FEW = 16
"""Cells along the longest side of a surface."""


def plot_domain(
    domain: Domain,
    *,
    normals: bool = False,
    stated: Mapping[str, Sequence[str]] | None = None,
    names: Sequence[str] | None = None,
    ax: Any = None,
) -> Picture:
    """Draw a domain of one to three coordinates; see `Domain.plot`.

    Parameters
    ----------
    stated : mapping, optional
        For each part the lines to print after its name.
    names : sequence of str, optional
        The names of the coordinates.
    """
    d = domain.dimension
    if d > 3:
        raise GeometryError(f"A domain of {d} coordinates cannot be drawn. Draw a slice of what is solved in it.")
    labels = [n or "xyz"[k] for k, n in enumerate(names or domain.names)]
    parts = list(domain.parts)
    if isinstance(domain, Pieces):
        parts += [f"{domain.piece_names[i]}|{domain.piece_names[j]}" for i, j in domain.interfaces]
    legend = {part: "\n    ".join([part, *(stated or {}).get(part, ())]) for part in parts}
    if d == 3:
        return _in_space(domain, parts, legend, labels, normals)
    size = np.ptp(domain.bounds, axis=0)
    aspect = float(np.clip(size[1] / size[0], 0.3, 1.6)) if d == 2 else 0.25
    lines = sum(1 + text.count("\n") for text in legend.values())
    wide = 3.4 if any("\n" in text for text in legend.values()) else 2.2
    figure = ax.figure if ax is not None else new_figure(4.4 + wide, max(4.0 * aspect, 0.24 * lines) + 0.9)
    axes = ax or figure.subplots()
    if d == 1:
        _on_a_line(axes, domain, parts, legend)
    else:
        _in_the_plane(axes, domain, parts, legend, normals)
        timelike = "t" in labels or not 1 / 8 < size[1] / size[0] < 8
        axes.set_aspect("auto" if timelike else "equal")
        axes.set_ylabel(f"${labels[1]}$")
    axes.set_xlabel(f"${labels[0]}$")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.legend(
        loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small", handlelength=1.4,
        ncols=1 + len(parts) // 22,
    )  # fmt: skip
    return Picture(figure)


def _colour(k: int) -> str:
    return COLOURS[k % len(COLOURS)]


def _on_a_line(axes: Any, domain: Domain, parts: list[str], legend: dict[str, str]) -> None:
    low, high = domain.bounds[:, 0]
    axes.plot([low, high], [0, 0], color="0.75", linewidth=4, solid_capstyle="butt", zorder=1)
    for k, part in enumerate(parts):
        place = domain.boundary(part, 1).points[:, 0]
        axes.plot(place, 0 * place, "o", color=_colour(k), markersize=9, label=legend[part], clip_on=False)
    axes.set_yticks([])
    axes.set_ylim(-1, 1)
    axes.spines["left"].set_visible(False)


def _in_the_plane(axes: Any, domain: Domain, parts: list[str], legend: dict[str, str], normals: bool) -> None:
    pieces = domain.shapes if isinstance(domain, Pieces) else (("", domain),)
    for k, (name, shape) in enumerate(pieces):
        cells = section(shape, {}, RESOLUTION).cells
        x, y = cells.points.T
        axes.tripcolor(
            x, y, cells.corners, facecolors=np.zeros(len(cells.corners)), cmap=_single(TINTS[k % len(TINTS)]),
            edgecolors="none", rasterized=True, zorder=0,
        )  # fmt: skip
        if name:
            place = _inside(shape)
            axes.text(*place, name, ha="center", va="center", color="0.25", style="italic", zorder=4)
    step = 0.06 * float(np.linalg.norm(np.ptp(domain.bounds, axis=0)))
    for k, part in enumerate(parts):
        label: str | None = legend[part]
        dashed = "|" in part and isinstance(domain, Pieces)
        for arc in domain.arcs(part):
            points, out = arc.at(np.linspace(0.0, arc.length, 200))
            style = {"color": _colour(k), "linewidth": 2.4, "linestyle": "--" if dashed else "-"}
            axes.plot(*points.T, **style, label=label, solid_capstyle="round", zorder=2)
            label = None
            if normals:
                count = max(2, round(ARROWS * arc.length / domain.measure(part)))
                points, out = arc.at(arc.length * (np.arange(count) + 0.5) / count)
                scale = {"angles": "xy", "scale_units": "xy", "scale": 1.0 / step, "width": 0.004}
                axes.quiver(*points.T, *out.T, color=_colour(k), zorder=3, **scale)
                axes.update_datalim(points + step * out)
    axes.margins(0.04)
    axes.autoscale_view()


def _single(colour: str) -> Any:
    from matplotlib.colors import ListedColormap

    return ListedColormap([colour])


def _inside(shape: Domain) -> np.ndarray:
    """A place for a name: of some points of the shape, the one farthest from its boundary."""
    points, rim = shape.interior(300), shape.boundary("boundary", 300).points
    gaps = np.linalg.norm(points[:, None] - rim[None], axis=2).min(axis=1)
    return np.asarray(points[np.argmax(gaps)])


def _in_space(domain: Domain, parts: list[str], legend: dict[str, str], labels: list[str], normals: bool) -> Picture:
    figure = new_figure(7.0, 4.6)
    axes = figure.add_subplot(projection="3d")
    step = 0.1 * float(np.linalg.norm(np.ptp(domain.bounds, axis=0)))
    if not domain.solid:
        axes.plot_trisurf(*(cells := section(domain, {}, FEW).cells).points.T, triangles=cells.corners, color="#c9d6e4")
    for k, part in enumerate(parts):
        surface = domain.boundary(part, ALONG)
        axes.scatter(*surface.points.T, s=5, color=_colour(k), label=legend[part], depthshade=True)
        if normals:
            some = slice(None, None, max(1, ALONG // ARROWS))
            axes.quiver(*surface.points[some].T, *(step * surface.normals[some]).T, color=_colour(k), linewidth=0.8)
    axes.set(xlabel=f"${labels[0]}$", ylabel=f"${labels[1]}$", zlabel=f"${labels[2]}$")
    size = np.ptp(domain.bounds, axis=0)
    axes.set_box_aspect(size / size.max() if "t" not in labels and size.min() > 0.1 * size.max() else None)
    if parts:
        axes.legend(loc="center left", bbox_to_anchor=(1.05, 0.5), frameon=False, fontsize="small", markerscale=2.5)
    return Picture(figure)
