"""How each domain lies in the ball of the neurons (paper, figure 6, in appendix C)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.placement import Placement
from transnet.paper.cases import case
from transnet.paper.figures.drawing import COLOURS, INK, Figure, Panel, bare, circle, drawn_part, panel
from transnet.paper.recipe import published_space
from transnet.paper.results import Results

SHOWN = ("C1", "C2", "C3", "C4", "C6", "C7", "C9")


def make(results: Results) -> Figure:
    """The cases with two coordinates."""
    return Figure(
        "placements",
        "Figure 6: how the domains lie in the ball",
        "The bounding box of each domain is mapped to [−1, 1]²; the same neurons, here the zero lines of 60 of them, "
        "serve every domain. The inner circle is the unit ball of the paper's text, the outer one the ball of radius "
        "1.5 in which its authors' code places the neurons. C6, C7 and C9 are boxes of unequal sides, or of space and "
        "time.",
        tuple(_panel(name) for name in SHOWN),
    )


def _panel(name: str) -> Panel:
    domain = case(name).problem.domain
    surface = [Placement.of(domain)(line) for line in drawn_part(domain).lines]
    inside = Placement.of(domain)(domain.interior(2500))
    space = published_space(2, 60)

    def draw(figure: Any, axes: Any) -> None:
        along = np.stack([-space.directions[:, 1], space.directions[:, 0]], axis=1)
        foot = space.offsets[:, None] * space.directions
        half = np.sqrt(np.maximum(1.5**2 - space.offsets**2, 0))[:, None]
        for a, b in zip(foot - half * along, foot + half * along, strict=True):
            axes.plot(*np.stack([a, b]).T, color=INK, linewidth=0.4, alpha=0.35)
        axes.plot(*inside.T, ".", markersize=2.5, rasterized=True, color=COLOURS["published"], alpha=0.35)
        for line in surface:
            axes.plot(*line.T, color=COLOURS["transnet"], linewidth=1.6, solid_capstyle="round")
        circle(axes, 1.0, linestyle="--")
        circle(axes, 1.5)
        bare(axes, 1.55)

    return panel(f"{name} in the ball", draw, (2.9, 2.9))
