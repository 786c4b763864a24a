"""Three realisations of the auxiliary Gaussian process and where they are approximated badly (paper, figure 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.auxiliary import grid
from transnet.features.random_fields import random_fields
from transnet.geometry import Disk
from transnet.paper.figures.drawing import Figure, Panel, drawn_part, panel, shaded
from transnet.paper.recipe import published_space
from transnet.paper.results import Results
from transnet.sections.section import Section

ETA = 0.5


def make(results: Results) -> Figure:
    """The three functions and their pointwise squared errors."""
    neurons = results.plan.fit_neurons
    functions = random_fields(2, ETA, 3, seed=0)
    space = published_space(2, neurons)
    fitted = grid(2, 50)
    coefficients = np.linalg.lstsq(space(fitted), functions(fitted), rcond=None)[0]
    ball = drawn_part(Disk(radius=1))
    values = functions(ball.points)
    squares = (space(ball.points) @ coefficients - values) ** 2
    rows: list[tuple[Any, ...]] = [("realisation", "neurons", "mean_squared_error", "largest_squared_error")]
    rows += [(k + 1, neurons, f"{squares[:, k].mean():.3e}", f"{squares[:, k].max():.3e}") for k in range(3)]
    panels = [_panel(f"realisation {k + 1}", ball, values[:, k], "viridis") for k in range(3)]
    errors = np.log10(squares + 1e-34)
    panels += [_panel(f"log₁₀ squared error {k + 1}", ball, errors[:, k], "magma") for k in range(3)]
    return Figure(
        "realisations",
        "Figure 3: three realisations and their errors",
        f"Realisations of the Gaussian process with correlation length {ETA} in the unit ball, fitted with {neurons} "
        "neurons of shape 2, and the squared error of the fits: it is spread evenly, as the neurons are.",
        tuple(panels),
        width=20.0,
        data={"realisations": rows},
    )


def _panel(title: str, cut: Section, values: np.ndarray, colours: str) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        shaded(figure, axes, cut, values, colours)
        axes.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])

    return panel(title, draw, (3.2, 2.6))
