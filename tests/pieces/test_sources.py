"""Boxes that are cut because their waves do not follow the right-hand sides, before anything is glued."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.pieces.boxes import Boxes
from transnet.pieces.first_boxes import first_boxes
from transnet.pieces.laws import Laws
from transnet.pieces.plan import Cut, density_of, space_for
from transnet.pieces.sources import Sources

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def cut_for(source: sp.Expr) -> Boxes:
    problem = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), source)], [tn.on("boundary", u)])
    space = space_for(2)
    return Sources(Laws(problem), space, (), density_of(space)).followed(first_boxes(SQUARE, Cut()), 1.0, 1e-5, 1000)


@pytest.mark.parametrize("source", [sp.Integer(1), sp.exp(x) * sp.cos(3 * y), sp.Integer(0)])
def test_smooth_sources_are_followed_by_the_first_boxes(source: sp.Expr) -> None:
    assert len(cut_for(source)) == len(first_boxes(SQUARE, Cut()))


def test_boxes_are_narrow_where_a_source_is_steep() -> None:
    front = sp.tanh(60 * (x - sp.Rational(2, 5)))
    boxes = cut_for(sp.diff(front, x, 2))
    at = boxes.locate(np.array([[0.4, 0.3], [0.9, 0.3]]))
    assert boxes.widths[at[0], 0] <= 0.25 / 4
    assert boxes.widths[at[1], 0] == pytest.approx(0.25)
    # A front across x alone is cut across x alone.
    assert boxes.widths[at[0], 1] > 2 * boxes.widths[at[0], 0]


def test_a_front_is_found_in_few_solves() -> None:
    exact = sp.atan(30 * (x**2 + y**2 - sp.Rational(1, 4)))
    problem = tn.Problem(
        SQUARE,
        [sp.Eq(tn.laplacian(u), sp.diff(exact, x, 2) + sp.diff(exact, y, 2))],
        [tn.on("boundary", sp.Eq(u, exact))],
    )
    solution = tn.solve(problem, pieces=True, tol=1e-5)
    points = SQUARE.interior(1000, "quasi", 3)
    true = sp.lambdify((x, y), exact, "numpy")(*points.T)
    assert np.linalg.norm(solution(points) - true) < 1e-5 * np.linalg.norm(true)
    assert len(solution.history) <= 6
