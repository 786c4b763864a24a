"""Where a domain is cut into pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from transnet.errors import ProblemError
from transnet.pictures.panels import new_figure

if TYPE_CHECKING:
    from transnet.solution.solution import Solution

COLOURS = ("#dfe7f2", "#f5dcc8", "#d9ead3", "#efd6e4", "#fff2cc", "#d8dde2")
"""The colours of the materials, in their order."""


def plot_pieces(solution: Solution, managed: bool = True) -> Any:
    """Draw the boxes of the cells; see `Solution.plot_pieces`."""
    basis: Any = solution.basis
    if getattr(basis, "kind", "") != "pieces":
        raise ProblemError(
            "This solution is one network on the whole domain: it has no pieces. tn.solve(problem, pieces=16) cuts it."
        )
    domain = solution.problem.domain
    if domain.dimension > 2:
        raise ProblemError(f"The pieces of a domain of {domain.dimension} coordinates cannot be drawn, only counted.")
    from matplotlib.collections import PolyCollection

    extent = np.ptp(domain.bounds, axis=0)
    ratio = float(np.clip(extent[-1] / extent[0], 0.3, 2.0)) if domain.dimension == 2 else 0.25
    figure = new_figure(5.0, 5.0 * ratio + 0.6, managed)
    ax = figure.add_subplot()
    low, high = basis.boxes.low[basis.box], basis.boxes.high[basis.box]
    if domain.dimension == 1:
        low, high = (np.column_stack([end[:, 0], np.full(len(end), k)]) for k, end in enumerate((low, high)))
        ax.set_yticks([])
    corners = np.stack(
        [low, np.column_stack([high[:, 0], low[:, 1]]), high, np.column_stack([low[:, 0], high[:, 1]])], axis=1
    )
    colours = [COLOURS[m % len(COLOURS)] for m in basis.material]
    ax.add_collection(PolyCollection(list(corners), facecolors=colours, edgecolors="0.4", linewidths=0.5))
    for part in domain.parts if domain.dimension == 2 else ():
        for arc in domain.arcs(part):
            ax.plot(*arc.at(arc.length * np.linspace(0, 1, 257))[0].T, color="0.1", linewidth=1.2)
    for i, j in getattr(domain, "interfaces", {}) if domain.dimension == 2 else ():
        for piece in domain.interfaces[i, j]:  # type: ignore[attr-defined]
            points = piece.arc.at(piece.arc.length * np.linspace(0, 1, 257))[0]
            ax.plot(*points.T, color="0.1", linewidth=0.9, linestyle="--")
    ax.autoscale_view()
    names = [c.name for c in solution.problem.coordinates]
    ax.set_xlabel(names[0])
    if domain.dimension == 2:
        ax.set_ylabel(names[1])
        ax.set_aspect("equal")
    ax.set_title(f"{basis.pieces} pieces")
    return figure
