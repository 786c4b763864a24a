"""The solution of each case, and its pointwise error."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.paper.cases import NAMES, case
from transnet.paper.figures.drawing import Figure, Panel, image, panel
from transnet.paper.results import Results

CUT = {"C5": 0.25, "C8": 0.5}
"""Where the third coordinate is cut: not at a symmetry plane, where the solution of C5 is zero."""
PIXELS = 121


def make(results: Results) -> Figure:
    """Two panels a case."""
    rows: list[tuple[Any, ...]] = [("case", "neurons", "unknown", "largest_error", "rms_error")]
    panels: list[Panel] = []
    for name in NAMES:
        solution = results.solution(name)
        stated = case(name)
        first = 1 if name == "C6" else 0  # of the Navier-Stokes equations the first velocity: p comes first by name
        values, error, extent = _fields(results, name, first)
        panels.append(_panel(f"{name}: {stated.problem.names[first]}{_cut(name)}", values, extent, "viridis", name))
        worst = np.log10(np.maximum(np.abs(error), 1e-18))
        panels.append(_panel(f"{name}: log₁₀ |error|, {solution.neurons} neurons", worst, extent, "magma", name))
        found = solution(stated.test_points).reshape(len(stated.test_points), -1)
        difference = found - stated.exact_values(stated.test_points)
        for k, unknown in enumerate(stated.problem.names):
            largest, rms = np.abs(difference[:, k]).max(), np.sqrt(np.mean(difference[:, k] ** 2))
            rows.append((name, solution.neurons, unknown, f"{largest:.3e}", f"{rms:.3e}"))
    return Figure(
        "solutions",
        "The solutions and where their errors are",
        "Solved with this library's defaults. Of C5 and C8 a cut is shown, of C6 the first component of the velocity.",
        tuple(panels),
        data={"solutions": rows},
    )


def _cut(name: str) -> str:
    return f" at {case(name).problem.coordinates[2]} = {CUT[name]}" if name in CUT else ""


def _fields(results: Results, name: str, unknown: int) -> tuple[np.ndarray, np.ndarray, list[float]]:
    stated = case(name)
    low, high = stated.problem.domain.bounds
    axes = np.meshgrid(*(np.linspace(low[k], high[k], PIXELS) for k in (0, 1)), indexing="xy")
    points = np.stack([a.ravel() for a in axes], axis=-1)
    if name in CUT:
        points = np.column_stack([points, np.full(len(points), CUT[name])])
    values = results.solution(name)[stated.problem.names[unknown]].at(points)
    error = values - stated.exact_values(points)[:, unknown]
    outside = ~stated.problem.domain.contains(points)
    fields = [np.where(outside, np.nan, f).reshape(PIXELS, PIXELS) for f in (values, error)]
    return fields[0], fields[1], [low[0], high[0], low[1], high[1]]


def _panel(title: str, values: np.ndarray, extent: list[float], colours: str, name: str) -> Panel:
    x, y = (str(c) for c in case(name).problem.coordinates[:2])

    def draw(figure: Any, axes: Any) -> None:
        image(figure, axes, values, extent, colours)
        axes.set(xlabel=x, ylabel=y)

    return panel(title, draw)
