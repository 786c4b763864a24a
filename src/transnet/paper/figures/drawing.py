"""How the panels of the report are drawn: small SVG pictures that take the colours of the page around them."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transnet.geometry import Domain
from transnet.pictures.panels import pyplot
from transnet.sections.section import Section, section

INK = "#010203"
"""A placeholder for the colour of the page's text, light or dark, until the picture is embedded."""
COLOURS = {
    "transnet": "#e8590c",
    "published": "#1c7ed6",
    "random-features": "#2f9e44",
    "pinn-adam": "#ae3ec9",
    "pinn-adam-lbfgs": "#e64980",
}
MARKERS = {"transnet": "o", "published": "s", "random-features": "^", "pinn-adam": "v", "pinn-adam-lbfgs": "D"}
SIZE = (3.6, 2.9)


@dataclass(frozen=True)
class Panel:
    """One picture: its title, and the drawing as SVG."""

    title: str
    svg: str


@dataclass(frozen=True)
class Figure:
    """A figure or table of the report.

    Parameters
    ----------
    key : str
        Its anchor on the page.
    title, caption : str
        HTML.
    panels : tuple of Panel
        The pictures; they are laid out in as many columns as there is room for.
    body : str
        HTML below the caption: a legend or a table.
    width : float
        The least width of a panel, in rem.
    data : mapping
        Rows for CSV files, by name; the first row has the names of the columns.
    """

    key: str
    title: str
    caption: str
    panels: tuple[Panel, ...] = ()
    body: str = ""
    width: float = 17.0
    data: Mapping[str, Sequence[Sequence[Any]]] = field(default_factory=dict)


def screenless() -> Any:
    """`matplotlib.pyplot`, without a screen."""
    plt = pyplot()
    plt.switch_backend("Agg")
    return plt


@contextmanager
def style(salt: str) -> Iterator[None]:
    """Settings of the drawings: text in the page's own font and colour, no background."""
    plt = screenless()
    ink = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    settings = {
        **dict.fromkeys(ink, INK), "svg.fonttype": "none", "svg.hashsalt": salt, "font.size": 9.5,
        "axes.facecolor": "none", "figure.facecolor": "none", "savefig.facecolor": "none", "axes.linewidth": 0.7,
        "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.5, "lines.markersize": 4,
        "savefig.dpi": 150, "font.family": "sans-serif",
    }  # fmt: skip
    with plt.rc_context(settings):
        yield


def panel(title: str, draw: Callable[[Any, Any], None], size: tuple[float, float] = SIZE) -> Panel:
    """A panel drawn by `draw(figure, axes)`."""
    plt = screenless()
    with style(title):
        figure, axes = plt.subplots(figsize=size, layout="constrained")
        draw(figure, axes)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    return Panel(title, embedded(buffer.getvalue(), title))


def embedded(svg: str, title: str) -> str:
    """An SVG file as part of a page: without its header, in the page's colour, as wide as its place."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S).replace(INK, "currentColor")
    body = re.sub(r"font: ([\d.]+)px '[^']*'(?:, [^;\"]*)?", r"font-size: \1px", body)
    # Several pictures share the page, and names of parts must be unique on it.
    prefix = "p-" + re.sub(r"\W+", "-", title, flags=re.ASCII)
    body = re.sub(r'id="([^"]+)"', rf'id="{prefix}-\g<1>"', body)
    body = re.sub(r'(xlink:href="#|url\(#)', rf"\g<1>{prefix}-", body)
    label = title.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return re.sub(
        r"<svg ", f'<svg role="img" aria-label="{label}" ', re.sub(r' (width|height)="[\d.]+pt"', "", body), count=1
    )


def drawn_part(domain: Domain, fixed: Mapping[int, float] | None = None, resolution: int = 60) -> Section:
    """What of a domain is drawn: triangles up to its true outline."""
    return section(domain, fixed or {}, resolution)


def shaded(figure: Any, axes: Any, cut: Section, values: np.ndarray, cmap: str, **limits: float) -> None:
    """A field at the points of a plane cut, its outline, and a colour bar."""
    from matplotlib.collections import LineCollection

    extent = np.ptp(cut.cells.points, axis=0)
    square = 0.4 < extent[0] / extent[1] < 2.5
    shown = axes.tripcolor(
        *cut.cells.points.T, values, triangles=cut.cells.corners, shading="gouraud", cmap=cmap, rasterized=True,
        **limits,
    )  # fmt: skip
    axes.add_collection(LineCollection(cut.lines, colors=INK, linewidths=0.8, capstyle="round"))
    axes.set_aspect("equal" if square else "auto")
    axes.margins(0.02)
    bar = figure.colorbar(shown, ax=axes, shrink=0.9)
    bar.outline.set_visible(False)


def decades(axis: Any) -> None:
    """Label whole decades only: the numbers between them would run into each other on a small picture."""
    from matplotlib.ticker import NullFormatter

    axis.set_minor_formatter(NullFormatter())


def circle(axes: Any, radius: float = 1.0, **keys: Any) -> None:
    """A circle around the origin."""
    angle = np.linspace(0, 2 * np.pi, 200)
    axes.plot(radius * np.cos(angle), radius * np.sin(angle), **{"color": INK, "linewidth": 0.8, **keys})


def bare(axes: Any, limit: float) -> None:
    """A square picture without ticks."""
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal", xticks=[], yticks=[])
    for side in axes.spines.values():
        side.set_visible(False)


def legend(entries: Sequence[tuple[str, str, str]]) -> str:
    """An HTML legend of (colour, style, text), style one of "solid", "dotted" and "open" (a marker alone)."""
    items = []
    for colour, kind, text in entries:
        dash = ' stroke-dasharray="2 3"' if kind == "dotted" else ""
        fill = "none" if kind == "open" else colour
        dot = "" if kind == "dotted" else f'<circle cx="15" cy="6" r="3.5" fill="{fill}" stroke="{colour}"/>'
        line = (
            f'<line x1="0" x2="30" y1="6" y2="6" stroke="{colour}" stroke-width="2"{dash}/>' if kind != "open" else ""
        )
        items.append(f'<span><svg width="30" height="12" aria-hidden="true">{line}{dot}</svg> {text}</span>')
    return f'<p class="legend">{"".join(items)}</p>'


def table(rows: Sequence[Sequence[Any]], key: str, heads: int = 1) -> str:
    """An HTML table whose first row and first `heads` columns are headings."""
    head, *body = rows

    def line(cells: Sequence[Any]) -> str:
        tags = ["th" if k < heads else "td" for k in range(len(cells))]
        return "<tr>" + "".join(f"<{t}>{c}</{t}>" for t, c in zip(tags, cells, strict=True)) + "</tr>"

    return (
        f'<div class="scroll"><table id="{key}"><thead><tr>{"".join(f"<th>{c}</th>" for c in head)}</tr></thead>'
        f"<tbody>{''.join(map(line, body))}</tbody></table></div>"
    )
