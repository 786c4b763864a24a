"""The bandwidths that the defaults find: solutions that small networks see nothing of, and axes that are not alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.choose.trials import in_dimension
from transnet.drive.plan import Plan
from transnet.method.one_size import features_for

x, y, t = sp.symbols("x y t")


def relative_error(solution: tn.Solution, exact: sp.Expr) -> float:
    points = solution.problem.domain.interior(1500, "quasi", 11)
    truth = sp.lambdify(solution.problem.coordinates, exact, "numpy")(*points.T)
    return float(np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth))


def wave(duration: float) -> tuple[tn.Problem, sp.Expr]:
    u = tn.unknown("u", x, t)
    exact = sp.sin(sp.pi * x) * sp.cos(sp.pi * t) + sp.sin(2 * sp.pi * x) * sp.cos(2 * sp.pi * t) / 2
    start = [tn.on("t=0", sp.Eq(u, exact.subs(t, 0)), sp.Eq(sp.diff(u, t), 0))]
    ends = [tn.on(part, sp.Eq(u, 0)) for part in ("x=0", "x=1")]
    domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, duration))
    return tn.Problem(domain, [sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2))], [*start, *ends]), exact


def test_a_long_wave_has_unequal_axes() -> None:
    problem, exact = wave(10.0)
    assert relative_error(tn.solve(problem), exact) < 1e-6


def test_a_layer_that_small_networks_do_not_see() -> None:
    u, width = tn.unknown("u", x), 1e-3
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(-width * sp.diff(u, x, 2) + sp.diff(u, x), 1)],
        [tn.on("boundary", sp.Eq(u, 0))],
    )
    solution = tn.solve(problem)
    points = np.linspace(0, 1, 1001)
    exact = points - np.exp((points - 1) / width)
    assert np.linalg.norm(solution(points) - exact) < 1e-7 * np.linalg.norm(exact)


@pytest.mark.parametrize("how", [{"tol": 1e-8}, {"neurons": 1200}])
def test_a_high_frequency_is_found_by_networks_that_can_see_it(how: dict[str, Any]) -> None:
    u = tn.unknown("u", x, y)
    exact = sp.sin(14 * x + 9 * y) + sp.cos(5 * x - 16 * y + 1)
    domain = tn.Polygon([(0, 0), (2, 0.1), (2.3, 1.2), (1.1, 1.8), (0.1, 1.2)])

    def left(v: sp.Expr) -> sp.Expr:
        return -sp.diff(v, x, 2) - sp.diff(v, y, 2) + 3 * (1 + y) * sp.diff(v, x) - 2 * sp.diff(v, y) + v

    problem = tn.Problem(domain, [sp.Eq(left(u), left(exact))], [tn.on("boundary", sp.Eq(u, exact))])
    assert relative_error(tn.solve(problem, **how), exact) < 1e-8


def test_one_law_serves_all_dimensions() -> None:
    # The bandwidth over M^(1/d) is that of the plane.
    for d in (1, 2, 3, 4):
        space = tn.FeatureSpace.waves(d, 400, in_dimension(0.1, d))
        assert np.abs(space.weights).max() == pytest.approx(0.5 * np.pi * 0.1**0.5 * 400 ** (1 / d), rel=0.05)


def test_a_small_network_that_sees_nothing_does_not_choose_a_narrow_band() -> None:
    u = tn.unknown("u", x, y)
    exact = sp.sin(60 * x) * sp.sin(60 * y)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))], [tn.on("boundary", u)]
    )
    choice, _ = features_for(Plan(problem), 300)
    assert choice.fill(2000) == pytest.approx(0.35)


def test_a_given_size_has_the_singular_features_of_a_growing_solve() -> None:
    u = tn.unknown("u", x, y)
    ell = tn.Polygon([(-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)])
    problem = tn.Problem(ell, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    assert len(tn.solve(problem, neurons=300).basis.spaces[0].singular) > 0


@pytest.mark.parametrize("ratio", [sp.Rational(1, 500), 500])
def test_heat_that_is_conducted_five_hundred_times_better_along_one_axis(ratio: sp.Rational) -> None:
    u = tn.unknown("u", x, y, t)
    exact = sp.sin(sp.pi * x) * sp.sin(sp.pi * y) * sp.exp(-t) + sp.sin(3 * x) * sp.cos(2 * y) * sp.cos(5 * t)

    def left(v: sp.Expr) -> sp.Expr:
        return sp.diff(v, t) - sp.diff(v, x, 2) - ratio * sp.diff(v, y, 2)

    walls = [tn.on(part, sp.Eq(u, exact)) for part in ("x=0", "x=1", "y=0", "y=1")]
    start = tn.on("t=0", sp.Eq(u, exact.subs(t, 0)))
    domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 1))
    solution = tn.solve(tn.Problem(domain, [sp.Eq(left(u), left(exact))], [start, *walls]))
    assert relative_error(solution, exact) < min(1e-6, 10 * solution.error)


def test_four_coordinates_want_a_narrow_band() -> None:
    z, w = sp.symbols("z w")
    u, exact = tn.unknown("u", x, y, z, w), sp.sin(x + y) * sp.exp(z - w) + sp.cos(2 * x - z) * y
    domain = tn.Box(x=(0, 1), y=(0, 1), z=(0, 1), w=(0, 1))
    source = tn.laplacian(exact, x, y, z, w)
    solution = tn.solve(tn.Problem(domain, [sp.Eq(tn.laplacian(u), source)], [tn.on("boundary", sp.Eq(u, exact))]))
    assert relative_error(solution, exact) < min(1e-6, 10 * solution.error)


def test_systems_are_compared_at_two_sizes_too() -> None:
    u, v, p = (tn.unknown(name, x, y) for name in "uvp")
    flow = [-tn.laplacian(u) + sp.diff(p, x), -tn.laplacian(v) + sp.diff(p, y), sp.diff(u, x) + sp.diff(v, y)]
    walls = [tn.on("boundary", sp.Eq(u, sp.cos(3 * y)), sp.Eq(v, sp.sin(3 * x))), tn.mean(p)]
    problem = tn.Problem(tn.Box(x=(0, 1), y=(0, 1)), flow, walls)
    choice, pilot = features_for(Plan(problem), 200)
    assert pilot is None
    (smaller, _), (larger, _) = choice.first, choice.second
    assert larger > 1.2 * smaller


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_any_seed_finds_the_band_of_two_waves_a_side(seed: int) -> None:
    """Small networks resolve nothing of them."""
    z = sp.Symbol("z")
    u = tn.unknown("u", x, y, z)
    exact = sp.sin(2 * sp.pi * x) * sp.sin(2 * sp.pi * y) * sp.sin(2 * sp.pi * z)
    cube = tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1))
    problem = tn.Problem(cube, [sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y, z))], [tn.on("boundary", u)])
    assert relative_error(tn.solve(problem, neurons=2000, seed=seed), exact) < 3e-5
