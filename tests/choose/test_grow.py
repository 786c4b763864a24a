"""How a network grows, with the errors of its sizes written down beforehand."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest
import sympy as sp

import transnet as tn
from transnet.choose.limits import limit_of
from transnet.drive.plan import Plan
from transnet.method.network import grown_networks

x, y, z = sp.symbols("x y z")


def test_other_features_are_searched_for_where_the_error_falls_too_slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    u = tn.unknown("u", x, y)
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, x))])
    solution = tn.solve(problem, neurons=40)
    nested, searches, sizes = ((200, 1e-2), (270, 1e-5)), [], []
    errors = iter([1e-5, 1e-7, 0.9e-7, 1e-8])
    monkeypatch.setattr(
        "transnet.method.network.search_band", lambda choice, trials, size: searches.append(size) or choice
    )

    def solve_at(space: tn.FeatureSpace, previous: object) -> tn.Solution:
        sizes.append(space.neurons)
        known = replace(solution.diagnostics, error=next(errors), nested=nested)
        return replace(solution, diagnostics=known)

    levels = grown_networks(Plan(problem, tol=1e-8), solve_at)
    next(levels)
    next(levels)
    next(levels)
    assert searches == []  # it fell fast until now
    next(levels)
    assert searches == [sizes[3]]


def test_more_neurons_are_not_proposed_where_more_were_tried_and_were_no_better() -> None:
    u = tn.unknown("u", x, y)
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), sp.cos(30 * x))], [tn.on("boundary", u)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = tn.solve(problem, space=tn.FeatureSpace.waves(2, 100, 0.1))
    assert limit_of(solution, 100, True, True)[1] == {"neurons": 200}
    for tried, helped in ((400, True), (100, False)):
        text, remedy = limit_of(solution, tried, True, helped)
        assert "neurons" not in remedy
        assert "were no" in text
