"""Values and derivatives at every point of the closed domain: right, or infinite only where they truly are."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1)]


@pytest.fixture(scope="module", params=[None, 1e-4])
def square(request: pytest.FixtureRequest) -> tn.Solution:
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    return tn.solve(problem, tol=request.param, method="trefftz")  # polynomials have no derivatives without bound


def test_the_gradient_vanishes_in_the_corners_of_a_square(square: tn.Solution) -> None:
    for c in (x, y):
        values = square.evaluate(sp.diff(u, c), CORNERS)
        np.testing.assert_allclose(values, 0.0, atol=10 * square.error_of(sp.diff(u, c)))


def test_the_error_of_the_gradient_in_a_corner_is_a_number_that_holds(square: tn.Solution) -> None:
    for c in (x, y):
        found = square.evaluate(sp.diff(u, c), CORNERS, error=True)
        assert (found.error < 1e3 * square.error_of(sp.diff(u, c))).all()
        assert (np.abs(found.value) < 3 * found.error).all()


@pytest.mark.parametrize("tol", [1e-4, None])
@pytest.mark.parametrize("shape", ["triangle", "L-shape", "three quarters of a disk"])
def test_it_holds_in_the_corners_of_other_shapes_as_well(shape: str, tol: float | None) -> None:
    domain = {
        "triangle": tn.Polygon([(0, 0), (1, 0), (0, 1)]),
        "L-shape": tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)]),
        "three quarters of a disk": tn.Disk(radius=1) - tn.Polygon([(0, 0), (1.5, 0), (1.5, -1.5), (0, -1.5)]),
    }[shape]
    exact = sp.exp(x) * sp.sin(2 * y)
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u), -3 * exact)], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem, tol=tol)
    convex = [c.point for c in domain.corners_and_holes[0] if np.linalg.norm(c.point) > 0.1 or shape == "triangle"]
    points = np.concatenate([np.array(convex), 0.999 * np.array(convex)])
    for c in (x, y):
        found = solution.evaluate(sp.diff(u, c), points, error=True)
        truth = sp.lambdify((x, y), exact.diff(c))(*points.T)
        assert (np.abs(found.value - truth) < 3 * found.error).all()
        assert (found.error < 1e5 * solution.error).all()


def test_close_to_a_corner_it_is_small_as_well(square: tn.Solution) -> None:
    points = np.outer(10.0 ** -np.arange(4.0, 40.0, 4.0), [1.0, 0.4])
    assert np.abs(square.evaluate(sp.diff(u, x), points)).max() < 1e-3


def test_the_laplacian_is_what_the_equation_says(square: tn.Solution) -> None:
    if square.error < 1e-8:
        np.testing.assert_allclose(square.evaluate(tn.laplacian(u), CORNERS), -1.0, atol=1e-3)


def test_the_mixed_derivative_is_truly_infinite(square: tn.Solution) -> None:
    # u ~ r^2 log r times a constant: its mixed derivative grows like the logarithm.
    assert np.isinf(square.evaluate(sp.diff(u, x, y), [(0, 0)])).all()


def test_at_a_reentrant_corner_the_gradient_is_infinite_and_pictures_show_the_rest() -> None:
    ell = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])
    problem = tn.Problem(ell, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    solution = tn.solve(problem, tol=1e-6)
    assert np.isinf(solution.evaluate(sp.diff(u, x), [(0, 0)])).all()
    assert solution([(0, 0)])[0] == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_allclose(solution.evaluate(sp.diff(u, x), [(-1, -1), (1, 1)]), 0.0, atol=1e-3)
    convex = [(1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1)]
    assert np.isfinite(solution.evaluate(sp.diff(u, x, 2), convex)).all()
    assert np.isinf(solution.evaluate(sp.diff(u, x, y), convex)).all()
    solution.plot(sp.diff(u, x))
    drawn = plt.gcf().axes[0].collections[0]
    assert 0.1 < drawn.norm.vmax < 5.0
    plt.close("all")
