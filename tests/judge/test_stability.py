"""The amplification bounds the error by the residual, and tells of functions that the rows do not see."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.basis.basis import Basis
from transnet.errors import AccuracyWarning
from transnet.features.placement import Placement
from transnet.judge.stability import NOISE, stability_of, with_noise
from transnet.tolerances import EPS

x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
square = tn.Box(x=(0, 1), y=(0, 1))
SPACES = (tn.FeatureSpace.uniform(2, 20, 1.0), tn.FeatureSpace.uniform(2, 20, 1.0, seed=4))


@pytest.mark.parametrize("unknowns", [1, 2])
def test_it_is_the_largest_singular_value_of_values_over_rows(unknowns: int) -> None:
    basis = Basis(SPACES[:unknowns], Placement.of(square))
    points = square.interior(150)
    rng = np.random.default_rng(0)
    triangle = np.triu(rng.standard_normal((basis.columns, basis.columns))) + 5 * np.eye(basis.columns)
    values, columns = [f / np.sqrt(150) for f in basis.features(points)], [basis.slice_of(k) for k in range(unknowns)]
    whole = np.zeros((150 * unknowns, basis.columns))
    for k, (own, mine) in enumerate(zip(values, columns, strict=True)):
        whole[150 * k : 150 * (k + 1), mine] = own
    exact = np.linalg.norm(whole @ np.linalg.inv(triangle), 2)
    assert stability_of(triangle, values, columns).amplification == pytest.approx(exact, rel=0.05)


def test_noise_is_added_without_squaring() -> None:
    rng = np.random.default_rng(1)
    triangle = np.triu(rng.standard_normal((30, 30)))
    noise = NOISE * EPS * np.linalg.norm(triangle, axis=0).max()
    np.testing.assert_allclose(np.abs(with_noise(triangle)), np.abs(triangle), atol=1e-12)
    triangle[:, 0] = 0.0
    smallest = np.linalg.svd(with_noise(triangle), compute_uv=False)[-1]
    assert smallest == pytest.approx(noise, rel=0.3)


def test_features_that_are_the_same_twice_do_no_harm() -> None:
    one = tn.FeatureSpace.spectral(2, 120, 3.0)
    twice = tn.FeatureSpace(np.repeat(one.weights, 2, axis=0), np.repeat(one.biases, 2), "sin")
    exact = sp.sin(3 * x) * sp.cos(2 * y)
    problem = tn.Problem(square, [tn.laplacian(u) + 13 * exact], [tn.on("boundary", sp.Eq(u, exact))])
    found = tn.solve(problem, space=twice)
    assert found.diagnostics.messages == ()
    assert found.error < 1e-4


def test_features_that_vanish_on_the_domain_do_not_either() -> None:
    w = tn.unknown("w", x)
    narrow = tn.FeatureSpace.uniform(1, 160, 25.0, 1.4, activation="gauss")
    problem = tn.Problem(tn.Interval(x=(0, 1)), [sp.diff(w, x, 2) - 1], [tn.on("boundary", w)])
    assert tn.solve(problem, space=narrow).diagnostics.messages == ()


@pytest.mark.parametrize("scale", [2.0, 4.0, 8.0, 14.0])
def test_steeper_features_do_not_look_less_stable(scale: float) -> None:
    problem = tn.Problem(square, [tn.biharmonic(u) - 1], [tn.on("boundary", u, tn.normal_derivative(u))])
    space = tn.FeatureSpace.spectral(2, 400, scale)
    found = tn.TransNet(space=space, points=tn.Points(1500, 300))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        messages = found.solve(problem).diagnostics.messages
    assert not any("determine" in str(m) for m in messages)


def test_the_amplification_bounds_the_error_by_the_residual() -> None:
    exact = sp.sin(5 * x) * sp.cos(4 * y)
    problem = tn.Problem(
        square, [sp.Eq(tn.laplacian(u), tn.laplacian(exact, x, y))], [tn.on("boundary", sp.Eq(u, exact))]
    )
    points = square.interior(500)
    truth = sp.lambdify((x, y), exact)(*points.T)
    for neurons in (60, 120, 200):
        found = tn.solve(problem, space=tn.FeatureSpace.spectral(2, neurons, 3.0))
        weighted = [r.weight * r.rms * np.sqrt(r.rows) for r in found.diagnostics.residuals]
        error = np.sqrt(np.mean((found(points) - truth) ** 2))
        assert error < 3 * found.diagnostics.amplification * np.linalg.norm(weighted)
