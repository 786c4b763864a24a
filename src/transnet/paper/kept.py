"""Results kept with the library: baselines at the paper's sizes, which take hours to compute."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from typing import Any

COLUMNS = ("case", "method", "neurons", "seed", "adam_steps", "lbfgs_steps", "mse", "max_error", "relative_l2")
DATA, ABOUT = "kept.csv", "kept.json"
Record = dict[str, Any]


def read_kept() -> tuple[list[Record], dict[str, str]]:
    """The kept results and their origin: machine, date and version."""
    folder = files("transnet.paper") / "data"
    rows = csv.DictReader(io.StringIO((folder / DATA).read_text(encoding="utf-8")))
    whole, real = COLUMNS[2:6], COLUMNS[6:]
    found = [{**r, **{k: int(r[k]) for k in whole}, **{k: float(r[k]) for k in real}} for r in rows]
    return found, json.loads((folder / ABOUT).read_text(encoding="utf-8"))
