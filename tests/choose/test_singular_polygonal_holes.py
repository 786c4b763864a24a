"""Holes with corners: more neurons bring more singular functions and better answers."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.features.singularities import singularities

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
TRIANGLE = [(1, 1), (1.5, 1), (1.2, 1.7)]
DOMAIN = (
    tn.Polygon([(0, 0), (4, 0), (4, 3), (0, 3)])
    - tn.Polygon(TRIANGLE)
    - tn.Polygon([(2.5, 1), (3.2, 1.2), (3, 2), (2.4, 1.9)])
)
POINTS = DOMAIN.interior(800, "random", 5)


def singular_in_the_triangle(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    """The real part of (z / (z - a))^(pi / omega), z from the corner (1, 1) and a inside: one value around the hole."""
    opening = 2 * np.pi - np.arctan2(0.7, 0.2)
    z, a = (px - 1) + 1j * (py - 1), 0.22 + 0.2j
    return np.real((z / (z - a)) ** (np.pi / opening))


def test_more_neurons_are_better():
    conditions = [tn.on("boundary", sp.Eq(u, tn.given("g", singular_in_the_triangle, x, y)))]
    problem = tn.Problem(DOMAIN, [tn.laplacian(u)], conditions)
    truth, errors = singular_in_the_triangle(*POINTS.T), []
    for neurons in (200, 400, 800):
        solution = tn.solve(problem, neurons=neurons)
        errors.append(np.linalg.norm(solution(POINTS) - truth) / np.linalg.norm(truth))
        assert errors[-1] < 10 * solution.error
    assert errors[2] < errors[1] < errors[0] < 1e-2
    assert errors[2] < 1e-5


def test_torsion_of_a_bar_with_two_holes():
    problem = tn.Problem(DOMAIN, [sp.Eq(tn.laplacian(u), -1)], [tn.on("boundary", u)])
    small, middle, large = (tn.solve(problem, neurons=n) for n in (200, 400, 900))
    truth = large(POINTS)
    errors = [np.linalg.norm(s(POINTS) - truth) / np.linalg.norm(truth) for s in (small, middle)]
    assert errors[0] < 1e-4
    assert errors[1] < 5e-6
    assert large.error < 1e-6


@pytest.mark.parametrize("most", [100, 200, 300, 400])
def test_poles_leave_room_for_corners(most):
    """However many poles are asked for, the corners keep their functions where the number of all is limited."""
    kinds = dict.fromkeys(DOMAIN.parts, "value")
    few, many = (singularities(DOMAIN, poles=p, degree=9.0, kinds=kinds, most=most) for p in (30, 60))
    np.testing.assert_array_equal(few.table, many.table)
    assert len(few) <= most
    corners = few.table[few.table[:, 8] > 0]
    assert len(np.unique(corners[:, :2], axis=0)) == 11


def test_cuts_end_in_the_middle_of_a_hole():
    """Their ends are poles of high order: they stay away from the rim."""
    rim = DOMAIN.boundary("boundary", 4000, "quasi", 0).points
    for corner in DOMAIN.corners_and_holes[0]:
        if np.isfinite(corner.free):
            end = corner.point + 0.5 * corner.free * corner.cut / np.linalg.norm(corner.cut)
            assert np.linalg.norm(rim - end, axis=1).min() > 0.1


def test_a_narrow_slot_in_a_medium_that_reacts():
    """Its cuts are short, and what is multiplied by powers of conj(z) is held by points around their ends."""
    domain = tn.Disk() - tn.Polygon([(-0.3, -0.4), (0, -0.4), (0, -0.35), (-0.3, -0.35)])
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u) - 20 * u, 1)], [tn.on("boundary", sp.Eq(u, x))])
    small, large = (tn.solve(problem, neurons=n) for n in (400, 800))
    points = domain.interior(800, "random", 5)
    assert np.linalg.norm(small(points) - large(points)) < 2e-4 * np.linalg.norm(large(points))
    assert large.error < 1e-4
