"""Rectangles, disks and polygons cut out of each other, with values, fluxes and heat transfer: right, or warned."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)


def shape(rng: np.random.Generator, centre: np.ndarray, radius: float) -> tn.Domain:
    """A rectangle, a disk or a polygon around a point."""
    kind = rng.integers(3)
    if kind == 0:
        (a, b), (c, d) = centre, radius * rng.uniform(0.2, 1.0, 2)
        return tn.Box(x=(a - c, a + c), y=(b - d, b + d))
    if kind == 1:
        return tn.Disk((float(centre[0]), float(centre[1])), radius=radius)
    count = int(rng.integers(3, 7))
    angles = 2 * np.pi * (np.arange(count) + rng.uniform(-0.3, 0.3, count)) / count
    return tn.Polygon([(float(centre[0] + radius * np.cos(t)), float(centre[1] + radius * np.sin(t))) for t in angles])


@pytest.mark.parametrize("seed", range(12))
def test_the_error_is_what_the_estimate_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = float(10 ** rng.uniform(-1, 2))
    domain = shape(rng, np.zeros(2), size)
    for _ in range(int(rng.integers(1, 3))):
        middle = domain.interior(20, "random", seed)[int(rng.integers(20))]
        domain = domain - shape(rng, middle, size * float(rng.uniform(0.05, 0.5)))
    exact = sp.sin((x + 2 * y) / size) + x * y / (4 * size**2)
    slope = sum(sp.diff(exact, c) * n for c, n in zip((x, y), tn.normal(x, y), strict=True))
    conditions = []
    for number, part in enumerate(domain.parts):
        h = rng.choice([0, 1 / size]) if number and rng.random() < 0.5 else None
        left, right = (u, exact) if h is None else (tn.normal_derivative(u) + h * u, slope + h * exact)
        conditions.append(tn.on(part, sp.Eq(left, right)))
    equation = sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        solution = tn.solve(tn.Problem(domain, [equation], conditions), tol=1e-4, seconds=5)
    points = domain.interior(200, "random", 1)
    truth = sp.lambdify((x, y), exact)(*points.T)
    error = np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth)
    assert error <= 3 * solution.error
    assert solution.error <= 1e-4 or caught


def test_a_bar_in_a_channel() -> None:
    """Poles outside lie at the distance of the bar's rim, not of the circle around it, which meets the channel."""
    channel = tn.Box(x=(0, 20), y=(0, 10)) - tn.Box(x=(5, 15), y=(6, 8))
    problem = tn.Problem(channel, [sp.Eq(tn.laplacian(u), -1)], [tn.on("boundary", u)])
    coarse, fine = (tn.solve(problem, tol=tol) for tol in (1e-3, 1e-6))
    points = channel.interior(200, "random", 1)
    assert fine.error <= 1e-6
    assert np.linalg.norm(coarse(points) - fine(points)) <= 3 * coarse.error * np.linalg.norm(fine(points))
