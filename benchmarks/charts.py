"""Charts of time against error: one for each problem, and one of them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

IMAGES = Path(__file__).parent.parent / "docs" / "images"
STYLES = (
    ("NGSolve with its mesh", "#888888", "s"),
    ("tn.solve(problem, tol=...)", "#c0392b", "o"),
    ("tn.solve(problem, neurons=...), best", "#2c6fbb", "^"),
)


def envelope(runs: Sequence[Any]) -> list[tuple[float, float]]:
    """(error, milliseconds) of the runs that no other beats in both."""
    found: list[tuple[float, float]] = []
    for run in sorted(runs, key=lambda r: r.whole):
        if not found or run.error < found[-1][0]:
            found.append((run.error, 1e3 * run.whole))
    return found


def races(curves: Mapping[str, tuple[Any, ...]], whole: bool = True) -> None:
    """One chart a problem into docs/images/race-*.png; with `whole` also the summary for the front page."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    IMAGES.mkdir(exist_ok=True)
    for name, (title, *runs) in curves.items():
        figure, axes = plt.subplots(figsize=(5, 3.6), layout="constrained")
        _draw(axes, title, runs)
        axes.legend(fontsize=8, frameon=False)
        axes.set(xlabel="relative error", ylabel="processor time, ms")
        figure.savefig(IMAGES / f"race-{name}.png", dpi=110)
        plt.close(figure)
    if whole:
        columns = 5
        lines = -(-len(curves) // columns)
        figure, grid = plt.subplots(lines, columns, figsize=(13, 2.6 * lines), layout="constrained", squeeze=False)
        for axes, (title, *runs) in zip(grid.flat, curves.values(), strict=False):
            _draw(axes, title, runs)
        for axes in list(grid.flat)[len(curves) :]:
            axes.axis("off")
        figure.supxlabel("relative error", fontsize=9)
        figure.supylabel("processor time, ms", fontsize=9)
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=9)
        figure.savefig(IMAGES / "races.png", dpi=110)
        plt.close(figure)


def _draw(axes: Any, title: str, runs: Sequence[Sequence[Any]]) -> None:
    for (label, colour, marker), of in zip(STYLES, runs, strict=True):
        points = envelope(of)
        axes.loglog(*zip(*points, strict=True), marker=marker, color=colour, label=label, markersize=4, linewidth=1.2)
    axes.set_title(title, fontsize=9)
    axes.set_xlim(1e-1, 1e-13)
    axes.tick_params(labelsize=7)
    axes.grid(alpha=0.3, which="major")
