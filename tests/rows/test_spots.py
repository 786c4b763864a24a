"""Needles get points of their own wherever they are: inside, on a flat side, on a circle, behind a parameter."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.special import erf

import transnet as tn
from transnet.rows.statements import statements_of
from transnet.rows.unseen import all_spots

x, y, b = sp.symbols("x y b")
u, z = tn.unknown("u", x), tn.unknown("z", x, y)


def needle(g: sp.Expr) -> sp.Expr:
    return sp.exp(-((g * 10_000) ** 2))


HERE = (0.6, 0.8)
SPOTS = {
    "inside": (tn.Box(x=(0, 1), y=(0, 1)), needle(sp.sqrt((x - 0.6) ** 2 + (y - 0.8) ** 2)), 0),
    "a side": (tn.Box(x=(0, 1), y=(0, 0.8)), 0, needle(x - 0.6) + sp.sin(x)),
    "a circle": (tn.Disk(radius=1), 0, needle(x - 0.6) * sp.Heaviside(y)),
    "a ridge": (tn.Disk(radius=1), 3 + needle(x * 0.8 - y * 0.6), 0),
}


@pytest.mark.parametrize("name", SPOTS)
def test_a_needle_has_points_of_its_own(name: str) -> None:
    domain, load, value = SPOTS[name]
    problem = tn.Problem(domain, [sp.Eq(tn.laplacian(z), load)], [tn.on("boundary", sp.Eq(z, value))])
    spots = all_spots(problem, statements_of(problem))
    assert min(np.abs(s.points - HERE).max(axis=1).min() for s in spots) < (2e-4 if name != "a ridge" else 0.1)


@pytest.mark.parametrize("width", [1e-2, 1e-4])
def test_a_width_that_is_a_parameter(width: float) -> None:
    load = 500 * sp.exp(-(((x - 0.3217) / b) ** 2)) + 1
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(-sp.diff(u, x, 2), load)], [tn.on("boundary", u)])
    solution = tn.solve(problem, parameters={b: width})

    def twice_integrated(q: np.ndarray) -> np.ndarray:
        g = (q - 0.3217) / width
        return 250 * width**2 * (np.sqrt(np.pi) * g * erf(g) + np.exp(-(g**2))) + q**2 / 2

    q = np.linspace(0, 1, 41)
    ends = twice_integrated(np.array([0.0, 1.0]))
    exact = ends[0] * (1 - q) + ends[1] * q - twice_integrated(q)
    assert np.abs(solution(q[:, None]) - exact).max() < 1e-7 * np.abs(exact).max()
    assert solution.problem is problem
    assert solution.parameters == {b: width}
