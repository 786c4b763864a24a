"""Periodic problems in pieces: exact solutions through the seam, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)


def test_layers_that_are_periodic_along_the_interface() -> None:
    """u = sin(2 pi (x - 0.2)) g(y), with g'' = (2 pi)^2 g in both layers and k g' continuous at y = 1/2."""
    w = 2 * sp.pi
    half, ratio = sp.Rational(1, 2), 5
    s = sp.tanh(w * half)
    g = {
        "below": sp.sinh(w * y),
        "above": sp.sinh(w * half) * (sp.cosh(w * (y - half)) + sp.sinh(w * (y - half)) / s / ratio),
    }
    exact = {name: sp.sin(w * (x - sp.Rational(1, 5))) * f / sp.sinh(w) for name, f in g.items()}
    domain = tn.Pieces(below=tn.Box(x=(0, 1), y=(0, half)), above=tn.Box(x=(0, 1), y=(half, 1)))
    k = tn.by_piece(below=1, above=ratio)
    conditions = [tn.on("y=0", u), tn.on("y=1", sp.Eq(u, exact["above"])), tn.periodic(x)]
    solution = tn.solve(tn.Problem(domain, [sp.Eq(-tn.div(k * tn.grad(u)), 0)], conditions), tol=1e-6)
    points = np.random.default_rng(1).random((400, 2))
    true = np.where(points[:, 1] < 0.5, *(sp.lambdify((x, y), exact[n])(*points.T) for n in ("below", "above")))
    assert np.linalg.norm(solution(points) - true) < solution.error * np.linalg.norm(true) < 1e-6 * 20
    seam = np.array([[0.0, 0.3], [1.0, 0.3]])
    for expression in (u, sp.diff(u, x)):
        values = solution.evaluate(expression, seam)
        assert abs(values[0] - values[1]) < 1e-7


def test_one_material_around_a_torus() -> None:
    exact = sp.exp(sp.sin(2 * sp.pi * (x + y))) * sp.cos(2 * sp.pi * y)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(-tn.laplacian(u) + u, -tn.laplacian(exact, x, y) + exact)],
        [tn.periodic(x), tn.periodic(y)],
    )
    solution = tn.solve(problem, pieces=tn.Cut(5, 5), tol=1e-4)
    points = np.random.default_rng(1).random((400, 2))
    true = sp.lambdify((x, y), exact)(*points.T)
    assert np.linalg.norm(solution(points) - true) < solution.error * np.linalg.norm(true) < 1e-4 * 30


def test_ends_of_other_pieces_are_refused() -> None:
    domain = tn.Pieces(left=tn.Box(x=(0, 0.5), y=(0, 1)), right=tn.Box(x=(0.5, 1), y=(0, 1)))
    equation = sp.Eq(-tn.div(tn.by_piece(left=1, right=2) * tn.grad(u)), 1)
    problem = tn.Problem(domain, [equation], [tn.on("y=0", u), tn.on("y=1", u), tn.periodic(x)])
    with pytest.raises(ProblemError, match=r"not periodic in x: .* of 'left' and .* of 'right'"):
        tn.solve(problem)
