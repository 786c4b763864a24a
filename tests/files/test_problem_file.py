"""A problem file states the same problem as a program."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.files import ProblemFileError, read_problem

FULL = """
title = "Heat in a rod"
coordinates = ["x", "t"]
unknowns = ["u"]
domain = "Interval(x=(0, L)) * Interval(t=(0, 1/2))"

equations = ["u_t = kappa*u_xx + f"]
conditions = [
  "u = 0 on x=0",
  { on = "right", equations = ["u = 0"], weight = 25 },
  "u = start, u + 0*u_t = start on t=0",
  "u = exp(-kappa*pi**2*0.1) at (1/2, 0.1)",
  { data = "u", points = [[0.5, 0.0]], values = [1.0], weight = 0.1 },
]

[parameters]
L = 1
kappa = "1/10 + 1/10"
unused = 3.0

[definitions]
start = "sin(pi*x/1)"
f = 0

[exact]
u = "exp(-kappa*pi**2*t)*sin(pi*x)"

[solve]
neurons = 120
seed = 3
points = { interior = [30, 30], sampling = "quasi" }
"""


def test_a_full_file(tmp_path):
    path = tmp_path / "heat.toml"
    path.write_text(FULL)
    file = read_problem(path)
    assert file.title == "Heat in a rod"
    assert {s.name: v for s, v in file.parameters.items()} == {"kappa": 0.2}
    assert file.settings["points"] == tn.Points(interior=(30, 30))
    assert len(file.problem.conditions) == 5
    solution = file.solve()
    points = file.problem.domain.interior(200)
    ((u, exact),) = file.exact.items()
    np.testing.assert_allclose(solution(points), solution.evaluate(exact, points), atol=1e-5)
    assert str(u) == "u(x, t)"


def write(folder, **changes):
    parts = {
        "coordinates": '["x", "y"]',
        "unknowns": '["u", "v", "p"]',
        "domain": '"Box(x=(0, 1), y=(0, 1))"',
        "equations": '["-laplacian([u, v][0]) = 0"]',
        "conditions": "[]",
        **changes,
    }
    path = folder / "p.toml"
    path.write_text("\n".join(f"{k} = {v}" for k, v in parts.items()))
    return path


def test_a_system_with_mean_and_periodicity(tmp_path):
    path = write(
        tmp_path,
        equations="""["-laplacian(u) + diff(p, x) = 0", "-laplacian(v) + diff(p, y) = 0", "div([u, v]) = 0"]""",
        conditions="""["u = 1, v = 0 on top", 'u = 0, v = 0 on "bottom"', "periodic in x", "mean(p) = 0"]""",
    )
    problem = read_problem(path).problem
    kinds = [type(c).__name__ for c in problem.conditions]
    assert kinds == ["On", "On", "Periodic", "Mean"]
    assert len(problem.conditions[0].equations) == 2


def test_where_restricts_a_part(tmp_path):
    path = write(
        tmp_path,
        unknowns='["u"]',
        equations='"laplacian(u) = 0"',
        conditions="""["u = 0 on boundary where x > 1/2 or y < 0.1",
                       {on = "left", where = "y > 1/2", equations = "u = 1"}]""",
    )
    first, second = read_problem(path).problem.conditions
    x, y = sp.symbols("x y", real=True)
    assert first.where == sp.Or(x > sp.Rational(1, 2), y < sp.Float(0.1))
    assert second.where == (y > sp.Rational(1, 2))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"unknowns": '["u", "w"]', "equations": '["laplacian(u) = 0"]'}, "appears in no equation"),
        ({"coordinates": '["y", "x"]', "unknowns": '["u"]', "equations": '"laplacian(u) = 0"'}, "order"),
        ({"coordinates": '["x", "x"]'}, "used twice"),
        ({"conditions": '[{on = "left", at = [[0, 0]]}]', "unknowns": '["u"]', "equations": '"u = 0"'}, "exactly one"),
        ({"unknowns": '["u"]', "equations": '"laplacian(u) = 0"', "exact.w": '"x"'}, "not an unknown"),
        ({"unknowns": '["u"]', "equations": '"laplacian(u) = n_x"'}, "normal"),
        ({"unknowns": '["u"]', "equations": '"laplacian(u) = 0"', "solve.guess.w": "1"}, "not an unknown"),
        ({"unknowns": '["u"]', "equations": '"laplacian(u) = 0"', "solve.strategy": '"magic"'}, "newton"),
    ],
)
def test_mistakes_across_keys(changes, words, tmp_path):
    with pytest.raises(ProblemFileError, match=words):
        read_problem(write(tmp_path, **changes))


def test_a_missing_file_is_said_to_be_missing(tmp_path):
    with pytest.raises(ProblemFileError, match="There is no such file"):
        read_problem(tmp_path / "none.toml")


def test_places_in_texts_with_escapes_and_several_lines(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text(
        'coordinates = ["x"]\nunknowns = ["u"]\ndomain = "Interval(x=(0, 1))"\n'
        'equations = """\nu_xx =\\u0020\n   1 + zeta"""\nconditions = []\n'
    )
    with pytest.raises(ProblemFileError) as caught:
        read_problem(path)
    assert (caught.value.place.line, caught.value.place.column) == (6, 8)
    assert str(caught.value).endswith('1 + zeta"""\n           ^')


def test_values_that_meet_in_zero_do_not_conflict(tmp_path):
    """sin(pi) is 1e-16 in floating point: that is no jump beside u = 0 (a warning would fail this test)."""
    path = write(
        tmp_path,
        unknowns='["u"]',
        equations='"laplacian(u) = 0"',
        conditions='["u = sin(pi*x) on bottom", "u = 0 on left", "u = 0 on right", "u = 0 on top"]',
    )
    read_problem(path).solve(neurons=200)
