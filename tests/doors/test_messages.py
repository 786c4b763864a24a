"""Messages are values: what is warned of is in the diagnostics, in the report and in the file."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import Eq

import transnet as tn
from transnet.errors import EstimateWarning, Message, UniquenessWarning

x, y, a = sp.symbols("x y a")
w, u = tn.unknown("w", x), tn.unknown("u", x, y)


def test_a_tolerance_that_was_not_reached_is_in_the_report_and_in_the_file(tmp_path):
    bump = 1 / (1 + 25 * (x**2 + y**2))
    source = sp.diff(bump, x, 2) + sp.diff(bump, y, 2)
    square = tn.Box(x=(-1, 1), y=(-1, 1))
    rough = tn.Problem(square, [Eq(tn.laplacian(u), source)], [tn.on("boundary", Eq(u, bump))])
    with pytest.warns(EstimateWarning, match="1.0e-09 was not reached") as caught:
        solution = tn.solve(rough, tol=1e-9, pieces=False)
    (message,) = solution.diagnostics.messages
    assert message.kind is EstimateWarning
    assert message.remedy == {"neurons": 2 * solution.neurons}
    assert [str(c.message) for c in caught] == [str(message)]
    assert f"warning: {message}" in solution.report()
    again = tn.load(solution.save(tmp_path / "rough"))
    assert again.diagnostics.messages == (message,)


def test_contradictory_data_of_a_prepared_problem_are_in_its_diagnostics():
    square = tn.Box(x=(0, 1), y=(0, 1))
    conditions = [tn.on("boundary", u), tn.on("top", Eq(u, a))]
    prepared = tn.prepare(tn.Problem(square, [Eq(tn.laplacian(u), 0)], conditions), neurons=80, parameters={a: 0})
    assert prepared.solve({a: 0}).diagnostics.messages == ()
    with pytest.warns(UniquenessWarning, match="contradict each other") as caught, pytest.warns(EstimateWarning):
        solution = prepared.solve({a: 1})
    assert any("contradict" in m.text and m.remedy == {"separate": True} for m in solution.diagnostics.messages)
    assert sum("contradict" in str(c.message) for c in caught) == 1


def test_a_message_reads_as_its_text_and_its_remedy():
    message = Message(EstimateWarning, "Too few.", {"neurons": 800})
    assert f"{message}" == "Too few. Use more neurons: tn.solve(problem, neurons=800)."
