"""One table of solvers crossed with one table of least-squares problems whose answers are known."""

import numpy as np
import pytest

import transnet as tn
from transnet.errors import ProblemError
from transnet.linalg.least_squares import triangle_of
from transnet.linalg.triangle import Triangle

SOLVERS = [tn.QR(), tn.PivotedQR(), tn.SVD(), tn.Ridge(1e-15), tn.Sparse(1e-13), tn.Lasso(1e-12, sweeps=50)]


def well_conditioned(rng: np.random.Generator) -> np.ndarray:
    return rng.standard_normal((90, 25))


def graded(rng: np.random.Generator) -> np.ndarray:
    u, _ = np.linalg.qr(rng.standard_normal((90, 25)))
    v, _ = np.linalg.qr(rng.standard_normal((25, 25)))
    return u * 10.0 ** -np.linspace(0, 5, 25) @ v


def features(rng: np.random.Generator) -> np.ndarray:
    return tn.FeatureSpace.uniform(2, 24, 1.0, seed=3)(rng.uniform(-1, 1, (90, 2)))


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("make", [well_conditioned, graded, features], ids=lambda f: f.__name__)
def test_a_right_hand_side_in_the_range_is_fitted(solver, make):
    rng = np.random.default_rng(1)
    a = make(rng)
    b = a @ rng.standard_normal((a.shape[1], 1))
    triangle = triangle_of(np.array(np.column_stack([a, b]), order="F"))
    n = a.shape[1]
    x = solver.solve(triangle[:n, :n], triangle[:n, n:]).values
    assert np.linalg.norm(a @ x - b) <= 1e-9 * np.linalg.norm(b)


@pytest.mark.parametrize("solver", [tn.QR(), tn.PivotedQR(), tn.SVD(), tn.Ridge(1e-16)], ids=lambda s: repr(s))
def test_agrees_with_numpy_on_many_right_hand_sides(solver):
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((60, 12)), rng.standard_normal((60, 5))
    kept = Triangle.of(np.array(a, order="F"), keep=True)
    found = solver.solve(kept.array, kept.rotated(b)).values
    assert np.allclose(found, np.linalg.lstsq(a, b, rcond=None)[0], atol=1e-12)


@pytest.mark.parametrize("calls", [0, 10], ids=["reflectors", "Q formed"])
def test_a_kept_factorisation_is_orthogonal_and_batches_agree(calls, monkeypatch):
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((50, 20)), rng.standard_normal((50, 7))
    kept = Triangle.of(np.array(a, order="F"), keep=True)
    for _ in range(calls):
        kept.rotated(b)
    c = kept.rotated(b)
    rest = kept.rest(b, c)
    assert np.allclose(np.hypot(np.linalg.norm(c, axis=0), rest), np.linalg.norm(b, axis=0), rtol=1e-13)
    assert np.allclose(kept.rotated(a), kept.array, atol=1e-13)
    monkeypatch.setattr("transnet.linalg.rotation.RIGHTS", 3)
    assert np.allclose(kept.rotated(b), c, atol=1e-14)


@pytest.mark.parametrize("calls", [0, 10], ids=["reflectors", "Q formed"])
@pytest.mark.parametrize("outside", [1.0, 1e-7, 1e-12])
def test_the_rest_is_the_residual_however_small(calls, outside):
    rng = np.random.default_rng(4)
    a = rng.standard_normal((50, 20))
    b = a @ rng.standard_normal((20, 1)) + outside * rng.standard_normal((50, 1))
    kept = Triangle.of(np.array(a, order="F"), keep=True)
    for _ in range(calls):
        kept.rotated(b)
    c = kept.rotated(b)
    rest = kept.rest(b, c)
    x = np.linalg.solve(kept.array, c)
    assert rest[0] == pytest.approx(np.linalg.norm(a @ x - b), rel=1e-3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: tn.SVD(2), lambda: tn.SVD(-1), lambda: tn.PivotedQR(2), lambda: tn.PivotedQR("x"), lambda: tn.QR("x"),
        lambda: tn.Ridge(None), lambda: tn.Sparse("a"), lambda: tn.Sparse(most=2.5), lambda: tn.Streamed(rows=2.5),
        lambda: tn.Streamed(rows="a"),
    ],
)  # fmt: skip
def test_what_is_no_setting_of_a_solver_is_refused(make):
    with pytest.raises(ProblemError):
        make()
