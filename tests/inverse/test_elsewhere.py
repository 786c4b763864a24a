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
    with pytest.raises(ProblemError, match="outside the domain"):
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


def test_integrals_over_parts_of_the_boundary() -> None:
    """A body without values anywhere: its flux is known on all sides, and the mean on one of them."""
    y = sp.Symbol("y")
    w = tn.unknown("w", x, y)
    exact = sp.exp(x) * sp.cos(y) + x
    box = tn.Box(x=(0, 1), y=(0, 1))
    flux = tn.normal(x, y).dot(tn.grad(exact, x, y))
    level = sp.integrate(exact.subs(x, 0), (y, 0, 1))
    whole = sp.Eq(tn.integral(w, over="left"), level)
    problem = tn.Problem(box, [tn.laplacian(w), whole], [tn.on("boundary", sp.Eq(tn.normal_derivative(w), flux))])
    points = box.interior(40)
    truth = sp.lambdify((x, y), exact)(*points.T)
    assert tn.solve(problem)(points) == pytest.approx(truth, abs=1e-8)
    # A floating potential: a constant on the hole, of which the charge is known instead of the value.
    ring = tn.Disk(radius=1) - tn.Disk(radius=0.5, name="hole")
    c = tn.unknown("c")
    charge = sp.Eq(tn.integral(tn.normal_derivative(w), over="hole"), 2 * sp.pi)
    floating = [tn.on("circle", sp.Eq(w, 0)), tn.on("hole", sp.Eq(w, c))]
    solution = tn.solve(tn.Problem(ring, [tn.laplacian(w), charge], floating))
    assert float(solution["c"]) == pytest.approx(np.log(2), abs=1e-8)


def test_a_flux_through_a_part_at_each_time() -> None:
    """u_t = u_xx + f with the source f(t) unknown in size: the flux through the right end tells the boundary value."""
    v, g = tn.unknown("v", x, t), tn.unknown("g", t)
    exact = sp.exp(-t) * sp.sin(x)
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
    known = sp.Eq(tn.integral(tn.normal_derivative(v), over="x=1"), sp.exp(-t) * sp.cos(1))
    conditions = [tn.on("t=0", sp.Eq(v, sp.sin(x))), tn.on("x=0", sp.Eq(v, 0)), tn.on("x=1", sp.Eq(v, g))]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2)), known], conditions))
    points = domain.interior(40, "quasi", 2)
    assert solution["v"](points) == pytest.approx(sp.lambdify((x, t), exact)(*points.T), abs=1e-6)


def test_a_pressure_of_zero_mean_at_each_time_in_an_unsteady_flow() -> None:
    """Decaying vortices between walls: velocities are given on the boundary, the pressure by its mean at each time."""
    y = sp.Symbol("y")
    velocity, p = tn.vector("v", x, y, t), tn.unknown("p", x, y, t)
    decay = sp.exp(-2 * t)
    exact = sp.Matrix([-sp.cos(x) * sp.sin(y), sp.sin(x) * sp.cos(y)]) * decay
    pressure = -(sp.cos(2 * x) + sp.cos(2 * y)) / 4 * decay**2
    mean = sp.integrate(pressure, (x, 0, 1), (y, 0, 1))
    stokes = sp.Eq(
        velocity.diff(t) + tn.grad(velocity, x, y) * exact + tn.grad(p) - tn.laplacian(velocity), sp.zeros(2, 1)
    )
    domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 0.5))
    sides = [tn.on(part, sp.Eq(velocity, exact)) for part in ("left", "right", "bottom", "top", "t=0")]
    problem = tn.Problem(domain, [stokes, tn.div(velocity), tn.integral(p, over=(x, y))], sides)
    solution = tn.solve(problem, neurons=120, points=tn.Points(interior=300, boundary=400))
    points = domain.interior(40, "quasi", 2)
    truth = sp.lambdify((x, y, t), pressure - mean)(*points.T)
    assert solution["p"](points) == pytest.approx(truth, abs=3e-3)
    assert solution["v"](points) == pytest.approx(
        np.column_stack([np.broadcast_to(sp.lambdify((x, y, t), e)(*points.T), 40) for e in exact]), abs=3e-4
    )


def test_kernels_with_a_root_or_a_logarithm() -> None:
    """Abel's kernel is infinite where the integral ends: u = x + x^2, and one with log s."""
    abel = tn.integral((x - s) ** sp.Rational(-1, 2) * u.subs(x, s), over=(s, 0, x))
    known = sp.Rational(4, 3) * x ** sp.Rational(3, 2) + sp.Rational(16, 15) * x ** sp.Rational(5, 2)
    solution = tn.solve(tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(u, x + x**2 - known + abel)], []))
    places = np.linspace(0, 1, 30)
    assert solution(x=places) == pytest.approx(places + places**2, abs=1e-10)
    remembered = x * tn.integral(sp.log(s) * u.subs(x, s), over=(s, 0, 1))
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(u, 1 + sp.Rational(9, 4) * x + remembered)], [])
    assert tn.solve(problem)(x=places) == pytest.approx(1 + places, abs=1e-12)


def test_an_integral_stated_at_an_end_is_a_condition() -> None:
    """It would be warned of otherwise that a condition is missing there."""
    mean = tn.on("x=1", sp.Eq(tn.integral(u, over=x), 1 - sp.cos(1)))
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(sp.diff(u, x, 2) + u, 0)], [tn.on("x=0", sp.Eq(u, 0)), mean])
    places = np.linspace(0, 1, 30)
    assert tn.solve(problem)(x=places) == pytest.approx(np.sin(places), abs=1e-10)


def test_data_of_a_complex_unknown_with_an_exponential_and_a_root() -> None:
    """A free particle: exp(-x^2 / (2 + 2 i t)) / sqrt(1 + i t)."""
    psi = tn.unknown("psi", x, t, complex=True)
    packet = sp.exp(-(x**2) / (2 + 2 * sp.I * t)) / sp.sqrt(1 + sp.I * t)
    box = tn.Interval(x=(-4, 4)) * tn.Interval(t=(0, 1))
    ends = [tn.on(part, sp.Eq(psi, packet)) for part in ("x=-4", "x=4")]
    equation = sp.Eq(sp.I * sp.diff(psi, t), -sp.diff(psi, x, 2) / 2)
    solution = tn.solve(tn.Problem(box, [equation], [*ends, tn.on("t=0", sp.Eq(psi, packet.subs(t, 0)))]))
    points = box.interior(50, "random", 0)
    assert solution(points) == pytest.approx(sp.lambdify((x, t), packet)(*points.T), abs=1e-8)


def test_integrals_of_known_functions_are_found_by_numbers():
    from transnet.rows.known_integrals import known_integral

    s, r, a = sp.Symbol("s"), sp.Symbol("r"), sp.Symbol("a")
    zero, x = sp.Integer(0), np.linspace(0.1, 1, 7)
    cases = [
        (sp.exp(s * a), ((s, zero, a),), (np.exp(x * x) - 1) / x, 1e-13),
        (1 / sp.sqrt(a - s), ((s, zero, a),), 2 * np.sqrt(x), 1e-7),
        (sp.sin(60 * s), ((s, zero, a),), (1 - np.cos(60 * x)) / 60, 1e-13),
        (s * r * a, ((r, zero, a), (s, zero, r)), x**5 / 8, 1e-13),
    ]
    for expression, limits, exact, accuracy in cases:
        found = known_integral(expression, limits, 0)
        assert np.abs(type(found).implementation(x) - exact).max() < accuracy
    assert abs(float(known_integral(sp.exp(-(s**2)), ((s, zero, sp.Integer(1)),), 0)) - 0.746824132812427) < 1e-14


def test_sympy_is_not_asked_for_integrals(monkeypatch):
    def asked(*_, **__):
        raise AssertionError("SymPy integrates")

    monkeypatch.setattr(sp.Integral, "doit", asked)
    monkeypatch.setattr(sp.Integral, "_eval_integral", asked)
    x, y, s = sp.symbols("x y s")
    u = tn.unknown("u", x, y)
    square = tn.Box(x=(0, 1), y=(0, 1))
    load = {"known": tn.integral(sp.exp(s * x), over=(s, 0, y)), "formula": (sp.exp(x * y) - 1) / x}
    found = {}
    for name, f in load.items():
        problem = tn.Problem(square, [sp.Eq(tn.laplacian(u), f)], [tn.on("boundary", sp.Eq(u, 0))])
        found[name] = tn.solve(problem, neurons=150)(square.interior(40))
    assert np.abs(found["known"] - found["formula"]).max() < 1e-10


def test_a_given_function_cannot_change_the_points():
    x = sp.Symbol("x")
    u = tn.unknown("u", x)

    def spoils(x):
        x += 1
        return x

    line = tn.Interval(x=(0, 1))
    problem = tn.Problem(line, [sp.Eq(sp.diff(u, x, 2), tn.given("f", spoils, x))], [tn.on("boundary", u)])
    with pytest.raises(Exception, match="read-only"):
        tn.solve(problem, neurons=20)
