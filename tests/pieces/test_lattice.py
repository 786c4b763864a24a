"""Regular grids of pieces: one reduction for all, elimination of alike blocks, conjugate gradients, and the door."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.doors.cutting import on_a_lattice
from transnet.doors.plan import Plan
from transnet.features.space import FeatureSpace
from transnet.pieces.frequency import frequencies
from transnet.pieces.lattice.cube import made_cube
from transnet.pieces.lattice.dissect import factored_grid
from transnet.pieces.lattice.gradients import Gradients
from transnet.pieces.lattice.joined import Joined
from transnet.pieces.lattice.law import law_of

x, y, z = sp.symbols("x y z")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
w = tn.unknown("w", x, y, z)
square = tn.Box(x=(0, 1), y=(0, 1))


def stated(domain, left, exact, unknown=u, conditions=None):
    """A problem with a known solution."""
    replaced = left.subs(unknown, exact).doit()
    conditions = conditions or [tn.on("boundary", sp.Eq(unknown, exact))]
    return tn.Problem(domain, [sp.Eq(left, replaced)], conditions)


def true_error(solution, exact, unknown=u):
    points = solution.problem.domain.interior(1500, "random", 3)
    values = sp.lambdify(unknown.args, exact)(*points.T)
    found = solution.evaluate(unknown, points)
    return np.linalg.norm(found - values) / np.linalg.norm(values)


def grid(problem, counts, neurons=60, face=8):
    law = law_of(problem, ())
    half = np.ptp(law.bounds, axis=0) / (2 * np.array(counts))
    cube = made_cube(law, half, FeatureSpace.waves(len(counts), neurons, 0.03), face)
    return Joined(cube, law.bounds[0], counts)


WAVE = sp.sin(25 * x + 0.3) * sp.cos(18 * y)
ROBIN = [
    tn.on("left", sp.Eq(tn.normal_derivative(u) + 2 * u, -sp.diff(WAVE, x) + 2 * WAVE)),
    tn.on("right", sp.Eq(sp.diff(u, x), sp.diff(WAVE, x))),
    tn.on("bottom", sp.Eq(u, WAVE)),
    tn.on("top", sp.Eq(u, WAVE)),
]
PROBLEMS = {
    "screened Poisson": stated(square, tn.laplacian(u) - u, WAVE),
    "Helmholtz": stated(square, tn.laplacian(u) + 2500 * u, WAVE),
    "convection with Robin and Neumann sides": stated(
        tn.Box(x=(0, 1), y=(-1, 1)), tn.laplacian(u) + 5 * sp.diff(u, x) - u, WAVE, conditions=ROBIN
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_estimate_holds_for_oscillating_problems(name):
    solution = on_a_lattice(Plan(PROBLEMS[name], tol=1e-7))
    assert solution is not None
    assert true_error(solution, WAVE) < solution.error <= 1e-7


def test_a_system_of_two():
    other = sp.cos(20 * x) * sp.sin(22 * y)
    equations = [
        sp.Eq(tn.laplacian(u) + 100 * v, (sp.diff(WAVE, x, 2) + sp.diff(WAVE, y, 2)) + 100 * other),
        sp.Eq(tn.laplacian(v) - 50 * u, (sp.diff(other, x, 2) + sp.diff(other, y, 2)) - 50 * WAVE),
    ]
    problem = tn.Problem(square, equations, [tn.on("boundary", sp.Eq(u, WAVE), sp.Eq(v, other))])
    solution = on_a_lattice(Plan(problem, tol=1e-6))
    assert solution is not None
    assert max(true_error(solution, WAVE), true_error(solution, other, v)) < solution.error <= 1e-6


def test_space():
    exact = sp.sin(7 * x + 0.3) * sp.cos(6 * y) * sp.sin(6 * z + 0.2)
    problem = stated(tn.Box(x=(0, 2), y=(-1, 1), z=(0, 2)), tn.laplacian(w), exact, w)
    solution = on_a_lattice(Plan(problem, tol=1e-4))
    assert solution is not None
    assert solution.basis.kind == "pieces"
    assert true_error(solution, exact, w) < solution.error <= 1e-4


@pytest.mark.parametrize("counts", [(5, 4), (1, 3), (7, 7)])
def test_elimination_of_alike_blocks_solves_the_normal_equations(counts):
    joined = grid(PROBLEMS["convection with Robin and Neumann sides"], counts)
    shape = (*counts, joined.cube.kept)
    unit = np.eye(int(np.prod(shape)))
    matrix = np.array([joined.transposed(joined.rows(column.reshape(shape))).ravel() for column in unit])
    assert np.allclose(matrix, matrix.T, atol=1e-13)
    right = np.random.default_rng(0).standard_normal(shape)
    expected = np.linalg.solve(matrix, right.ravel())
    assert np.allclose(factored_grid(joined).solve(right).ravel(), expected, rtol=0, atol=1e-6 * np.abs(expected).max())
    assert np.allclose(Gradients(joined).apply(right).ravel(), matrix @ right.ravel(), atol=1e-11)


def test_conjugate_gradients_and_elimination_agree():
    joined = grid(PROBLEMS["screened Poisson"], (6, 5))
    right = joined.transposed(joined.rights()[0])
    direct = factored_grid(joined).solve(right)
    assert np.linalg.norm(Gradients(joined).solve(right, 1e-12) - direct) < 1e-6 * np.linalg.norm(direct)


def test_four_times_as_many_cells_have_hardly_more_different_blocks():
    few, many = (len(factored_grid(grid(PROBLEMS["screened Poisson"], (n, n), 30, 6)).blocks) for n in (16, 32))
    assert many < 1.5 * few


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


WRONG = {
    "another domain": tn.Problem(tn.Disk(radius=1), [tn.laplacian(u) - 1], [tn.on("boundary", u)]),
    "a coefficient that varies": tn.Problem(square, [tn.laplacian(u) + x * u - 1], [tn.on("boundary", u)]),
    "a nonlinear equation": tn.Problem(square, [tn.laplacian(u) + u**2 - 1], [tn.on("boundary", u)]),
    "a condition that varies": tn.Problem(
        square, [tn.laplacian(u) - 1], [tn.on("boundary", tn.normal_derivative(u) + (1 + x) * u)]
    ),
    "a part of a side": tn.Problem(square, [tn.laplacian(u) - 1], [tn.on("boundary", u, where=x < 0.5)]),
    "a mean value": tn.Problem(
        square, [tn.laplacian(u) - 1], [tn.on("boundary", tn.normal_derivative(u) + 1 / 4), tn.mean(u)]
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_read_the_same_everywhere_has_no_regular_grid(name):
    assert law_of(WRONG[name], ()) is None
