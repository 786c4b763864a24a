"""Optima that are known: the disk for torsion, a tracking control in closed form, a coefficient found from data."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, s, a, b, c, k = sp.symbols("x y s a b c k")
u = tn.unknown("u", x, y)
ellipse = tn.Region(tn.Curve((a * sp.cos(s), b * sp.sin(s)), (s, 0, 2 * sp.pi)))
torsion = tn.Problem(ellipse, [sp.Eq(-tn.laplacian(u), 2)], [tn.on("boundary", sp.Eq(u, 0))])


@pytest.mark.parametrize("area", [[sp.Eq(a * b, 1)], [lambda found: found.integral(1 + 0 * u) - np.pi]])
def test_the_disk_is_the_best_ellipse_for_torsion_at_given_area(area):
    best = tn.minimise(
        lambda found: -2 * found.integral(u), torsion, over=[a, b], parameters={a: 1.3, b: 0.9}, subject_to=area
    )
    assert best.status == "converged"
    assert abs(best.parameters[a] - 1) < 1e-6
    assert abs(best.parameters[b] - 1) < 1e-6
    assert abs(best.value + np.pi / 2) < 1e-6
    assert len(best.path) < 40


def test_the_source_that_tracks_a_target_is_that_of_the_closed_form():
    # u = c / (2 pi^2) phi with phi = sin sin; minimise |u - phi|^2 / 2 + k |c phi|^2 / 2.
    phi = sp.sin(sp.pi * x) * sp.sin(sp.pi * y)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)), [sp.Eq(-tn.laplacian(u), c * phi)], [tn.on("boundary", sp.Eq(u, 0))]
    )
    weight = 1e-3
    best = tn.minimise(
        lambda found: found.integral((u - phi) ** 2) / 2 + found.integral(weight * (c * phi) ** 2) / 2,
        problem,
        over=[c],
        parameters={c: 1.0},
    )
    factor = 1 / (2 * np.pi**2)
    assert abs(best.parameters[c] - factor / (factor**2 + weight)) < 1e-6


def test_a_coefficient_is_found_from_values():
    problem = tn.Problem(tn.Disk(radius=1), [sp.Eq(-tn.laplacian(u) + k * u**3, 4)], [tn.on("boundary", sp.Eq(u, 0))])
    points = np.array([[0.0, 0.0], [0.5, 0.1], [-0.3, 0.6]])
    measured = tn.solve(problem, parameters={k: 2.0}, tol=1e-9)(points)
    best = tn.minimise(
        lambda found: found.misfit(u, points, measured), problem, over=[k], parameters={k: 1.0}, bounds={k: (0.1, 10)}
    )
    assert abs(best.parameters[k] - 2) < 1e-5


def test_what_is_no_result_is_refused():
    with pytest.raises(ProblemError, match="what it is a result of"):
        tn.minimise(lambda found: float(found.integral(u)), torsion, over=[a], parameters={a: 1.0, b: 1.0})
    with pytest.raises(ProblemError, match="names parameters"):
        tn.minimise(lambda found: found.integral(u), torsion, over=["z"], parameters={a: 1.0, b: 1.0})
