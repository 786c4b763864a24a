"""Keep the baselines of a report with the library, beside those kept before: python benchmarks/keep.py report"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from time import strftime

import transnet
from transnet.paper.figures.times import machine
from transnet.paper.kept import ABOUT, COLUMNS, DATA, Record, read_kept

BASELINES = ("published", "random-features", "pinn-adam", "pinn-adam-lbfgs")
"""The methods whose results are kept; those of the library itself are computed each time."""
STEPS = ((5000, 0), (5000, 200), (0, 0))
"""Adam's and L-BFGS steps of the results that are kept."""


def write_kept(records: Iterable[Record], folder: Path, about: dict[str, str]) -> int:
    """Write the results of the baselines among records, and return their number.

    Times are left out: they belong to a machine that may have had other work.
    """
    chosen = [r for r in records if r["method"] in BASELINES]
    chosen.sort(key=lambda r: (r["case"], BASELINES.index(r["method"]), r["neurons"], r["seed"]))
    with (folder / DATA).open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(COLUMNS)
        for r in chosen:
            steps = r.get("steps", {})
            errors = [f"{r[key]:.6e}" for key in COLUMNS[-3:]]
            rows.writerow([*(r[key] for key in COLUMNS[:4]), steps.get("adam", 0), steps.get("lbfgs", 0), *errors])
    (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    return len(chosen)


def merged(old: Iterable[Record], new: Iterable[Record]) -> list[Record]:
    """The results kept before and new ones, which replace older ones of the same solve."""
    steps = ({**r, "steps": {"adam": r["adam_steps"], "lbfgs": r["lbfgs_steps"]}} for r in old)
    return list({(r["case"], r["method"], r["neurons"], r["seed"]): r for r in (*steps, *new)}.values())


def main(folder: Path) -> None:
    about = {
        "date": strftime("%Y-%m-%d"),
        "version": transnet.__version__,
        "machine": f"{machine()}, one thread for each solve",
        "steps": "trained by 5000 steps of Adam, then 200 of L-BFGS",
    }
    every = [json.loads(line) for line in (folder / "solves.jsonl").read_text(encoding="utf-8").splitlines()]
    chosen = [r for r in every if tuple(r.get("steps", {"adam": 0, "lbfgs": 0}).values()) in STEPS]
    to = Path(str(files("transnet.paper") / "data"))
    print(f"{write_kept(merged(read_kept()[0], chosen), to, about)} results kept in {to}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
