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


@pytest.mark.parametrize("name", board.NAMES)
def test_the_problem_is_solved_to_what_it_states(name):
    assert len((board.FOLDER / f"{name}.py").read_text("utf-8").splitlines()) <= LINES
    module = board.loaded(name)
    solution = board.solved(module)
    error, _ = board.error_of(name, module, solution)
    assert error < module.ACCURACY
    assert error < 5 * solution.error + 1e-13


def test_the_page_is_made_of_the_kept_rows():
    rows = json.loads(board.ROWS.read_text("utf-8"))
    assert [row["name"] for row in rows] == board.NAMES
    assert board.PAGE.read_text("utf-8") == board.page(rows)
    for row in rows:
        assert row["version"]
        assert row["date"]


def test_a_kept_reference_is_better_than_what_it_judges():
    for name, known in board.kept().items():
        assert known["uncertainty"] < board.loaded(name).ACCURACY / 10
