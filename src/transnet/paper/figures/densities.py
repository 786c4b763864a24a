"""The density of the neurons of TransNet, of random features and of trained PINNs (paper, figure 5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.density import density
from transnet.features.placement import Placement
from transnet.features.space import FeatureSpace
from transnet.paper.baselines.random_features import random_space
from transnet.paper.cases import case
from transnet.paper.figures.drawing import Figure, Panel, drawn_part, panel, shaded
from transnet.paper.recipe import RADIUS
from transnet.paper.results import Results
from transnet.paper.run import Job
from transnet.sections.section import Section

TAU = 0.2
LARGEST = 0.5
"""The upper end of the colour scale of every panel, so that they can be compared."""


def make(results: Results) -> Figure:
    """TransNet, random features, PINN after Adam, PINN after L-BFGS, for C1 to C4."""
    panels: list[Panel] = []
    rows: list[tuple[Any, ...]] = [("case", "feature_space", "neurons", "mean", "smallest", "largest")]
    for name, job in results.plan.densities.items():
        before = Job(name, "pinn-adam", job.neurons, job.seed, job.adam_steps)
        spaces = {
            "TransNet": FeatureSpace.uniform(2, job.neurons, 1.0, RADIUS[2]),
            "random features": random_space(2, job.neurons, job.seed),
            "PINN, Adam": results.store.hidden_layer(before),
            "PINN, Adam + L-BFGS": results.store.hidden_layer(job),
        }
        for label, space in spaces.items():
            if space is None:
                continue
            domain = case(name).problem.domain
            cut = drawn_part(domain)
            values = density(space, Placement.of(domain)(cut.points), TAU)
            panels.append(_panel(f"{name}: {label}", cut, values))
            numbers = [f"{v:.4f}" for v in (values.mean(), values.min(), values.max())]
            rows.append((name, label, job.neurons, *numbers))
    return Figure(
        "densities",
        "Figure 5: the density of neurons, and that of the other methods",
        f"The share of neurons whose hyperplane passes within τ = {TAU} of a point, in the coordinates of the ball. "
        "The neurons of a TransNet have the same density everywhere (here this library's evenly spread ones). Random "
        "features do not: more of them pass near the middle than near the boundary. Training does not even them out. "
        "The paper shows all but the first column.",
        tuple(panels),
        width=16.0,
        data={"densities": rows},
    )


def _panel(title: str, cut: Section, values: np.ndarray) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        shaded(figure, axes, cut, values, "viridis", vmin=0.0, vmax=LARGEST)
        axes.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])

    return panel(title, draw, (3.2, 2.6))
