"""The paper's comparison at the paper's sizes: baselines that were run once to the end, and are kept."""

from __future__ import annotations

from transnet.paper.cases import NAMES, case
from transnet.paper.figures.drawing import Figure, table
from transnet.paper.kept import Record, read_kept
from transnet.paper.results import Results
from transnet.paper.run import METHODS

WIDTH = 100
"""Of the PINNs that are kept."""


def make(results: Results) -> Figure:
    """The table of the kept errors."""
    records, about = read_kept()
    linear_names = [METHODS[m] for m in ("published", "random-features")]
    rows = [["case", "neurons", *linear_names, "PINN, Adam", "PINN, Adam + L-BFGS"]]
    for name in NAMES:
        for neurons in case(name).neurons:
            linear = [cell(records, name, m, neurons) for m in ("published", "random-features")]
            if any(linear):
                rows.append([name, str(neurons), *linear, "", ""])
        trained = [cell(records, name, m, WIDTH) for m in ("pinn-adam", "pinn-adam-lbfgs")]
        first = next((k for k, row in enumerate(rows) if row[0] == name), None)
        if first is not None:
            rows[first][4:] = [text or "not run" for text in trained]
    return Figure(
        "kept",
        "The baselines at the paper's sizes (kept)",
        f"Mean square errors with seed 0. These were not made by this run: they are kept with the library, from "
        f"{about['date']}, transnet {about['version']}, {about['machine']}. The PINNs have {WIDTH} neurons, "
        f"{about['steps']}; they stand in the first line of each case. What says 'not run' has not been run to its "
        f"end; 'transnet paper report --full' does.",
        body=table(rows, "table-kept"),
        data={"kept": rows},
    )


def cell(records: list[Record], name: str, method: str, neurons: int) -> str:
    """The mean square error of one solve, or nothing."""
    found = [r for r in records if (r["case"], r["method"], r["neurons"], r["seed"]) == (name, method, neurons, 0)]
    return f"{found[0]['mse']:.1e}" if found else ""
