"""Taylor's theorem for what is no parameter: J(f + h d) - J(f) - h J'(f) d falls by four when h is halved."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, s, t, k, T, lam = sp.symbols("x y s t k T lam")
q, u, v = tn.unknown("q", x), tn.unknown("u", x, y), tn.unknown("v", x, t)
f = tn.given("f", lambda x: 1 + x, x)
rod = tn.Interval(x=(0, 1))
fixed = [tn.on("boundary", sp.Eq(q, 0))]


def second_order(left):
    assert 3.4 < left[0] / left[1] < 4.6


def test_a_source():
    def solved(source):
        return tn.solve(tn.Problem(rod, [sp.Eq(-sp.diff(q, x, 2) + 9 * q**3, source)], fixed), tol=1e-9)

    def result(solution):
        return solution.integral(q**2)

    slope = solved(f).gradient(result(solved(f)), wrt=f)["f(x)"].along(lambda p: np.exp(p[:, 0]))
    left = [float(result(solved(f + h * sp.exp(x))) - result(solved(f)) - h * slope) for h in (1.0, 0.5)]
    second_order(left)


def test_a_parameter_of_an_exponential():
    # Its tangent has exp of the solution, a given function, as a coefficient: Bratu's problem, q = 2 log(cosh c / cosh)
    bratu = tn.Problem(rod, [sp.Eq(sp.diff(q, x, 2) + k * sp.exp(q), 0)], fixed)
    solution = tn.solve(bratu, parameters={k: 1.0}, tol=1e-9)
    middle = solution.evaluate(q, [[0.5]], error=True)[0]
    c = sp.nsolve(k.subs(k, 1) - 8 * (x / sp.cosh(x)) ** 2, x, 0.4)
    slope = 2 * sp.tanh(x) / sp.diff(8 * (x / sp.cosh(x)) ** 2, x)
    assert abs(solution.gradient(middle, wrt=k)[k] - float(slope.subs(x, c))) < 1e-8


def test_an_eigenvalue_by_a_parameter_and_by_a_function():
    def first(k_value, potential=f):
        law = [sp.Eq(-sp.diff((1 + k * x) * sp.diff(q, x), x) + potential * q, lam * q)]
        return tn.eigenpairs(tn.Problem(rod, law, fixed), lam, count=2, parameters={k: k_value})

    here = first(0.8)
    slope = here.gradient(wrt=k)[k]
    second_order([first(0.8 + h).values[0] - here.values[0] - h * slope for h in (0.4, 0.2)])
    along = here.gradient(wrt=f)["f(x)"].along(lambda p: 20 * p[:, 0])
    second_order([first(0.8, f + 20 * h * x).values[0] - here.values[0] - h * along for h in (1.0, 0.5)])


def test_the_normal_speed_of_a_boundary():
    def volume(h):
        radius = 1 + h * sp.cos(2 * s)  # cos(2 s) = x^2 - y^2 on the circle
        shape = tn.Region(tn.Curve((radius * sp.cos(s), radius * sp.sin(s)), (s, 0, 2 * sp.pi), name="rim"))
        found = tn.solve(tn.Problem(shape, [sp.Eq(-tn.laplacian(u), 1 + x**2)], [tn.on("rim", sp.Eq(u, 0))]), tol=1e-9)
        return found, found.integral(u)

    here, first = volume(0)
    slope = here.gradient(first, wrt="rim")["rim"].along(lambda p: p[:, 0] ** 2 - p[:, 1] ** 2)
    second_order([float(volume(h)[1] - first - h * slope) for h in (0.1, 0.05)])


def test_the_end_of_time():
    # v = sin(pi x) exp(-k pi^2 t)
    heat = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, T)),
        [sp.Eq(sp.diff(v, t), k * sp.diff(v, x, 2))],
        [tn.on("t=0", sp.Eq(v, sp.sin(sp.pi * x))), tn.on("x=0", v), tn.on("x=1", v)],
    )
    solution = tn.solve(heat, parameters={k: 0.3, T: 0.2}, tol=1e-8)
    rate, last = 0.3 * np.pi**2, solution.problem.domain.parts[-1]
    end = 2 / np.pi * np.exp(-rate * 0.2)
    at_end = solution.gradient(solution.integral(v, over=last), wrt=[T, k])
    assert abs(at_end[T] + rate * end) < 1e-7
    assert abs(at_end[k] + np.pi**2 * 0.2 * end) < 1e-7
    assert abs(solution.gradient(solution.integral(v), wrt=T)[T] - end) < 1e-7
    assert abs(solution.gradient(solution.evaluate(v, [[0.5, 0.1]], error=True)[0], wrt=T)[T]) < 1e-8
    with pytest.raises(ProblemError, match="over="):
        solution.gradient(solution.integral(v, t=0.2), wrt=T)
