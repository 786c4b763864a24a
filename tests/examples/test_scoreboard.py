"""Every problem of the scoreboard is a short file, reaches what it states, and the page is made of kept rows."""

import importlib.util
import json
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def program(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


board, front = program("scoreboard"), program("front")
LINES = 40
HOLDS = 5
"""An estimate holds if the error is at most this many times as large; a file that states more says so on the page."""
SLOW = {name for name in board.NAMES if hasattr(board.loaded(name), "SLOW")}
"""Problems of more than a few seconds, or beyond this library: only `make scoreboard` solves them."""


def allowed(name, estimate):
    """The error that an estimate allows: a few times as much, and what the reference may be off."""
    return getattr(board.loaded(name), "HOLDS", HOLDS) * estimate + board.kept().get(name, {}).get("uncertainty", 1e-13)


@pytest.mark.parametrize("name", [name for name in board.NAMES if name not in SLOW])
def test_the_problem_is_solved_to_what_it_states(name):
    module = board.loaded(name)
    solution = board.solved(module)
    error, _ = board.error_of(name, module, solution)
    assert error < module.ACCURACY
    assert error < allowed(name, solution.error)


@pytest.mark.parametrize("name", board.NAMES)
def test_the_kept_row_is_what_the_file_states(name):
    assert len((board.FOLDER / f"{name}.py").read_text("utf-8").splitlines()) <= LINES
    module = board.loaded(name)
    (row,) = [row for row in json.loads(board.ROWS.read_text("utf-8")) if row["name"] == name]
    assert row["tol"] == module.TOL
    if "unsolved" in row:
        assert name in SLOW
        assert module.problem.conditions
        return
    assert row["error"] < module.ACCURACY
    assert row["error"] < allowed(name, row["estimate"])


def test_the_page_is_made_of_the_kept_rows():
    rows = json.loads(board.ROWS.read_text("utf-8"))
    assert [row["name"] for row in rows] == board.NAMES
    assert board.PAGE.read_text("utf-8") == board.page(rows)
    for row in rows:
        assert row["version"]
        assert row["date"]


def test_the_tables_of_readme_and_paper_are_made_of_the_kept_rows():
    for file, made in ((front.README, front.front), (front.PAPER, front.paper)):
        assert file.read_text("utf-8") == made(file.read_text("utf-8"))


def test_a_run_goes_on_with_the_rows_that_are_left(monkeypatch, tmp_path):
    monkeypatch.setattr(board, "ROWS", tmp_path / "rows.json")
    begun = []

    def apart(name):
        begun.append(name)
        figures = {"error": 1e-9, "estimate": 1e-9, "processor": 1.0, "whole": 2}
        return {**board.stated(name), **figures, "code": board.code(name)}

    monkeypatch.setattr(board, "apart", apart)
    names = ["fastlsq_bratu", "fastlsq_fredholm", "fastlsq_helmholtz"]
    board.run(names[:2], 2, False)
    board.run(names, 2, False)
    assert sorted(begun) == names
    board.run(names[:1], 1, True)
    assert sorted(begun) == sorted([*names, names[0]])
    assert [row["name"] for row in json.loads(board.ROWS.read_text("utf-8"))] == names


def test_a_problem_without_an_answer_in_time_is_not_solved(monkeypatch):
    monkeypatch.setattr(board, "SECONDS", 0)
    ended = subprocess.CompletedProcess([], -signal.SIGXCPU, "", "")
    monkeypatch.setattr(board.subprocess, "run", lambda *a, **k: ended)
    assert "no answer after 0 seconds" in board.apart("fastlsq_bratu")["unsolved"]
    failed = subprocess.CompletedProcess([], 1, "", "Traceback\ntransnet.errors.ProblemError: The domain is empty.\n")
    monkeypatch.setattr(board.subprocess, "run", lambda *a, **k: failed)
    assert board.apart("fastlsq_bratu")["unsolved"] == "The domain is empty"


def test_a_kept_reference_is_better_than_what_it_judges():
    kept = board.kept()
    for name in set(kept) & set(board.NAMES):
        assert kept[name]["uncertainty"] < board.loaded(name).ACCURACY / 10
