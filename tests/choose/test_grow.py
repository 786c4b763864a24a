"""When a growing network stops, with the errors of its sizes written down beforehand."""

from __future__ import annotations

import warnings
from dataclasses import replace
from types import SimpleNamespace

import pytest
import sympy as sp

import transnet as tn
from transnet.choose.effort import Effort
from transnet.choose.grow import grow
from transnet.choose.limits import limit_of

x, y, z = sp.symbols("x y z")


@pytest.mark.parametrize(
    ("dimension", "errors", "tried"),
    [
        (2, [1e-2, 1e-4, 1e-6, 1e-11, 0.0], 4),
        (2, [1e-2, 9e-3, 8e-3, 1e-9], 3),
        (2, [3.0, 5.0, 2.6, 1e-2, 1e-11], 5),  # nothing of the solution is seen before the fourth
        (2, [0.1, 5.0, 2.6, 1e-11], 3),
        (3, [3.0, 5.0, 2.6, 1e-2], 3),
    ],
)
def test_what_is_not_resolved_yet_is_not_taken_for_the_end(dimension: int, errors: list[float], tried: int) -> None:
    u = tn.unknown("u", *(x, y, z)[:dimension])
    ball = tn.Ball(center=(0.0,) * dimension)
    problem = tn.Problem(ball, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, x))])
    solution = tn.solve(problem, neurons=40)
    left = iter(errors)

    def solve_at(space: object, previous: object) -> tn.Solution:
        return replace(solution, diagnostics=replace(solution.diagnostics, error=next(left)))

    choice = SimpleNamespace(dimension=dimension, space=lambda size, seed: size, group=2, mirrors=None)
    choice.widened = lambda factor: choice
    choice.enriched = lambda: choice
    choice.raced = lambda size: choice
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = grow(choice, 1, solve_at, Effort(1e-10))
    assert [step.error for step in found.history] == errors[:tried]
    assert found.error == min(errors[:tried])


def test_a_wider_band_that_makes_the_estimate_worse_is_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    u = tn.unknown("u", x, y)
    problem = tn.Problem(tn.Disk(), [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, x))])
    solution = tn.solve(problem, neurons=40)
    left, bands = iter([1e-4, 5e-4, 1e-5, 1e-6, 1e-12]), []
    monkeypatch.setattr("transnet.choose.grow._bandwidth_limited", lambda found: True)

    def solve_at(band: float, previous: object) -> tn.Solution:
        bands.append(band)
        return replace(solution, diagnostics=replace(solution.diagnostics, error=next(left)))

    def choice(band: float) -> SimpleNamespace:
        made = SimpleNamespace(dimension=2, space=lambda size, seed: band, group=2, mirrors=None, band=band)
        made.widened = lambda factor: choice(factor * band)
        made.with_band_of = lambda other: choice(other.band)
        made.enriched = lambda: made
        made.raced = lambda size: made
        return made

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = grow(choice(1.0), 1, solve_at, Effort(1e-10))
    assert bands[:3] == [1.0, 2.0, 1.0]
    assert 2.0 not in bands[3:]
    assert found.error < 1e-5


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
