"""The report: run what is missing, draw every figure, write the page and its data."""

from __future__ import annotations

import csv
import importlib
import importlib.util
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, strftime
from typing import Any

import transnet
from transnet.paper import plan as plans
from transnet.paper.execute import execute, without_stages
from transnet.paper.figures.drawing import Figure, screenless
from transnet.paper.figures.times import machine
from transnet.paper.page import page
from transnet.paper.plan import ReportPlan
from transnet.paper.results import Results
from transnet.paper.store import OutputError, Store

FIGURES = (
    "glance", "decay", "times", "efficiency", "kept", "solutions", "reparameterisation", "landscapes", "realisations",
    "densities", "placements", "corrections",
)  # fmt: skip
"""The figures in the order of the page; each is a module with a function `make(results)`."""
Tell = Callable[[str], None]


def write_report(
    out: Path | str,
    full: bool = False,
    processes: int | None = None,
    tell: Tell = lambda text: None,
    plan: ReportPlan | None = None,
) -> Path:
    """Write the report to a folder and return the path of its page.

    Parameters
    ----------
    out : path
        The folder. Finished solves are kept in it and not solved again.
    full : bool
        All at the paper's sizes instead of what takes about three minutes.
    processes : int, optional
        Solves at a time; one for each core by default.
    tell : callable
        Called with a line of text at every step.
    plan : ReportPlan, optional
        Other sizes.
    """
    start = perf_counter()
    screenless()
    store = Store(out)
    chosen = plan or (plans.full() if full else plans.reduced())
    notes = list(chosen.reductions)
    torch = importlib.util.find_spec("torch") is not None
    jobs = [j for j in chosen.jobs if torch or not j.trained]
    if len(jobs) < len(chosen.jobs):
        hint = "PyTorch is not installed, so no PINN is trained: pip install 'transnet-pde[pinn]'"
        tell(hint)
        notes.append(f"{hint}.")
    missing = without_stages([j for j in jobs if j not in store])
    tell(f"{len(jobs)} solves, of which {len(jobs) - len(missing)} are here already")
    execute(jobs, store, _Counter(len(missing), tell), processes)
    results = Results(chosen, store, torch)
    figures = []
    for name in FIGURES:
        tell(f"figure: {name}")
        module = importlib.import_module(f"transnet.paper.figures.{name}")
        figures.append(module.make(results))
    foot = (
        f"transnet {transnet.__version__}, {strftime('%Y-%m-%d')}, {machine()}. Written in "
        f"{perf_counter() - start:.0f} s, of {len(results.records)} solves."
    )
    try:
        for figure in figures:
            write_data(Path(out) / "data", figure)
        target = Path(out) / "index.html"
        target.write_text(page(figures, notes, foot), encoding="utf-8")
    except OSError as error:
        raise OutputError(f"The report cannot be written to '{out}': {error.strerror or error}.") from error
    return target


def write_data(folder: Path, figure: Figure) -> None:
    """The data of a figure as CSV files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in figure.data.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(rows)


class _Counter:
    """Prints the progress of the solves."""

    def __init__(self, total: int, tell: Tell) -> None:
        self.total, self.tell, self.done = total, tell, 0

    def __call__(self, record: dict[str, Any]) -> None:
        self.done = min(self.done + 1, max(self.total, 1))
        self.tell(
            f"[{self.done}/{self.total}] {record['case']} {record['method']} {record['neurons']} neurons: "
            f"MSE {record['mse']:.1e}, {record['seconds']['total']:.2f} s"
        )
