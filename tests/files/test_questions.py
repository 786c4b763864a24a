"""Complex unknowns, vectors, numbers, integrals and eigenvalues in problem files, there and back again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from typer.testing import CliRunner

import transnet as tn
from transnet.cli.app import app
from transnet.errors import ProblemError
from transnet.files import ProblemFileError

LINE = 'coordinates = ["x"]\ndomain = "Interval(x=(0, 1))"\n'
PLANE = 'coordinates = ["x", "y"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'

FILES = {
    "impedance": LINE + """
        unknowns = [{ name = "u", complex = true }]
        equations = ["u_xx + k**2*u = 0"]
        conditions = ["u_x + I*k*u = 2*I*k on x=0", "u_x - I*k*u = 0 on x=1"]
        parameters.k = 5
        exact.u = "exp(I*k*x)" """,
    "cubic": LINE + """
        unknowns = [{ name = "psi", complex = true }]
        equations = ["psi_xx = abs(psi)**2*psi - 5*psi"]
        conditions = ["psi = exp(2*I*x) on boundary"]
        solve = { guess = { psi = "1 + I*x" }, neurons = 40 }
        exact.psi = "exp(2*I*x)" """,
    "measured": LINE + """
        unknowns = [{ name = "u", complex = true }, "c()"]
        equations = ["u_xx + c*u = 0"]
        conditions = [
          "u = 1 on x=0", "u = exp(3*I) on x=1", { data = "re(u)", points = [[0.5]], values = [0.0707372016677029] },
          { data = "im(u)", points = [[0.5]], values = [0.9974949866040544] },
        ]
        solve = { guess = { c = 7.0 }, neurons = 40 }
        exact = { u = "exp(3*I*x)", c = "9" } """,
    "vector": PLANE + """
        unknowns = [{ name = "v", vector = true }, "p"]
        equations = ["-laplacian(v) + grad(p) + advect([1, 2], v) = [f, g]", "div(v) = 0"]
        conditions = ["v = [sin(x)*cos(y), -cos(x)*sin(y)] on boundary", "mean(p) = 0"]
        definitions.f = "2*sin(x)*cos(y) + y + cos(x)*cos(y) - 2*sin(x)*sin(y)"
        definitions.g = "-2*cos(x)*sin(y) + x + sin(x)*sin(y) - 2*cos(x)*cos(y)"
        solve.neurons = 150
        exact = { v = "[sin(x)*cos(y), -cos(x)*sin(y)]", p = "x*y - 1/4" } """,
    "components": PLANE + """
        unknowns = [{ name = "v", vector = true }]
        equations = ["div(v) = 0", "v_y_x - v_x_y = 0"]
        conditions = ["v_x = x, v_y = -y on boundary"]
        solve.neurons = 60
        exact.v_y = "-y" """,
    "lower": 'coordinates = ["x", "t"]\ndomain = "Box(x=(0, 1), t=(0, 1))"\n' + """
        unknowns = ["u", "a(x)"]
        equations = ["u_t = a"]
        conditions = ["u = x on t=0", "u = x + sin(x) on t=1"]
        solve.neurons = 60
        exact = { u = "x + t*sin(x)", a = "sin(x)" } """,
    "letters": LINE + """
        unknowns = ["u"]
        equations = ["u = exp(x) - (exp(x + 1) - 1)/(x + 1) + integral(exp(x*s)*u(s), s, 0, 1)"]
        exact.u = "exp(x)" """,
    "slopes": LINE + """
        unknowns = ["u"]
        equations = ["u_xx = 2", "integral(u, x) = 4/3"]
        conditions = ["u_x = subs(u_x, x, 0) + 2 + u(1/4) - 17/16 on x=1"]
        exact.u = "x**2 + 1" """,
    "range": LINE + """
        unknowns = ["u"]
        equations = ["u = x**2 + x/3 + 1/4 + integral((s - x)*u(s), s) - 1/2*integral(diff(u(s), s), s)"]
        exact.u = "x**2" """,
}  # fmt: skip


def read(text: str, folder: Path) -> tn.files.ProblemFile:
    path = folder / "problem.toml"
    path.write_text(text)
    return tn.read_problem(path)


@pytest.mark.parametrize("name", FILES)
def test_files_are_solved(name: str, tmp_path: Path) -> None:
    file = read(FILES[name], tmp_path)
    solution = file.solve()
    points = file.problem.domain.interior(30, "quasi", 1)
    for unknown, exact in file.exact.items():
        assert np.abs(solution.evaluate(unknown - exact, points)).max() < 1e-6


@pytest.mark.parametrize("name", FILES)
def test_problems_are_written_and_read_again(name: str, tmp_path: Path) -> None:
    file = read(FILES[name], tmp_path)
    again = tn.read_problem(tn.write_problem(file.problem, tmp_path / "again", file.parameters))
    assert again.problem.unknowns == file.problem.unknowns
    assert again.parameters == file.parameters
    assert repr(again.problem) == repr(file.problem)
    twice = tn.read_problem(tn.write_problem(again.problem, tmp_path / "twice", file.parameters))
    assert (tmp_path / "twice.toml").read_text() == (tmp_path / "again.toml").read_text()
    assert list(map(str, twice.problem._expressions())) == list(map(str, again.problem._expressions()))


DRUM = (
    PLANE.replace("Box(x=(0, 1), y=(0, 1))", "Disk()")
    + """
unknowns = ["u"]
equations = ["-laplacian(u) = lam*u"]
conditions = ["u = 0 on boundary"]
solve = { neurons = 200, seed = 0 }
eigen = { lam = "lam", count = 3 }
"""
)


def test_eigenvalues_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "drum.toml").write_text(DRUM)
    told = CliRunner().invoke(app, ["solve", str(tmp_path / "drum.toml"), "--json"])
    found = json.loads(told.stdout)
    assert found["eigenvalues"] == pytest.approx([5.783185962946785, 14.681970642123893, 14.681970642123893], rel=1e-9)
    mode = tn.load(tmp_path / "drum-1.npz")
    nodes, weights = tn.Disk().quadrature(2000)
    assert weights @ mode(nodes) ** 2 / weights.sum() * np.pi == pytest.approx(1, rel=1e-6)
    shown = CliRunner().invoke(app, ["check", str(tmp_path / "drum.toml")]).stdout
    assert "eigenvalues lam: the lowest 3" in shown
    with pytest.raises(ProblemError, match=r"file.eigenpairs\(\)"):
        tn.read_problem(tmp_path / "drum.toml").solve()


def test_a_complex_eigenvalue_problem_of_python_is_written(tmp_path: Path) -> None:
    y, lam = sp.symbols("y lam")
    phi = tn.unknown("phi", y, complex=True)
    inertia = sp.I * 1000 * ((1 - y**2 - lam) * (sp.diff(phi, y, 2) - phi) + 2 * phi)
    problem = tn.Problem(
        tn.Interval(y=(-1, 1)),
        [sp.Eq(tn.biharmonic(phi) - 2 * sp.diff(phi, y, 2) + phi, inertia)],
        [tn.on("boundary", phi, sp.diff(phi, y))],
    )
    path = tn.write_problem(problem, tmp_path / "flow", lam=lam, count=1, near=0.3 - 0.1j)
    assert 'near = "0.3 + -0.1*I"' in path.read_text()
    file = tn.read_problem(path)
    assert (file.eigen.count, file.eigen.near) == (1, 0.3 - 0.1j)
    assert [str(e) for e in file.problem._expressions()] == [str(e) for e in problem._expressions()]


WRONG = {
    "nonlinear": (DRUM.replace("lam*u", "lam*u**2"), "not linear"),
    "not there": (DRUM.replace("lam*u", "4*u"), "does not appear in the problem"),
    "not homogeneous": (DRUM.replace("u = 0 on", "u = 1 on"), "not homogeneous"),
    "near": (DRUM.replace("count = 3", "near = 'x'"), "no name 'x'"),
    "strategy": (DRUM.replace("seed = 0", "strategy = 'newton'"), "no meaning where eigenvalues"),
    "exact": (DRUM + 'exact.u = "x"', "one solution"),
    "order": (
        FILES["impedance"].replace("on x=1", "on x=1 where u > 0").replace("\n        parameters", "\nparameters"),
        "Complex values have no order",
    ),
    "real": (LINE + 'unknowns = ["u"]\nequations = ["u_xx = I*u"]', "imaginary unit"),
    "part": (LINE + 'unknowns = ["u"]\nequations = ["u_xx = integral(u, \'lid\')"]', "no boundary part 'lid'"),
    "vector of time": (
        'coordinates = ["t"]\ndomain = "Interval(t=(0, 1))"\nunknowns = [{ name = "v", vector = true }]\n'
        'equations = ["v = 0"]', "no coordinates of space",
    ),
    "name of a component": (PLANE + 'unknowns = ["v_x", { name = "v", vector = true }]\nequations = []', "used twice"),
    "power": (FILES["impedance"].replace("u_xx + k", "(2 + I)**100*u_xx + k"), "powers of at most"),
    "key": (LINE + 'unknowns = [{ name = "u", komplex = true }]\nequations = []', "Did you mean 'complex'"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_makes_no_sense_is_refused_where_it_stands(name: str, tmp_path: Path) -> None:
    text, words = WRONG[name]
    with pytest.raises(ProblemFileError, match=words):
        read(text, tmp_path)


def test_the_infected_are_not_imaginary(tmp_path: Path) -> None:
    text = 'coordinates = ["t"]\ndomain = "Interval(t=(0, 1))"\nunknowns = ["I"]\nequations = ["I_t = -I"]\n'
    file = read(text + 'conditions = ["I = 1 on t=0"]', tmp_path)
    assert str(file.problem.unknowns[0]) == "I(t)"
