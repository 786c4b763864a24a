"""The landscapes of the loss over the shape of the neurons, with the tuned optimum (paper, figure 2)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.features.auxiliary import grid
from transnet.features.random_fields import RandomFields, random_fields
from transnet.features.search import golden
from transnet.features.space import FeatureSpace
from transnet.features.tuning import tune
from transnet.paper.figures.drawing import Figure, Panel, legend, panel
from transnet.paper.plan import Landscape
from transnet.paper.recipe import RADIUS
from transnet.paper.results import Results, published

COLOURS = ("#1c7ed6", "#e8590c", "#2f9e44")


def make(results: Results) -> Figure:
    """One panel for each dimension and correlation length."""
    rows: list[tuple[Any, ...]] = [("dimension", "correlation_length", "neurons", "shape", "mse", "published_mse")]
    optima: list[tuple[Any, ...]] = [
        ("dimension", "correlation_length", "neurons", "tuned_shape", "mse", "own_shape", "own_mse")
    ]
    panels = tuple(_panel(results, item, rows, optima) for item in results.plan.landscapes)
    sizes = {d: sorted({n for p in results.plan.landscapes if p.dimension == d for n in p.neurons}) for d in (2, 3)}
    entries = [
        (colour, "solid", f"{number} neurons: " + ", ".join(f"{s[k]} in {d}D" for d, s in sizes.items() if k < len(s)))
        for k, (colour, number) in enumerate(zip(COLOURS, ("few", "more", "many"), strict=True))
        if any(k < len(s) for s in sizes.values())
    ]
    return Figure(
        "landscapes",
        "Figure 2: the shape of the neurons, tuned without a PDE",
        "The error of fits to realisations of a Gaussian process against the shape γ (Eq. ls2): computed here as the "
        "authors do (solid) and published (dotted). The star is the optimum, bracketed instead of searched on a grid. "
        "The left branch is the cut of small singular values in the authors' least squares: without it, on points that "
        "were not fitted and with the radius tuned too, this library's own tuning ends at the ring.",
        panels,
        legend([*entries, ("currentColor", "dotted", "published")]),
        data={"landscapes": rows, "tuned_shapes": optima},
    )


def authors_loss(dimension: int, neurons: int, shape: float, functions: RandomFields, points: np.ndarray) -> float:
    """Eq. (ls2) as the authors evaluate it: `lstsq` with its default cut, and the error at the fitted points."""
    space = FeatureSpace.uniform(dimension, neurons, shape, RADIUS[dimension], placement="random", seed=0)
    features, values = space(points), functions(points)
    return float(np.mean((features @ np.linalg.lstsq(features, values, rcond=None)[0] - values) ** 2))


def optimum(
    dimension: int, neurons: int, functions: RandomFields, points: np.ndarray, start: float
) -> tuple[float, float]:
    """The shape of the smallest loss near `start`, and that loss."""

    def loss(x: float) -> float:
        return float(np.log(authors_loss(dimension, neurons, float(np.exp(x)), functions, points)))

    x, least = golden(loss, float(np.log(start)), 0.2, 0.05)
    return float(np.exp(x)), float(np.exp(least))


def _panel(results: Results, item: Landscape, rows: list[tuple[Any, ...]], optima: list[tuple[Any, ...]]) -> Panel:
    d, eta, plan = item.dimension, item.correlation_length, results.plan
    points = grid(d, plan.grid[d])
    curves = []
    for neurons in item.neurons:
        there = [
            (float(r["shape"]), float(r["mse"]))
            for r in published("shape_landscape")
            if (int(r["dimension"]), float(r["correlation_length"]), int(r["neurons"])) == (d, eta, neurons)
        ]
        every = max(1, -(-len(there) // plan.shapes))
        shapes = [s for s, _ in there][::every]
        functions = random_fields(d, eta, plan.realisations, seed=0)
        here = [authors_loss(d, neurons, s, functions, points) for s in shapes]
        best = optimum(d, neurons, functions, points, shapes[int(np.argmin(here))])
        own = tune(d, neurons, eta, plan.realisations)
        rows += [(d, eta, neurons, s, f"{e:.3e}", f"{dict(there)[s]:.3e}") for s, e in zip(shapes, here, strict=True)]
        optima.append((d, eta, neurons, *(f"{v:.3e}" for v in (*best, own.shape, own.error))))
        curves.append((there, shapes, here, best, (own.shape, own.error)))

    def draw(figure: Any, axes: Any) -> None:
        for (there, shapes, here, best, own), colour in zip(curves, COLOURS, strict=False):
            axes.plot(*zip(*there, strict=True), color=colour, linestyle=":")
            axes.plot(shapes, here, color=colour, marker="o", markersize=3)
            axes.plot(*best, "*", color=colour, markersize=12, markeredgecolor="white")
            axes.plot(*own, "o", color=colour, markersize=7, markerfacecolor="none")
        axes.set(yscale="log", xlabel="shape γ", ylabel="mean square error")
        axes.set_xlim(0, max(float(np.max(c[1])) for c in curves) * 1.03)

    return panel(f"{d}D, correlation length {eta}", draw)
