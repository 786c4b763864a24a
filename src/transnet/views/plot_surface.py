"""A quantity on a surface in space, drawn in perspective: one panel for each quantity and time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.errors import ProblemError
from transnet.geometry.manifold import Manifold
from transnet.pictures.labels import Labels
from transnet.pictures.panels import CYCLIC, VALUES, new_figure, norm_of
from transnet.sections.simplices import cells_of
from transnet.solution.quantities import Quantity

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

SNAPSHOTS = 3
"""Times that are drawn if none are named."""
TICKS = 5
"""Numbers along the longest axis."""
LIGHT, SHADE = np.array([0.3, -0.5, 0.8]), 0.25
"""Where the light comes from, and how much darker a face is that it does not reach."""


def plot_surface(
    solution: Solution,
    surface: Manifold,
    chosen: Sequence[Quantity],
    resolution: int,
    cmap: str | None,
    look: Labels,
    managed: bool,
    fixed: dict[str, Any],
) -> Any:
    """Draw quantities on the surface on which a problem is stated; see `Solution.plot`."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.ticker import MaxNLocator
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    problem = solution.problem
    names = [c.name for c in problem.coordinates]
    wrong = [name for name in fixed if name not in names[3:]]
    if wrong:
        raise ProblemError(
            f"A surface is drawn as a whole: '{wrong[0]}' cannot be fixed. "
            + (f"Only {names[3]} can: plot({names[3]}=0.5)." if names[3:] else "Leave it out.")
        )
    times: list[float | None] = [None]
    if names[3:]:
        low, high = problem.domain.bounds[:, 3]
        times = list(np.atleast_1d(fixed.get(names[3], np.linspace(low, high, SNAPSHOTS))))
    cells = cells_of(surface, resolution)
    corners = cells.points[cells.corners]
    normals = surface.normals(corners.mean(axis=1))
    lit = 1.0 - SHADE * (1.0 - np.clip(normals @ (LIGHT / np.linalg.norm(LIGHT)), 0.0, 1.0))
    figure = new_figure(4.6 * len(times) + 0.8, 4.2 * len(chosen), managed)
    every = []
    for row, quantity in enumerate(chosen):
        at = [
            cells.points if t is None else np.column_stack([cells.points, np.full(len(cells.points), t)]) for t in times
        ]
        values = [quantity.values(points) for points in at]
        norm = norm_of(values, quantity.logarithmic, np.pi if quantity.cyclic else None, look.limits)
        colours = colormaps[cmap or (CYCLIC if quantity.cyclic else VALUES)]
        for column, (t, value) in enumerate(zip(times, values, strict=True)):
            axes = figure.add_subplot(len(chosen), len(times), row * len(times) + column + 1, projection="3d")
            faces = colours(norm(value[cells.corners].mean(axis=1)))
            faces[:, :3] *= lit[:, None]
            axes.add_collection3d(Poly3DCollection(corners, facecolors=faces, edgecolors="none", rasterized=True))
            size = np.ptp(surface.bounds, axis=0)
            axes.set(xlim=surface.bounds[:, 0], ylim=surface.bounds[:, 1], zlim=surface.bounds[:, 2])
            axes.set_box_aspect(size / size.max())
            for axis, length in zip((axes.xaxis, axes.yaxis, axes.zaxis), size / size.max(), strict=True):
                axis.set_major_locator(MaxNLocator(max(2, round(TICKS * float(length)))))
            axes.set(xlabel=f"${names[0]}$", ylabel=f"${names[1]}$", zlabel=f"${names[2]}$")
            if t is not None:
                axes.set_title(f"${names[3]} = {t:.4g}$")
            every.append(axes)
        here = every[-len(times) :]
        figure.colorbar(ScalarMappable(norm, colours), ax=here, label=quantity.label, shrink=0.7, pad=0.1)
    return look.dressed(figure, every)
