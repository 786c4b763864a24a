"""Cells fill the domain and nothing else; slices are slices."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError
from transnet.sections.section import section
from transnet.sections.simplices import cells_of

s, x, y, z = sp.symbols("s x y z")
STAR = (1 + 0.3 * sp.cos(5 * s)) * sp.cos(s), (1 + 0.3 * sp.cos(5 * s)) * sp.sin(s)

SHAPES = [
    (tn.Interval(x=(0, 2)), 1e-14),
    (tn.Interval(x=(0, 1)) - tn.Interval(x=(0.4, 0.5)), 1e-14),
    (tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 50)), 1e-13),
    (tn.Box(x=(0, 1), y=(0, 3)), 1e-13),
    (tn.Box(x=(0, 2), y=(0, 1)) - tn.Box(x=(0.5, 1), y=(0.5, 1)), 1e-12),
    (tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], holes=[[(0.2, 0.2), (0.5, 0.2), (0.2, 0.6)]]), 1e-12),
    (tn.Disk() - tn.Disk((0.3, 0.2), 0.05), 2e-3),
    (tn.Region(tn.Curve(STAR, (s, 0, 2 * sp.pi))), 2e-3),
    (tn.LevelSet(x**4 + y**4 - 1, x=(-2, 2), y=(-2, 2)), 2e-3),
    (tn.Box(x=(0, 1), y=(0, 1), z=(0, 2)), 1e-13),
    (tn.Disk() * tn.Interval(t=(0, 1)), 4e-3),
    (tn.Ball(), 0.03),
    (tn.Box(x=(0, 1), y=(0, 1), z=(0, 1)) - tn.Ball((0, 0, 0), 0.5), 0.02),
]


@pytest.mark.parametrize(("domain", "tolerance"), SHAPES, ids=lambda p: str(p)[:40])
def test_cells_fill_the_domain_and_nothing_else(domain, tolerance):
    cells = cells_of(domain, 40 if domain.dimension < 3 else 10)
    assert abs(cells.measures.sum() / domain.volume - 1) < tolerance
    assert domain.contains(cells.points).all()
    assert domain.contains(cells.points[cells.corners].mean(axis=1)).all()
    # Every point is used, and cells do not overlap: their measures would add up to more.
    assert len(np.unique(cells.corners)) == len(cells.points)
    np.testing.assert_allclose(cells.points.min(axis=0), domain.bounds[0], atol=0.06 * np.ptp(domain.bounds))


def test_the_corners_of_a_polygon_are_points():
    corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    points = cells_of(tn.Polygon(corners), 30).points
    for corner in corners:
        assert np.linalg.norm(points - corner, axis=1).min() < 1e-12


BODIES = [
    (tn.Ball(), np.pi * 0.91),
    (tn.Shell(), np.pi * (0.91 - 0.16)),
    (tn.Box(x=(-1, 1), y=(-1, 1), z=(0, 1)) - tn.Ball((0, 0, 0), 0.5), 4 - np.pi * 0.16),
    (tn.Ball((0, 0, 0), 1) | tn.Ball((0, 0, 5), 1), np.pi * 0.91),
    ((tn.Disk() - tn.Disk(radius=0.5)) * tn.Interval(z=(0, 1)), np.pi * 0.75),
    (tn.LevelSet(x**2 + y**2 + z**2 - 1, x=(-2, 2), y=(-2, 2), z=(-2, 2)), np.pi * 0.91),
]


@pytest.mark.parametrize(("body", "area"), BODIES, ids=lambda p: str(p)[:40])
def test_slices_have_the_right_area(body, area):
    cut = section(body, {2: 0.3}, 40)
    assert abs(cut.cells.measures.sum() / area - 1) < 4e-3
    assert cut.points.shape[1] == 3
    assert (cut.points[:, 2] == 0.3).all()
    assert body.contains(cut.points).all()
    assert cut.lines


def test_a_line_through_a_ring_has_a_gap():
    cut = section(tn.Annulus(), {1: 0.0}, 50)
    assert abs(cut.cells.measures.sum() - 1.0) < 1e-9
    assert not np.any(np.abs(cut.cells.points[:, 0]) < 0.5 - 1e-9)


def test_a_slice_that_misses_is_refused():
    with pytest.raises(ProblemError, match="outside the domain"):
        section(tn.Ball(), {2: 3.0}, 20)
    with pytest.raises(ProblemError, match="no points with"):
        section(tn.Ball((0, 0, 0), 1) | tn.Ball((0, 0, 5), 1), {2: 2.5}, 20)
    with pytest.raises(ProblemError, match="cannot be cut"):
        cells_of(tn.Box(a=(0, 1), b=(0, 1), c=(0, 1), d=(0, 1)), 5)
