"""Slits: their two sides, the functions of their tips, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import GeometryError, ProblemError
from transnet.language.domains import domain as read_domain
from transnet.language.printer import text_of_domain

x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(-1, 1), y=(-1, 1))
OUTER = ("left", "right", "bottom", "top")
EDGE = SQUARE - tn.Segment((-1, 0), (0, 0))
ROOT, HALF = sp.sqrt(sp.sqrt(x**2 + y**2)), sp.atan2(y, x) / 2


def roots(points: np.ndarray) -> np.ndarray:
    return np.sqrt(points[:, 0] + 1j * points[:, 1])


def test_values_on_both_sides_of_a_slit() -> None:
    solution = tn.solve(tn.Problem(EDGE, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, ROOT * sp.cos(HALF)))]))
    points = EDGE.interior(300, "random", 1)
    assert solution(points) == pytest.approx(roots(points).real, abs=1e-10)


def test_a_slit_without_flux_and_its_stress_intensity() -> None:
    """u = r^(1/2) sin(theta / 2), whose jump across the slit is 2 r^(1/2): K = (pi / 2)^(1/2) for a shear modulus 1."""
    exact = ROOT * sp.sin(HALF)
    outer = [tn.on(part, sp.Eq(u, exact)) for part in OUTER]
    solution = tn.solve(tn.Problem(EDGE, [tn.laplacian(u)], [*outer, tn.on("slit", tn.normal_derivative(u))]), tol=1e-9)
    points = EDGE.interior(300, "random", 1)
    assert solution(points) == pytest.approx(roots(points).imag, abs=1e-8)
    above, below = solution(np.array([[-1e-6, 1e-15], [-1e-6, -1e-15]]))
    assert np.sqrt(np.pi / 8e-6) * (above - below) == pytest.approx(np.sqrt(np.pi / 2), rel=1e-5)


def test_a_slit_with_two_tips() -> None:
    domain = SQUARE - tn.Segment((-0.5, 0), (0.5, 0), name="crack")

    def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        z = a + 1j * b
        return (np.sqrt(z - 0.5) * np.sqrt(z + 0.5)).real

    known = tn.given("g", exact, x, y)
    outer = [tn.on(part, sp.Eq(u, known)) for part in OUTER]
    solution = tn.solve(tn.Problem(domain, [tn.laplacian(u)], [*outer, tn.on("crack", u)]))
    points = domain.interior(300, "random", 1)
    assert solution(points) == pytest.approx(exact(*points.T), abs=1e-8)


def test_modes_of_a_disk_with_a_slit_to_its_centre() -> None:
    """J_(k/2)(sqrt(lam) r) sin(k theta / 2): the first is that of order one half, whose zeros are those of a sine."""
    lam = sp.Symbol("lam")
    disk = tn.Disk(radius=1) - tn.Segment((0, 0), (-2, 0))
    problem = tn.Problem(disk, [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", u)])
    pairs = tn.eigenpairs(problem, lam, count=3, neurons=200)
    assert pairs.values == pytest.approx([np.pi**2, 14.681970642123893, 20.190728556426629], rel=1e-9)


def test_sides_normals_and_text() -> None:
    assert EDGE.parts == ("x=-1", "x=1", "y=-1", "y=1", "slit+", "slit-")
    assert EDGE.resolve("slit") == ("slit+", "slit-")
    assert EDGE.measure("slit") == pytest.approx(2)
    above, below = EDGE.boundary("slit+", 5), EDGE.boundary("slit-", 5)
    assert (above.normals == (0, -1)).all()
    assert (below.normals == (0, 1)).all()
    assert (above.points[:, 1] > 0).all()
    assert (below.points[:, 1] < 0).all()
    again = read_domain(text_of_domain(EDGE))
    assert again.parts == EDGE.parts
    assert np.array_equal(again.line, EDGE.line)
    assert EDGE.tips == (False, True)


def test_what_is_not_a_slit_is_refused() -> None:
    with pytest.raises(GeometryError, match="two different points"):
        tn.Segment((0, 0), (0, 0))
    with pytest.raises(GeometryError, match="is not in"):
        SQUARE - tn.Segment((2, 0), (3, 0))
    with pytest.raises(GeometryError, match="leaves and enters"):
        (tn.Disk(radius=1) - tn.Disk(radius=0.5)) - tn.Segment((-1, 0), (1, 0))
    with pytest.raises(GeometryError, match="plane domains"):
        tn.Interval(x=(0, 1)) - tn.Segment((0, 0), (1, 0))
    with pytest.raises(GeometryError, match="another name"):
        EDGE - tn.Segment((0.2, 0.2), (0.5, 0.5))
    with pytest.raises(ProblemError, match="cannot be cut into pieces"):
        tn.solve(tn.Problem(EDGE, [tn.laplacian(u)], [tn.on("boundary", u - 1)]), pieces=4)


def test_functions_that_jump_across_the_slit_are_integrated():
    domain = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Segment((-0.5, 0.1), (0.5, 0.1))
    points, weights = domain.quadrature(4000)
    np.testing.assert_allclose(weights.sum(), 4.0, rtol=1e-12)
    np.testing.assert_allclose(weights @ np.abs(points[:, 1] - 0.1), 2 * (0.9**2 + 1.1**2) / 2, rtol=1e-10)


def test_the_torsion_of_a_square_with_a_slit_has_an_estimate_that_holds():
    domain = tn.Box(x=(-1, 1), y=(-1, 1)) - tn.Segment((-0.5, 0), (0.5, 0))
    problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    torsion, other = (tn.solve(problem, seed=seed).integral() for seed in (0, 1))
    assert abs(torsion - other) <= torsion.error + other.error < 1e-7
