"""Where neurons are: the re-parameterisation, uniform neurons in the ball and their density (paper, figure 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.density import density, scatter
from transnet.features.neurons import place
from transnet.features.space import FeatureSpace
from transnet.geometry import Disk
from transnet.paper.figures.drawing import COLOURS, INK, Figure, Panel, bare, circle, drawn_part, panel, shaded
from transnet.paper.results import Results

TAU = 0.05
NEURONS = 5000
BLUE, RED = COLOURS["published"], COLOURS["transnet"]


def make(results: Results) -> Figure:
    """Location of one neuron; directions, offsets, hyperplanes of many; the density of two placements."""
    directions, offsets = place(200, 2, placement="random", seed=0)
    rows: list[tuple[Any, ...]] = [("placement", "neurons", "tau", "mean_density", "relative_deviation")]
    densities = []
    for placement, label in (("random", "independent neurons"), ("quasi", "evenly spread neurons")):
        space = FeatureSpace.uniform(2, NEURONS, 1.0, 1.0, placement=placement, seed=0)  # type: ignore[arg-type]
        mean, deviation = scatter(space, TAU)
        rows.append((placement, NEURONS, TAU, f"{mean:.5f}", f"{deviation:.5f}"))
        densities.append(_density(f"(c) density, {label}", space))
    return Figure(
        "reparameterisation",
        "Figure 1: neurons as hyperplanes, and their density",
        "(a) A neuron tanh(γ a·(y − r a)) is zero on the line (blue) with normal a that passes through r a (red). "
        "(b) Directions uniform on the sphere, offsets r uniform in [0, 1], and the lines that they give. "
        f"(c) The share of {NEURONS} lines within τ = {TAU} of a point is τ up to chance for |y| ≤ 1 − τ (Theorem 1). "
        "The independent draws of the paper scatter; the evenly spread neurons of this library hardly do.",
        (_one(), _directions(directions), _offsets(directions, offsets), _lines(directions, offsets), *densities),
        width=20.0,
        data={"neuron_density": rows},
    )


def _one() -> Panel:
    a, r = np.array([np.cos(0.7), np.sin(0.7)]), 0.55

    def draw(figure: Any, axes: Any) -> None:
        circle(axes)
        half = np.sqrt(1 - r**2) * np.array([-a[1], a[0]])
        axes.plot(*np.stack([r * a - half, r * a + half]).T, color=BLUE, linewidth=2)
        axes.plot(*np.stack([[0, 0], r * a]).T, color=INK, linestyle="--", linewidth=1)
        axes.annotate("", xy=tuple((r + 0.38) * a), xytext=tuple(r * a), arrowprops={"arrowstyle": "->", "color": INK})
        axes.plot(*(r * a), "o", color=RED, markersize=7)
        axes.text(*((r + 0.3) * a + np.array([0.04, -0.14])), "a", fontstyle="italic")
        axes.text(*(0.5 * r * a + np.array([-0.1, 0.06])), "r", fontstyle="italic")
        bare(axes, 1.08)

    return panel("(a) location of a neuron", draw, (2.9, 2.9))


def _directions(directions: np.ndarray) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        circle(axes, alpha=0.4)
        axes.plot(*directions.T, "o", color=BLUE, markersize=3)
        bare(axes, 1.08)

    return panel("(b) directions", draw, (2.9, 2.9))


def _offsets(directions: np.ndarray, offsets: np.ndarray) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        circle(axes)
        axes.plot(*(offsets[:, None] * directions).T, "o", color=RED, markersize=3)
        bare(axes, 1.08)

    return panel("(b) offsets", draw, (2.9, 2.9))


def _lines(directions: np.ndarray, offsets: np.ndarray) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        circle(axes)
        half = np.sqrt(1 - offsets**2)[:, None] * np.stack([-directions[:, 1], directions[:, 0]], axis=1)
        foot = offsets[:, None] * directions
        for p, q in zip(foot - half, foot + half, strict=True):
            axes.plot(*np.stack([p, q]).T, color=BLUE, linewidth=0.6, alpha=0.7)
        bare(axes, 1.08)

    return panel("(b) hyperplanes", draw, (2.9, 2.9))


def _density(title: str, space: FeatureSpace) -> Panel:
    ball = drawn_part(Disk(radius=1))
    values = density(space, ball.points, TAU)

    def draw(figure: Any, axes: Any) -> None:
        shaded(figure, axes, ball, values, "viridis", vmin=0.0, vmax=1.6 * TAU)
        bare(axes, 1.02)

    return panel(title, draw, (3.4, 2.9))
