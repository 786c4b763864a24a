"""What is written: figures judged as they are shown, parts that are not run kept."""

import json
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import bench
import charts
import report
from report import Figure, Part


@pytest.fixture
def files(tmp_path, monkeypatch):
    for name, path in (("RESULTS", "results.json"), ("TABLES", "tables.json"), ("PAGE", "docs/benchmarks.md")):
        monkeypatch.setattr(report, name, tmp_path / path)
    return tmp_path


def part(*ratios, title="title", rows=None, keys=1):
    figures = [Figure(f"{title} {i}", ratio, 10) for i, ratio in enumerate(ratios)]
    return Part(title, ("case", "seconds"), rows or [("C1", 0.5)], figures, "a note", keys)


def results(files):
    return json.loads((files / "results.json").read_text())


def test_results_are_a_list_of_names_ratios_targets_and_whether_met(files):
    report.save("second", Part("d", ("x",), [(1,)], [Figure("cost", 1.4, 1.5, at_most=True), Figure("gain", 1.4, 1.5)]))
    assert results(files) == [
        {"name": "cost", "ratio": 1.4, "target": 1.5, "met": True},
        {"name": "gain", "ratio": 1.4, "target": 1.5, "met": False},
    ]


def test_a_part_that_is_not_run_keeps_what_it_had_and_parts_stand_in_their_order(files):
    report.save("second", part(60, title="d"))
    report.save("limit", part(1, title="a"))
    report.save("second", part(70, title="d"))
    assert [(r["name"], r["ratio"]) for r in results(files)] == [("a 0", 1), ("d 0", 70)]


def test_the_ratio_that_is_written_is_the_one_that_is_judged(files):
    report.save("limit", part(9.99999, 9.99))
    assert [(r["ratio"], r["met"]) for r in results(files)] == [(10.0, True), (9.99, False)]


def test_a_quick_run_replaces_only_what_it_measured(files):
    report.save("fem", part(5, 6, rows=[("C1", 1.0), ("C2", 2.0)]))
    report.save("fem", part(50, rows=[("C1", 3.0), ("C9", 4.0)]), merge=True)
    assert [r["ratio"] for r in results(files)] == [50, 6]
    assert json.loads((files / "tables.json").read_text())["fem"]["rows"] == [["C1", 3.0], ["C2", 2.0], ["C9", 4.0]]


def test_settings_are_never_mixed_in_one_table(files, monkeypatch):
    report.save("fem", part(5, 6, rows=[("C1", 1.0), ("C2", 2.0)]))
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "7")
    report.save("fem", part(50), merge=True)
    assert [r["ratio"] for r in results(files)] == [50]
    assert "7 thread(s)" in (files / "docs/benchmarks.md").read_text()


def test_the_page_shows_losses_and_names_the_machine_of_each_part(files, monkeypatch):
    report.save("limit", part(20.0, 3.0, rows=[("C1", np.float64(1.2e-5))]))
    monkeypatch.setattr(report, "CLOCK", "processor time")
    report.save("second", part(1.0))
    page = (files / "docs/benchmarks.md").read_text()
    assert "| title 1 | 3 | >= 10 |" in page
    assert "| title 0 | 20 |" not in page
    assert "1 of 3 are met" in page
    assert "| C1 | 1.2e-05 |" in page
    assert page.count("(setting ") == 2


def test_every_part_of_the_command_has_its_place_on_the_page():
    assert tuple(bench.PARTS) == report.ORDER
    assert set(bench.QUICK) < set(bench.PARTS)


def test_a_part_that_fails_stops_no_other_and_is_told(files, monkeypatch, capsys):
    def broken(**_):
        raise ValueError("no such mesh")

    modules = {"parts.limit": SimpleNamespace(run=broken), "parts.second": SimpleNamespace(run=lambda quick: part(60))}
    real = bench.importlib.import_module
    monkeypatch.setattr(bench.importlib, "import_module", lambda name: modules.get(name) or real(name))
    monkeypatch.setattr(bench, "use_threads", lambda number: None)
    monkeypatch.setattr("sys.argv", ["bench.py", "--only", "limit", "second"])
    with warnings.catch_warnings(), pytest.raises(SystemExit, match="limit"):
        bench.main()
    assert [r["ratio"] for r in results(files)] == [60]
    assert "no such mesh" in capsys.readouterr().err


def test_the_recorded_results_agree_with_the_recorded_tables():
    tables = json.loads(report.TABLES.read_text())
    figures = [report.rounded(Figure(**f)) for key in report.ORDER if key in tables for f in tables[key]["figures"]]
    recorded = json.loads(report.RESULTS.read_text())
    assert recorded == [{"name": f.name, "ratio": f.ratio, "target": f.target, "met": f.met} for f in figures]
    assert report.PAGE.read_text() == report.page(tables, figures)


def test_the_bars_are_those_of_the_kept_tables_and_say_who_did_not_get_there():
    tables = json.loads(report.TABLES.read_text())
    bars = charts.of_tools(tables)
    raced = {row[1]: row for row in tables["highorder"]["rows"] if row[0] == "Poisson, box (C1)"}
    assert [bar[0] for bar in bars[charts.OURS]] == [raced[goal][5] for goal in charts.GOALS]
    assert [bar[0] for bar in bars[charts.HIGH]] == [raced[goal][2] for goal in charts.GOALS]
    assert all(bar[1].startswith("ends at") for bar in bars["DeepXDE"])
    assert all(bar[0] > 0 for of in bars.values() for bar in of)
