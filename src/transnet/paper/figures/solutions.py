"""The solution of each case, and its pointwise error."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.paper.cases import NAMES, case
from transnet.paper.figures.drawing import Figure, Panel, drawn_part, panel, shaded
from transnet.paper.results import Results
from transnet.sections.section import Section

CUT = {"C5": 0.25, "C8": 0.5}
"""Where the third coordinate is cut: not at a symmetry plane, where the solution of C5 is zero."""
RESOLUTION = 90


def make(results: Results) -> Figure:
    """Two panels per case."""
    rows: list[tuple[Any, ...]] = [("case", "neurons", "unknown", "largest_error", "rms_error")]
    panels: list[Panel] = []
    for name in NAMES:
        solution = results.solution(name)
        stated = case(name)
        first = 1 if name == "C6" else 0  # for the Navier-Stokes equations the first velocity: p comes first by name
        cut, values, error = _fields(results, name, first)
        panels.append(_panel(f"{name}: {stated.problem.names[first]}{_cut(name)}", cut, values, "viridis", name))
        worst = np.log10(np.maximum(np.abs(error), 1e-18))
        panels.append(_panel(f"{name}: log₁₀ |error|, {solution.neurons} neurons", cut, worst, "magma", name))
        found = solution(stated.test_points).reshape(len(stated.test_points), -1)
        difference = found - stated.exact_values(stated.test_points)
        for k, unknown in enumerate(stated.problem.names):
            largest, rms = np.abs(difference[:, k]).max(), np.sqrt(np.mean(difference[:, k] ** 2))
            rows.append((name, solution.neurons, unknown, f"{largest:.3e}", f"{rms:.3e}"))
    return Figure(
        "solutions",
        "The solutions and where their errors are",
        "Solved with this library's defaults; the paper does not show them. Of "
        "C5 and C8 a cut is shown, for C6 the first component of the velocity.",
        tuple(panels),
        data={"solutions": rows},
    )


def _cut(name: str) -> str:
    return f" at {case(name).problem.coordinates[2]} = {CUT[name]}" if name in CUT else ""


def _fields(results: Results, name: str, unknown: int) -> tuple[Section, np.ndarray, np.ndarray]:
    stated = case(name)
    cut = drawn_part(stated.problem.domain, {2: CUT[name]} if name in CUT else {}, RESOLUTION)
    values = results.solution(name)[stated.problem.names[unknown]].at(cut.points)
    return cut, values, values - stated.exact_values(cut.points)[:, unknown]


def _panel(title: str, cut: Section, values: np.ndarray, colours: str, name: str) -> Panel:
    x, y = (str(c) for c in case(name).problem.coordinates[:2])

    def draw(figure: Any, axes: Any) -> None:
        shaded(figure, axes, cut, values, colours)
        axes.set(xlabel=x, ylabel=y)

    return panel(title, draw)
