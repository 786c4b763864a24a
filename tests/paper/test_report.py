"""The report: written from a small plan, opened in a browser, and compared with its data."""

import csv
import importlib.util
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from transnet.paper import report as writing
from transnet.paper.cases import NAMES
from transnet.paper.plan import Landscape, ReportPlan
from transnet.paper.report import FIGURES, write_report
from transnet.paper.run import Job

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--enable-logging=stderr", "--dump-dom",
)  # fmt: skip
PANELS = {
    "glance": 0, "decay": 9, "times": 0, "efficiency": 9, "kept": 0, "solutions": 18, "reparameterisation": 6,
    "landscapes": 2, "realisations": 6, "densities": 4, "placements": 7, "corrections": 0,
}  # fmt: skip


def small() -> ReportPlan:
    trained = Job("C1", "pinn-adam-lbfgs", 20, 0, 5, 1)
    jobs = [Job(c, m, n) for c in NAMES for m in ("transnet", "random-features") for n in (30, 60) if c != "C6"]
    jobs += [Job("C6", "transnet", 30), Job("C1", "published", 30), Job("C1", "pinn-adam", 20, 0, 5), trained]
    return ReportPlan(
        jobs=tuple(jobs), landscapes=(Landscape(2, 0.5, (100,)), Landscape(2, 1.0, (100,))), realisations=2, shapes=4,
        grid={2: 20}, fit_neurons=150, pictures=dict.fromkeys(NAMES, 60), densities={"C1": trained},
        reductions=("Everything is tiny.",),
    )  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("report")
    lines = []
    page = write_report(folder, plan=small(), processes=1, tell=lines.append)
    return page, lines


class Tables(HTMLParser):
    """The cells of every table, by its id, and the pictures of every section."""

    def __init__(self):
        super().__init__()
        self.tables, self.pictures, self.section, self.table, self.cell = {}, {}, None, None, None

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag == "section":
            self.section = names["id"]
            self.pictures[self.section] = 0
        elif tag == "svg" and names.get("role") == "img":
            self.pictures[self.section] += 1
        elif tag == "table":
            self.table = self.tables[names["id"]] = []
        elif tag == "tr":
            self.table.append([])
        elif tag in ("th", "td"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("th", "td"):
            self.table[-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


def opened(page, folder):
    """The document after the browser has loaded it, and what its console said."""
    if BROWSER is None:
        pytest.skip("no Chromium here: the page is not opened in a browser")
    environment = {**os.environ, "HOME": str(folder)}
    result = subprocess.run(
        [BROWSER, *FLAGS, f"--user-data-dir={folder}", page.as_uri()],
        capture_output=True, text=True, timeout=120, env=environment, check=True,
    )  # fmt: skip
    return result.stdout, [line for line in result.stderr.splitlines() if "CONSOLE" in line]


def read(html):
    found = Tables()
    found.feed(html)
    return found


def check_page(html, folder):
    found = read(html)
    assert list(found.pictures) == list(FIGURES)
    assert found.pictures == PANELS
    for name in ("glance", "times", "errors", "kept", "corrections"):
        with (folder / "data" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            assert found.tables[f"table-{name}"] == list(csv.reader(file))


def test_the_page_has_every_figure_and_its_tables_equal_the_data(report):
    page, _ = report
    check_page(page.read_text(encoding="utf-8"), page.parent)


def test_the_page_opens_in_a_browser_without_a_word_on_the_console(report, tmp_path):
    html, console = opened(report[0], tmp_path)
    assert console == []
    check_page(html, report[0].parent)


def test_the_browser_test_would_notice_an_error(tmp_path):
    page = tmp_path / "bad.html"
    page.write_text("<!doctype html><script>nonsense()</script>")
    assert opened(page, tmp_path / "profile")[1]


def test_the_page_needs_nothing_but_itself(report):
    html = report[0].read_text(encoding="utf-8")
    outside = re.findall(r'(?:src|href)="((?!#|data).*?)"', html)
    assert outside == []
    for link in set(re.findall(r'href="(data/.*?)"', html)):
        assert (report[0].parent / link).exists()
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_the_page_follows_the_readers_colours_and_width(report):
    html = report[0].read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in html
    assert "width=device-width" in html
    assert "#010203" not in html
    assert "Everything is tiny." in html


def test_progress_is_told_and_nothing_is_solved_twice(report, tmp_path, monkeypatch):
    page, lines = report
    assert any(re.match(r"\[1/\d+\] C\d", line) for line in lines)
    again = []
    monkeypatch.setattr(writing, "FIGURES", ("corrections",))
    (tmp_path / "solves.jsonl").write_text((page.parent / "solves.jsonl").read_text())
    write_report(tmp_path, plan=small(), processes=1, tell=again.append)
    assert not any(line.startswith("[") for line in again)


def test_without_torch_the_page_says_so(report, tmp_path, monkeypatch):
    monkeypatch.setattr(writing, "FIGURES", ("corrections",))
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "torch" else find(name, *a))
    (tmp_path / "solves.jsonl").write_text((report[0].parent / "solves.jsonl").read_text())
    html = write_report(tmp_path, plan=small(), processes=1).read_text(encoding="utf-8")
    assert "pip install 'transnet-pde[pinn]'" in html
