"""What a newcomer gets wrong first, and whether the answer helps."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, ArgumentError, FileError, GeometryError, ProblemError
from transnet.language.errors import ProblemFileError

x, y, t = sp.symbols("x y t")
u, w = tn.unknown("u", x, y), tn.unknown("w", x, t)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
GOOD = 'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Disk()"\nequations = "laplacian(u) = 0"\n'


def problem():
    return tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])


def test_an_unknown_that_is_only_a_symbol():
    s = sp.Symbol("u")
    with pytest.raises(ProblemError, match=r"tn\.unknown"):
        tn.Problem(SQUARE, [sp.Eq(sp.diff(s, x, 2) + sp.diff(s, y, 2), 1)], [tn.on("boundary", sp.Eq(s, 0))])


@pytest.mark.parametrize(
    ("keyword", "said"), [("verbose", "'progress'"), ("epochs", "Nothing is trained"), ("nuerons", "'neurons'")]
)
def test_keywords_of_other_libraries(keyword, said):
    with pytest.raises(ArgumentError, match=said) as caught:
        tn.solve(problem(), **{keyword: 3})
    assert "Did you mean 'points'" not in str(caught.value)


@pytest.mark.parametrize("parts", ["left, right", "left and right"])
def test_two_parts_at_once(parts):
    with pytest.raises(GeometryError, match="once for each part"):
        tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 1)], [tn.on(parts, sp.Eq(u, 0))])


def test_complex_points():
    solution = tn.solve(problem(), neurons=40)
    with pytest.raises(ProblemError, match="real, not complex"):
        solution(np.array([[0.5 + 0j, 0.5]]))


def test_values_at_the_last_moment():
    rod = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    stated = [
        tn.on("sides", sp.Eq(w, 0)),
        tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x))),
        tn.on("t=1", sp.Eq(w, sp.sin(sp.pi * x) / 9)),
    ]
    with pytest.warns(AccuracyWarning) as caught:
        tn.solve(tn.Problem(rod, [sp.Eq(sp.diff(w, t), sp.diff(w, x, 2))], stated), neurons=60)
    assert any("at the final time as well as at the initial one, on 't=1'" in str(c.message) for c in caught)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("Disk()", "Disk(raduis=1)"), "Did you mean 'radius'"),
        (GOOD.replace('"y"]', '"y"'), ":1:15: .*its closing bracket is missing"),
        (GOOD + "[parameters]\nν = 1\n", 'need quotes: "ν" = '),
    ],
)
def test_files(tmp_path, text, message):
    file = tmp_path / "ring.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemFileError, match=message):
        tn.read_problem(file)


def test_the_wrong_file(tmp_path):
    (tmp_path / "ring.toml").write_text(GOOD)
    (tmp_path / "ring.npz").write_bytes(b"PK")
    with pytest.raises(ProblemFileError, match=r"Did you mean '.*ring\.toml'"):
        tn.read_problem(tmp_path / "rnig.toml")
    with pytest.raises(ProblemFileError, match="transnet show"):
        tn.read_problem(tmp_path / "ring.npz")
    with pytest.raises(FileError, match="transnet solve"):
        tn.load(tmp_path / "ring.toml")
    with pytest.raises(FileError, match=r"Did you mean '.*ring\.npz'"):
        tn.load(tmp_path / "rring.npz")
