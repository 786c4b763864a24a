"""Figures in README and on the pages are those of the tables that were measured."""

import json
import re
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]


def test_the_random_races_of_the_readme_are_those_that_are_kept():
    kept = json.loads((ROOT / "benchmarks" / "generic.json").read_text())
    text = " ".join((ROOT / "README.md").read_text().split())
    told = re.search(r"the median of (\w+),.{0,20} is ([\d.]+) at 1e-4, ([\d.]+) at 1e-6 and ([\d.]+) at 1e-9", text)
    assert told is not None
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    assert told[1] in (str(len(kept)), *words[len(kept) : len(kept) + 1])
    for goal, figure in zip(("0.0001", "1e-06", "1e-09"), told.groups()[1:], strict=True):
        median = float(np.median([row[goal] for row in kept.values()]))
        digits = len(figure.partition(".")[2])
        assert abs(float(figure) - median) <= 0.5 * 10.0**-digits + 1e-9, (goal, figure, median)


def test_the_page_of_the_ablation_has_the_rows_that_are_kept():
    kept = json.loads((ROOT / "benchmarks" / "ablation.json").read_text())
    page = (ROOT / "docs" / "ablation.md").read_text()
    assert all(row in page for row in kept["rows"])
    for name, (seconds, error, estimate) in kept["base"].items():
        assert f"| {name} | {seconds:.3f} | {error:.1e} | {estimate:.1e} |" in page


def test_the_front_page_and_the_readme_have_the_same_figures():
    readme, front = ((ROOT / name).read_text() for name in ("README.md", "docs/index.md"))
    rows = [line for line in front.splitlines() if re.match(r"^\|.*\d", line)]
    assert rows
    assert [row for row in rows if row not in readme] == []
