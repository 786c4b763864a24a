"""All cases at one size: the published errors and those computed here. README quotes them."""

from __future__ import annotations

from typing import Any

from transnet.paper.cases import NAMES, case
from transnet.paper.figures.decay import median
from transnet.paper.figures.drawing import Figure, table
from transnet.paper.kept import read_kept
from transnet.paper.results import Results

SIZE = {2: 500, 3: 1000}
"""Neurons by the number of coordinates."""
OTHERS = {
    "published": "TransNet, the authors' recipe",
    "random-features": "random features",
    "pinn-adam-lbfgs": "PINN, Adam + L-BFGS",
}


def make(results: Results) -> Figure:
    """One table: a line for this library, and for each other method the published errors and those computed here."""
    kept, _ = read_kept()
    rows: list[tuple[Any, ...]] = [("mean square error", "", *NAMES), ("", "neurons", *(_size(n) for n in NAMES))]
    rows.append(("this library", "here", *(_here(results, n, "transnet", _size(n)) for n in NAMES)))
    for method, text in OTHERS.items():
        trained = method.startswith("pinn")
        published, again = [], []
        for name in NAMES:
            curve = dict(results.published_curve(name, method))
            size = _size(name)
            published.append(f"{curve[size]:.1e}" if size in curve else "")
            wanted = (name, method, 100 if trained else size)
            old = [f"{r['mse']:.1e}" for r in kept if (r["case"], r["method"], r["neurons"]) == wanted]
            here = "" if trained else _here(results, name, method, size)
            again.append(here or (f"{old[0]} *" if old else ""))
        rows.append((text, "published", *published))
        rows.append((text, "100 neurons" if trained else "here", *again))
    return Figure(
        "glance",
        "The nine cases at a glance",
        "Mean square errors at 10,000 random points, medians over the seeds. With a star: kept with the library "
        "instead of made by this run, with one seed; the PINNs with 5000 + 200 steps.",
        body=table(rows, "table-glance", heads=2),
        data={"glance": rows},
    )


def _size(name: str) -> int:
    return SIZE[case(name).problem.domain.dimension]


def _here(results: Results, name: str, method: str, size: int) -> str:
    found = results.of(name, method).get(size)
    return f"{median(found):.1e}" if found else ""
