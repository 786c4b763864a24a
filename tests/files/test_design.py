"""Problem files that optimise, sweep and propagate."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import transnet as tn
from transnet.cli.app import app
from transnet.language.errors import ProblemFileError
from transnet.tables import read_table

BAR = """
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Region(Curve((a*cos(s), b*sin(s)), (s, 0, 2*pi)))"
equations = "-laplacian(u) = 2"
conditions = ["u = 0 on boundary"]

[parameters]
a = 1.2
b = 0.9

[results]
rigidity = "integral(2*u)"
centre = { value = "u", at = [[0, 0]] }

[optimise]
maximise = "rigidity"
over = ["a", "b"]
bounds = { a = [0.5, 2] }
subject_to = ["a*b = 1"]

[uncertain]
a = "normal(1.2, 0.01)"
"""


def rigidity(a, b):
    return np.pi * a**3 * b**3 / (a**2 + b**2)


@pytest.fixture
def bar(tmp_path):
    path = tmp_path / "bar.toml"
    path.write_text(BAR)
    return path


def told(*arguments):
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"])
    return result.exit_code, json.loads(result.stdout)


def test_optimise_finds_the_disk(bar):
    code, found = told("optimise", bar)
    assert code == 0
    assert abs(found["parameters"]["a"] - 1) < 1e-4
    assert abs(found["value"] - np.pi / 2) < 1e-6
    assert tn.load(found["file"]).error < 1e-6


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_sweep_writes_a_table_and_a_picture(bar, tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    table, picture = tmp_path / f"table.{suffix}", tmp_path / "sweep.png"
    code, found = told("sweep", bar, "--set", "a=0.9,1.1", "--set", "b=1:2:3", "--out", table, "--plot", picture)
    assert code == 0
    assert len(found["rows"]) == 6
    for row in found["rows"]:
        assert abs(row["rigidity"] - rigidity(row["a"], row["b"])) < 1e-6
    assert picture.stat().st_size > 1000
    written = json.loads(table.read_text()) if suffix == "json" else read_table(table)
    column = [r["rigidity"] for r in written] if suffix == "json" else written["rigidity"]
    assert np.allclose(column, [r["rigidity"] for r in found["rows"]])


def test_propagate_has_the_deviation_of_the_tangent(bar):
    code, found = told("propagate", bar)
    slope = (rigidity(1.2001, 0.9) - rigidity(1.1999, 0.9)) / 2e-4
    assert code == 0
    assert abs(found["results"]["rigidity"]["deviation"]["value"] - 0.01 * slope) < 1e-3 * slope * 0.1


WRONG = {
    "a result that is not there": ('maximise = "rigidity"', 'maximise = "drag"', "not a result"),
    "a parameter that is not there": ('over = ["a", "b"]', 'over = ["a", "c"]', "not a parameter"),
    "both": ('maximise = "rigidity"', 'maximise = "rigidity"\nminimise = "centre"', "either"),
    "bounds the wrong way round": ("a = [0.5, 2]", "a = [2, 0.5]", "two numbers"),
    "no distribution": ('"normal(1.2, 0.01)"', '"gauss(1.2, 0.01)"', "distribution is one of"),
    "a negative deviation": ('"normal(1.2, 0.01)"', '"normal(1.2, -0.01)"', "positive deviation"),
}


@pytest.mark.parametrize("name", WRONG)
def test_mistakes_are_pointed_at(bar, name):
    before, after, words = WRONG[name]
    bar.write_text(BAR.replace(before, after))
    with pytest.raises(ProblemFileError, match=words):
        tn.read_problem(bar)


def test_what_a_sweep_needs_is_said(bar):
    code, found = told("sweep", bar, "--set", "a=1:2")
    assert code == 2
    assert "from:to:count" in found["error"]["message"]
