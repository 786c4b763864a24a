"""Fronts at rest: Bernoulli's free boundary and others, against closed forms and identities."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq

import transnet as tn
from transnet.errors import TransnetError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
dn = tn.normal_derivative(u)
LAPLACE = sp.Eq(tn.laplacian(u), 0)


def around(body, *conditions, equation=LAPLACE, guess=2.0, centre=(0, 0)):
    domain = tn.Disk(center=centre, radius=guess, name="rim") - body
    walls = [tn.on(part, sp.Eq(u, 1)) for part in domain.parts if part != "rim"]
    return tn.Problem(domain, [equation], [*walls, tn.front("rim", *conditions)])


def test_the_outer_circle_is_found_from_one_beside_it():
    body = tn.Disk(radius=1, center=(0.2, 0.1))
    solution = tn.solve(around(body, sp.Eq(u, 0), sp.Eq(dn, -1)))
    radius = brentq(lambda r: r * np.log(r) - 1, 1.1, 5)
    points = solution.problem.domain.boundary("rim", 100).points - [0.2, 0.1]
    assert np.abs(np.hypot(*points.T) - radius).max() < 1e-8
    assert solution.error < 1e-8
    assert abs(solution(0.2 + 1.2, 0.1) - np.log(radius / 1.2) / np.log(radius)) < 1e-8


def test_the_order_and_form_of_conditions_do_not_matter():
    square = tn.Box(x=(-0.5, 0.5), y=(-0.5, 0.5))
    a = tn.solve(around(square, sp.Eq(u, 0), sp.Eq(dn, -1)))
    b = tn.solve(around(square, sp.Eq(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2, 1), sp.Eq(u, 0), guess=1.5))
    assert abs(a.problem.domain.volume - b.problem.domain.volume) < 1e-7
    assert abs(a.problem.domain.measure("rim") - abs(float(a.flux("rim")))) < 1e-7


def test_a_hole_is_found_and_its_branch_is_the_one_beside_the_guess():
    domain = tn.Disk(radius=1, name="wall") - tn.Disk(radius=0.55, center=(0.05, 0), name="hole")
    conditions = [tn.on("wall", sp.Eq(u, 0)), tn.front("hole", sp.Eq(u, 1), sp.Eq(dn, 4))]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(tn.laplacian(u), 0)], conditions))
    radius = brentq(lambda r: r * np.log(1 / r) - 1 / 4, 0.38, 0.99)
    assert abs(solution.problem.domain.volume - np.pi * (1 - radius**2)) < 1e-7


def test_surface_tension_and_a_nonlinear_equation():
    tension, pressure = 0.5, 1.0
    solution = tn.solve(
        around(tn.Disk(radius=1), sp.Eq(u, 0), sp.Eq(tension * tn.curvature() + dn**2 / 2, pressure), centre=(0.1, 0)),
        tol=1e-6,
    )
    radius = brentq(lambda r: tension / r + 0.5 / (r * np.log(r)) ** 2 - pressure, 1.2, 5)
    assert abs(solution.problem.domain.volume - np.pi * (radius**2 - 1)) < 1e-5
    cubic = tn.solve(
        around(tn.Disk(radius=1), sp.Eq(u, 0), sp.Eq(dn, -1), equation=sp.Eq(tn.laplacian(u), 2 * u**3)), tol=1e-5
    )
    rim = cubic.problem.domain.boundary("rim", 50).points
    assert np.ptp(np.hypot(*rim.T)) < 1e-4
    assert np.abs(cubic.evaluate(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2, rim * 0.9999) - 1).max() < 1e-2


@pytest.mark.parametrize(
    ("front", "words"),
    [
        (lambda: tn.front("rim", sp.Eq(u, 0)), "State one more"),
        (lambda: tn.front("rim", sp.Eq(dn, 0), sp.Eq(dn, -1)), "value of an unknown"),
        (lambda: tn.front("rim", u >= 0), "not inequalities"),
    ],
)
def test_statements_that_determine_no_front_are_refused(front, words):
    domain = tn.Disk(radius=2, name="rim") - tn.Disk(radius=1, name="body")
    with pytest.raises(TransnetError, match=words):
        tn.solve(tn.Problem(domain, [LAPLACE], [tn.on("body", sp.Eq(u, 1)), front()]))


def test_an_open_front_is_told():
    domain = tn.Box(x=(0, 1), y=(0, 1))
    front = tn.front("top", sp.Eq(u, 0), sp.Eq(dn, -1))
    with pytest.raises(TransnetError, match="not one closed curve"):
        tn.solve(tn.Problem(domain, [sp.Eq(tn.laplacian(u), 0)], [tn.on("bottom", sp.Eq(u, 1)), front]))


def test_a_front_is_written_and_read_and_its_solution_kept(tmp_path):
    problem = around(tn.Disk(radius=1, name="body"), sp.Eq(u, 0), sp.Eq(dn, -1))
    tn.write_problem(problem, tmp_path / "p.toml")
    again = tn.read_problem(tmp_path / "p.toml").problem
    assert str(again) == str(problem)
    solution = tn.solve(again)
    solution.save(tmp_path / "s.npz")
    assert tn.load(tmp_path / "s.npz")(1.2, 0.3) == pytest.approx(solution(1.2, 0.3), abs=1e-12)
