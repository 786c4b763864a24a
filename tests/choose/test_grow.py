"""How a network grows, with the errors of its sizes written down beforehand."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy as sp

import transnet as tn
from transnet.choose.limits import limit_of
from transnet.drive.plan import Plan
from transnet.method.network import grown_networks

x, y, z = sp.symbols("x y z")


def test_a_wider_band_that_makes_the_estimate_worse_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    u = tn.unknown("u", x, y)
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, x))])
    solution = tn.solve(problem, neurons=40)
    left, bands = iter([1e-4, 5e-4, 1e-5, 1e-6, 1e-12]), []
    monkeypatch.setattr("transnet.method.network._bandwidth_limited", lambda found: True)

    def solve_at(band: float, previous: object) -> tn.Solution:
        bands.append(band)
        return replace(solution, diagnostics=replace(solution.diagnostics, error=next(left)))

    def choice(band: float) -> SimpleNamespace:
        made = SimpleNamespace(dimension=2, space=lambda size, seed: band, band=band)
        made.widened = lambda factor: choice(factor * band)
        made.with_band_of = lambda other: choice(other.band)
        made.enriched = lambda: made
        made.raced = lambda size: made
        return made

    levels = grown_networks(choice(1.0), Plan(problem, tol=1e-10), solve_at)
    assert [next(levels).found.error for _ in range(4)] == [1e-4, 5e-4, 1e-5, 1e-6]
    assert bands[:3] == [1.0, 2.0, 1.0]
    assert 2.0 not in bands[3:]


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
