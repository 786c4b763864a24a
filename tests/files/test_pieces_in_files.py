"""Several materials in a problem file: the table [pieces], coefficients by piece, jumps across interfaces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.files import ProblemFileError, read_problem

FILE = """
coordinates = ["x", "y"]
unknowns = ["u"]
equations = ["-div(k*grad(u)) = 0"]
conditions = ["u = x on boundary", "jump(u) = 0.25*y on core|shell"]

[pieces]
core = "Disk(radius=0.5)"
shell = "Disk(radius=1) - Disk(radius=0.5)"

[definitions]
k = {core = 10, shell = 1}

[solve]
tol = 1e-5
"""


def read(tmp_path: Path, text: str):
    path = tmp_path / "materials.toml"
    path.write_text(text)
    return read_problem(path)


def test_a_file_states_what_a_program_states(tmp_path: Path) -> None:
    """In both materials u is a combination of x, y and x/r^2, y/r^2, found from four equations each."""
    solution = tn.solve(read(tmp_path, FILE).problem, tol=1e-5)
    x, y = sp.symbols("x y")
    u = tn.unknown("u", x, y)
    k = tn.by_piece(core=10, shell=1)
    domain = tn.Pieces(core=tn.Disk(radius=0.5), shell=tn.Disk(radius=1) - tn.Disk(radius=0.5))
    problem = tn.Problem(
        domain,
        [sp.Eq(-tn.div(k * tn.grad(u)), 0)],
        [tn.on("boundary", sp.Eq(u, x)), tn.on("core|shell", sp.Eq(tn.jump(u), y / 4))],
    )
    points = domain.interior(200, "random", 3)
    assert np.allclose(solution(points), tn.solve(problem, tol=1e-5)(points), atol=1e-9)
    # u = A p inside and B p + C p / r^2 outside, p = x or y, the radius 1/2, the ratio 10.
    factors = {}
    for name, rim, jump in (("x", 1.0, 0.0), ("y", 0.0, 0.25)):
        matrix = np.array([[0, 1, 1], [-1, 1, 4], [-10, 1, -4]])
        factors[name] = np.linalg.solve(matrix, [rim, jump, 0.0])
    inside = (points**2).sum(axis=1) < 0.25
    true = sum(
        p * np.where(inside, a, b + c / (points**2).sum(axis=1))
        for p, (a, b, c) in zip(points.T, factors.values(), strict=True)
    )
    assert np.abs(solution(points) - true).max() < 1e-4


WRONG = {
    "a domain beside pieces": (FILE.replace("[pieces]", 'domain = "Disk()"\n[pieces]', 1), "domain"),
    "no piece of that name": (FILE.replace("core|shell", "core|rim"), "rim"),
    "no value for a piece": (FILE.replace("{core = 10, shell = 1}", "{core = 10}"), "shell"),
    "a value for no piece": (FILE.replace("shell = 1}", "shell = 1, rim = 2}"), "rim"),
    "a jump with one side": (FILE.replace("u = x on boundary", "jump(u) = 0 on boundary"), "side"),
    "pieces that overlap": (FILE.replace('"Disk(radius=0.5)"', '"Disk(radius=0.7)"'), "overlap"),
    "a gap": (FILE.replace('"Disk(radius=0.5)"', '"Disk(radius=0.49)"'), "gap"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_told(tmp_path: Path, case: str) -> None:
    text, message = WRONG[case]
    with pytest.raises(ProblemFileError, match=message):
        read(tmp_path, text)


def test_what_python_states_is_written_and_read(tmp_path: Path) -> None:
    x, y, q = sp.symbols("x y q")
    u = tn.unknown("u", x, y)
    domain = tn.Pieces({"rod 1": tn.Disk(radius=0.3), "clad": tn.Annulus(inner=0.3, outer=0.6)})
    k, heat = tn.by_piece({"rod 1": 50, "clad": 0.1}), tn.by_piece({"rod 1": q, "clad": 0})
    contact = tn.on("rod 1|clad", sp.Eq(tn.jump(u), sp.Rational(1, 5) * k * tn.normal_derivative(u)))
    problem = tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), heat)], [tn.on("boundary", u), contact])
    file = read_problem(tn.write_problem(problem, tmp_path / "rod.toml", {q: 3.0}))
    assert {s.name: v for s, v in file.parameters.items()} == {"q": 3.0}
    assert str(file.problem.domain) == str(domain)
    solution = tn.solve(file.problem, parameters=file.parameters, tol=1e-5)
    # A flux of 0.45 at the interface, of which a fifth is the jump, and 0.135 / r outside.
    assert solution(0.0, 0.0) == pytest.approx(0.135 / 0.1 * np.log(2) + 0.09 + 0.015 * 0.09, rel=1e-5)
    again = tn.load(solution.save(tmp_path / "rod.npz"))
    assert float(again.flux("boundary")) == pytest.approx(-0.27 * np.pi, rel=1e-4)
    left = again.residual_values()
    assert len(left) == 3
    assert max(np.abs(values).max() for values in left.values()) < 1e-2


def test_a_coefficient_by_piece_inside_a_formula(tmp_path: Path) -> None:
    inline = FILE.replace("k*grad(u)", "by_piece(core=10, shell=1)*grad(u)").replace("k = {core = 10, shell = 1}", "")
    assert read(tmp_path, inline).problem.equations == read(tmp_path, FILE).problem.equations
    quoted = inline.replace("core=10, shell=1", "'core', 10, 'shell', 1")
    assert read(tmp_path, quoted).problem.equations == read(tmp_path, FILE).problem.equations
    with pytest.raises(ProblemFileError, match="value for each piece by its name"):
        read(tmp_path, FILE.replace("k*grad(u)", "by_piece(10, 1)*grad(u)"))


def test_three_hundred_pieces_are_read(tmp_path: Path) -> None:
    boxes = "\n".join(f'p{k} = "Box(x=({k % 20}, {k % 20 + 1}), y=({k // 20}, {k // 20 + 1}))"' for k in range(300))
    text = (
        'coordinates = ["x", "y"]\nunknowns = ["u"]\nequations = ["laplacian(u) = 1"]\n'
        f'conditions = ["u = 0 on boundary"]\n[pieces]\n{boxes}\n'
    )
    domain = read(tmp_path, text).problem.domain
    assert domain.volume == pytest.approx(300)
    assert len(domain.interfaces) == 19 * 15 + 20 * 14
    assert domain.measure() == pytest.approx(70)
