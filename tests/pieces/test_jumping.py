"""Coefficients that jump, as formulas or tables of one domain: the library turns them into pieces."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cuts.piecewise import in_pieces_of_lines, in_pieces_of_sources
from transnet.errors import ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(-1, 1), y=(-1, 1))


def stated(k: sp.Expr, domain: tn.Domain = SQUARE, value: sp.Expr = x) -> tn.Problem:
    return tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", sp.Eq(u, value))])


def test_a_disk_by_an_inequality() -> None:
    inner, radius = 100, sp.Rational(1, 2)
    k = sp.Piecewise((inner, x**2 + y**2 < radius**2), (1, True))
    share = sp.Rational(1 - inner, 1 + inner)
    outside = x * (1 + share * radius**2 / (x**2 + y**2))
    solution = tn.solve(stated(k, value=outside), tol=1e-6)
    points = SQUARE.interior(800, "random", 2)
    r2 = (points**2).sum(axis=1)
    true = points[:, 0] * np.where(r2 < 0.25, 1 + float(share), 1 + float(share) * 0.25 / r2)
    assert np.linalg.norm(solution(points) - true) < 1e-6 * np.linalg.norm(true)


def test_a_line_across_a_disk() -> None:
    """u is linear on both sides of 3 x + 4 y = 1, and k du/dn is the same on both."""
    edge = (3 * x + 4 * y - 1) / 5
    k = sp.Piecewise((4, 3 * x + 4 * y < 1), (1, True))
    exact = sp.Piecewise((edge / 4, 3 * x + 4 * y < 1), (edge, True))
    solution = tn.solve(stated(k, tn.Disk(radius=1), exact), tol=1e-6)
    points = tn.Disk(radius=1).interior(500, "random", 2)
    assert np.allclose(solution(points), sp.lambdify((x, y), exact)(*points.T), atol=1e-6)


def test_a_table_is_what_its_pieces_are() -> None:
    table = np.array([[1.0, 4.0], [2.0, 0.5], [3.0, 9.0]])
    k = tn.given("k", table, x, y, jumps={x: [-0.25, 0.5], y: [-1, 0, 1]})
    problem = in_pieces_of_lines(stated(k))
    assert problem is not None
    assert isinstance(problem.domain, tn.Pieces)
    assert len(problem.domain.shapes) == 6
    values = sp.lambdify((x, y), k)
    assert values(-0.5, 0.5) == 4.0
    assert values(0.7, -0.5) == 3.0
    (coefficient,) = {a for e in problem.equations for a in sp.sympify(e).atoms(type(tn.by_piece(a=1, b=2)))}
    assert sorted(map(float, coefficient.values.values())) == sorted(table.ravel())


def test_a_load_on_one_side_of_a_line() -> None:
    """A parabola on one side, a line on the other, the same value and slope where they meet."""
    load = sp.Piecewise((1, x < 0), (0, True))
    exact = sp.Piecewise((-(x**2) / 2, x < 0), (0, True)) + x / 3
    problem = tn.Problem(SQUARE, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem)
    points = SQUARE.interior(500, "random", 2)
    true = sp.lambdify((x, y), exact)(*points.T)
    assert np.linalg.norm(solution(points) - true) < 1e-9 * np.linalg.norm(true)


@pytest.mark.parametrize("radius", [0.3, 0.01])
def test_a_load_on_a_disk(radius: float) -> None:
    """Inside u = -r^2/4, outside a logarithm; points of the domain may miss a small disk, the pieces do not."""
    r2 = (x - 0.2) ** 2 + (y + 0.1) ** 2
    far = -(radius**2) / 4 * (1 + sp.log(r2 / radius**2))
    problem = tn.Problem(
        SQUARE, [sp.Eq(-tn.laplacian(u), sp.Heaviside(radius**2 - r2))], [tn.on("boundary", sp.Eq(u, far))]
    )
    solution = tn.solve(problem, tol=1e-5)
    points = SQUARE.interior(500, "random", 2)
    d2 = ((points - [0.2, -0.1]) ** 2).sum(axis=1)
    true = np.where(d2 < radius**2, -d2 / 4, sp.lambdify((x, y), far)(*points.T))
    error = np.linalg.norm(solution(points) - true) / np.linalg.norm(true)
    assert error < 1e-5
    assert error < 10 * solution.error


def test_evolutions_and_first_orders_are_not_cut_at_a_load() -> None:
    load = sp.Piecewise((1, x < 0), (0, True))
    problem = tn.Problem(SQUARE, [sp.Eq(sp.diff(u, y) - sp.diff(u, x, 2), load)], [tn.on("boundary", u)])
    assert in_pieces_of_sources(problem) is None


WRONG = {
    "too few places": (lambda: tn.given("k", np.ones((2, 2)), x, y, jumps={x: [0.0]}), "1 increasing places along y"),
    "not growing": (lambda: tn.given("k", np.ones((3, 1)), x, y, jumps={x: [0.5, 0.1]}), "2 increasing places along x"),
    "axes": (lambda: tn.given("k", np.ones(3), x, y, jumps={x: [0.1, 0.5]}), "one axis for each"),
    "other symbol": (lambda: tn.given("k", np.ones(2), x, jumps={y: [0.5]}), "not one of its coordinates"),
    "callable": (lambda: tn.given("k", np.sin, x, jumps={x: [0.5]}), "by_piece"),
}


@pytest.mark.parametrize("case", WRONG)
def test_tables_that_do_not_fit_are_told(case: str) -> None:
    make, message = WRONG[case]
    with pytest.raises(ProblemError, match=message):
        make()


def test_a_given_function_on_a_disk_is_no_line() -> None:
    k = tn.given("k", lambda a, b: 2 + a + 0 * b, x, y)
    problem = stated(k, tn.Disk(radius=1), sp.log(x + 2))
    assert in_pieces_of_sources(problem) is None
    assert tn.solve(problem, neurons=150)(0.5, 0.2) == pytest.approx(np.log(2.5), rel=1e-8)
