"""The density of the neurons of random features and of trained PINNs (paper, figure 6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.density import density
from transnet.features.space import FeatureSpace
from transnet.geometry.placement import Placement
from transnet.paper.baselines.random_features import random_space
from transnet.paper.cases import case
from transnet.paper.figures.drawing import Figure, Panel, image, panel
from transnet.paper.results import Results
from transnet.paper.run import Job

TAU = 0.2
PIXELS = 81


def make(results: Results) -> Figure:
    """Random features, PINN after Adam, PINN after L-BFGS, for C1 to C4."""
    panels: list[Panel] = []
    rows: list[tuple[Any, ...]] = [("case", "feature_space", "neurons", "mean", "smallest", "largest")]
    for name, job in results.plan.densities.items():
        before = Job(name, "pinn-adam", job.neurons, job.seed, job.adam_steps)
        spaces = {
            "random features": random_space(2, job.neurons, job.seed),
            "PINN, Adam": results.store.hidden_layer(before),
            "PINN, Adam + L-BFGS": results.store.hidden_layer(job),
        }
        for label, space in spaces.items():
            if space is None:
                continue
            values, extent = _field(name, space)
            panels.append(_panel(f"{name}: {label}", values, extent))
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
            rows.append((name, label, job.neurons, f"{np.nanmean(values):.4f}", f"{low:.4f}", f"{high:.4f}"))
    return Figure(
        "densities",
        "The density of neurons of the other methods",
        f"The share of neurons whose hyperplane passes within τ = {TAU} of a point, in the coordinates of the ball. "
        "The neurons of a TransNet have the same density everywhere (figure 1). Random features have not: more of them "
        "pass near the middle than near the boundary. Nor does training make them even.",
        tuple(panels),
        width=20.0,
        data={"densities": rows},
    )


def _field(name: str, space: FeatureSpace) -> tuple[np.ndarray, list[float]]:
    domain = case(name).problem.domain
    low, high = domain.bounds
    axes = np.meshgrid(*(np.linspace(low[k], high[k], PIXELS) for k in (0, 1)), indexing="xy")
    points = np.stack([a.ravel() for a in axes], axis=-1)
    values = density(space, Placement.of(domain)(points), TAU)
    shown = np.where(domain.contains(points), values, np.nan).reshape(PIXELS, PIXELS)
    return shown, [low[0], high[0], low[1], high[1]]


def _panel(title: str, values: np.ndarray, extent: list[float]) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        image(figure, axes, values, extent, "viridis", vmin=0.0)
        axes.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])

    return panel(title, draw, (3.2, 2.6))
