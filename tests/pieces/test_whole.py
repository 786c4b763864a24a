"""Materials as whole cells: where one network each is enough, and where its points would miss something."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import EstimateWarning

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
CORE = tn.Disk(radius=0.3)
DOMAIN = tn.Pieces(core=CORE, shell=tn.Box(x=(-1, 1), y=(-1, 1)) - CORE)


@pytest.mark.parametrize("contrast", [1000, 0.001])
def test_a_disk_in_a_square_is_two_networks(contrast: float) -> None:
    b = (1 - contrast) / (1 + contrast) * 0.3**2
    k = tn.by_piece(core=contrast, shell=1)
    outside = sp.Eq(u, x * (1 + b / (x**2 + y**2)))
    problem = tn.Problem(DOMAIN, [sp.Eq(tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", outside)])
    solution = tn.solve(problem, method="pieces")
    points = DOMAIN.interior(2000, "random", 1)
    square = np.sum(points**2, axis=1)
    exact = points[:, 0] * np.where(square < 0.09, 1 + b / 0.09, 1 + b / square)
    error = np.linalg.norm(solution(points) - exact) / np.linalg.norm(exact)
    assert solution.basis.pieces == 2
    assert error < solution.error < 1e-9


def test_a_load_on_a_small_spot_of_a_material_is_seen() -> None:
    spot = sp.exp(-((x - 0.7) ** 2 + (y - 0.6) ** 2) / 0.02**2)
    k = tn.by_piece(core=1, shell=1)
    load = tn.by_piece(core=0, shell=tn.laplacian(spot, x, y))
    problem = tn.Problem(DOMAIN, [sp.Eq(tn.div(k * tn.grad(u)), load)], [tn.on("boundary", sp.Eq(u, x))])
    solution = tn.solve(problem, tol=1e-4)
    assert solution(np.array([[0.7, 0.6]])) == pytest.approx(1.7, abs=1e-3)
    assert solution.error < 1e-4


def test_a_ball_of_another_material_in_a_cube() -> None:
    z = sp.Symbol("z")
    v = tn.unknown("v", x, y, z)
    ball = tn.Ball(radius=0.5)
    domain = tn.Pieces(inner=ball, outer=tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1)) - ball)
    k, radius = 10.0, 0.5
    share = (2 - 2 * k) / (2 * k + 3)  # of the field x y, degree two
    outside = x * y * (1 + share * radius**5 / (x**2 + y**2 + z**2) ** sp.Rational(5, 2))
    law = sp.Eq(tn.div(tn.by_piece(inner=k, outer=1) * tn.grad(v)), 0)
    solution = tn.solve(tn.Problem(domain, [law], [tn.on("boundary", sp.Eq(v, outside))]))
    points = domain.interior(2000, "random", 1)
    r = np.linalg.norm(points, axis=1)
    exact = points[:, 0] * points[:, 1] * (1 + share * np.where(r < radius, 1.0, (radius / r) ** 5))
    assert np.linalg.norm(solution(points) - exact) / np.linalg.norm(exact) < solution.error < 1e-6
    assert solution.basis.pieces == 2
    through = solution.integral(v**2, over="boundary")  # six faces with rules of their own
    assert through.value > 0
    assert through.error < 1e-5 * through.value


CUBE = tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1))


def test_a_load_in_a_ball_is_cut_at_its_sphere() -> None:
    z = sp.Symbol("z")
    v = tn.unknown("v", x, y, z)
    square, radius = x**2 + y**2 + z**2, sp.Rational(1, 2)
    load = sp.Piecewise((1, square < radius**2), (0, True))
    outside = radius**3 / (3 * sp.sqrt(square))
    solution = tn.solve(tn.Problem(CUBE, [sp.Eq(-tn.laplacian(v), load)], [tn.on("boundary", sp.Eq(v, outside))]))
    points = CUBE.interior(2000, "random", 1)
    r = np.linalg.norm(points, axis=1)
    exact = np.where(r < 0.5, 0.125 - r**2 / 6, 1 / (24 * r))
    assert np.linalg.norm(solution(points) - exact) / np.linalg.norm(exact) < solution.error < 1e-6


def test_cells_at_a_side_of_a_cube_are_alike() -> None:
    z = sp.Symbol("z")
    v = tn.unknown("v", x, y, z)
    problem = tn.Problem(CUBE, [sp.Eq(tn.laplacian(v), 0)], [tn.on("boundary", sp.Eq(v, x * y * z))])
    with pytest.warns(EstimateWarning, match="64 pieces"):
        solution = tn.solve(problem, pieces=tn.Cut(4, refine=False, neurons=120))
    assert "64 pieces (27 different ones)" in solution.diagnostics.solver
    points = CUBE.interior(500, "random", 1)
    assert np.abs(solution(points) - np.prod(points, axis=1)).max() < 1e-3
