"""The table [physics]: the same problem as in Python, quantities by name in conditions and results, errors in place."""

from __future__ import annotations

from pathlib import Path

import pytest

import transnet as tn
from transnet.language.errors import ProblemFileError

BAR = """
coordinates = ["x", "y"]
unknowns = [{ name = "u", vector = true }]
domain = "Box(x=(0, 2), y=(0, 1))"
conditions = ["u_x = 0, stress_xy = 0 on left", "traction = [pull, 0] on right",
              "u_y = 0, stress_xy = 0 on bottom", "traction = [0, 0] on top"]
[parameters]
pull = 3.0
[physics]
elasticity = { of = "u", E = 200, nu = 0.3, plane = "stress" }
[solve]
neurons = 80
[results]
greatest = "maximum(von_mises)"
energy = "integral(elastic_energy)"
"""
PAIR = """
coordinates = ["x"]
unknowns = ["T"]
conditions = ["T = 0 on left", "T = 1 on right"]
[pieces]
a = "Interval(x=(0, 1))"
b = "Interval(x=(1, 2))"
[definitions]
k = { a = 1, b = 3 }
[physics]
heat = { of = "T", k = "k" }
[results]
through = { value = "heat_flux_x", at = [[0.5]] }
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "problem.toml"
    path.write_text(text)
    return path


def test_a_bar_by_the_names_of_engineers(tmp_path: Path) -> None:
    file = tn.read_problem(written(tmp_path, BAR))
    found = {r.name: r for r in file.found(file.solve())}
    assert found["greatest"].value == pytest.approx(3, rel=1e-6)
    assert found["energy"].value == pytest.approx(0.5 * 9 / 200 * 2, rel=1e-6)


def test_a_conductivity_by_piece(tmp_path: Path) -> None:
    file = tn.read_problem(written(tmp_path, PAIR))
    (through,) = file.found(file.solve(tol=1e-8))
    assert through.value == pytest.approx(-1 / (1 + 1 / 3), rel=1e-6)


WRONG = {
    "one line for each of": ("elasticity = {", "elastic = {"),
    "'EE' is not a key": ("E = 200", "EE = 200"),
    "'w' is not an unknown": ('of = "u"', 'of = "w"'),
    "about 1 unknown": ('of = "u"', 'of = ["u", "u_x"]'),
    "or long": ('plane = "stress"', 'plane = "thin"'),
    "'nu' must be a number, a formula": ("nu = 0.3", "nu = true"),
    "'von_mises' is used twice": ("pull = 3.0", "pull = 3.0\nvon_mises = 1"),
}


@pytest.mark.parametrize("words", WRONG)
def test_mistakes_are_shown_where_they_are(words: str, tmp_path: Path) -> None:
    with pytest.raises(ProblemFileError, match=words) as caught:
        tn.read_problem(written(tmp_path, BAR.replace(*WRONG[words])))
    assert caught.value.place.line > 8
