"""Figures in README and on the pages are those of the tables that were measured."""

import importlib.util
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tables_of_the_readme_are_those_that_are_kept():
    spec = importlib.util.spec_from_file_location("front", ROOT / "benchmarks" / "front.py")
    front = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(front)
    text = (ROOT / "README.md").read_text("utf-8")
    assert front.front(text) == text
    one = front.races({"1 a": {"0.0001": 2.0, "1e-06": 1.0, "1e-09": 0.5}})
    assert "| 1e-4 | 2 (a) | **2** | 2 (a) | 1 of 1 |" in one
    assert "| 0 of 1 |" in one


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
