"""Five and more coordinates: sums and products as exact solutions, derivatives, and honest estimates."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cross.basis import Cross
from transnet.cross.degrees import FAMILIES, degrees
from transnet.errors import EstimateWarning, ProblemError
from transnet.features.placement import Placement

LETTERS = sp.symbols("x1:11")


def poisson(exact: sp.Expr, d: int) -> tn.Problem:
    u = tn.unknown("u", *LETTERS[:d])
    load = -sum(sp.diff(exact, c, 2) for c in LETTERS[:d])
    box = tn.Box(**{c.name: (0, 1) for c in LETTERS[:d]})
    return tn.Problem(box, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, exact))])


def error(solution: tn.Solution, exact: sp.Expr) -> float:
    points = np.random.default_rng(4).random((500, len(solution.problem.coordinates)))
    truth = sp.lambdify(solution.problem.coordinates, exact)(*points.T)
    return float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))


EXACT = {
    "sum": (5, sum(sp.exp(c) + sp.sin(2 * c) for c in LETTERS[:5]), 1e-8),
    "product": (6, sp.prod([sp.sin(sp.pi * c) for c in LETTERS[:6]]), 1e-4),
    "shifted product": (5, sp.prod([sp.cos(c + sp.Rational(k, 5)) for k, c in enumerate(LETTERS[:5])]), 1e-6),
    "parabolas": (5, sp.prod([4 * c * (1 - c) for c in LETTERS[:5]]), 1e-4),
}


@pytest.mark.parametrize("name", EXACT)
def test_poisson_in_many_coordinates(name: str, tmp_path: Path) -> None:
    d, exact, bound = EXACT[name]
    solution = tn.solve(poisson(exact, d), tol=bound)
    found = error(solution, exact)
    assert found < bound
    assert found <= 3 * solution.error + 1e-13
    again = tn.load(solution.save(tmp_path / "many.npz"))
    points = np.full((1, d), 0.3)
    assert np.array_equal(again(points), solution(points))


def test_what_is_not_resolved_is_said() -> None:
    rough = sp.cos(9 * sum(LETTERS[:5])) * sp.cos(7 * (LETTERS[0] - LETTERS[1]))
    with pytest.warns(EstimateWarning, match="The estimated relative error"):
        solution = tn.solve(poisson(rough, 5), neurons=400)
    assert solution.error > 0.1 * error(solution, rough) > 1e-3


def test_a_problem_without_reflections_and_with_a_mean() -> None:
    *space, t = LETTERS[:5]
    u = tn.unknown("u", *space, t)
    exact = sum(sp.sin(c) for c in space) * sp.exp(-t)
    drift = sp.diff(u, t) + sum(sp.diff(u, c) for c in space)
    box = tn.Box(**{c.name: (0, 1) for c in (*space, t)})
    right = drift.subs(u, exact).doit()
    inflow = [tn.on(f"{c.name}=0", sp.Eq(u, exact)) for c in (*space, t)]
    problem = tn.Problem(
        box, [sp.Eq(drift, right)], [*inflow, tn.at([[0.5] * 5], sp.Eq(u, 4 * np.sin(0.5) * np.exp(-0.5)))]
    )
    solution = tn.solve(problem, neurons=300)
    assert error(solution, exact) < 3e-2


@pytest.mark.parametrize("family", FAMILIES)
def test_degrees_come_in_the_order_of_their_cost_and_with_all_below(family: str) -> None:
    found = degrees(5, 300, family)
    cost = np.array([[FAMILIES[family](int(j)) for j in row] for row in found]).prod(axis=1)
    assert (np.diff(cost) >= -1e-12).all()
    assert len(np.unique(found, axis=0)) == 300


def test_derivatives_of_products_are_those_of_differences() -> None:
    basis = Cross(degrees(5, 80, "even"), np.full(5, 0.9), Placement(np.zeros(5), np.array([1.0, 2, 1, 3, 1])))
    rng = np.random.default_rng(0)
    weights, points = rng.standard_normal(80), rng.uniform(-1, 1, (7, 5))
    step = np.array([0, 1e-5, 0, 0, 0])
    slope, bent = basis.derivatives(weights, points, [(0, (0, 1, 0, 0, 0)), (0, (1, 1, 0, 2, 0))])
    up, down = (basis.derivatives(weights, points + s * step, [(0, (0,) * 5)])[0] for s in (1, -1))
    assert slope == pytest.approx((up - down) / 2e-5, rel=1e-6, abs=1e-8)
    up, down = (basis.derivatives(weights, points + s * step, [(0, (1, 0, 0, 2, 0))])[0] for s in (1, -1))
    assert bent == pytest.approx((up - down) / 2e-5, rel=1e-6, abs=1e-8)
    rows = np.empty((80, 7))
    basis.write(rows, points, [(0, (1, 1, 0, 2, 0))], [np.array(2.0)])
    assert weights @ rows == pytest.approx(2 * bent, rel=1e-10)


def test_what_is_not_solved_in_many_coordinates_is_refused() -> None:
    u = tn.unknown("u", *LETTERS[:5])
    box = tn.Box(**{c.name: (0, 1) for c in LETTERS[:5]})
    with pytest.raises(ProblemError, match="nonlinear"):
        tn.solve(tn.Problem(box, [sp.Eq(tn.laplacian(u), u**2)], [tn.on("boundary", u)]))
    with pytest.raises(ProblemError, match="at most 10"):
        tn.unknown("u", *sp.symbols("x1:12"))
