"""Thin plates, slender holes and combs: a cell for each part of a box, and cuts towards sharp bends."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn
from transnet.cuts.bends import RADII, around_bends
from transnet.cuts.boxes import Boxes
from transnet.cuts.cut import cut_domain
from transnet.cuts.parts import polygon_of
from transnet.cuts.plan import density_of, space_for
from transnet.pieces.basis import PiecewiseBasis, _read

x, y, s = sp.symbols("x y s")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(-1, 1), y=(-1, 1))
PLATE = SQUARE - tn.Box(x=(-0.6, 0.6), y=(-0.001, 0.001))


def test_both_sides_of_a_plate_are_cells_of_their_own() -> None:
    space = space_for(2, 40)
    boxes = Boxes.lattice([np.array([-1, -0.5, 0.5, 1.0]), np.array([-1, -0.5, 0.5, 1.0])])
    cells = cut_domain(PLATE, boxes, density_of(space))
    assert len(cells.cells) == 10  # the box in the middle has two
    above, below = (
        next(k for k, c in enumerate(cells.cells) if c.outline is not None and sign * c.centre[1] > 0)
        for sign in (1, -1)
    )
    assert np.all(cells.cells[above].inside[:, 1] > 0)
    assert np.all(cells.cells[above].rims[0].points[:, 1] > 0)
    assert np.all(cells.cells[below].rims[0].points[:, 1] < 0)
    assert all({f.first, f.second} != {above, below} for f in cells.faces)
    # Each of them meets the boxes at the ends of the plate, and one above or below.
    assert len(cells.cells[above].faces) == len(cells.cells[below].faces) == 3
    basis = PiecewiseBasis.of(cells, space, 1)
    points = np.array([[0.2, 0.0011], [0.2, -0.0011], [-0.49, 0.4], [0.0, -0.4]])
    assert basis.locate(points).tolist() == [above, below, above, below]
    arrays: dict[str, np.ndarray] = {}
    data = basis.stored(arrays)
    assert _read(data, arrays, "").locate(points).tolist() == [above, below, above, below]


def test_a_slender_ellipse() -> None:
    """The potential of a dipole in the ellipse, with a reaction, for which there are no poles."""
    long, short = 0.5, 0.04
    focus = np.sqrt(long**2 - short**2)
    hole = tn.Region(tn.Curve((long * sp.cos(s), short * sp.sin(s)), (s, 0, 2 * sp.pi), name="hole"))

    def exact(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        z = x + 1j * y
        zeta = (z + np.sqrt(z - focus) * np.sqrt(z + focus)) / focus
        return np.asarray((1 / zeta + 1j / zeta**2).real)

    value = tn.given("g", exact, x, y)
    problem = tn.Problem(SQUARE - hole, [sp.Eq(u - tn.laplacian(u), value)], [tn.on("boundary", sp.Eq(u, value))])
    solution = tn.solve(problem, pieces=True, tol=1e-4)
    points = problem.domain.interior(1000, "random", 3)
    error = np.linalg.norm(solution(points) - exact(*points.T)) / np.linalg.norm(exact(*points.T))
    assert error < 3 * solution.error < 3e-4


def test_boxes_become_smaller_towards_a_sharp_bend() -> None:
    hole = tn.Region(tn.Curve((0.5 * sp.cos(s), 0.025 * sp.sin(s)), (s, 0, 2 * sp.pi)))
    boxes = around_bends(SQUARE - hole, Boxes.grid(SQUARE.bounds, [4, 4]))
    radius = 0.025**2 / 0.5
    tips = boxes.widths[boxes.locate(np.array([[0.5 - 1e-6, 0.0], [0.5 + 1e-6, 0.0], [-0.5 - 1e-6, 0.0]]))]
    assert np.all(tips < 1.1 * RADII * radius)
    assert len(boxes) < 400
    assert len(around_bends(SQUARE - tn.Disk(radius=0.3), Boxes.grid(SQUARE.bounds, [4, 4]))) == 16


def test_polygons_follow_a_boundary() -> None:
    ring = tn.Disk(radius=1) - tn.Disk(center=(0.2, 0), radius=0.5)
    assert abs(polygon_of(ring).area - np.pi * 0.75) < 1e-3
