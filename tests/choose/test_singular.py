"""Holes and corners: problems whose solutions are smooth inside and singular outside or at the boundary."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp
from scipy import special

import transnet as tn
from transnet.errors import AccuracyWarning
from transnet.features.corner_functions import exponents
from transnet.geometry.corners import corners_and_holes

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
laplace = tn.laplacian(u)
zero = [tn.on("boundary", u)]
ELL = tn.Polygon(
    [(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)], names=["west", "down", "east", "right", "top", "left"]
)
UNIT = tn.Box(x=(0, 1), y=(0, 1))


def polar(px: np.ndarray, py: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance to the inner corner of the ell, and the angle from the bisector, -3 pi / 4 to 3 pi / 4."""
    return np.hypot(px, py), np.arctan2(-px - py, -px + py)


def two_thirds(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    r, angle = polar(px, py)
    return r ** (2 / 3) * np.cos(2 * angle / 3)


def modified(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    r, angle = polar(px, py)
    return special.iv(2 / 3, 3 * r) * np.cos(2 * angle / 3)


def sources(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    """A wave from inside the hole around (0.2, 0.1)."""
    return special.y0(4 * np.hypot(px - 0.25, py - 0.1)) + special.j0(4 * np.hypot(px - 2, py))


def series(px: np.ndarray, py: np.ndarray) -> np.ndarray:
    """-laplace u = 1 on the unit square."""
    total = px * (1 - px) / 2
    for k in range(1, 12_000, 2):
        a, h = k * np.pi, np.abs(py - 0.5)
        fall = np.exp(a * (h - 0.5)) * (1 + np.exp(-2 * a * h)) / (1 + np.exp(-a))
        total = total - 4 / a**3 * np.sin(a * px) * fall
    return total


def stated(f) -> list:
    return [tn.on("boundary", sp.Eq(u, tn.given("g", f, x, y)))]


RING = tn.Disk() - tn.Disk(center=(0.2, 0.1), radius=0.4)
KNOWN = {
    "the square": (UNIT, sp.Eq(laplace, -1), zero, series, 1e-10),
    "the ell": (ELL, laplace, stated(two_thirds), two_thirds, 1e-12),
    "the ell with a reaction": (ELL, laplace - 9 * u, stated(modified), modified, 1e-9),
    "a wave around a hole": (RING, laplace + 16 * u, stated(sources), sources, 1e-9),
}


def relative(solution, exact, domain) -> float:
    points = domain.interior(1000, "random", 5)
    truth = exact(*points.T)
    return float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))


@pytest.mark.parametrize("which", KNOWN)
def test_ten_digits_of_what_is_known(which):
    domain, equation, conditions, exact, bound = KNOWN[which]
    solution = tn.solve(tn.Problem(domain, [equation], conditions), method="network")
    error = relative(solution, exact, domain)
    assert error < bound
    assert 0.1 * error < max(solution.error, 1e-13)
    assert len(solution.basis.spaces[0].singular) > 0


def test_the_middle_of_the_square():
    assert tn.solve(tn.Problem(UNIT, [sp.Eq(laplace, -1)], zero))([(0.5, 0.5)])[0] == pytest.approx(
        0.0736713532814, abs=1e-12
    )


RINGS = tn.Disk() - tn.Disk(center=(0.4, 0), radius=0.3) - tn.Disk(center=(-0.4, 0.2), radius=0.2)
FRAME = tn.Polygon([(-2, -2), (2, -2), (2, 2), (-2, 2)], holes=[[(-0.5, -0.5), (0.5, -0.5), (0.6, 0.5), (-0.5, 0.5)]])
s = sp.Symbol("s")
ELLIPTIC = tn.Region(
    tn.Curve((sp.cos(s), sp.sin(s)), (s, 0, 2 * sp.pi)),
    tn.Curve((sp.Rational(9, 20) * sp.cos(s), sp.Rational(3, 20) * sp.sin(s)), (s, 0, 2 * sp.pi)),
)
insulated = tn.normal_derivative(u)
SELF = {
    "the first program": (tn.Disk() - tn.Disk(radius=0.5), sp.Eq(laplace, -sp.exp(x) * y),
                          [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))], 300, 1e-11),
    "a hole close to the rim": (tn.Disk() - tn.Disk(center=(0.5, 0), radius=0.3), sp.Eq(laplace, -1), zero, 400, 1e-9),
    "a small hole": (tn.Disk() - tn.Disk(center=(-0.3, 0.4), radius=0.03), sp.Eq(laplace, -1), zero, 400, 1e-9),
    "half of a circle": (tn.Disk(), sp.Eq(laplace, -1),
                         [tn.on("circle", u, where=y > 0), tn.on("circle", insulated, where=y < 0)], 300, 1e-8),
    "a slender hole": (ELLIPTIC, sp.Eq(laplace, -1), zero, 400, 1e-10),
    "two holes": (RINGS, sp.Eq(laplace, -1), [tn.on("boundary", sp.Eq(u, sp.exp(x)))], 400, 1e-9),
    "the ell": (ELL, sp.Eq(laplace, -1), zero, 500, 1e-9),
    "the ell, mixed": (ELL, sp.Eq(laplace, -1), [tn.on("down", insulated),
                       *(tn.on(p, u) for p in ("west", "east", "right", "top", "left"))], 500, 1e-9),
    "the ell, insulated": (ELL, sp.Eq(-laplace + u, x), [tn.on("boundary", insulated)], 400, 1e-8),
    "a ring, fluxes only": (tn.Disk() - tn.Disk(center=(0.3, 0), radius=0.3), sp.Eq(laplace, 0),
                            [tn.on("boundary", sp.Eq(insulated, tn.normal(x, y)[0])), tn.mean(u)], 300, 1e-9),
    "the ell, fluxes only": (ELL, sp.Eq(laplace, x + sp.Rational(1, 6)), [tn.on("boundary", insulated), tn.mean(u)],
                             300, 1e-8),
    "a frame": (FRAME, sp.Eq(laplace, -1), zero, 600, 1e-7),
    "anisotropic": (UNIT, sp.Eq(u.diff(x, 2) + u.diff(x, y) + 2 * u.diff(y, 2), -1), zero, 300, 1e-10),
    "curved edges": (tn.Disk() | tn.Disk(center=(1, 0)), sp.Eq(laplace, -1), zero, 200, 1e-10),
    "nonlinear": (UNIT, sp.Eq(laplace, -sp.exp(u)), zero, 250, 1e-9),
}  # fmt: skip


@pytest.mark.parametrize("which", SELF)
def test_two_networks_agree_and_say_how_well(which):
    """Networks of different sizes and seeds, of which the smaller has the error that it estimates."""
    domain, equation, conditions, neurons, bound = SELF[which]
    problem = tn.Problem(domain, [equation], conditions)
    small, large = (tn.solve(problem, neurons=m, seed=k) for k, m in enumerate((neurons, 3 * neurons // 2)))
    difference = relative(small, lambda *p: large(np.stack(p, axis=1)), domain)
    assert difference < bound
    assert difference < 10 * small.error + 1e-13


def test_the_first_program_needs_few_neurons():
    domain, equation, conditions, _, _ = SELF["the first program"]
    solution = tn.solve(tn.Problem(domain, [equation], conditions))
    assert solution.basis.columns < 500
    assert solution.error < 2e-10


def test_motz():
    """The first coefficients of r^(k + 1/2) in Motz' problem, where values give way to a flux on a straight side."""
    domain = tn.Polygon(
        [(0, 0), (1, 0), (1, 1), (-1, 1), (-1, 0)], names=["insulated", "hot", "insulated", "insulated", "cold"]
    )
    problem = tn.Problem(
        domain, [laplace], [tn.on("cold", u), tn.on("hot", sp.Eq(u, 500)), tn.on("insulated", insulated)]
    )
    solution = tn.solve(problem)
    t = np.pi * (np.arange(40) + 0.5) / 40
    # On a small circle about the singularity, cos((k + 1/2) theta) are orthogonal over (0, pi).
    r = 0.5
    values = solution(np.stack([r * np.cos(t), r * np.sin(t)], axis=1))
    found = [2 * np.mean(values * np.cos((k + 0.5) * t)) / r ** (k + 0.5) for k in range(3)]
    np.testing.assert_allclose(found, [401.162453745234416, 87.655920195, 17.237915079], rtol=1e-8)


def test_values_that_give_way_to_a_flux_in_the_middle_of_a_side():
    """r^(1/2) cos(theta / 2), whose flux is zero for theta = 0 and whose value is for theta = pi."""
    exact = sp.sqrt((sp.sqrt(x**2 + y**2) + x) / 2)
    domain = tn.Box(x=(-1, 1), y=(0, 2))
    conditions = [
        tn.on("bottom", u, where=x < 0),
        tn.on("bottom", insulated, where=x > 0),
        *(tn.on(side, sp.Eq(u, exact)) for side in ("left", "right", "top")),
    ]
    solution = tn.solve(tn.Problem(domain, [laplace], conditions))
    assert relative(solution, sp.lambdify((x, y), exact), domain) < 1e-10


def test_values_that_jump_at_corners():
    """One hot side: by symmetry a quarter in the middle. The jump is still told of."""
    conditions = [tn.on("top", sp.Eq(u, 1)), *(tn.on(side, u) for side in ("left", "right", "bottom"))]
    with pytest.warns(AccuracyWarning, match="different values where they meet"):
        solution = tn.solve(tn.Problem(UNIT, [laplace], conditions))
    assert solution([(0.5, 0.5)])[0] == pytest.approx(0.25, abs=1e-10)
    assert solution.error < 1e-9


def test_corners_that_matter_only_after_the_rest_is_resolved():
    """A wave whose small networks know nothing yet of the inner corner: growth takes its functions in."""
    problem = tn.Problem(ELL, [sp.Eq(laplace + 49 * u, 1)], zero)
    solution = tn.solve(problem, tol=1e-7)
    other = tn.solve(problem, space=tn.FeatureSpace.waves(2, 900, 0.12, seed=3).with_singular(
        tn.singularities(ELL, degree=8, bars=6, kinds=dict.fromkeys(ELL.parts, "value"), most=1000)))  # fmt: skip
    assert relative(solution, lambda *p: other(np.stack(p, axis=1)), ELL) < 1e-6


def test_a_smooth_solution_does_not_suffer_from_them():
    """On the ell, where the features that the corner offers do nothing."""
    exact = sp.exp(x) * sp.sin(2 * y)
    problem = tn.Problem(ELL, [sp.Eq(laplace, tn.laplacian(exact, x, y))], [tn.on("boundary", sp.Eq(u, exact))])
    solution = tn.solve(problem, neurons=200)
    points = ELL.interior(300, "random", 1)
    assert solution(points) == pytest.approx(sp.lambdify((x, y), exact)(*points.T), abs=1e-11)
    assert relative(solution, sp.lambdify((x, y), exact), ELL) < 1e-10


t = sp.Symbol("t")
w = tn.unknown("w", x, t)
NONE = {
    "time": tn.Problem(tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)), [sp.diff(w, t) - sp.diff(w, x, 2)],
                       [tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x))), tn.on("x=0", w), tn.on("x=1", w)]),
    "a wave in time": tn.Problem(tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1)), [sp.diff(w, t, 2) - sp.diff(w, x, 2)],
                                 [tn.on("t=0", sp.Eq(w, sp.sin(sp.pi * x)), sp.diff(w, t)), tn.on("x=0", w),
                                  tn.on("x=1", w)]),
}  # fmt: skip


@pytest.mark.parametrize("which", NONE)
def test_other_equations_are_not_enriched(which):
    solution = tn.solve(NONE[which], neurons=150)
    assert len(solution.basis.spaces[0].singular) == 0


def test_a_number_of_points_that_is_given_is_kept():
    solution = tn.solve(tn.Problem(UNIT, [sp.Eq(laplace, -1)], zero), neurons=60, points=tn.Points(300, 100))
    assert solution.diagnostics.rows == 400
    assert len(solution.basis.spaces[0].singular) == 0


def test_exponents_follow_the_conditions():
    reflex = corners_and_holes(ELL)[0][0]
    same = dict.fromkeys(ELL.parts, "value")
    np.testing.assert_allclose(exponents(reflex, 2.0, same), [2 / 3, 4 / 3, 2])
    np.testing.assert_allclose(exponents(reflex, 2.0, {**same, "down": "flux"}), [1 / 3, 1, 5 / 3])
    np.testing.assert_allclose(exponents(reflex, 1.0, {}), [1 / 3, 2 / 3, 1])
    np.testing.assert_allclose(exponents(reflex, 2.0, same, shifted=True), [2 / 3, 4 / 3, 5 / 3, 2])


def test_the_number_of_functions_is_bounded():
    star = tn.Polygon([((1 + k % 2) * np.cos(k * np.pi / 15), (1 + k % 2) * np.sin(k * np.pi / 15)) for k in range(30)])
    assert 60 < len(tn.singularities(star, degree=8, most=200)) <= 200
    assert len(tn.singularities(tn.Disk())) == 0
    assert len(tn.singularities(tn.Ball())) == 0


def test_saved_and_prepared(tmp_path):
    problem = tn.Problem(ELL, [sp.Eq(laplace, -1 - sp.Symbol("q") * x)], zero)
    solution = tn.solve(problem, neurons=200, parameters={"q": 1})
    points = ELL.interior(50)
    np.testing.assert_array_equal(tn.load(solution.save(tmp_path / "ell"))(points), solution(points))
    prepared = tn.prepare(problem, neurons=200)
    again = prepared.solve({"q": 1})
    np.testing.assert_allclose(again(points), solution(points), rtol=0, atol=1e-6 * np.abs(solution(points)).max())
    difference = np.abs(again(points) - solution(points)).max() / np.abs(solution(points)).max()
    assert difference < 20 * (again.error + solution.error)


def test_streamed_like_in_memory():
    problem = tn.Problem(UNIT, [sp.Eq(laplace, -1)], zero)
    one, other = tn.solve(problem, neurons=150), tn.solve(problem, neurons=150, engine=tn.Streamed())
    points = UNIT.interior(50)
    np.testing.assert_allclose(one(points), other(points), rtol=0, atol=1e-10)


def test_a_sparse_network_keeps_the_functions_it_chose():
    problem = tn.Problem(UNIT, [sp.Eq(laplace, -1)], zero)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solution = tn.solve(problem, neurons=150, solver=tn.Sparse())
    space = solution.basis.spaces[0]
    assert solution.coefficients.shape == (space.size,)
    assert relative(solution, series, UNIT) < 1e-4
