"""Many holes: poles inside them let a cell hold a whole hole."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)


def test_a_plate_with_many_holes() -> None:
    """The exact solution has sources and dipoles beside the middles of the holes."""
    rng = np.random.default_rng(2)
    count, radius = 4, 0.06
    middles = (np.stack(np.meshgrid(*[np.arange(count)] * 2), -1).reshape(-1, 2) + 0.5) / count
    middles = middles + 0.03 * rng.uniform(-1, 1, middles.shape)
    domain: tn.Domain = tn.Box(x=(0, 1), y=(0, 1))
    for a, b in middles:
        domain = domain - tn.Disk(center=(a, b), radius=radius)
    strengths = rng.normal(size=(len(middles), 3))

    def exact(px: np.ndarray, py: np.ndarray) -> np.ndarray:
        value = np.zeros(np.shape(px))
        for (a, b), (source, p, q) in zip(middles, strengths, strict=True):
            dx, dy = px - a - 0.3 * radius, py - b + 0.2 * radius
            value = value + (source * np.log(dx**2 + dy**2) / 2 + radius * (p * dx + q * dy) / (dx**2 + dy**2))
        return value

    value = tn.given("g", exact, x, y)
    problem = tn.Problem(domain, [tn.laplacian(u)], [tn.on("boundary", sp.Eq(u, value))])
    solution = tn.solve(problem, tol=1e-6, pieces=True)
    assert solution.error < 1e-6
    assert solution.basis.pieces < 120  # 400 without poles
    points = domain.interior(1000, "random", 3)
    true = exact(*points.T)
    assert np.linalg.norm(solution(points) - true) < 1e-6 * np.linalg.norm(true)
