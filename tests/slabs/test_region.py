"""Slabs on plane domains that are not boxes: drums and plates with closed forms, and how they are kept."""

from collections.abc import Callable

import numpy as np
import pytest
import sympy as sp
from scipy.special import jn_zeros, jnp_zeros, jv

import transnet as tn
from transnet.basis.on_domain import DomainPolynomials, polynomials_on

x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
DISK = tn.Disk(radius=1)
HALF = tn.Disk(radius=1) & tn.Box(x=(-2, 2), y=(0, 2))


def polar(order: int, rate: float) -> Callable[..., np.ndarray]:
    """J_m(k r) cos(m theta) or sin(m theta), as a function of x and y."""
    return lambda a, b: jv(order, rate * np.hypot(a, b)) * np.sin(order * np.arctan2(b, a) + (np.pi / 2) * (order == 0))


def membrane(domain: tn.Domain, order: int, rate: float, walls: sp.Eq, end: float) -> tn.Problem:
    start = tn.given("mode", polar(order, rate), x, y)
    return tn.Problem(
        domain * tn.Interval(t=(0, end)),
        [sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + sp.diff(u, y, 2))],
        [tn.on("t=0", sp.Eq(u, start), sp.Eq(sp.diff(u, t), 0)), tn.on("sides", walls)],
    )


def off(solution: tn.Solution, order: int, rate: float, end: float) -> float:
    space = solution.problem.domain.first
    points = space.interior(200, "random", 3)
    times = np.random.default_rng(0).uniform(0, end, len(points))
    true = polar(order, rate)(*points.T) * np.cos(rate * times)
    found = solution(np.column_stack([points, times]))
    return float(np.linalg.norm(found - true) / np.linalg.norm(true))


@pytest.mark.parametrize(
    ("domain", "order", "rate", "walls"),
    [
        (DISK, 0, jn_zeros(0, 2)[1], sp.Eq(u, 0)),
        (DISK, 0, jnp_zeros(0, 1)[0], sp.Eq(tn.normal_derivative(u), 0)),
        (HALF, 1, jn_zeros(1, 1)[0], sp.Eq(u, 0)),
    ],
    ids=["drum", "free edge", "half a drum"],
)
def test_membranes_do_not_grow(domain, order, rate, walls):
    """Over ten periods and more, with an estimate that holds."""
    solution = tn.solve(membrane(domain, order, rate, walls, 20.0), method="march")
    error = off(solution, order, rate, 20.0)
    assert error < 1e-6
    assert error < 10 * solution.error
    assert type(solution.basis.spaces[0]).__name__ == "RegionSpace"


def test_a_bump_in_a_drum_keeps_its_energy():
    bump = sp.exp(-12 * ((x - sp.Rational(1, 5)) ** 2 + y**2)) * (1 - x**2 - y**2) ** 3
    problem = tn.Problem(
        DISK * tn.Interval(t=(0, 2)),
        [sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + sp.diff(u, y, 2))],
        [tn.on("t=0", sp.Eq(u, bump), sp.Eq(sp.diff(u, t), 0)), tn.on("sides", u)],
    )
    solution = tn.solve(problem, tol=1e-4)
    points, weights = DISK.quadrature(2000)

    def energy(moment: float) -> float:
        there = np.column_stack([points, np.full(len(points), moment)])
        parts = [solution.value_of(sp.diff(u, s), there) for s in (x, y, t)]
        return float(weights @ sum(p**2 for p in parts))

    first = energy(0.0)
    assert [energy(m) / first for m in (0.7, 1.3, 2.0)] == pytest.approx([1.0] * 3, rel=2e-3)


def test_polynomials_are_orthonormal_and_differentiated():
    region = polynomials_on(tn.Polygon([(0, 0), (2, 0), (1.5, 1), (0.5, 1.2)]), 14)
    assert np.allclose(region.tests @ region.at_grid((0, 0)), np.eye(region.columns), atol=1e-11)
    # x^3 y^2 is among them, and so are its derivatives.
    nodes = region.grid[0]
    c = region.fit @ (nodes[:, 0] ** 3 * nodes[:, 1] ** 2)
    places = np.array([[0.9, 0.3], [1.2, 0.8]])
    assert region.matrix(places, (2, 1)) @ c == pytest.approx(6 * places[:, 0] * 2 * places[:, 1], rel=1e-9)


def test_a_march_is_kept_and_goes_on(tmp_path):
    def plate(end: float) -> tn.Problem:
        return tn.Problem(
            DISK * tn.Interval(t=(0, end)),
            [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + sp.diff(u, y, 2))],
            [tn.on("t=0", sp.Eq(u, (1 - x**2 - y**2) ** 3 * (2 + x))), tn.on("sides", u)],
        )

    half = tn.solve(plate(0.1), method="march", tol=1e-6)
    half.save(tmp_path / "half.npz")
    read = tn.load(tmp_path / "half.npz")
    places = np.array([[0.1, 0.2, 0.03], [-0.5, 0.4, 0.09]])
    assert np.array_equal(half(places), read(places))
    assert isinstance(read.basis.spaces[0].axes[0], DomainPolynomials)
    gone_on, whole = tn.solve(plate(0.2), tol=1e-6, start=read), tn.solve(plate(0.2), method="march", tol=1e-7)
    later = np.array([[0.1, 0.2, 0.15], [-0.5, 0.4, 0.2]])
    assert gone_on(later) == pytest.approx(whole(later), abs=3e-6)


def test_corners_that_differ_by_rounding_have_a_rule():
    """A polygon that stands for a circle has corners whose x are one rounding apart."""
    angles = 2 * np.pi * np.arange(64) / 64
    polygon = tn.Polygon(list(zip(np.cos(angles), np.sin(angles), strict=True)))
    points, weights = polygon.quadrature(4000)
    assert weights.sum() == pytest.approx(polygon.volume, rel=1e-12)
    assert weights @ points[:, 0] ** 2 == pytest.approx(weights @ points[:, 1] ** 2, rel=1e-10)


def test_reentrant_corners_are_for_cells():
    corner = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    start = sp.sin(sp.pi * x) * sp.sin(sp.pi * y)
    problem = tn.Problem(
        corner * tn.Interval(t=(0, 0.1)),
        [sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) + sp.diff(u, y, 2))],
        [tn.on("t=0", sp.Eq(u, start)), tn.on("sides", u)],
    )
    assert "time slabs in cells" in str(tn.methods(problem))
