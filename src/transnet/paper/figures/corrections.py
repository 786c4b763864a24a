"""The corrections to the paper: the table in `data/corrections.csv`."""

from __future__ import annotations

import csv
from importlib.resources import files

from transnet.paper.figures.drawing import Figure, table
from transnet.paper.results import Results


def make(results: Results) -> Figure:
    """The table of corrections."""
    text = (files("transnet.paper") / "data" / "corrections.csv").read_text(encoding="utf-8")
    rows = list(csv.reader(text.splitlines()))
    return Figure(
        "corrections",
        "What had to be corrected",
        "Where the text of the paper, its formulas and its authors' code disagree, this is what was used.",
        body=table(rows, "table-corrections"),
        data={"corrections": rows},
    )
