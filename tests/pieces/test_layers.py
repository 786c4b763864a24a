"""Boundary layers in the plane by the plain call, where their equations foretell them."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cuts.cut import cut_domain
from transnet.cuts.first_boxes import first_boxes
from transnet.cuts.plan import Cut, density_of, space_for
from transnet.pieces.characteristics import WIDE, lines_of
from transnet.pieces.laws import Laws
from transnet.pieces.layers import graded_boxes

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def sample(width: float) -> np.ndarray:
    """Points everywhere, and as many in layers at x = 1 and y = 1."""
    rng = np.random.default_rng(4)
    points = np.tile(rng.random((400, 2)), (3, 1))
    points[400:800, 0] = 1 - (width * rng.exponential(3, 400)) % 1
    points[800:, 1] = 1 - (width * rng.exponential(3, 400)) % 1
    return points


def test_convection_with_little_diffusion() -> None:
    """Layers at both outflows. The formula of the source has factors that no float holds."""
    eps = 1e-4

    def one(t: sp.Expr) -> sp.Expr:
        return t - sp.exp((t - 1) / eps)

    exact = one(x) * one(y)
    assert any(abs(sp.log(abs(n))) > 1e3 for n in exact.atoms(sp.Float) if n != 0)
    left = -eps * tn.laplacian(u) + sp.diff(u, x) + sp.diff(u, y)
    right = -eps * tn.laplacian(exact, x, y) + sp.diff(exact, x) + sp.diff(exact, y)
    solution = tn.solve(tn.Problem(SQUARE, [sp.Eq(left, right)], [tn.on("boundary", sp.Eq(u, exact))]), tol=1e-6)
    points = sample(eps)
    a, b = points.T
    true = (a - np.exp((a - 1) / eps)) * (b - np.exp((b - 1) / eps))
    assert np.abs(solution(points) - true).max() < 1e-6


def test_reaction_with_little_diffusion() -> None:
    width = sp.Rational(1, 1000)

    def one(t: sp.Expr) -> sp.Expr:
        return 1 - sp.exp(-t / width) - sp.exp((t - 1) / width)

    exact = one(x) * one(y) * (1 + x)
    right = -(width**2) * tn.laplacian(exact, x, y) + exact
    problem = tn.Problem(
        SQUARE, [sp.Eq(-(width**2) * tn.laplacian(u) + u, right)], [tn.on("boundary", sp.Eq(u, exact))]
    )
    solution = tn.solve(problem, tol=1e-5)
    points = sample(1e-3)
    true = sp.lambdify((x, y), exact)(*points.T)
    assert np.abs(solution(points) - true).max() < 2e-5


@pytest.mark.parametrize(
    ("terms", "narrow"),
    [
        (sp.diff(u, x), {"right", "bottom", "top"}),  # an outflow, and sides along which it flows
        (-sp.diff(u, x) - sp.diff(u, y), {"left", "bottom"}),
        (u, {"left", "right", "bottom", "top"}),
        (-u, set()),  # a wave has no layers
    ],
)
def test_where_boxes_are_halved(terms: sp.Expr, narrow: set[str]) -> None:
    problem = tn.Problem(SQUARE, [sp.Eq(-tn.laplacian(u) / 10_000 + terms, 1)], [tn.on("boundary", u)])
    cells = cut_domain(SQUARE, first_boxes(SQUARE, Cut()), density_of(space_for(2)))
    boxes = graded_boxes(Laws(problem), cells, ())
    ends = {
        "left": (0, boxes.low, 0),
        "right": (0, boxes.high, 1),
        "bottom": (1, boxes.low, 0),
        "top": (1, boxes.high, 1),
    }
    for name, (axis, corner, place) in ends.items():
        beside = np.abs(corner[:, axis] - place) < 1e-12
        assert bool(boxes.widths[beside, axis].max() < 0.2) == (name in narrow)


def test_coefficients_that_have_no_value_on_a_side() -> None:
    """u_x / x on the axis x = 0, where nothing is foretold and nothing fails."""
    exact = x**2 * y
    left = tn.laplacian(u) + sp.diff(u, x) / x
    problem = tn.Problem(
        SQUARE,
        [sp.Eq(left, 4 * y)],
        [tn.on("x=0", sp.Eq(tn.normal_derivative(u), 0))]
        + [tn.on(side, sp.Eq(u, exact)) for side in ("x=1", "y=0", "y=1")],
    )
    solution = tn.solve(problem, pieces=tn.Cut(2), tol=1e-5)
    points = SQUARE.interior(200, "random", 2)
    assert np.allclose(solution(points), sp.lambdify((x, y), exact)(*points.T), atol=1e-5)


SKEW = -tn.laplacian(u) / 10_000 + sp.diff(u, x) * sp.cos(sp.pi / 6) + sp.diff(u, y) / 2


def test_a_kink_is_carried_from_the_corner_of_the_inflow() -> None:
    """Along a straight line whose layer widens like the root of its length."""
    problem = tn.Problem(SQUARE, [sp.Eq(SKEW, 1)], [tn.on("boundary", u)])
    (line,) = lines_of(Laws(problem), ())
    a, b = line.points.T
    assert np.abs(b - a * np.tan(np.pi / 6)).max() < 1e-12
    assert a.max() == pytest.approx(1, abs=0.02)
    length = np.hypot(a, b)
    away = length > 1e-2
    assert line.widths[away] == pytest.approx(np.sqrt(1e-4 * length[away]), rel=1e-2)
    boxes = line.graded(first_boxes(SQUARE, Cut()), 2000)
    here = boxes.locate(line.points)
    assert np.all(boxes.widths[here].max(axis=1) <= WIDE * 1.5 * np.maximum(line.widths, 1e-4))
    assert boxes.widths[boxes.locate(np.array([[0.1, 0.9]]))].max() == pytest.approx(0.25)


def test_an_obstacle_has_a_wake_between_two_lines() -> None:
    domain = tn.Disk(radius=3) - tn.Disk(radius=0.5)
    problem = tn.Problem(
        domain, [sp.Eq(-tn.laplacian(u) / 10_000 + sp.diff(u, x), 0)], [tn.on("boundary", sp.Eq(u, x))]
    )
    starts = np.array([line.points[0] for line in lines_of(Laws(problem), ()) if abs(line.points[0, 1]) < 1])
    assert sorted(np.round(starts[:, 1], 2).tolist()) == [-0.5, 0.5]


def test_diffusion_that_is_strong_carries_nothing() -> None:
    strong = -tn.laplacian(u) + sp.diff(u, x) + sp.diff(u, y)
    assert lines_of(Laws(tn.Problem(SQUARE, [sp.Eq(strong, 1)], [tn.on("boundary", u)])), ()) == []
