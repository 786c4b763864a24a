"""The paper's comparison at the paper's sizes: baselines that were run once, and are kept."""

from __future__ import annotations

from transnet.paper.cases import NAMES, case
from transnet.paper.figures.drawing import Figure, table
from transnet.paper.kept import Record, read_kept
from transnet.paper.results import Results
from transnet.paper.run import METHODS

PINNS = ("pinn-adam", "pinn-adam-lbfgs")


def make(results: Results) -> Figure:
    """The table of the kept errors: a line for each method and number of neurons, a column for each case."""
    records, about = read_kept()
    sizes = sorted({n for name in NAMES for n in case(name).neurons})
    lines = [(m, n) for m in ("published", "random-features") for n in sizes]
    lines += [(m, w) for m in PINNS for w in sorted({r["neurons"] for r in records if r["method"] in PINNS})]
    rows = [["method", "neurons", *NAMES]]
    for method, neurons in lines:
        found = [cell(records, name, method, neurons) for name in NAMES]
        wanted = [method.startswith("pinn") or neurons in case(name).neurons for name in NAMES]
        rows.append(
            [
                METHODS[method],
                str(neurons),
                *(c or ("not run" if w else "") for c, w in zip(found, wanted, strict=True)),
            ]
        )
    return Figure(
        "kept",
        "Figure 4 at the paper's sizes: the baselines, kept",
        f"Mean square errors with seed 0. These were not computed by this run: they are kept with the library, from "
        f"{about['date']}, transnet {about['version']}, {about['machine']}. The PINNs are {about['steps']}. What says "
        f"'not run' has not been run to its end; 'transnet paper report --full' does.",
        body=table(rows, "table-kept", heads=2),
        data={"kept": rows},
    )


def cell(records: list[Record], name: str, method: str, neurons: int) -> str:
    """The mean square error of one solve, or nothing."""
    found = [r for r in records if (r["case"], r["method"], r["neurons"], r["seed"]) == (name, method, neurons, 0)]
    return f"{found[0]['mse']:.1e}" if found else ""
