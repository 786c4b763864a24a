"""The decay of the MSE with the number of neurons, all methods, beside the published curves (paper, figure 4)."""

from __future__ import annotations

from typing import Any

import numpy as np

from transnet.paper.cases import NAMES
from transnet.paper.figures.drawing import COLOURS, MARKERS, Figure, Panel, legend, panel
from transnet.paper.kept import Record, read_kept
from transnet.paper.results import Results
from transnet.paper.run import METHODS


def cpu_of(record: dict[str, Any]) -> float:
    """The processor seconds; wall-clock seconds for records of older reports."""
    return float(record.get("cpu", record["seconds"]["total"]))


def median(records: list[dict[str, Any]], key: str = "mse") -> float:
    """The median over the seeds of a record's number."""
    return float(np.median([cpu_of(r) if key == "seconds" else r[key] for r in records]))


def make(results: Results) -> Figure:
    """One panel per case."""
    kept, _ = read_kept()
    rows: list[tuple[Any, ...]] = [("case", "method", "neurons", "mse", "published_mse")]
    for name in NAMES:
        for method in METHODS:
            there = dict(results.published_curve(name, method))
            here = {n: median(records) for n, records in results.of(name, method).items()}
            rows += [
                (name, method, n, f"{here[n]:.3e}" if n in here else "", f"{there[n]:.3e}" if n in there else "")
                for n in sorted(set(there) | set(here))
            ]
    return Figure(
        "decay",
        "Figure 4: the error against the number of neurons",
        "Mean square error at 10,000 random points (C6: mean over both velocities and the pressure). Solid with "
        "markers: computed here, median over the seeds, the range shaded. Open markers: kept. Dotted: "
        "published. The published recipe and "
        "the random features should lie on their dotted lines; a decade up or down is the scatter of a single draw.",
        tuple(_panel(results, name, kept) for name in NAMES),
        entries(results),
        20.0,
        {"decay": rows, "solves": _solves(results)},
    )


def entries(results: Results, here: bool = False) -> str:
    """The legend of the methods, on request without those that were not computed here."""
    made = [(COLOURS[m], "solid", text) for m, text in METHODS.items() if results.trained or not m.startswith("pinn")]
    others = [("currentColor", "open", "kept"), ("currentColor", "dotted", "published, in the same colours")]
    return legend([*made, *([] if here else others)])


def _panel(results: Results, name: str, kept: list[Record]) -> Panel:
    def draw(figure: Any, axes: Any) -> None:
        for method, colour in COLOURS.items():
            curve = results.published_curve(name, method)
            if curve:
                axes.plot(*zip(*curve, strict=True), color=colour, linestyle=":", linewidth=1.3)
            found = results.of(name, method)
            if found:
                sizes = list(found)
                values = [[r["mse"] for r in found[n]] for n in sizes]
                axes.fill_between(sizes, [min(v) for v in values], [max(v) for v in values], color=colour, alpha=0.18)
                middle = [float(np.median(v)) for v in values]
                axes.plot(sizes, middle, color=colour, marker=MARKERS[method])
            trained = method.startswith("pinn")
            mine = [r for r in kept if r["case"] == name and r["method"] == method]
            shown = [(r["neurons"], r["mse"]) for r in mine if trained or r["neurons"] not in found]
            if shown:
                axes.plot(
                    *zip(*shown, strict=True), color=colour, marker=MARKERS[method], markerfacecolor="none", linewidth=0
                )
        axes.set(yscale="log", xlabel="neurons", ylabel="MSE")

    return panel(results.title(name), draw)


def _solves(results: Results) -> list[tuple[Any, ...]]:
    head = (
        "case",
        "method",
        "neurons",
        "seed",
        "mse",
        "max_error",
        "relative_l2",
        "rank",
        "assemble",
        "solve",
        "total",
        "cpu",
    )
    rows: list[tuple[Any, ...]] = [head]
    for r in sorted(results.records, key=lambda r: (r["case"], r["method"], r["neurons"], r["seed"])):
        s = r["seconds"]
        rows.append((*(r[k] for k in head[:8]), s["assemble"], s["solve"], s["total"], cpu_of(r)))
    return rows
