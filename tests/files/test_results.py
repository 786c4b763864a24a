"""Problem files that name drawings, tables and results."""

from __future__ import annotations

import json

import numpy as np
import pytest

import transnet as tn
from transnet.language.errors import ProblemFileError

RING = """
coordinates = ["x", "y"]
unknowns = ["u"]
domain = { file = "ring.svg" }
equations = "laplacian(u) = 0"
conditions = ["u = 0 on rim", "u = 1 on bore"]

[results]
loss = { flux = "rim" }
energy = { integral = "diff(u, x)^2 + diff(u, y)^2" }
top = { maximum = "u" }
middle = { value = "u", at = [[0.75, 0.0]] }
cut = { along = [[0.5, 0], [1, 0]], file = "cut.csv" }
picture = { plot = "u", file = "u.png" }
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><circle id="rim" r="1"/><circle id="bore" r="0.5"/></svg>'


@pytest.fixture
def ring(tmp_path):
    (tmp_path / "ring.svg").write_text(DRAWING)
    file = tmp_path / "ring.toml"
    file.write_text(RING)
    return file


def test_a_file_solves_on_a_drawing_and_gives_its_results(ring):
    file = tn.read_problem(ring)
    found = {f.name: f for f in file.found(file.solve())}
    assert list(found) == ["loss", "energy", "top", "middle", "cut", "picture"]
    assert abs(found["loss"].value + 2 * np.pi / np.log(2)) < 1e-6
    assert abs(found["energy"].value - 2 * np.pi / np.log(2)) < 1e-6
    assert abs(found["top"].value - 1) < 1e-6
    assert abs(found["middle"].value - np.log(0.75) / np.log(0.5)) < min(1e-6, 10 * found["middle"].error)
    table = np.genfromtxt(ring.parent / "cut.csv", delimiter=",", names=True)
    assert table.dtype.names == ("x", "y", "distance", "u")
    assert (ring.parent / "u.png").stat().st_size > 1000


def test_the_command_prints_them_and_has_them_in_json(ring):
    pytest.importorskip("typer")
    from typer.testing import CliRunner

    from transnet.cli.app import app

    shown = CliRunner().invoke(app, ["solve", str(ring)])
    assert "results" in shown.stdout
    assert "loss" in shown.stdout
    told = json.loads(CliRunner().invoke(app, ["solve", str(ring), "--json"]).stdout)
    assert abs(told["results"]["loss"]["value"] + 2 * np.pi / np.log(2)) < 1e-6
    assert told["results"]["loss"]["error"] < 1e-5
    assert len(told["results"]["cut"]["value"]["values"]) == 201


def test_points_move_with_the_parameters_and_a_sweep_says_which_lie_outside(tmp_path):
    pytest.importorskip("typer")
    from typer.testing import CliRunner

    from transnet.cli.app import app

    (tmp_path / "rod.toml").write_text(
        'coordinates = ["x"]\nunknowns = ["u"]\ndomain = "Interval(x=(0, L))"\nequations = "u_xx = 2"\n'
        'conditions = ["u = 0 on x=0", "u_x = 0 on right"]\n[parameters]\nL = 1.0\nc = 1.0\n'
        '[results]\nend = { value = "c*u", at = [["L"]] }\nfixed = { value = "u", at = [[1.5]] }\n'
        'picture = { plot = "u" }\n'
    )
    asked = ["--set", "L=1,2", "--set", "c=1,3", "--plot", str(tmp_path / "ends.svg")]
    done = CliRunner().invoke(app, ["sweep", str(tmp_path / "rod.toml"), *asked])
    assert done.exit_code == 1
    assert "L = 1, c = 1: fixed failed: The point lies outside the domain" in done.stderr
    assert "L = 2" not in done.stderr
    rows = np.genfromtxt(tmp_path / "rod.csv", delimiter=",", names=True)
    np.testing.assert_allclose(rows["end"], [-1, -3, -4, -12], atol=1e-9)
    np.testing.assert_allclose(rows["fixed"], [np.nan, np.nan, -3.75, -3.75], atol=1e-9)
    assert (tmp_path / "rod.csv").read_text().splitlines()[1].startswith("1.0,1.0,-")  # no digits of rounding
    assert "c = 3" in (tmp_path / "ends.svg").read_text()  # the lines have labels
    assert not (tmp_path / "picture.png").exists()  # it would be that of the last solve alone


def test_data_come_from_a_table_with_columns_in_any_order(tmp_path):
    points = np.random.default_rng(0).uniform(0, 1, (40, 2))
    rows = [f"{x * y:.17g},{y:.17g},{x:.17g}" for x, y in points]
    (tmp_path / "sensors.csv").write_text("\n".join(["u,y,x", *rows]))
    file = tmp_path / "fit.toml"
    file.write_text(
        'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'
        'equations = "laplacian(u) = 0"\n'
        'conditions = ["u = x*y on left", "u = x*y on right", { data = "u", file = "sensors.csv" }]\n'
    )
    problem = tn.read_problem(file)
    np.testing.assert_allclose(problem.problem.conditions[-1].points, points, atol=1e-15)
    file.write_text(file.read_text().replace("sensors.csv", "sensor.csv"))
    with pytest.raises(ProblemFileError, match=r"Did you mean 'sensors\.csv'"):
        tn.read_problem(file)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ('loss = "u"', "As a text a result is one of"),
        ('loss = { fluks = "rim" }', "exactly one of the keys"),
        ('loss = { flux = "rim", integral = "u" }', "exactly one of the keys"),
        ('loss = { integral = "w" }', "w"),
        ('loss = { plot = "u", file = "../u.png" }', "folder of the problem file"),
        ('loss = { integral = "u", at = { s = 1 } }', "holds coordinates"),
    ],
)
def test_wrong_results_are_told_with_their_place(ring, entry, message):
    ring.write_text(RING.partition("[results]")[0] + "[results]\n" + entry + "\n")
    with pytest.raises(ProblemFileError, match=message):
        tn.read_problem(ring)


def test_a_result_that_cannot_be_made_does_not_stop_the_others(ring):
    ring.write_text(RING.partition("[results]")[0] + '[results]\nload = { force = "rim" }\nloss = { flux = "rim" }\n')
    file = tn.read_problem(ring)
    load, loss = file.found(file.solve())
    assert "stress" in load.failed
    assert loss.value < 0


def test_results_may_be_texts(ring):
    tables = ring.read_text().partition("[results]")[0]
    short = {"loss": "flux(rim)", "energy": "integral(diff(u, x)^2 + diff(u, y)^2)", "top": " maximum( u )",
             "edge": "mean(2*u) over bore"}  # fmt: skip
    ring.write_text(tables + "[results]\n" + "".join(f'{k} = "{v}"\n' for k, v in short.items()))
    file = tn.read_problem(ring)
    found = {f.name: f.value for f in file.found(file.solve())}
    assert found["loss"] == pytest.approx(-2 * np.pi / np.log(2), abs=1e-6)
    assert found["energy"] == pytest.approx(2 * np.pi / np.log(2), abs=1e-6)
    assert found["top"] == pytest.approx(1, abs=1e-6)
    assert found["edge"] == pytest.approx(2, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [("integral(u + q)", "no name 'q'", 21), ("u**2", "a result is one of integral", 1),
     ("value(u)", "cuts and probes are tables", 1), ("flux(rim) over bore", "over", 1)],
)  # fmt: skip
def test_a_wrong_text_of_a_result_is_told_with_its_place(ring, text, said, column):
    ring.write_text(ring.read_text().partition("[results]")[0] + f'[results]\nown = "{text}"\n')
    with pytest.raises(ProblemFileError) as caught:
        tn.read_problem(ring)
    assert said in str(caught.value)
    assert (caught.value.place.line, caught.value.place.column) == (9, column)
