"""Results of marches have errors of their own: the march without its estimated error is kept beside it."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, t = sp.symbols("x t")
U = tn.unknown("u", x, t)
DOMAIN = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))


@pytest.mark.parametrize("speed", [0.5, 3.0])
def test_errors_of_integrals_over_a_march_are_neither_too_small_nor_far_too_large(speed: float) -> None:
    exact = sp.exp(-speed * t) * sp.sin(4 * x + 1) + x * t
    problem = tn.Problem(
        DOMAIN,
        [sp.Eq(sp.diff(U, t) - sp.diff(U, x, 2) / 5, sp.diff(exact, t) - sp.diff(exact, x, 2) / 5)],
        [tn.on("t=0", sp.Eq(U, exact.subs(t, 0))), *(tn.on(p, sp.Eq(U, exact)) for p in ("x=0", "x=1"))],
    )
    solution = tn.solve(problem, tol=1e-4)
    over_end = float(sp.integrate(exact.subs(t, 1), (x, 0, 1)))
    slope = float(sp.integrate(sp.diff(exact, x).subs(x, 1), (t, 0, 1)))
    results = solution.integral(U, over="t=1"), solution.integral(sp.diff(U, x), over="x=1")
    for found, truth in zip(results, (over_end, slope), strict=True):
        assert abs(float(found) - truth) <= 2 * found.error
        assert found.error <= max(10 * abs(float(found) - truth), 1e-12)


def test_a_march_that_is_written_to_a_file_keeps_no_second_solution(tmp_path: object) -> None:
    problem = tn.Problem(DOMAIN, [sp.Eq(sp.diff(U, t), sp.diff(U, x, 2))], [
        tn.on("t=0", sp.Eq(U, sp.sin(sp.pi * x))), tn.on("x=0", U), tn.on("x=1", U)])  # fmt: skip
    assert tn.solve(problem, tol=1e-4).diagnostics.coarser is not None
    assert np.isfinite(tn.solve(problem, tol=1e-4, to=f"{tmp_path}/march").integral(U).error)
