"""Results kept with the library: baselines at the paper's sizes, which take hours to compute."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any

BASELINES = ("published", "random-features", "pinn-adam", "pinn-adam-lbfgs")
"""The methods whose results are kept; those of the library itself are computed each time."""
COLUMNS = ("case", "method", "neurons", "seed", "adam_steps", "lbfgs_steps", "mse", "max_error", "relative_l2")
DATA, ABOUT = "kept.csv", "kept.json"
Record = dict[str, Any]


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


def read_kept() -> tuple[list[Record], dict[str, str]]:
    """The kept results and their origin: machine, date and version."""
    folder = files("transnet.paper") / "data"
    rows = csv.DictReader(io.StringIO((folder / DATA).read_text(encoding="utf-8")))
    whole, real = COLUMNS[2:6], COLUMNS[6:]
    found = [{**r, **{k: int(r[k]) for k in whole}, **{k: float(r[k]) for k in real}} for r in rows]
    return found, json.loads((folder / ABOUT).read_text(encoding="utf-8"))
