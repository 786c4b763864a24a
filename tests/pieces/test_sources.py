"""Boxes are cut where a right-hand side is steep."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def test_a_front_is_found() -> None:
    exact = sp.atan(30 * (x**2 + y**2 - sp.Rational(1, 4)))
    problem = tn.Problem(
        SQUARE,
        [sp.Eq(tn.laplacian(u), sp.diff(exact, x, 2) + sp.diff(exact, y, 2))],
        [tn.on("boundary", sp.Eq(u, exact))],
    )
    solution = tn.solve(problem, pieces=True, tol=1e-5)
    points = SQUARE.interior(1000, "quasi", 3)
    true = sp.lambdify((x, y), exact, "numpy")(*points.T)
    assert np.linalg.norm(solution(points) - true) < 1e-5 * np.linalg.norm(true)
