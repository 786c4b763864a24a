"""Inequalities in problem files: as texts and as tables, read and written."""

import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)


def test_inequalities_are_read(tmp_path):
    file = tmp_path / "membrane.toml"
    file.write_text(
        'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'
        'equations = ["laplacian(u) = 1"]\n'
        'conditions = ["u = 0 on top", "u >= -1/10 + x**2", "u >= 0, -u_y >= 0 on bottom where x > 1/2",\n'
        '  { obstacle = "u <= 2" }, { unilateral = "u >= 0", part = "left" }]\n'
    )
    lines = str(tn.read_problem(file).problem)
    for line in (
        "u >= x**2 - 1/10 everywhere",
        "u <= 2 everywhere",
        "u >= 0 on left",
        "-u_y >= 0 on bottom where x > 1/2",
    ):
        assert line in lines


def test_a_problem_is_written_and_read_again(tmp_path):
    conditions = [
        tn.on("top", sp.Eq(u, 0)),
        tn.obstacle(u >= x - 1),
        tn.on("bottom", u >= 0, sp.diff(u, y) <= 0, where=x > 0),
    ]
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(tn.laplacian(u), 1)], conditions)
    tn.write_problem(problem, tmp_path / "p.toml")
    assert str(tn.read_problem(tmp_path / "p.toml").problem) == str(problem)
