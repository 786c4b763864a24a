"""Six digits by default, more where they are nearly free, and a time limit."""

from __future__ import annotations

from time import perf_counter

import pytest
import sympy as sp

import transnet as tn
from transnet.choose.effort import ENOUGH, GOOD, Effort
from transnet.errors import EstimateWarning, ProblemError

x, y, t = sp.symbols("x y t")


def test_what_is_asked_for_is_the_goal():
    assert Effort().goal == ENOUGH
    assert Effort(1e-8).goal == 1e-8


def test_the_time_that_is_left():
    begun = Effort().begun
    assert Effort(begun=begun).left() == float("inf")
    assert 0 < Effort(seconds=1e6, begun=begun).left() <= 1e6
    assert Effort(seconds=1.0, begun=begun - 2.0).left() < 0


def test_a_wave_in_space_and_time_stops_at_six_digits():
    u = tn.unknown("u", x, y, t)
    exact = sp.sin(2 * sp.pi * x) * sp.sin(sp.pi * y) * sp.cos(sp.sqrt(5) * sp.pi * t)
    box = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.5))
    conditions = [tn.on("sides", sp.Eq(u, 0)), tn.on("t=0", sp.Eq(u, exact.subs(t, 0)), sp.Eq(sp.diff(u, t), 0))]
    problem = tn.Problem(box, [sp.Eq(sp.diff(u, t, 2), tn.laplacian(u))], conditions)
    solution = tn.solve(problem)
    assert solution.error <= GOOD
    assert solution.compare(exact).relative <= 10 * GOOD
    assert solution.neurons < 3000
    if solution.error > 1e-9:
        assert "tol=1e-10" in solution.report()


def test_a_time_limit_gives_the_best_by_then():
    u = tn.unknown("u", x, y)
    problem = tn.Problem(
        tn.Disk(), [sp.Eq(tn.laplacian(u), sp.cos(20 * y) / (2 + x))], [tn.on("boundary", sp.Eq(u, 0))]
    )
    with pytest.warns(EstimateWarning, match="was not reached within"):
        solution = tn.solve(problem, tol=1e-14, seconds=1e-3)
    assert len(solution.history) == 1
    with pytest.raises(ProblemError, match="the time to take"):
        tn.solve(problem, seconds=0)


def test_progress_is_shown_with_the_estimate(capsys):
    u = tn.unknown("u", x)
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(u, x, 2), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    seen = []
    tn.solve(problem, progress=True, watch=seen.append)
    told = capsys.readouterr().err
    assert ", level 1: solving (" in told
    assert "estimated error" in told
    assert " s" in told.split("estimated error")[1]
    tn.solve(problem)
    assert capsys.readouterr().err == ""
    assert seen


def test_the_report_accounts_for_all_the_time_and_advises_what_helps():
    u = tn.unknown("u", x, y)
    rough = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]) - tn.Disk(center=(0.5, 1.5), radius=0.2)
    problem = tn.Problem(rough, [sp.Eq(tn.laplacian(u) + (10 + x * y) * u, 1)], [tn.on("boundary", sp.Eq(u, 0))])
    begun = perf_counter()
    with pytest.warns(EstimateWarning, match=r"Allow more time: seconds=4\.") as told:
        solution = tn.solve(problem, tol=1e-12, seconds=1)
    assert "neurons=" not in str(told[0].message)
    spent = solution.diagnostics.seconds
    assert {"other levels", "choosing"} <= set(spent)
    assert 0.5 * (perf_counter() - begun) < sum(spent.values()) <= perf_counter() - begun
    assert f"in {sum(spent.values()):.2f} seconds altogether" in solution.report()
