"""Three realisations of the auxiliary Gaussian process and where they are approximated badly (paper, figure 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.auxiliary import grid
from transnet.features.random_fields import random_fields
from transnet.paper.figures.drawing import Figure, Panel, image, panel
from transnet.paper.recipe import published_space
from transnet.paper.results import Results

ETA = 0.5
PIXELS = 101


def make(results: Results) -> Figure:
    """The three functions and their pointwise squared errors."""
    neurons = results.plan.fit_neurons
    functions = random_fields(2, ETA, 3, seed=0)
    space = published_space(2, neurons)
    fitted = grid(2, 50)
    coefficients = np.linalg.lstsq(space(fitted), functions(fitted), rcond=None)[0]
    axis = np.linspace(-1, 1, PIXELS)
    points = np.stack([a.ravel() for a in np.meshgrid(axis, axis)], axis=-1)
    points_inside = np.linalg.norm(points, axis=1) <= 1
    values = functions(points)
    squares = (space(points) @ coefficients - values) ** 2
    shown = [np.where(points_inside[:, None], v, np.nan) for v in (values, np.log10(squares + 1e-34))]
    rows: list[tuple[Any, ...]] = [("realisation", "neurons", "mean_squared_error", "largest_squared_error")]
    rows += [
        (k + 1, neurons, f"{squares[points_inside, k].mean():.3e}", f"{squares[points_inside, k].max():.3e}")
        for k in range(3)
    ]
    panels = [_panel(f"realisation {k + 1}", shown[0][:, k], "viridis") for k in range(3)]
    panels += [_panel(f"log₁₀ squared error {k + 1}", shown[1][:, k], "magma") for k in range(3)]
    return Figure(
        "realisations",
        "Three realisations and their errors",
        f"Realisations of the Gaussian process with correlation length {ETA} in the unit ball, fitted with {neurons} "
        "neurons of shape 2, and the squared error of the fits: it is spread evenly, as the neurons are.",
        tuple(panels),
        width=20.0,
        data={"realisations": rows},
    )


def _panel(title: str, values: np.ndarray, colours: str) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        image(figure, axes, values.reshape(PIXELS, PIXELS), (-1, 1, -1, 1), colours)
        axes.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])

    return panel(title, draw, (3.2, 2.6))
