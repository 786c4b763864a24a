"""The error against the time that it takes."""

from __future__ import annotations

from typing import Any

from transnet.paper.cases import NAMES
from transnet.paper.figures.decay import entries, median
from transnet.paper.figures.drawing import COLOURS, MARKERS, Figure, Panel, decades, panel
from transnet.paper.results import Results


def make(results: Results) -> Figure:
    """One panel per case, all methods."""
    rows: list[tuple[Any, ...]] = [("case", "method", "neurons", "seconds", "mse")]
    for name in NAMES:
        for method in COLOURS:
            for n, records in results.of(name, method).items():
                rows.append((name, method, n, f"{median(records, 'seconds'):.3e}", f"{median(records):.3e}"))
    return Figure(
        "efficiency",
        "The error against the time",
        "The same solves against their processor time on this machine, one thread each (medians over the seeds). "
        "The paper does not have this figure. Published times are of another machine and are not drawn.",
        tuple(_panel(results, name) for name in NAMES),
        entries(results, here=True),
        20.0,
        {"efficiency": rows},
    )


def _panel(results: Results, name: str) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        for method, colour in COLOURS.items():
            found = results.of(name, method)
            if found:
                seconds = [median(r, "seconds") for r in found.values()]
                axes.plot(seconds, [median(r) for r in found.values()], color=colour, marker=MARKERS[method])
        axes.set(xscale="log", yscale="log", xlabel="processor seconds", ylabel="MSE")
        decades(axes.xaxis)
        decades(axes.yaxis)

    return panel(f"{name}: MSE against seconds", draw)
