"""What the process of a page answers: frames with the right numbers, errors at their place, files to take away."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transnet as tn
from transnet.files.problem_file import problem_of_text
from transnet.files.writing import toml_of
from transnet.language.domains import domain as read_domain
from transnet.language.errors import ProblemFileError
from transnet.rows.statements import statements_of
from transnet.studio.answers import Answers
from transnet.studio.reading import FormReader
from transnet.studio.shelf import ready_problems

HARMONIC = """
coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Disk(radius=1) - Disk(center=(%g, 0), radius=r, name='hole')"
equations = ["laplacian(u) = 0"]
conditions = ["u = a*(x**2 - y**2) + x*y on boundary"]

[parameters]
a = %g
r = 0.3
"""


def unpacked(answer: bytes) -> tuple[dict[str, Any], list[np.ndarray], bytes]:
    size = int.from_bytes(answer[:4], "little")
    head, at, arrays = json.loads(answer[4 : 4 + size]), 4 + size, []
    for n in head["sizes"]:
        arrays.append(np.frombuffer(answer, "<f4", n, at))
        at += 4 * n
    return head, arrays, answer[at:]


def truth(head: dict[str, Any], a: float) -> tuple[np.ndarray, np.ndarray]:
    x0, y0, x1, y1 = head["box"]
    x, y = np.meshgrid(np.linspace(x0, x1, head["counts"][0]), np.linspace(y0, y1, head["counts"][1]))
    return np.stack([x.ravel(), y.ravel()], 1), (a * (x**2 - y**2) + x * y).ravel()


def test_frames_follow_a_drag_and_a_slider_with_the_right_values() -> None:
    answers = Answers()
    for hole, a in ((0.1, 1.0), (0.15, 1.0), (0.3, 1.0), (0.3, 1.0), (0.3, 2.0), (0.3, -1.5)):
        job = {"type": "solve", "id": 7, "toml": HARMONIC % (hole, a), "quick": True, "view": {"grid": 40}}
        head, arrays, _ = unpacked(answers.answer(job))
        assert head["error"] is None
        assert head["id"] == 7
        assert head["estimate"] < 1e-5
        points, exact = truth(head, a)
        inside = (np.hypot(*points.T) <= 1) & (np.hypot(points[:, 0] - hole, points[:, 1]) >= 0.3)
        assert np.abs(arrays[0] - exact)[inside].max() < 1e-5
        lines = [line.reshape(-1, 2) for line in arrays[1:]]
        assert head["parts"] == ["circle", "hole"]
        assert np.allclose(np.hypot(lines[1][:, 0] - hole, lines[1][:, 1]), 0.3, atol=1e-6)


def test_a_look_a_probe_and_a_cut_at_the_solution() -> None:
    answers = Answers()
    answers.answer({"type": "solve", "id": 1, "toml": HARMONIC % (0.2, 1.0), "quick": True})
    head, arrays, _ = unpacked(answers.answer({"type": "look", "id": 2, "view": {"show": "u_x", "flow": "grad"}}))
    points, _ = truth(head, 1.0)
    inside = (np.hypot(*points.T) <= 1) & (np.hypot(points[:, 0] - 0.2, points[:, 1]) >= 0.3)
    assert np.abs(arrays[0] - 2 * points[:, 0] - points[:, 1])[inside].max() < 1e-4
    head, _, _ = unpacked(answers.answer({"type": "probe", "id": 3, "point": [0.6, 0.5]}))
    assert head["inside"]
    assert head["value"] == pytest.approx(0.41, abs=1e-7)
    assert head["gradient"] == pytest.approx([1.7, -0.4], abs=1e-5)
    head, arrays, _ = unpacked(answers.answer({"type": "cut", "id": 4, "line": [[-1, 0.0], [1, 0.0]]}))
    x = np.linspace(-1, 1, len(arrays[0]))
    assert np.isnan(arrays[0][np.abs(x - 0.2) < 0.29]).all()
    there = np.isfinite(arrays[0])
    assert np.abs(arrays[0] - x**2)[there].max() < 1e-5


def test_a_mistake_is_told_with_its_line_and_column() -> None:
    wrong = (HARMONIC % (0.2, 1.0)).replace("laplacian(u) = 0", "laplacain(u) = 0")
    head, _, _ = unpacked(Answers().answer({"type": "solve", "id": 1, "toml": wrong, "quick": True}))
    line = wrong.split("\n")[head["error"]["line"] - 1]
    assert line[head["error"]["column"] - 1 :].startswith("laplacain")
    assert "laplacian" in head["error"]["text"]


@pytest.mark.parametrize("job", [{}, {"type": "answer"}, {"type": "solve"}, {"type": "take", "kind": "exe"},
                                 {"type": "look", "view": {"grid": "x"}}, {"type": "probe", "point": 3}])  # fmt: skip
def test_jobs_that_make_no_sense_are_answered(job: dict[str, Any]) -> None:
    assert unpacked(Answers().answer(job))[0]["error"]["text"]


def test_python_that_is_taken_away_gives_the_same_solution() -> None:
    answers, text = Answers(), HARMONIC % (0.2, 1.0)
    answers.answer({"type": "solve", "id": 1, "toml": text, "quick": False})
    _, _, program = unpacked(answers.answer({"type": "take", "kind": "py", "toml": text}))
    scope: dict[str, Any] = {}
    exec(program.decode().replace("print(solution.report())", ""), scope)
    points = scope["problem"].domain.interior(50)
    assert answers.solution is not None
    assert np.abs(scope["solution"](points) - answers.solution(points)).max() < 1e-9


def test_eigenvalues_are_answered_with_their_errors_and_looked_at() -> None:
    text = """coordinates = ["x", "y"]
unknowns = ["u"]
domain = "Box(x=(0, 1), y=(0, 2))"
equations = ["-laplacian(u) = lam*u"]
conditions = ["u = 0 on boundary"]
[eigen]
lam = "lam"
count = 2
[solve]
tol = 1e-6
"""
    answers = Answers()
    for quick in (True, False):
        head, arrays, _ = unpacked(answers.answer({"type": "solve", "toml": text, "quick": quick}))
        values = [float(v) for v in head["modes"]["values"]]
        assert np.allclose(values, [1.25 * np.pi**2, 2 * np.pi**2], rtol=1e-3 if quick else 1e-6)
    second, other, _ = unpacked(answers.answer({"type": "look", "view": {"mode": 1}}))
    assert second["axes"] == ["x", "y"]
    assert np.nanmax(np.abs(np.abs(arrays[0]) - np.abs(other[0]))) > 0.1


def test_ready_problems_are_problem_files_with_different_titles() -> None:
    found = ready_problems()
    titles = {problem_of_text(p["toml"], Path("problem")).title for p in found}
    assert len(titles) == len(found) >= 9


def test_a_problem_of_python_becomes_a_text_that_people_would_write() -> None:
    import sympy as sp

    x, y, k = sp.symbols("x y k", real=True)
    u = tn.unknown("u", x, y)
    problem = tn.Problem(
        tn.Disk() - tn.Disk((0.25, 0), 0.5, name="hole"),
        [sp.Eq(tn.laplacian(u) + k**2 * u, -sp.exp(x) * y)],
        [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)), where=x > 0), tn.on("hole", tn.normal_derivative(u))],
    )
    text = toml_of(problem, {k: 3})
    again = problem_of_text(text, Path("problem"))
    assert "u_xx" in text
    assert "domain = \"Disk(center=(0, 0), radius=1) - Disk(center=(0.25, 0), radius=0.5, name='hole')\"" in text
    assert again.problem.equations[0].subs({}) == problem.equations[0]
    assert list(again.parameters.values()) == [3.0]


def test_a_drawing_that_is_dropped_becomes_the_text_of_a_domain() -> None:
    circle = '<circle cx="3" cy="3" r="1.5" id="hole"/>'
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 6"><path d="M0 0H10V6h-10Z"/>{circle}</svg>'
    head, _, _ = unpacked(Answers().answer({"type": "drop", "id": 1, "name": "part.svg", "text": drawing}))
    domain = read_domain(head["domain"])
    assert domain.volume == pytest.approx(60 - np.pi * 1.5**2, rel=1e-6)
    assert "hole" in domain.parts
    head, _, _ = unpacked(Answers().answer({"type": "drop", "id": 1, "name": "part.exe", "text": drawing}))
    assert "geojson" in head["error"]["text"]


def test_what_is_dragged_is_read_once_and_everything_else_anew() -> None:
    reader = FormReader()
    first, _ = reader.read(HARMONIC % (0.1, 1.0))
    for hole, a in ((0.1, 2.0), (0.2, 2.0), (0.2, 3.0)):
        moved, table = reader.read(HARMONIC % (hole, a))
        fresh = problem_of_text(HARMONIC % (hole, a), Path("problem"))
        assert statements_of(moved.problem) is statements_of(first.problem)
        assert repr(moved.problem.domain) == repr(fresh.problem.domain)
        assert moved.parameters == fresh.parameters
        assert table["parameters"]["a"] == a
    assert reader.read(HARMONIC % (0.2, 4.0))[0].problem is moved.problem
    wider = reader.read((HARMONIC % (0.2, 4.0)).replace("r = 0.3", "r = 0.4"))[0].problem.domain
    assert wider.volume == pytest.approx(np.pi * (1 - 0.16))
    other = reader.read((HARMONIC % (0.2, 4.0)).replace('= 0"', '= 1"'))[0].problem
    assert other.equations != moved.problem.equations
    for wrong in ("Disk(radius=1) - Disk(radius=oops)", "Disk(radius=1"):
        with pytest.raises(ProblemFileError, match=r"problem:4:"):
            reader.read((HARMONIC % (0.2, 4.0)).replace("Disk(radius=1) - Disk(center=(0.2, 0), radius=r, name='hole')", wrong))  # fmt: skip  # noqa: E501
