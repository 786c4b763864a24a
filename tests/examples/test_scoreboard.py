"""Every problem of the scoreboard is a short file, reaches what it states, and the page is made of kept rows."""

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("scoreboard", ROOT / "benchmarks" / "scoreboard.py")
board = importlib.util.module_from_spec(spec)
spec.loader.exec_module(board)
LINES = 40
HOLDS = 5
"""An estimate holds if the error is at most this many times as large; a file that states more says so on the page."""
SLOW = {name for name in board.NAMES if {"SLOW", "UNSOLVED"} & set(vars(board.loaded(name)))}
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
    assert row.get("unsolved") == getattr(module, "UNSOLVED", None)
    if "unsolved" in row:
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


def test_a_kept_reference_is_better_than_what_it_judges():
    kept = board.kept()
    for name in set(kept) & set(board.NAMES):
        assert kept[name]["uncertainty"] < board.loaded(name).ACCURACY / 10
