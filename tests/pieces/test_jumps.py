"""Boundary values that jump: pieces are halved towards the jump, and it is told what the estimate counts."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.cuts.boxes import Boxes
from transnet.cuts.first_boxes import halved_towards
from transnet.errors import AccuracyWarning
from transnet.pieces.jumps import NEAR, jumps_of

x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def harmonic(points: np.ndarray) -> np.ndarray:
    """The harmonic function that is one on the top of the unit square and zero on its other sides."""
    n = np.arange(1, 400, 2)[:, None] * np.pi
    a, b = points.T
    return np.sum(4 / n * np.sin(n * a) * (np.exp(n * (b - 1)) - np.exp(-n * (b + 1))) / (1 - np.exp(-2 * n)), axis=0)


def lid(second: sp.Expr) -> tn.Problem:
    """Two harmonic functions: the first jumps at the two upper corners."""
    rest = [tn.on(side, u) for side in ("left", "right", "bottom")]
    return tn.Problem(
        SQUARE,
        [tn.laplacian(u), sp.Eq(tn.laplacian(v), sp.diff(second, x, 2) + sp.diff(second, y, 2))],
        [tn.on("top", sp.Eq(u, 1)), *rest, tn.on("boundary", sp.Eq(v, second))],
    )


def test_a_system_with_jumps_is_cut_towards_them_and_its_estimate_holds_away_from_them() -> None:
    with pytest.warns(AccuracyWarning, match="jump at"):
        solution = tn.solve(lid(sp.exp(x) * sp.sin(y)))
    assert solution.basis.kind == "pieces"
    points = np.random.default_rng(1).uniform(0.02, 0.98, (500, 2))
    points = points[np.min([np.hypot(points[:, 0] - c, points[:, 1] - 1) for c in (0, 1)], axis=0) > NEAR]
    true = harmonic(points)
    error = np.linalg.norm(solution.evaluate(u, points) - true) / np.linalg.norm(true)
    assert error < solution.error <= 1e-3


def test_where_boundary_values_jump() -> None:
    found = jumps_of(lid(sp.sin(x)), ())
    assert sorted(map(tuple, np.round(found.places, 9))) == [(0.0, 1.0), (1.0, 1.0)]
    assert not jumps_of(tn.Problem(SQUARE, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, x))]), ())


def test_boxes_are_halved_towards_a_place() -> None:
    boxes = halved_towards(Boxes.grid(SQUARE.bounds, (2, 2)), np.array([[0.0, 1.0]]), 5)
    assert len(boxes) == 4 + 3 * 5
    assert np.isclose(np.prod(boxes.widths, axis=1).sum(), 1.0)
    at = boxes.locate(np.array([[0.0, 1.0]]))[0]
    assert np.allclose(boxes.widths[at], 2.0**-6)
