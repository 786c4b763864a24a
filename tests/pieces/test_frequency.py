"""How fast data oscillate, and pieces of their length."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.pieces.frequency import frequencies

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
square = tn.Box(x=(0, 1), y=(0, 1))


def true_error(solution, exact, unknown=u):
    points = solution.problem.domain.interior(1500, "random", 3)
    values = sp.lambdify(unknown.args, exact)(*points.T)
    found = solution.evaluate(unknown, points)
    return np.linalg.norm(found - values) / np.linalg.norm(values)


@pytest.mark.parametrize("frequency", [7.0, 33.3, 250.0])
def test_frequencies_of_data(frequency):
    problem = tn.Problem(square, [tn.laplacian(u) - sp.sin(frequency * x + 1)], [tn.on("boundary", u)])
    found = frequencies(problem, ())
    assert abs(found[0] - frequency) < 2.5
    assert found[1] == 0


def test_frequencies_of_free_waves_and_of_data_on_sides():
    problem = tn.Problem(square, [2 * tn.laplacian(u) + 50 * u], [tn.on("left", u - sp.cos(80 * y)), tn.on("top", u)])
    assert np.allclose(frequencies(problem, ()), [5, 80], atol=3)


def test_a_function_that_grows_towards_the_ends_of_lines_does_not_oscillate():
    problem = tn.Problem(square, [tn.laplacian(u) - (x**2 + y**2) * sp.exp(x * y)], [tn.on("boundary", u)])
    assert frequencies(problem, ()).max() < 5


def test_a_spike_is_no_oscillation():
    spike = sp.exp(-2000 * ((x - 0.4) ** 2 + (y - 0.3) ** 2))
    assert frequencies(tn.Problem(square, [tn.laplacian(u) - spike], [tn.on("boundary", u)]), ()) is None


def test_waves_in_a_disk_begin_with_boxes_of_their_length():
    exact = sp.sin(15 * x + 0.3) * sp.cos(20 * y)
    disk = tn.Disk(radius=1)
    problem = tn.Problem(disk, [tn.laplacian(u) + 625 * u], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem, tol=1e-6, pieces=tn.Cut())
    assert solution.history[0].pieces > 50
    assert true_error(solution, exact) < solution.error <= 1e-6


def test_a_jump_has_all_frequencies():
    problem = tn.Problem(square, [tn.laplacian(u) - sp.sign(x - 0.4)], [tn.on("boundary", u)])
    assert frequencies(problem, ()) is None
