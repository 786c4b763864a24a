"""QR, PivotedQR and SVD against NumPy, on full-rank and on rank-deficient matrices."""

from __future__ import annotations

import numpy as np
import pytest

import transnet as tn
from transnet.linalg.least_squares import singular_values, triangle_of

SOLVERS = {"QR": tn.QR(), "PivotedQR": tn.PivotedQR(), "SVD": tn.SVD()}


def matrix(m: int, n: int, singular: np.ndarray, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    u, _ = np.linalg.qr(rng.standard_normal((m, n)))
    v, _ = np.linalg.qr(rng.standard_normal((n, n)))
    return u * singular @ v.T


MATRICES = {
    "well conditioned": matrix(60, 12, np.linspace(1, 3, 12)),
    "ill conditioned": matrix(60, 12, np.logspace(0, -10, 12)),
    "numerically deficient": matrix(60, 12, np.logspace(0, -22, 12)),
    "exactly deficient": np.repeat(matrix(60, 6, np.linspace(1, 3, 6)), 2, axis=1),
    "with a zero column": np.column_stack([matrix(60, 11, np.ones(11)), np.zeros(60)]),
    "badly scaled": matrix(60, 12, np.linspace(1, 3, 12)) * np.logspace(-4, 4, 12),
    "square": matrix(12, 12, np.linspace(1, 3, 12)),
}


def solve(name: str, a: np.ndarray, b: np.ndarray):
    n = a.shape[1]
    triangle = triangle_of(np.array(np.column_stack([a, b]), order="F"))
    return SOLVERS[name].solve(triangle[:n, :n], triangle[:n, n:]), triangle


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", MATRICES)
def test_a_right_hand_side_near_the_range_is_fitted_as_well_as_can_be(name: str, solver: str) -> None:
    """What a good feature space gives: b is in the range up to a small rest, which no solver may make much larger."""
    a = MATRICES[name]
    rng = np.random.default_rng(5)
    b = a @ rng.standard_normal((a.shape[1], 2)) + 1e-7 * rng.standard_normal((len(a), 2))
    found, _ = solve(solver, a, b)
    u, s, _ = np.linalg.svd(a / np.maximum(np.linalg.norm(a, axis=0), 1e-300), full_matrices=False)
    basis = u[:, s > 1e-12 * s[0]]
    best = np.linalg.norm(b - basis @ (basis.T @ b), axis=0)
    assert np.all(np.linalg.norm(a @ found.values - b, axis=0) <= 1.2 * best + 1e-13)


@pytest.mark.parametrize("solver", SOLVERS)
def test_on_full_rank_all_agree_with_numpy(solver: str) -> None:
    a = MATRICES["well conditioned"]
    b = np.random.default_rng(6).standard_normal((60, 3))
    found, _ = solve(solver, a, b)
    np.testing.assert_allclose(found.values, np.linalg.lstsq(a, b, rcond=None)[0], atol=1e-13)
    assert found.rank in (None, 12)


@pytest.mark.parametrize("name", ["exactly deficient", "with a zero column"])
def test_rank_is_found_and_the_svd_gives_the_shortest_solution(name: str) -> None:
    a = MATRICES[name]
    b = np.random.default_rng(7).standard_normal((60, 1))
    expected, _, rank, _ = np.linalg.lstsq(a, b, rcond=1e-14)
    loose = tn.SVD(1e-14), tn.PivotedQR(1e-14)
    triangle = triangle_of(np.array(np.column_stack([a, b]), order="F"))
    for solver in loose:
        assert solver.solve(triangle[:12, :12], triangle[:12, 12:]).rank == rank
    shortest = loose[0].solve(triangle[:12, :12], triangle[:12, 12:]).values
    np.testing.assert_allclose(shortest, expected, atol=1e-12)


def test_qr_leaves_the_pivots_to_take_over_where_a_column_is_zero() -> None:
    found, _ = solve("QR", MATRICES["with a zero column"], np.ones((60, 1)))
    assert found.solver == "PivotedQR"
    assert np.isfinite(found.values).all()


def test_the_triangle_keeps_norms_and_singular_values() -> None:
    a = MATRICES["ill conditioned"]
    r = triangle_of(np.array(a, order="F"))
    assert np.array_equal(r, np.triu(r))
    np.testing.assert_allclose(np.linalg.norm(r, axis=0), np.linalg.norm(a, axis=0), rtol=1e-12)
    np.testing.assert_allclose(singular_values(r), np.logspace(0, -10, 12), rtol=1e-4)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_zero_matrix_and_a_zero_right_hand_side(solver: str) -> None:
    found = SOLVERS[solver].solve(np.zeros((4, 4)), np.ones((4, 1)))
    np.testing.assert_array_equal(found.values, 0)
    assert found.rank == 0
    found = SOLVERS[solver].solve(np.triu(np.ones((4, 4))), np.zeros((4, 1)))
    np.testing.assert_array_equal(found.values, 0)
