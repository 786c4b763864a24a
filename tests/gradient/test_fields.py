"""Derivatives with respect to functions: sources, coefficients, boundary and start values, the speed of a boundary."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, t = sp.symbols("x y t")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, t)
f = tn.given("f", lambda x, y: np.exp(x) * y + 1, x, y)
h = tn.given("h", lambda x, y: np.sin(x), x, y)
k = tn.given("k", lambda x, y: 1 + 0.3 * x**2 + 0.1 * y, x, y)
CHANGE = sp.cos(2 * x) * sp.exp(-y)
SIXTH = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))


def problem(source, wall, coefficient):
    return tn.Problem(
        tn.Disk(radius=1),
        [sp.Eq(-tn.div(coefficient * tn.grad(u), x, y) + u**3, source)],
        [tn.on("boundary", sp.Eq(u, wall))],
    )


@pytest.fixture(scope="module")
def solution():
    return tn.solve(problem(f, h, k), tol=1e-9)


@pytest.mark.parametrize("number", [0, 1, 2], ids=["source", "boundary values", "coefficient"])
def test_a_function_of_a_nonlinear_problem_against_differences(solution, number):
    fields, step = [f, h, k], 0.02
    found = solution.gradient(solution.integral(u**2 + x * f), wrt=fields[number])[fields[number]]
    slope = found.along(lambda p: np.cos(2 * p[:, 0]) * np.exp(-p[:, 1]))
    values = {}
    for j in (-3, -2, -1, 1, 2, 3):
        changed = [e + j * step * CHANGE if i == number else e for i, e in enumerate(fields)]
        there = tn.solve(problem(*changed), tol=1e-9)
        values[j] = float(there.integral(u**2 + x * changed[0]))
    exact = sum(w * (values[j] - values[-j]) for j, w in SIXTH) / step
    assert abs(slope - exact) < 1e-7 * abs(exact)
    assert abs(slope - exact) < slope.error + 1e-8  # the differences have errors as well
    assert slope.error < 1e-7


def test_the_derivative_of_the_volume_by_the_load_is_the_solution_for_a_load_of_one():
    load = tn.given("load", lambda x, y: 1 + x, x, y)
    found = tn.solve(tn.Problem(tn.Disk(radius=1), [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, 0))]))
    g = found.gradient(found.integral(u), wrt=load)[load]
    points = tn.Disk(radius=0.9).interior(30, "quasi", 2)
    assert np.abs(g(points) - (1 - np.sum(points**2, axis=1)) / 4).max() < 1e-6
    assert g.error < 1e-5


def test_start_values_of_an_evolution():
    # v decays as exp(-pi^2 t) in its first mode: the integral at the end is that of the start times the adjoint.
    start = tn.given("start", lambda x: x * (1 - x), x)
    heat = tn.Problem(
        tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 0.1)),
        [sp.Eq(sp.diff(v, t), sp.diff(v, x, 2))],
        [tn.on("t=0", sp.Eq(v, start)), tn.on("x=0", v), tn.on("x=1", v)],
    )
    solution = tn.solve(heat, tol=1e-7)
    g = solution.gradient(solution.integral(v, t=0.1), wrt=start)[start]
    x_ = np.linspace(0.1, 0.9, 9)
    modes = range(1, 20, 2)
    exact = sum(4 / (n * np.pi) * np.sin(n * np.pi * x_) * np.exp(-((n * np.pi) ** 2) * 0.1) for n in modes)
    points = np.stack([x_, 0 * x_], axis=1)
    assert np.abs(g(points) - exact).max() < 1e-3
    assert np.sqrt(np.mean((g(points) - exact) ** 2)) < 2 * g.error * g.norm


def test_Hadamard_for_the_rim_of_a_hole():
    plate = tn.Disk(radius=1) - tn.Disk(center=(0.2, 0), radius=0.3, name="hole")
    solution = tn.solve(tn.Problem(plate, [sp.Eq(-tn.laplacian(u), 2)], [tn.on("boundary", sp.Eq(u, 0))]), tol=1e-9)
    g = solution.gradient(solution.integral(u), wrt="hole")["hole"]
    angle = np.linspace(0, 2 * np.pi, 20)
    points = np.stack([0.2 + 0.3 * np.cos(angle), 0.3 * np.sin(angle)], axis=1)
    # u_n^2 / 2, as u / 2 solves the adjoint problem: the load is two.
    exact = solution.value_of(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2, points) / 2
    assert np.abs(g(points) - exact).max() < 1e-6
    assert g.error < 1e-5


def triangle(wide):
    shape = tn.Polygon([(0, 0), (wide, 0), (0, wide)])
    return tn.solve(tn.Problem(shape, [sp.Eq(-tn.laplacian(u), 1 + x)], [tn.on("boundary", sp.Eq(u, 0))]), tol=1e-9)


def flower(size):
    s = sp.Symbol("s")
    radius = 0.4 + size * sp.cos(2 * s)
    hole = tn.Region(tn.Curve((radius * sp.cos(s), radius * sp.sin(s)), (s, 0, 2 * sp.pi), name="hole"))
    plate = tn.Disk(radius=1, name="rim") - hole
    walls = [tn.on("hole", sp.Eq(u, 1)), tn.on("rim", sp.Eq(u, 0))]
    return tn.solve(tn.Problem(plate, [sp.Eq(-tn.laplacian(u), 1 + x)], walls), tol=1e-9)


def test_results_over_a_part_that_moves_itself_and_over_its_neighbours():
    # The hypotenuse moves outwards by one; a hole by cos(2 s), against its normals.
    cases = [
        (triangle, 2.0, "edge 1", lambda p: np.full(len(p), np.sqrt(0.5)), ("edge 1", "edge 0", "boundary")),
        (flower, 0.0, "hole", lambda p: (p[:, 1] ** 2 - p[:, 0] ** 2) / 0.16, ("hole", "rim")),
    ]
    for shape, value, part, speed, places in cases:
        solution, moved = shape(value), {j: shape(value + 0.01 * j) for j in (-3, -2, -1, 1, 2, 3)}
        for over in places:
            for result in (lambda s, over=over: s.flux(over), lambda s, over=over: s.integral(u + x**2, over=over)):
                slope = solution.gradient(result(solution), wrt=part)[part].along(speed)
                exact = sum(w * float(result(moved[j]) - result(moved[-j])) for j, w in SIXTH) / 0.01
                assert abs(float(slope) - exact) < min(1e-7, 1e-8 + slope.error), (part, over)


def test_the_flux_through_a_side_of_a_square_that_moves_outwards():
    # -0.33065182 is that by a of x=(0, a). All four sides together lose the load that the area gains: 2.
    square = tn.Box(x=(0, 1), y=(0, 1))
    stated = tn.Problem(square, [sp.Eq(-tn.laplacian(u), 1 + x)], [tn.on("boundary", sp.Eq(u, 0))])
    for tol, enough in ((1e-6, 1e-5), (1e-8, 1e-6)):
        solution = tn.solve(stated, tol=tol)
        for over, exact in (("right", -0.33065182), ("boundary", -2.0)):
            slope = solution.gradient(solution.flux(over), wrt="right")["right"].along(lambda p: np.ones(len(p)))
            assert abs(slope - exact) < 3 * slope.error, (tol, over)
            assert abs(slope - exact) < enough, (tol, over)


WRONG = {
    "a corner that points inwards": (lambda s: s.gradient(s.integral(u), wrt="boundary"), "points into the domain"),
    "a function that is nowhere": (lambda s: s.gradient(s.integral(u), wrt=f), "in no equation"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_has_no_derivative_is_refused(name):
    ask, words = WRONG[name]
    shape = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    solution = tn.solve(tn.Problem(shape, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))]))
    with pytest.raises(ProblemError, match=words):
        ask(solution)
