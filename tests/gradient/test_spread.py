"""Means, deviations, quantiles and Sobol indices against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import EstimateWarning, ProblemError

x, y, k, r, a, lam = sp.symbols("x y k r a lam")
u = tn.unknown("u", x, y)
problem = tn.Problem(tn.Disk(radius=r), [sp.Eq(-k * tn.laplacian(u), a)], [tn.on("boundary", sp.Eq(u, 0))])
NORMAL = tn.normal_distribution(1.0, 0.1)


def volume(solution):  # pi a r^4 / (8 k)
    return solution.integral(u)


def test_a_result_that_is_linear_needs_the_tangent_alone():
    found = tn.propagate(volume, problem, over=[tn.uncertain(a, NORMAL)], parameters={k: 2, r: 1})
    middle = np.pi / 16
    assert found.by == "tangent"
    assert len(found.values) == 8
    for number, exact in (
        (found.mean, middle),
        (found.deviation, 0.1 * middle),
        (found.quantile(0.95), middle * (1 + 0.1 * 1.6448536269514722)),
        (found.sobol[a], 1.0),
    ):
        assert abs(number - exact) <= 2 * number.error + 1e-12
        assert number.error < 1e-3 * middle


def test_a_curved_result_is_spread_by_quasi_monte_carlo():
    conductivity, radius = tn.lognormal_distribution(2, 0.5), tn.uniform_distribution(0.8, 1.2)
    assert abs(conductivity.mean() - 2) < 1e-12
    assert abs(conductivity.std() - 0.5) < 1e-12
    found = tn.propagate(
        volume, problem, over=[tn.uncertain(k, conductivity), tn.uncertain(r, radius)], parameters={a: 1.0}
    )
    assert found.by == "quasi-Monte-Carlo"
    # Moments of 1 / k and of r^4 are independent.
    s2 = np.log1p(0.25**2)
    first, second = np.exp(s2) / 2, np.exp(3 * s2) / 4
    f, g = (1.2**5 - 0.8**5) / (5 * 0.4), (1.2**9 - 0.8**9) / (9 * 0.4)
    c = np.pi / 8
    variance = second * g - (first * f) ** 2
    by_k, by_r = (second - first**2) * f**2 / variance, (g - f**2) * first**2 / variance
    for number, exact in (
        (found.mean, c * first * f),
        (found.deviation, c * np.sqrt(variance)),
        (found.sobol[k], by_k),
        (found.sobol[r], by_r),
        (found.total[k], 1 - by_r),
        (found.total[r], 1 - by_k),
    ):
        assert abs(number - exact) <= 2 * number.error
        assert number.error < 0.1 * exact


def test_eigenvalues_and_prepared_problems_spread_as_well():
    drum = tn.Problem(tn.Disk(radius=r), [sp.Eq(-tn.laplacian(u), lam * u)], [tn.on("boundary", sp.Eq(u, 0))])
    found = tn.propagate(
        lambda pairs: pairs.value(0), drum, over=[tn.uncertain("r", tn.uniform_distribution(0.99, 1.01))], lam=lam
    )
    assert abs(found.deviation - 2 * 5.783185962946785 * 0.02 / np.sqrt(12)) < 2 * found.deviation.error + 1e-4
    fixed = tn.Problem(tn.Disk(radius=1), [sp.Eq(-tn.laplacian(u), a)], [tn.on("boundary", sp.Eq(u, 0))])
    of_prepared = tn.propagate(volume, tn.prepare(fixed), over=[tn.uncertain(a, tn.triangular_distribution(0, 1, 2))])
    assert abs(of_prepared.deviation - np.pi / 8 / np.sqrt(6)) < 2 * of_prepared.deviation.error + 1e-6


def test_what_is_no_polynomial_says_so():
    bent = tn.Problem(tn.Disk(radius=1), [sp.Eq(-tn.laplacian(u), sp.Abs(a))], [tn.on("boundary", sp.Eq(u, 0))])
    with pytest.warns(EstimateWarning, match="not smooth"):
        found = tn.propagate(volume, bent, over=[tn.uncertain(a, tn.normal_distribution(0.3, 1))], solves=16)
    assert found.missed > 1e-2 * found.deviation


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tn.normal_distribution(1, -1), "positive deviation"),
        (lambda: tn.uncertain(k, 3.0), "is not a distribution"),
        (lambda: tn.propagate(volume, problem, over=[k], parameters={a: 1, r: 1}), "has the uncertain parameters"),
        (lambda: tn.propagate(volume, problem, over=[tn.uncertain("z", NORMAL)], parameters={a: 1, r: 1, k: 1}), "z"),
        (lambda: tn.propagate(volume, problem, over=[tn.uncertain(a, NORMAL)] * 2, parameters={r: 1, k: 1}), "twice"),
    ],
)
def test_what_is_wrong_is_said(make, words):
    with pytest.raises(ProblemError, match=words):
        make()
