"""Unknown numbers, integrals and delays in problem files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import transnet as tn
from transnet.errors import TransnetError

ROD = """
coordinates = ["x"]
unknowns = ["u", "c()"]
domain = "Interval(x=(0, 1))"
equations = ["-c*u_xx = 3*pi**2*sin(pi*x)"]
conditions = [
  "u = 0 on boundary",
  { data = "u", points = [[0.25], [0.5]], values = [0.7071067811865476, 1.0], noise = 0.01 },
]
"""
LINE = """
coordinates = ["x"]
unknowns = ["u"]
domain = "Interval(x=(0, 1))"
equations = ["u = 1 + integral((x - s)*u(s), s, 0, x)"]
"""


def read(text: str, folder: Path) -> tn.Problem:
    file = folder / "problem.toml"
    file.write_text(text)
    return tn.read_problem(file).problem


def test_a_number_and_its_noise(tmp_path: Path) -> None:
    problem = read(ROD, tmp_path)
    assert problem.conditions[1].noise == 0.01
    assert float(tn.solve(problem)["c"]) == pytest.approx(3, rel=1e-6)


def test_an_integral_and_a_delay(tmp_path: Path) -> None:
    points = np.linspace(0, 1, 9)
    assert tn.solve(read(LINE, tmp_path))(points) == pytest.approx(np.cosh(points), abs=1e-12)
    text = LINE.replace("u = 1 + integral((x - s)*u(s), s, 0, x)", "u_x = -u(x/2)**2")
    delay = read(text + 'conditions = ["u = 1 on x=0"]', tmp_path)
    assert tn.solve(delay)(points) == pytest.approx(np.exp(-points), abs=1e-10)


@pytest.mark.parametrize("wrong", ['"c(z)"', '"c(x"'])
def test_unknowns_with_coordinates_that_are_not_there(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(TransnetError, match="some of the coordinates"):
        read(ROD.replace('"c()"', wrong), tmp_path)


def test_an_integral_without_sense(tmp_path: Path) -> None:
    with pytest.raises(TransnetError, match="a letter and its limits"):
        read(LINE.replace("s, 0, x)", "0, x)"), tmp_path)
