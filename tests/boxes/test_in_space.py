"""Steady problems on boxes in space: exact solutions, files, and what is left to networks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.boxes.levels import box_levels
from transnet.boxes.statement import steady_of
from transnet.problem import Problem

x, y, z = sp.symbols("x y z")
u, v = tn.unknown("u", x, y, z), tn.unknown("v", x, y, z)
BOX = tn.Box(x=(0, 1), y=(0, 2), z=(-1, 1))
WAVY = sp.sin(2 * x + y) * sp.exp(z) * sp.cos(y * z)
diff, Eq = sp.diff, sp.Eq


def laplacian(w: sp.Expr) -> sp.Expr:
    return tn.laplacian(w, x, y, z)


OPERATORS = {
    "Poisson": laplacian,
    "carried, coefficients that vary": lambda w: (
        diff((1 + x * y) * diff(w, x), x) + (2 + sp.sin(z)) * diff(w, y, 2) + diff(w, z, 2) + diff(w, x) - x * w
    ),
    "mixed derivatives": lambda w: 10 * diff(w, x, 2) + diff(w, y, 2) + diff(w, z, 2) + diff(w, x, y),
    "Helmholtz": lambda w: laplacian(w) + 300 * w,
    "nonlinear": lambda w: laplacian(w) - w**3,
}


def error_of(solution: tn.Solution, exact: sp.Expr) -> float:
    low, high = solution.problem.domain.bounds
    points = low + (high - low) * np.random.default_rng(0).random((400, 3))
    right = sp.lambdify((x, y, z), exact)(*points.T)
    return float(np.linalg.norm(solution(points).ravel() - right) / np.linalg.norm(right))


@pytest.mark.parametrize("name", OPERATORS)
def test_a_smooth_solution_has_ten_digits(name: str) -> None:
    operator = OPERATORS[name]
    problem = tn.Problem(BOX, [Eq(operator(u), sp.expand(operator(WAVY)))], [tn.on("boundary", Eq(u, WAVY))])
    solution = tn.solve(problem)
    error = error_of(solution, WAVY)
    assert solution.basis.kind == "box"
    assert error < 1e-10
    assert error < 10 * solution.error


def test_slopes_and_mixed_conditions_on_the_faces() -> None:
    outward = [
        tn.on("x=0", Eq(u, WAVY.subs(x, 0))),
        tn.on("x=1", Eq(diff(u, x) + (1 + y) * u, (diff(WAVY, x) + (1 + y) * WAVY).subs(x, 1))),
        tn.on("y=0", Eq(tn.normal_derivative(u), -diff(WAVY, y).subs(y, 0))),
        tn.on("y=2", Eq(u, WAVY.subs(y, 2))),
        tn.on("z=-1", Eq(tn.normal_derivative(u), -diff(WAVY, z).subs(z, -1))),
        tn.on("z=1", Eq(tn.normal_derivative(u), diff(WAVY, z).subs(z, 1))),
    ]
    solution = tn.solve(tn.Problem(BOX, [Eq(laplacian(u), sp.expand(laplacian(WAVY)))], outward))
    assert solution.basis.kind == "box"
    assert error_of(solution, WAVY) < 1e-10


def test_sixteen_waves_along_each_side_of_a_cube() -> None:
    """Half a million columns without a matrix."""
    exact = sp.sin(16 * sp.pi * x) * sp.sin(16 * sp.pi * y) * sp.sin(16 * sp.pi * z)
    cube = tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1))
    problem = tn.Problem(cube, [Eq(laplacian(u), -3 * (16 * sp.pi) ** 2 * exact)], [tn.on("boundary", u)])
    solution = tn.solve(problem, tol=1e-6)
    assert error_of(solution, exact) < 1e-6
    assert error_of(solution, exact) < 10 * solution.error


def test_two_unknowns_periodic_along_an_axis() -> None:
    first, second = sp.sin(2 * sp.pi * x) * sp.exp(y * z), sp.cos(2 * sp.pi * x) * sp.cos(y + z)
    problem = tn.Problem(
        BOX,
        [
            Eq(laplacian(u) + diff(v, x), laplacian(first) + diff(second, x)),
            Eq(laplacian(v) - u, laplacian(second) - first),
        ],
        [
            tn.periodic(x),
            *(tn.on(part, Eq(u, first), Eq(v, second)) for part in ("y=0", "y=2", "z=-1", "z=1")),
        ],
    )
    solution = tn.solve(problem)
    points = np.random.default_rng(1).random((200, 3))
    exact = np.stack([sp.lambdify((x, y, z), f)(*points.T) for f in (first, second)], axis=1)
    assert solution.basis.kind == "box"
    assert np.abs(solution(points) - exact).max() < 1e-9


def test_a_saved_solution_is_the_same(tmp_path: Path) -> None:
    problem = tn.Problem(BOX, [Eq(laplacian(u), laplacian(WAVY))], [tn.on("boundary", Eq(u, WAVY))])
    solution = tn.solve(problem, tol=1e-6)
    solution.save(tmp_path / "box.npz")
    points = np.random.default_rng(1).random((50, 3))
    again = tn.load(tmp_path / "box.npz")
    assert np.array_equal(again(points), solution(points))
    assert np.allclose(again.evaluate(diff(u, x, y), points), solution.evaluate(diff(u, x, y), points))


def test_edges_limit_the_digits_and_the_estimate_says_so() -> None:
    """-Laplace u = 1 in a cube has derivatives that grow at its edges; compare with the series of sines."""
    cube = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    solution = tn.solve(tn.Problem(cube, [Eq(-laplacian(u), 1)], [tn.on("boundary", u)]), tol=1e-5)
    m = np.arange(1, 300, 2)
    root = np.pi * np.hypot(m[:, None], m)
    points = np.random.default_rng(0).random((40, 3))
    exact = []
    for a, b, c in points:
        decay = (np.exp(-root * a) + np.exp(-root * (1 - a))) / (1 + np.exp(-root))
        terms = 16 / (np.pi**2 * np.outer(m, m)) / root**2 * (1 - decay)
        exact.append(np.sin(m * np.pi * b) @ terms @ np.sin(m * np.pi * c))
    error = np.linalg.norm(solution(points).ravel() - exact) / np.linalg.norm(exact)
    assert error < 1e-5
    assert error < 10 * solution.error


@pytest.mark.parametrize(
    "problem",
    [
        tn.Problem(tn.Ball(radius=1), [Eq(laplacian(u), 1)], [tn.on("boundary", u)]),
        tn.Problem(BOX, [Eq(laplacian(u), 1)], [tn.on("boundary", u, where=x < y)]),
        tn.Problem(BOX, [Eq(laplacian(u), u.diff(x, 3))], [tn.on("boundary", u)]),
    ],
)
def test_other_problems_are_not_of_this_kind(problem: Problem) -> None:
    assert steady_of(problem) is None


def test_a_problem_next_to_an_eigenvalue_is_not_answered_with_confidence() -> None:
    """At 1e-9 from an eigenvalue of a cube rounding grows by 1e10."""
    cube = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
    problem = tn.Problem(cube, [Eq(laplacian(u) + (3 * sp.pi**2 + 1e-9) * u, x)], [tn.on("boundary", u)])
    steady = steady_of(problem)
    assert steady is not None
    assert all(level.error > 1e-5 for level in box_levels(steady, (), 1e-6))
