"""Integrals of unknowns and their values elsewhere, in equations and conditions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError, TransnetError

x, s, t = sp.symbols("x s t")
u = tn.unknown("u", x)
LINE = tn.Interval(x=(0, 1))
POINTS = np.linspace(0, 1, 21)


def solved(equation: sp.Expr, *conditions, domain: tn.Domain = LINE) -> np.ndarray:
    return tn.solve(tn.Problem(domain, [equation], conditions))(POINTS)


def test_fredholm() -> None:
    known = sp.exp(x) - (sp.exp(x + 1) - 1) / (x + 1)
    found = solved(sp.Eq(u, known + tn.integral(sp.exp(x * s) * u.subs(x, s), over=(s, 0, 1))))
    assert found == pytest.approx(np.exp(POINTS), abs=1e-12)


def test_volterra() -> None:
    assert solved(sp.Eq(u, 1 + tn.integral((x - s) * u.subs(x, s), over=(s, 0, x)))) == pytest.approx(
        np.cosh(POINTS), abs=1e-12
    )
    assert solved(sp.Eq(u, 1 + sp.Integral(u.subs(x, s), (s, 0, x)))) == pytest.approx(np.exp(POINTS), abs=1e-12)


def test_a_kernel_with_a_kink() -> None:
    exact = sp.cos(x)
    part = sp.integrate((x - s) * sp.cos(s), (s, 0, x)) + sp.integrate((s - x) * sp.cos(s), (s, x, 1))
    found = solved(sp.Eq(u, exact - part + tn.integral(sp.Abs(x - s) * u.subs(x, s), over=s)))
    assert found == pytest.approx(np.cos(POINTS), abs=1e-11)


def test_delays() -> None:
    v = tn.unknown("v", t)
    time = tn.Interval(t=(0, 1))
    start = tn.on("t=0", sp.Eq(v, 1))
    linear = sp.Eq(sp.diff(v, t), -v + v.subs(t, t / 2) - sp.exp(-t / 2))
    assert solved(linear, start, domain=time) == pytest.approx(np.exp(-POINTS), abs=1e-10)
    squared = sp.Eq(sp.diff(v, t), -(v.subs(t, t / 2) ** 2))
    assert solved(squared, start, domain=time) == pytest.approx(np.exp(-POINTS), abs=1e-10)


def test_conditions_that_are_not_local() -> None:
    half = sp.Rational(1, 2)
    three = sp.Eq(u - u.subs(x, half), sp.sin(1) - sp.sin(half))
    equation = sp.Eq(sp.diff(u, x, 2), -sp.sin(x))
    assert solved(equation, tn.on("x=0", sp.Eq(u, 0)), tn.on("x=1", three)) == pytest.approx(np.sin(POINTS), abs=1e-12)
    slope = sp.Eq(sp.diff(u, x), sp.diff(u, x).subs(x, 0) + sp.cos(1) - 1)
    whole = sp.Eq(tn.integral(u), 1 - sp.cos(1))
    problem = tn.Problem(LINE, [equation, whole], [tn.on("x=0", sp.Eq(u, 0))])
    assert tn.solve(problem)(POINTS) == pytest.approx(np.sin(POINTS), abs=1e-12)
    assert tn.solve(tn.Problem(LINE, [equation, whole], [tn.on("x=0", sp.Eq(u, 0)), tn.on("x=1", slope)])).error < 1e-9


def test_a_mean_of_zero_at_each_time() -> None:
    """p_x is given, and at each time the mean of p is zero: a pressure of a flow in a pipe."""
    p = tn.unknown("p", x, t)
    exact = sp.exp(t) * (sp.cos(sp.pi * x) + x - sp.Rational(1, 2))
    domain = tn.Box(x=(0, 1), t=(0, 1))
    solution = tn.solve(tn.Problem(domain, [sp.Eq(sp.diff(p, x), sp.diff(exact, x)), tn.integral(p, over=x)]))
    where = domain.interior(50, "quasi", 1)
    assert solution(where) == pytest.approx(sp.lambdify((x, t), exact)(*where.T), abs=1e-7)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ProblemError, match="not linear in the unknowns"):
        tn.solve(tn.Problem(LINE, [sp.Eq(u, 1 + tn.integral(u.subs(x, s) ** 2, over=(s, 0, 1)))]))
    with pytest.raises(ProblemError, match="outside of the domain"):
        tn.solve(tn.Problem(LINE, [sp.Eq(sp.diff(u, x), u.subs(x, x - 1))], [tn.on("x=0", sp.Eq(u, 1))]))
    with pytest.raises(ProblemError, match="not a coordinate"):
        tn.solve(tn.Problem(LINE, [sp.Eq(u, 1 + tn.integral(u, over=t))]))
    with pytest.raises(TransnetError, match="no boundary part 'lid'"):
        tn.solve(tn.Problem(LINE, [sp.Eq(u, 1 + tn.integral(u, over="lid"))]))
    with pytest.raises(ProblemError, match="is not something to integrate over"):
        tn.integral(u, over=3.5)


def test_integrals_are_shown_and_pickled() -> None:
    problem = tn.Problem(LINE, [sp.Eq(u, 1 + tn.integral(u) / 2)])
    assert "integral(u over the domain)" in repr(problem)
    assert r"\int" in problem._repr_latex_()
    solution = pickle.loads(pickle.dumps(tn.solve(problem)))
    assert solution(POINTS) == pytest.approx(2.0, abs=1e-12)
