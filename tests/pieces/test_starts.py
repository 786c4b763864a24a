"""Where an iteration in pieces starts: from formulas and solutions, stage by stage of a continuation."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.doors.rescue import rescued
from transnet.drive.plan import Plan

x = sp.symbols("x")
u = tn.unknown("u", x)
strength = sp.Symbol("strength")
BRATU = tn.Problem(
    tn.Interval(x=(0, 1)),
    [sp.Eq(sp.diff(u, x, 2) + strength * sp.exp(u), 0)],
    [tn.on("boundary", u)],
)
MIDDLE = np.array([[0.5]])
# u(1/2) = 2 log(cosh(theta / 4)), theta = sqrt(2 strength) cosh(theta / 4): on the lower and on the upper branch.
LOWER, UPPER = 0.140539214400, 4.091467246189


def test_a_formula_leads_to_the_branch_that_it_is_close_to() -> None:
    assert tn.solve(BRATU, pieces=True, parameters={strength: 1.0})(MIDDLE)[0] == pytest.approx(LOWER, abs=1e-7)
    high = tn.solve(BRATU, pieces=True, parameters={strength: 1.0}, guess=sp.Float(4.1) * sp.sin(sp.pi * x))
    assert high.status == "converged"
    assert high(MIDDLE)[0] == pytest.approx(UPPER, abs=1e-6)
    again = tn.solve(BRATU, pieces=True, parameters={strength: 1.0}, guess=high)
    assert again(MIDDLE)[0] == pytest.approx(UPPER, abs=1e-6)


def test_a_continuation_goes_through_its_stages() -> None:
    solution = tn.solve(BRATU, pieces=True, continuation={strength: [0.5, 1.0]})
    assert solution.parameters[strength] == 1.0
    assert solution(MIDDLE)[0] == pytest.approx(LOWER, abs=1e-7)


@pytest.mark.parametrize(
    ("said", "words"),
    [({"guess": np.sin}, "is a callable"), ({"strategy": tn.Picard()}, "Newton's iteration, not by Picard")],
)
def test_what_pieces_cannot_use_is_refused(said: dict, words: str) -> None:
    with pytest.raises(tn.errors.ProblemError, match=words):
        tn.solve(BRATU, pieces=True, parameters={strength: 1.0}, **said)


def test_an_interrupted_cut_says_that_nothing_has_confirmed_its_estimate() -> None:
    solution = tn.solve(
        tn.Problem(BRATU.domain, [sp.Eq(sp.diff(u, x, 2), sp.exp(x))], [tn.on("boundary", u)]), pieces=4
    )

    @rescued
    def interrupted(plan: Plan) -> tn.Solution:
        assert plan.watch is not None
        plan.watch(solution)
        raise KeyboardInterrupt

    left = interrupted(Plan(solution.problem))
    assert left.status == "interrupted"
    assert "no finer cut has confirmed it" in left.diagnostics.messages[-1].text
