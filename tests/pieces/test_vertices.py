"""Points where materials meet, and corners: exponents that are known, and exact solutions with them."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.features.exponents import _through, exponents_of
from transnet.pieces.laws import Laws
from transnet.pieces.vertices import vertices_of

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
WHOLE = 2 * np.pi


def test_exponents_that_are_known() -> None:
    assert np.allclose(exponents_of([3.0], [WHOLE], None, 4.5), [1, 2, 3, 4], atol=1e-6)  # nothing there
    opening = 1.5 * np.pi  # an L-shape
    assert np.allclose(exponents_of([2.0], [opening], ("value", "value"), 3), [2 / 3, 4 / 3, 2, 8 / 3])
    assert np.allclose(exponents_of([2.0], [opening], ("flux", "flux"), 3), [2 / 3, 4 / 3, 2, 8 / 3])
    assert np.allclose(exponents_of([2.0], [opening], ("value", "flux"), 2), [1 / 3, 1, 5 / 3])
    # Four squares like a chess board: tan(lambda pi / 4)^2 is the ratio of the conductivities (Kellogg).
    for ratio in (0.01, 1e-4):
        found = exponents_of([1.0, ratio, 1.0, ratio], [np.pi / 2] * 4, None, 3)
        assert np.isclose(found[0], 4 / np.pi * np.arctan(np.sqrt(ratio)))
        assert any(np.isclose(found, 2.0))


def sector(start: float, stop: float) -> tn.Domain:
    """The part of the square from -1 to 1 between two angles."""

    def end(angle: float) -> np.ndarray:
        direction = np.array([np.cos(angle), np.sin(angle)])
        return direction / np.abs(direction).max()

    corners = [np.pi / 4 + k * np.pi / 2 for k in range(-8, 16)]
    between = [np.sign(end(a)) for a in corners if start + 1e-9 < a < stop - 1e-9]
    return tn.Polygon([(0.0, 0.0), *(tuple(map(float, p)) for p in (end(start), *between, end(stop)))])


def singular(stiffness: list[float], cuts: list[float]):
    """The exponent and the solution r^lambda s(theta) with the smallest exponent, by going around once."""
    angles = [b - a for a, b in zip(cuts, [*cuts[1:], cuts[0] + WHOLE], strict=True)]
    alpha = exponents_of(stiffness, angles, None, 3)[0]
    state = np.linalg.svd(_through(stiffness, angles, np.array([alpha]))[0] - np.eye(2))[2][-1]
    factors = []
    for k, omega in zip(stiffness, angles, strict=True):
        factors.append((state[0], state[1] / (k * alpha)))
        state = _through([k], [omega], np.array([alpha]))[0] @ state

    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        r, theta = np.hypot(px, py), (np.arctan2(py, px) - cuts[0]) % WHOLE
        value, start = np.zeros(np.shape(r)), 0.0
        for (a, b), omega in zip(factors, angles, strict=True):
            here = (theta >= start) & (theta <= start + omega)
            t = alpha * (theta - start)
            value = np.where(here, r**alpha * (a * np.cos(t) + b * np.sin(t)), value)
            start += omega
        return value

    return alpha, exact


def error_of(solution: tn.Solution, exact) -> float:
    points = solution.problem.domain.interior(1500, "random", 3)
    true = exact(*points.T)
    return float(np.linalg.norm(solution(points) - true) / np.linalg.norm(true))


def test_three_materials_in_a_point(tmp_path) -> None:
    stiffness, cuts = [1.0, 100.0, 3.0], [0.3, 1.9, 4.0]
    alpha, exact = singular(stiffness, cuts)
    assert 0.3 < alpha < 0.9
    shapes = {f"m{k}": sector(a, b) for k, (a, b) in enumerate(zip(cuts, [*cuts[1:], cuts[0] + WHOLE], strict=True))}
    k = tn.by_piece({f"m{j}": value for j, value in enumerate(stiffness)})
    value = tn.given("g", exact, x, y)
    problem = tn.Problem(tn.Pieces(shapes), [sp.Eq(-tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", sp.Eq(u, value))])
    solution = tn.solve(problem)
    assert solution.error < 1e-8
    assert error_of(solution, exact) < 1e-8
    again = tn.load(solution.save(tmp_path / "vertex"))
    points = np.array([[1e-3, 2e-3], [0.5, -0.4]])
    assert np.array_equal(again(points), solution(points))


def test_a_chess_board_stated_by_piecewise_coefficients() -> None:
    """Values in the middle follow r^0.13: no grid would see them."""
    stiffness, cuts = [1.0, 100.0, 1.0, 100.0], [0.0, np.pi / 2, np.pi, 1.5 * np.pi]
    alpha, exact = singular(stiffness, cuts)
    assert alpha < 0.13
    k = sp.Piecewise((100, sp.And(x < 0, y > 0) | sp.And(x > 0, y < 0)), (1, True))
    value = tn.given("g", exact, x, y)
    problem = tn.Problem(
        tn.Box(x=(-1, 1), y=(-1, 1)), [sp.Eq(-tn.div(k * tn.grad(u)), 0)], [tn.on("boundary", sp.Eq(u, value))]
    )
    assert error_of(tn.solve(problem, tol=1e-6), exact) < 1e-6


def test_a_corner_that_points_inwards_in_pieces() -> None:
    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        return np.hypot(px, py) ** (2 / 3) * np.sin(2 / 3 * (np.arctan2(py, px) % WHOLE))

    domain = tn.Polygon([(0, 0), (1, 0), (1, 1), (-1, 1), (-1, -1), (0, -1)])
    value = tn.given("g", exact, x, y)
    problem = tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, value))])
    solution = tn.solve(problem, tol=1e-7, pieces=True)
    assert solution.basis.kind == "pieces"
    assert error_of(solution, exact) < 1e-7


SIDES = [tn.on("boundary", u)]
LEFT, RIGHT = tn.Box(x=(0, 1), y=(0, 1)), tn.Box(x=(1, 2), y=(0, 1))


@pytest.mark.parametrize(("inner", "expected"), [(1, 4), (5, 6)])
def test_where_the_vertices_are(inner: int, expected: int) -> None:
    """Corners of the rectangle, and where an interface meets its rim: if the materials differ."""
    k = tn.by_piece(a=inner, b=1)
    problem = tn.Problem(tn.Pieces(a=LEFT, b=RIGHT), [sp.Eq(-tn.div(k * tn.grad(u)), 1)], SIDES)
    assert len(vertices_of(Laws(problem), ())) == expected
