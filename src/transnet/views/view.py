"""A body that can be turned: its surface in the colours of a quantity, as one HTML page without anything else."""

from __future__ import annotations

import base64
import html
import json
import webbrowser
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.errors import ProblemError
from transnet.pictures.labels import Labels
from transnet.pictures.panels import FLAT
from transnet.sections.section import Section, section
from transnet.solution.held import fineness
from transnet.solution.quantities import quantities_of
from transnet.writing import replacing, target

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

RESOLUTION = {2: 80, 3: 28}
"""Cells along the longest side of a surface over the plane, and of a body."""
HEIGHT = 0.5
"""How high a surface over the plane is, in units of its longest side."""
STOPS = (
    "#440154", "#481a6c", "#472f7d", "#414487", "#39568c", "#31688e", "#2a788e", "#23888e", "#1f988b", "#22a884",
    "#35b779", "#54c568", "#7ad151", "#a5db36", "#d2e21b", "#fde725",
)  # fmt: skip
"""Viridis."""
FULL = 255
"""The largest part of a colour."""
TICKS = 5
"""Numbers beside the colour bar."""
SHARP = 0.8
"""Two faces whose normals have a smaller product than this meet in an edge that is drawn."""


@dataclass(frozen=True, eq=False)
class Turnable:
    """A page with a body that can be turned: `save("part.html")` writes it, `show()` opens it in a browser.

    In a notebook it is shown in place.
    """

    page: str

    def save(self, path: str | Path) -> Path:
        """Write the page, which needs no other file and no connection."""
        place = target(path, ".html")
        with replacing(place) as partial:
            Path(partial).write_text(self.page, encoding="utf-8")
        return place

    def show(self) -> None:
        """Open it in the browser."""
        webbrowser.open(self.save(Path(mkdtemp()) / "view.html").as_uri())

    def _repr_html_(self) -> str:
        frame = 'width="100%" height="480" style="border:0"'
        return f'<iframe {frame} srcdoc="{html.escape(self.page, quote=True)}"></iframe>'

    def __repr__(self) -> str:
        return 'A body that can be turned: .save("part.html"), or .show() in a browser'


def view(solution: Solution, what: Any, look: Labels, resolution: int | None, fixed: dict[str, Any]) -> Turnable:
    """The page; see `Solution.view`."""
    names = [c.name for c in solution.problem.coordinates]
    wrong = [n for n in fixed if n not in names or np.ndim(fixed[n])]
    if wrong:
        raise ProblemError(f"'{wrong[0]}' is neither an option of view nor a coordinate with one value.")
    at = {names.index(n): float(v) for n, v in fixed.items()}
    if "t" in names and "t" not in fixed:
        at[names.index("t")] = float(solution.problem.domain.bounds[1, names.index("t")])
    free = len(names) - len(at)
    if free not in RESOLUTION:
        raise ProblemError(f"What can be turned has two or three coordinates, not {free}. Fix others: z=0.5.")
    if what is None and len(solution.fields) > 1:
        raise ProblemError(f"Choose what to show: {', '.join(map(repr, solution.fields))} or an expression.")
    quantity, *more = quantities_of(solution, what)
    if more and not more[0].cyclic:
        raise ProblemError("A view shows one quantity: choose one, or an expression.")
    cut = section(solution.problem.domain, at, fineness(resolution, RESOLUTION[free]))
    values = quantity.values(cut.points)
    low, high = look.limits or (float(np.nanmin(values)), float(np.nanmax(values)))
    colours = np.nan_to_num((values - low) / (high - low if high > low else 1.0))
    points, corners = _surface(cut, colours if free == 2 else None)
    (label,) = look.labels([_plain(quantity.label, quantity.name)])
    return Turnable(_page(points, corners, colours, _edges(points, corners), (low, high), look.title or "", label))


def _plain(label: str, name: str) -> str:
    return label if "$" not in label else name


def _surface(cut: Section, heights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Points in the cube around zero, and the triangles of the surface: faces that belong to one cell only."""
    points = cut.cells.points
    middle, extent = (points.min(axis=0) + points.max(axis=0)) / 2, float(np.ptp(points, axis=0).max())
    points = 2 * (points - middle) / extent
    if heights is not None:
        return np.column_stack([points, HEIGHT * (2 * heights - 1)]), cut.cells.corners
    tetrahedra = cut.cells.corners
    if tetrahedra.shape[1] == 3:  # a surface already
        return points, tetrahedra
    faces = np.concatenate([np.delete(tetrahedra, k, axis=1) for k in range(4)])
    _, first, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return points, faces[first[counts == 1]]


def _edges(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The edges of a surface that are sharp, or have one side only, as pairs of points."""
    a, b, c = (points[corners[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), np.finfo(float).tiny)
    pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    faces = np.tile(np.arange(len(corners)), 3)
    order = np.lexsort(pairs.T)
    pairs, faces = pairs[order], faces[order]
    same = np.all(pairs[1:] == pairs[:-1], axis=1)
    alone = ~(np.append(same, False) | np.append(False, same))
    bent = np.abs(np.sum(normals[faces[1:]] * normals[faces[:-1]], axis=1)) < SHARP
    sharp = alone | np.append(same & bent, False)
    return points[pairs[sharp]]


def _page(
    points: np.ndarray,
    corners: np.ndarray,
    colours: np.ndarray,
    edges: np.ndarray,
    limits: tuple[float, float],
    title: str,
    label: str,
) -> str:
    page = (files("transnet.pictures") / "page" / "turn.html").read_text(encoding="utf-8")
    ticks = np.linspace(limits[1], limits[0], TICKS)
    ticks[np.abs(ticks) < FLAT * np.ptp(limits)] = 0.0
    rgb = [[part / FULL for part in bytes.fromhex(stop[1:])] for stop in STOPS]
    filled = {
        "TITLE": html.escape(title), "LABEL": html.escape(label), "COLOURS": ", ".join(STOPS),
        "TICKS": "".join(f"<span>{tick:.4g}</span>" for tick in ticks), "STOPS": json.dumps(rgb),
        "POINTS": _packed(points, np.float32), "VALUES": _packed(colours, np.float32),
        "CORNERS": _packed(corners, np.uint32), "LINES": _packed(edges, np.float32),
    }  # fmt: skip
    for name, text in filled.items():
        page = page.replace(f'"{name}"' if name in ("POINTS", "VALUES", "CORNERS", "LINES") else name, text)
    return page


def _packed(array: np.ndarray, kind: Any) -> str:
    return f'"{base64.b64encode(np.ascontiguousarray(array, dtype=kind).tobytes()).decode()}"'
