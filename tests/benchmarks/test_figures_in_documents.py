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
    assert f"{len(kept['base'])} problems" in page


def test_the_front_page_and_the_readme_have_the_same_figures():
    readme, front = ((ROOT / name).read_text() for name in ("README.md", "docs/index.md"))
    rows = [line for line in front.splitlines() if re.match(r"^\|.*\d", line)]
    assert rows
    assert [row for row in rows if row not in readme] == []


def test_the_comparison_with_deepxde_has_the_figures_of_its_table():
    table = json.loads((ROOT / "benchmarks" / "tables.json").read_text())["deepxde"]
    row = dict(zip(table["header"], next(r for r in table["rows"] if r[0] == "C1"), strict=True))
    text = " ".join((ROOT / "docs" / "howto" / "from-deepxde.md").read_text().split())
    told = re.search(r"takes (\d+) s to a mean square error of ([\d.e-]+) .* Here (\d+) neurons take ([\d.]+) s", text)
    assert told is not None
    assert (int(told[1]), int(told[3])) == (round(row["its seconds"]), row["our neurons"])
    assert abs(float(told[2]) / row["its MSE"] - 1) < 0.05
    assert abs(float(told[4]) / row["our seconds"] - 1) < 0.05


def test_the_readme_counts_the_rows_of_the_scoreboard():
    kept = json.loads((ROOT / "benchmarks" / "scoreboard.json").read_text())
    told = re.search(r"has (\d+) problems of PINNacle", " ".join((ROOT / "README.md").read_text().split()))
    assert told is not None
    assert int(told[1]) == len(kept)


def test_the_sentence_below_the_evolutions_counts_its_table():
    page = (ROOT / "docs" / "theory" / "slabs.md").read_text()
    measured = page.partition("<!-- measured -->")[2].partition("<!-- end of measured -->")[0]
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in measured.splitlines() if line.startswith("|")]
    errors = [(float(row[3]), float(row[5])) for row in cells[2:]]
    within = sum(
        0.1 <= estimate / max(error, 1e-13) <= 10 or max(error, estimate) < 1e-12 for error, estimate in errors
    )
    told = re.search(r"in (\d+) of these (\d+) cases", measured)
    assert told is not None
    assert (int(told[1]), int(told[2])) == (within, len(errors))
