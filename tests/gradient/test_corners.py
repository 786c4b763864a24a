"""Corners that move: du/dk is unbounded where they point inwards, results have derivatives all the same."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, k, r, lam = sp.symbols("x y k r lam")
u = tn.unknown("u", x, y)
LOAD = [sp.Eq(-tn.laplacian(u), 1)]
ZERO = [tn.on("boundary", sp.Eq(u, 0))]
CORNERS = {
    # Twice the size is 16 times the integral, four times the energy per area: all sizes follow from that at one.
    "L": (lambda s: tn.Polygon([(0, 0), (2 * s, 0), (2 * s, s), (s, s), (s, 2 * s), (0, 2 * s)]), 0.5),
    "notch": (lambda s: tn.Box(x=(0, 2 * s), y=(0, 2 * s)) - tn.Box(x=(s, 3 * s), y=(s / 2, 3 * s)), 0.7),
    "triangle": (lambda s: tn.Polygon([(0, 0), (s, 0), (s / 3, s)]), 1.2),
}


@pytest.mark.parametrize("name", CORNERS)
def test_sizes_of_domains_with_corners_follow_the_law_of_scales(name):
    shape, value = CORNERS[name]
    solution = tn.solve(tn.Problem(shape(r), LOAD, ZERO), parameters={r: value})
    for result, power in (
        (solution.integral(u), 4),
        (solution.integral(sp.diff(u, x) ** 2 + sp.diff(u, y) ** 2), 4),
        (solution.flux("boundary"), 2),
    ):
        slope, exact = solution.gradient(result, wrt=r)[r], power * float(result) / value
        assert abs(slope - exact) < 1e-7 * abs(exact), (name, power)
        assert abs(slope - exact) <= slope.error + 1e-9 * abs(exact), (name, power)


def test_one_corner_alone_against_the_flux_that_the_load_demands():
    # The flux through the boundary is minus the area, whatever the corner at (r, r) does.
    shape = tn.Polygon([(0, 0), (1, 0), (1, r), (r, r), (r, 1), (0, 1)])
    solution = tn.solve(tn.Problem(shape, LOAD, ZERO), parameters={r: 0.5})
    slope = solution.gradient(solution.flux("boundary"), wrt=r)[r]
    assert abs(abs(slope) - (2 - 2 * 0.5)) < slope.error + 1e-8 < 1e-5
    with pytest.raises(ProblemError, match="points into the domain"):
        solution.sensitivity(r)


def test_pieces_may_change_their_sizes():
    # u = (1 - s^2) / 4 outside, and (r^2 - s^2) / (4 k) more inside.
    layers = tn.Problem(
        tn.Pieces(core=tn.Disk(radius=r), shell=tn.Disk(radius=1) - tn.Disk(radius=r)),
        [tn.div(tn.by_piece(core=4, shell=1) * tn.grad(u), x, y) + 1],
        [tn.on("boundary", u)],
    )
    solution = tn.solve(layers, parameters={r: 0.5}, tol=1e-7)
    slope = solution.gradient(solution.integral(u), wrt=r)[r]
    exact = np.pi / 2 * 0.5**3 * (1 / 4 - 1)  # of pi / 8 (1 - r^4 + r^4 / k)
    assert abs(slope - exact) < 1e-5 * abs(exact)
    assert abs(slope - exact) <= slope.error + 1e-9


def test_the_eigenvalue_of_an_L_by_its_size():
    shape, value = CORNERS["L"]
    drum = tn.Problem(shape(r), [sp.Eq(-tn.laplacian(u), lam * u)], ZERO)
    pairs = tn.eigenpairs(drum, lam, count=1, parameters={r: value})
    slope, exact = pairs.gradient(wrt=r)[r], -2 * pairs.values[0] / value
    assert abs(slope - exact) < 1e-7 * abs(exact)
    assert abs(slope - exact) <= slope.error + 2 * pairs.errors[0] / value
