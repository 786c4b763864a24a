"""Corners and holes of plane domains."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.geometry.corners import corners_and_holes

ELL = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])
s = sp.Symbol("s")
ELLIPSE = tn.Curve((sp.Rational(3, 10) * sp.cos(s) + 0.2, sp.sin(s) / 5), (s, 0, 2 * sp.pi))
CIRCLE = tn.Curve((sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi))
U = tn.Polygon([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)])
FRAME = tn.Polygon([(-2, -2), (2, -2), (2, 2), (-2, 2)], holes=[[(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]])
RIGHT, REFLEX = np.pi / 2, 3 * np.pi / 2
OPENINGS = {
    "a box": (tn.Box(x=(0, 1), y=(0, 2)), [RIGHT] * 4),
    "a flat box": (tn.Box(x=(0, 100), y=(0, 1e-3)), [RIGHT] * 4),
    "an ell": (ELL, [REFLEX] + [RIGHT] * 5),
    "an ell, cut out": (tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Box(x=(0, 1), y=(0, 1)), [REFLEX] + [RIGHT] * 5),
    "a triangle": (tn.Polygon([(0, 0), (1, 0), (0, 1)]), [RIGHT, np.pi / 4, np.pi / 4]),
    "a frame": (FRAME, [REFLEX] * 4 + [RIGHT] * 4),
    "half a disk": (tn.Disk() & tn.Box(x=(0, 2), y=(-2, 2)), [RIGHT] * 2),
    "two disks": (tn.Disk() | tn.Disk(center=(1, 0)), [4 * np.pi / 3] * 2),
    "a lens": (tn.Disk() & tn.Disk(center=(1, 0)), [2 * np.pi / 3] * 2),
    "a bite": (tn.Box(x=(0, 3), y=(0, 3)) - tn.Disk(), [RIGHT] * 5),
    "a disk": (tn.Disk(), []),
    "a region": (tn.Region(CIRCLE, ELLIPSE), []),
    "a polygon for a circle": (tn.Polygon([(np.cos(t), np.sin(t)) for t in np.arange(0, 6.28, 0.05)]), []),
    "a ball": (tn.Ball(), []),
}  # fmt: skip


@pytest.mark.parametrize("which", OPENINGS)
def test_openings(which):
    domain, wanted = OPENINGS[which]
    corners, _ = corners_and_holes(domain)
    found = sorted(c.opening() for c in corners if not c.flat)
    np.testing.assert_allclose(found, sorted(wanted), rtol=1e-6)


@pytest.mark.parametrize("which", OPENINGS)
def test_a_cut_does_not_meet_the_domain(which):
    domain, _ = OPENINGS[which]
    for corner in corners_and_holes(domain)[0]:
        length = min(0.99 * corner.free, 1e3)
        ray = corner.point + np.linspace(1e-3, length, 1777)[:, None] * corner.cut
        assert not domain.contains(ray).any()


def test_the_cut_of_a_deep_notch_turns_to_the_way_out():
    corners = [c for c in corners_and_holes(U)[0] if c.opening() > np.pi]
    assert len(corners) == 2
    assert all(np.isinf(c.free) and c.cut[1] > 0.9 for c in corners)


def test_the_cuts_of_a_hole_end_in_it():
    corners, holes = corners_and_holes(FRAME)
    inner = [c for c in corners if c.opening() > np.pi]
    assert all(c.free == pytest.approx(np.sqrt(2), abs=0.03) for c in inner)
    assert len(holes) == 1
    np.testing.assert_allclose(holes[0].centre, 0, atol=1e-12)


HOLES = {
    "a ring": (tn.Annulus(center=(1, 2), inner=0.5, outer=2), [(1, 2)]),
    "a difference": (tn.Disk() - tn.Disk(center=(0.2, 0.1), radius=0.3), [(0.2, 0.1)]),
    "two": (tn.Disk() - tn.Disk(center=(0.4, 0), radius=0.3) - tn.Disk(center=(-0.4, 0.2), radius=0.2),
            [(-0.4, 0.2), (0.4, 0)]),
    "an ellipse": (tn.Region(CIRCLE, ELLIPSE), [(0.2, 0)]),
    "none": (ELL, []),
    "a bite": (tn.Box(x=(0, 3), y=(0, 3)) - tn.Disk(), []),
}  # fmt: skip


@pytest.mark.parametrize("which", HOLES)
def test_holes(which):
    domain, wanted = HOLES[which]
    found = sorted(tuple(h.centre) for h in corners_and_holes(domain)[1])
    np.testing.assert_allclose(np.reshape(found, (-1, 2)), np.reshape(wanted, (-1, 2)), atol=1e-3)


def test_a_stretched_plane_has_other_angles():
    """In the plane of x + 2i y a square is twice as high: its corners stay right, those of a triangle do not."""
    square = corners_and_holes(tn.Box(x=(0, 1), y=(0, 1)))[0]
    np.testing.assert_allclose([c.opening(2j) for c in square], RIGHT)
    triangle = corners_and_holes(tn.Polygon([(0, 0), (1, 0), (0, 1)]))[0]
    found = sorted(c.opening(2j) for c in triangle)
    np.testing.assert_allclose(found, sorted([RIGHT, np.arctan(2), np.arctan(1 / 2)]))
