"""A report to send has what it must, in both formats; results of many solutions stand in one table."""

from __future__ import annotations

import csv

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import FileError, ProblemError
from transnet.solution.results.numbers import Extremum, Number

pytest.importorskip("matplotlib")
x, y, a, k = sp.symbols("x y a k")
u = tn.unknown("u", x, y)


@pytest.fixture(scope="module")
def solution() -> tn.Solution:
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), 4.123456789 * k)], [tn.on("boundary", sp.Eq(u, 1))])
    return tn.solve(problem, neurons=80, parameters={k: 2})


def test_a_page_to_send(solution: tn.Solution, tmp_path) -> None:
    results = {"volume <V>": solution.integral(u), "lowest": solution.minimum(u), "remark": "see below", "count": 3}
    path = solution.save_report(tmp_path / "part.html", title="A <dish>", results=results, units={"lowest": "mm"})
    page = path.read_text()
    assert "A &lt;dish&gt;" in page
    assert "<dish>" not in page
    for text in ("volume &lt;V&gt;", "±", "mm at x", "4.12346*k", "in the domain", "on boundary", "data:image/png"):
        assert text in page, text
    for text in ("transnet-pde", "numpy", "estimated error", "see below"):
        assert text in page, text
    assert "data:image" not in solution.save_report(tmp_path / "bare.html", pictures=[]).read_text()


def test_messages_stand_in_it(tmp_path) -> None:
    with pytest.warns(tn.errors.TransnetWarning):
        poor = tn.solve(
            tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), sp.sin(30 * x))], [tn.on("boundary", u)]), neurons=8
        )
    assert 'class="warning"' in poor.save_report(tmp_path / "poor.html", pictures=[]).read_text()


def test_a_document(solution: tn.Solution, tmp_path) -> None:
    written = solution.save_report(tmp_path / "part.pdf", results={"volume": solution.integral(u)})
    assert written.read_bytes().startswith(b"%PDF")


def test_wrong_reports(solution: tn.Solution, tmp_path) -> None:
    with pytest.raises(FileError, match=r"\.html or \.pdf"):
        solution.save_report(tmp_path / "part.docx")
    with pytest.raises(ProblemError, match="not among the results"):
        solution.save_report(tmp_path / "part.html", units={"volume": "m"})
    with pytest.raises(ProblemError, match=r"solution\.plot"):
        solution.save_report(tmp_path / "part.html", pictures=[3])


@pytest.fixture(scope="module")
def many() -> tn.Solutions:
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), -4 * a)], [tn.on("boundary", u)])
    return tn.prepare(problem, neurons=80, parameters={a: 1}).solve_many([{a: v} for v in (1, 2, 5)])


def test_results_of_many_solutions(many: tn.Solutions, tmp_path) -> None:
    # u = a (1 - r^2): 1 in the middle, and pi / 2 its integral
    factors = np.array([1, 2, 5])
    for found, one in (
        (many.maximum(), 1),
        (many.integral(), np.pi / 2),
        (many.mean(u), 0.5),
        (many.minimum(), 0),
    ):
        np.testing.assert_allclose(np.asarray(found), one * factors, atol=1e-6)
    table = many.table({"top": "mm"}, top=lambda s: s.maximum(u), rim=lambda s: s.flux("circle"))
    np.testing.assert_allclose(table["a"], factors)
    np.testing.assert_allclose(table["top"], factors, atol=1e-6)
    rows = list(csv.DictReader(table.save(tmp_path / "loads.csv").open()))
    assert float(rows[2]["top [mm]"]) == pytest.approx(5, abs=1e-6)
    assert float(rows[2]["error of top"]) < 1e-3
    assert "top [mm]" in repr(table)
    assert "<th>" in table._repr_html_()
    with pytest.raises(ProblemError, match="one number for each"):
        many.table(both=lambda s: s.integral([u, u**2]))
    with pytest.raises(ProblemError, match="not a column"):
        many.table({"bottom": "mm"}, top=lambda s: s.maximum(u))


def test_a_number_whose_error_is_not_known_says_so() -> None:
    top = Extremum.at(117.6242064, float("inf"), np.array([0.003, -1e-12]), ("x", "y"))
    assert str(top) == "117.6 ± unknown at x = 0.003, y = 0"
    assert str(Number(117.6242064)) == "117.6242064"
