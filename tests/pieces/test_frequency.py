"""How fast waves oscillate that solve an equation, and pieces of their length."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn
from transnet.choose.free_waves import free_waves

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
square = tn.Box(x=(0, 1), y=(0, 1))


def true_error(solution, exact, unknown=u):
    points = solution.problem.domain.interior(1500, "random", 3)
    values = sp.lambdify(unknown.args, exact)(*points.T)
    found = solution.evaluate(unknown, points)
    return np.linalg.norm(found - values) / np.linalg.norm(values)


def test_frequencies_of_free_waves():
    problem = tn.Problem(square, [2 * tn.laplacian(u) + 50 * (1 + x) * u], [tn.on("boundary", u)])
    assert np.allclose(free_waves(problem, ()), 5 * np.sqrt(2), rtol=0.05)
    falling = tn.Problem(square, [tn.laplacian(u) - 50 * u], [tn.on("boundary", u)])
    assert not free_waves(falling, ()).any()


def test_waves_in_a_disk_in_pieces():
    exact = sp.sin(15 * x + 0.3) * sp.cos(20 * y)
    disk = tn.Disk(radius=1)
    problem = tn.Problem(disk, [tn.laplacian(u) + 625 * u], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem, tol=1e-6, pieces=tn.Cut())
    assert true_error(solution, exact) < solution.error <= 1e-6
