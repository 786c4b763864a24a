"""Regularised and sparse solves on the triangle."""

import numpy as np
import pytest

import transnet as tn
from transnet.errors import ProblemError
from transnet.linalg.ridge import CANDIDATES, curves
from transnet.linalg.sparse import greedy_order
from transnet.linalg.triangle import Triangle


def ill_posed(noise: float, seed: int = 0, rows: int = 40):
    """A smoothing operator with singular values falling to 1e-12, a smooth solution, and noise on the right."""
    rng = np.random.default_rng(seed)
    n = 40
    u, _ = np.linalg.qr(rng.standard_normal((rows, n)))
    v, _ = np.linalg.qr(rng.standard_normal((n, n)))
    s = 10.0 ** -np.linspace(0, 12, n)
    x = v @ (s**0.3)
    a = u * s @ v.T
    return a, x, (a @ x + noise * rng.standard_normal(rows))[:, None]


def test_ridge_solves_the_penalised_normal_equations():
    a, _, b = ill_posed(1e-3)
    mu = 1e-2
    found = tn.Ridge(mu).solve(a, b).values
    s1 = np.linalg.norm(a, 2)
    stacked = np.vstack([a, mu * s1 * np.eye(40)])
    expected = np.linalg.lstsq(stacked, np.vstack([b, np.zeros((40, 1))]), rcond=None)[0]
    assert np.allclose(found, expected, rtol=1e-8)


@pytest.mark.parametrize("rule", ["lcurve", "gcv"])
@pytest.mark.parametrize("noise", [1e-2, 1e-4, 1e-6])
def test_the_rules_come_near_the_best_mu(rule, noise):
    for seed in range(5):
        a, x, b = ill_posed(noise, seed, rows=100)
        whole = Triangle.of(np.array(np.column_stack([a, b]), order="F"))

        def error(solver, whole=whole, x=x):
            return np.linalg.norm(whole.solve(solver, 40).values[:, 0] - x)

        best = min(error(tn.Ridge(mu)) for mu in CANDIDATES[::5])
        assert error(tn.Ridge(rule)) < 6 * best
        assert error(tn.Ridge(rule)) < 1e-2 * error(tn.QR())


def test_the_curves_are_monotone_and_exact():
    a, _, b = ill_posed(1e-4)
    u, s, _ = np.linalg.svd(a)
    residual, size, effective = curves(s, u.T @ b, CANDIDATES)
    # Where nothing is filtered yet the residual is rounding, and may wobble.
    assert np.all(np.diff(residual) > -1e-12)
    assert np.all(np.diff(size) < 1e-9)
    assert np.all(np.diff(effective) < 1e-9)
    mu = float(CANDIDATES[120])
    x = tn.Ridge(mu).solve(a, b).values
    assert residual[120] == pytest.approx(np.linalg.norm(a @ x - b), rel=1e-8)
    assert size[120] == pytest.approx(np.linalg.norm(x), rel=1e-8)


def test_sparse_finds_the_columns_that_made_the_right_hand_side():
    rng = np.random.default_rng(5)
    a = rng.standard_normal((60, 60))
    support = np.array([3, 17, 41, 58])
    b = a[:, support] @ np.array([[2.0], [-1.0], [3.0], [0.5]])
    for solver in (tn.Sparse(1e-10), tn.Lasso(1e-10)):
        found = solver.solve(a, b)
        assert found.kept is not None
        assert set(support) <= set(found.kept)
        assert np.linalg.norm(a @ found.values - b) <= 1e-10 * np.linalg.norm(b)
    assert len(tn.Sparse(1e-10).solve(a, b).kept) <= 8


def test_the_greedy_residual_is_the_least_squares_residual_and_falls():
    rng = np.random.default_rng(6)
    a, b = np.triu(rng.standard_normal((150, 150))), rng.standard_normal((150, 2))
    order = greedy_order(a, b, 1e-9, 150)
    assert len(set(order)) == len(order)
    left = [
        np.linalg.norm(b - a[:, order[:k]] @ np.linalg.lstsq(a[:, order[:k]], b, rcond=None)[0]) for k in (1, 40, 100)
    ]
    assert left[0] > left[1] > left[2]
    # The first column is the best single one.
    alone = [np.linalg.norm(b - np.outer(c, c @ b) / (c @ c)) for c in a.T]
    assert left[0] == pytest.approx(min(alone))


def test_sparse_stops_at_dependent_columns_and_at_most():
    rng = np.random.default_rng(7)
    a = rng.standard_normal((30, 10))
    a = np.column_stack([a, a @ rng.standard_normal((10, 20))])
    b = rng.standard_normal((30, 1))
    assert len(greedy_order(a, b, 1e-12, 30)) == 10
    assert len(tn.Sparse(1e-12, most=4).solve(a, b).kept) == 4
    assert not tn.Sparse(0.5).solve(a, np.zeros((30, 1))).values.any()


@pytest.mark.parametrize(
    "make",
    [
        lambda: tn.Ridge(-1.0),
        lambda: tn.Ridge("best"),
        lambda: tn.Ridge(float("nan")),
        lambda: tn.Sparse(2.0),
        lambda: tn.Sparse(1e-3, most=0),
        lambda: tn.Lasso(0.0),
        lambda: tn.Lasso(1e-3, sweeps=0),
        lambda: tn.Lasso(1e-3).solve(np.eye(2), np.eye(2)),
        lambda: tn.Streamed(0),
    ],
)
def test_bad_settings_are_named(make):
    with pytest.raises(ProblemError):
        make()
