"""What the command line says is in the words of problem files and options, not of Python."""

from __future__ import annotations

import json
import re

import pytest

pytest.importorskip("typer")
from typer.testing import CliRunner

from transnet.cli.app import app
from transnet.errors import EstimateWarning, Message
from transnet.files.words import FILES as FILES_WORDS
from transnet.files.words import told
from transnet.remedies import PYTHON as PYTHON_WORDS

PYTHON = re.compile(r"\btn\.|sympy\.|\w=\.\.\.|neurons=|where=|guess=|problem,|Derivative\(")
BOX = 'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'
BAR = 'coordinates = ["x", "t"]\nunknowns = ["u"]\ndomain = "Interval(x=(0, 1)) * Interval(t=(0, 1))"\n'
ROD = 'coordinates = ["x"]\nunknowns = ["u"]\ndomain = "Interval(x=(0, 1))"\n'
FILES = {
    "no velocity": (BAR + 'equations = "u_tt = u_xx"\nconditions = ["u = 0 on sides", "u = sin(pi*x) on t=0"]',
                    'the condition "u_t = 0 on t=0"'),
    "no level": (BOX + 'equations = "laplacian(u) = 0"\nconditions = ["dn(u) = 0 on boundary"]', '"mean(u) = 0"'),
    "a jump": (BOX + 'equations = "div(where(x + y < 1, 1, 9)*grad(u)) = 1"\nconditions = ["u = 0 on boundary"]',
               "their sizes follow from the tolerance"),
    "a jump along a curve": (BOX + 'equations = "div(where(sin(9*x) + y < 1, 1, 9)*grad(u)) = 1"\n'
                           'conditions = ["u = 0 on boundary"]', "the domain of [pieces]"),
    "a corner": (BOX + 'equations = "laplacian(u) = 0"\nconditions = ["u = 0 on left", "u = 1 on top", '
                 '"u = 0 on right", "u = 0 on bottom"]', "with 'where'"),
    "a contradiction": (BOX + 'equations = "laplacian(u) = 0"\nconditions = ["u = 0 on boundary", "u = 1 on top"]',
                        "with 'where', or to other parts"),
    "too small": (BOX + 'equations = "laplacian(u) = 1000*sin(40*x*y)"\nconditions = ["u = 0 on boundary"]',
                  "let the network grow: --tol 1e-06"),
    "no convergence": (ROD + 'equations = "u_xx + 20*exp(u) = 0"\nconditions = ["u = 0 on boundary"]',
                       "Try another guess, or a continuation, in [solve]"),
    "no guess": (ROD + 'equations = "u_xx = sqrt(u - 100)"\nconditions = ["u = 1 on boundary"]',
                 "such as guess = x**2 in [solve]"),
    "nowhere": (BOX + 'equations = "laplacian(u) = 0"\nconditions = ["u = 0 on top where x > 5"]',
                "satisfies x > 5"),
    "picard": (ROD + 'equations = "lagged(u)*u_x + u**2 = 1"\nconditions = ["u = 0 on x=0"]\n'
               '[solve]\nstrategy = "picard"',
               'or use strategy = "newton" in [solve]'),
}  # fmt: skip


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *arguments: CliRunner().invoke(app, [str(a) for a in arguments])


@pytest.mark.parametrize("name", FILES)
def test_a_message_speaks_of_the_file(run, tmp_path, name):
    text, words = FILES[name]
    (tmp_path / "p.toml").write_text(text)
    done = run("solve", "p.toml", "--neurons", 40)
    assert done.exit_code in (1, 2), done.output
    told = [line for line in done.output.splitlines() if "warning: " in line or "error: " in line]
    assert any(words in line for line in told), done.output
    assert not [line for line in told if PYTHON.search(line)]
    told = json.loads(run("solve", "p.toml", "--neurons", 40, "--json").stdout)
    texts = [told["error"]["message"]] if "error" in told else told["warnings"]
    assert any(words in t for t in texts)
    assert not [t for t in texts if PYTHON.search(t)]


def test_what_a_tolerance_did_not_reach_is_in_the_json_too(run, tmp_path):
    (tmp_path / "p.toml").write_text(ROD + 'equations = "u_xx = 1e4*sin(800*x)"\nconditions = ["u = 0 on boundary"]')
    told = json.loads(run("solve", "p.toml", "--tol", "1e-16", "--json").stdout)
    assert told["exit_code"] == 1
    assert any("tolerance 1.0e-16 was not reached" in t for t in told["warnings"])


def test_every_remedy_has_words_for_programs_and_for_files():
    assert set(PYTHON_WORDS) == set(FILES_WORDS)
    message = Message(EstimateWarning, "Too few.", {"neurons": 800})
    assert str(message) == "Too few. Use more neurons: tn.solve(problem, neurons=800)."
    assert told(message) == "Too few. Use more neurons: --neurons 800."


@pytest.mark.parametrize("name", ["no velocity", "a corner", "a contradiction"])
def test_what_needs_no_solve_is_told_by_check(run, tmp_path, name):
    text, words = FILES[name]
    (tmp_path / "p.toml").write_text(text)
    done = run("check", "p.toml")
    assert done.exit_code == 1, done.output
    assert words in done.output
    asked = run("check", "p.toml", "--json")
    told = json.loads(asked.stdout)
    assert asked.exit_code == told["exit_code"] == 1
    assert not told["ok"]
    assert any(words in t for t in told["warnings"])


@pytest.mark.parametrize("conditions", ["", "conditions = []"])
def test_a_file_without_conditions_does_not_pass_the_check(run, tmp_path, conditions):
    (tmp_path / "p.toml").write_text(ROD + f'equations = "u_xx = 1"\n{conditions}')
    done = run("check", "p.toml")
    assert done.exit_code == 1, done.output
    assert "does not determine u" in done.output


def test_a_sweep_of_a_billion_values_is_refused_before_they_are_made(run, tmp_path):
    (tmp_path / "p.toml").write_text(
        ROD + 'equations = "u_xx = k"\nconditions = ["u = 0 on boundary"]\n[parameters]\nk = 1\n'
    )
    done = run("sweep", "p.toml", "--set", "k=1:10:1000000000")
    assert done.exit_code == 2
    assert "1000000000 solves" in done.output


def test_a_command_of_another_program_is_answered_with_ours(run):
    assert "Did you mean 'solve'" in run("run", "p.toml").stderr
