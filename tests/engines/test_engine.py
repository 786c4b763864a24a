"""Solves in memory, streamed, regularised and sparse give the same function to the digits they promise."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
import transnet.engines.engine as engines
from transnet.engines.distributed import workers_of
from transnet.errors import ClusterError, ProblemError

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.cos(2 * y)
POINTS = np.random.default_rng(0).uniform(-1, 1, (400, 2))
VALUES = np.exp(POINTS[:, 0]) * np.cos(2 * POINTS[:, 1])
SPACE = tn.FeatureSpace.uniform(2, 250, 1.1, 1.9)


def poisson() -> tn.Problem:
    return tn.Problem(
        tn.Box(x=(-1, 1), y=(-1, 1)),
        [sp.Eq(tn.laplacian(u) + x * u, -3 * EXACT + x * EXACT)],
        [tn.on("boundary", sp.Eq(u, EXACT))],
    )


def error(solution: tn.Solution) -> float:
    return float(np.sqrt(np.mean((solution(POINTS) - VALUES) ** 2)))


@pytest.mark.parametrize("rows", [None, 100, 251, 10_000])
def test_streamed_has_the_digits_of_in_memory(rows):
    plain = tn.solve(poisson(), space=SPACE)
    streamed = tn.solve(poisson(), space=SPACE, engine=tn.Streamed(rows))
    assert error(plain) < 1e-9
    assert error(streamed) < 3 * error(plain)
    assert streamed.error == pytest.approx(plain.error, rel=0.5)


def test_streaming_happens_by_itself_when_memory_is_short(monkeypatch):
    seen = []
    original = engines.Streamed.triangle

    def spy(self, *arguments):
        seen.append(self.rows)
        return original(self, *arguments)

    monkeypatch.setattr(engines.Streamed, "triangle", spy)
    monkeypatch.setattr(engines, "available_memory", lambda: 10_000_000)
    monkeypatch.setattr(engines, "SMALL", 0)
    assert error(tn.solve(poisson(), space=SPACE, points=tn.Points(interior=2_500))) < 1e-9
    assert len(seen) == 1
    assert seen[0] < 1_000


def test_means_and_periods_stream_too():
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(tn.laplacian(u), -8 * sp.pi**2 * sp.cos(2 * sp.pi * x) * sp.cos(2 * sp.pi * y))],
        [tn.periodic(x), tn.periodic(y), tn.mean(u, 3)],
    )
    space = tn.FeatureSpace.spectral(2, 250, 4.0)
    p = POINTS / 2 + 0.5
    expected = np.cos(2 * np.pi * p[:, 0]) * np.cos(2 * np.pi * p[:, 1]) + 3
    for engine in (None, tn.Streamed(64)):
        assert np.abs(tn.solve(problem, space=space, engine=engine)(p) - expected).max() < 1e-7


def test_ridge_keeps_the_coefficients_small_at_little_cost():
    space = tn.FeatureSpace.uniform(2, 400, 0.7, 1.9)
    plain, ridge = (tn.solve(poisson(), space=space, solver=s) for s in (tn.QR(), tn.Ridge(1e-10)))
    assert error(ridge) < 1e-8
    assert np.abs(ridge.coefficients).max() < 0.1 * np.abs(plain.coefficients).max()


def test_cross_validation_smooths_noisy_data():
    rng = np.random.default_rng(1)
    noise = 1e-3
    problem = tn.Problem(
        tn.Box(x=(-1, 1), y=(-1, 1)),
        [sp.Eq(tn.laplacian(u), -3 * EXACT)],
        [
            tn.on("boundary", sp.Eq(u, EXACT), weight=0.01),
            tn.data(u, POINTS, VALUES + noise * rng.standard_normal(400)),
        ],
    )
    assert error(tn.solve(problem, space=SPACE, solver=tn.Ridge("gcv"))) < noise


@pytest.mark.parametrize("solver", [tn.Sparse(1e-5), tn.Lasso(1e-5)], ids=repr)
def test_a_sparse_solution_has_the_smaller_space_and_meets_the_tolerance(solver):
    solution = tn.solve(poisson(), space=SPACE, solver=solver)
    assert solution.neurons < 0.8 * SPACE.neurons
    assert len(solution.coefficients) == solution.neurons + 1
    assert error(solution) < 1e-4
    assert solution.error < 1e-3
    again = tn.solve(poisson(), space=solution.basis.spaces[0])
    assert error(again) < 1e-4
    kept = {tuple(w) for w in SPACE.weights}
    assert all(tuple(w) in kept for w in solution.basis.spaces[0].weights)


def test_a_tighter_tolerance_keeps_more_neurons():
    sizes = [tn.solve(poisson(), space=SPACE, solver=tn.Sparse(t)).neurons for t in (1e-3, 1e-5, 1e-7)]
    assert sizes[0] < sizes[1] < sizes[2]


def test_sparse_systems_keep_their_own_neurons_for_each_unknown():
    v, w = tn.unknown("v", x, y), tn.unknown("w", x, y)
    problem = tn.Problem(
        tn.Box(x=(-1, 1), y=(-1, 1)),
        [sp.Eq(tn.laplacian(v) + w, 0), sp.Eq(tn.laplacian(w), 0)],
        [tn.on("boundary", sp.Eq(v, -(x**2) / 2 * y), sp.Eq(w, y))],
    )
    solution = tn.solve(problem, space=SPACE, solver=tn.Sparse(1e-6))
    sizes = [s.neurons for s in solution.basis.spaces]
    assert max(sizes) < SPACE.neurons
    assert np.abs(solution["w"](POINTS) - POINTS[:, 1]).max() < 1e-4
    assert np.abs(solution["v"](POINTS) + POINTS[:, 0] ** 2 * POINTS[:, 1] / 2).max() < 1e-4


def test_an_engine_must_be_one():
    with pytest.raises(ProblemError, match="engine is a"):
        tn.solve(poisson(), space=SPACE, engine="cluster")


def test_engines_that_are_none_are_refused() -> None:
    class Closed:
        def submit(self) -> None: ...
        def scheduler_info(self) -> dict:
            return {}

    with pytest.raises(ProblemError, match="Make one"):
        engines.engine_of(tn.Streamed)
    with pytest.raises(ProblemError, match="whole number"):
        tn.Distributed(Closed(), rows=250.5)
    with pytest.raises(ClusterError, match="closed"):
        workers_of(Closed())
