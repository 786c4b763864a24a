"""An activation, a solver and a strategy from outside the package: each one definition and one registration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.features import activation as activations
from transnet.iterate import strategy as strategies
from transnet.iterate.newton import Newton
from transnet.linalg.least_squares import Coefficients, Solver

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.cos(y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))
POISSON = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), 0)], [tn.on("boundary", sp.Eq(u, EXACT))])
CUBIC = tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u) - u**3, -(EXACT**3))], [tn.on("boundary", sp.Eq(u, EXACT))])
POINTS = SQUARE.interior(50)
TRUTH = np.exp(POINTS[:, 0]) * np.cos(POINTS[:, 1])


@pytest.fixture
def cosine(monkeypatch):
    """The cosine, whose derivatives are cosines with other phases."""
    monkeypatch.setitem(activations.ACTIVATIONS, "cosine", None)  # forgotten after the test

    def derivatives(z, orders):
        import numpy

        return [numpy.cos(z + n * numpy.pi / 2) for n in orders]

    return activations.register(tn.Activation("cosine", derivatives))


def space(activation):
    waves = tn.FeatureSpace.waves(2, 120, 0.12)
    return tn.FeatureSpace(waves.weights, waves.biases, activation, waves.radius)


def test_an_activation_solves_and_is_saved(cosine, tmp_path):
    solution = tn.solve(POISSON, space=space(cosine))
    assert np.abs(solution(POINTS) - TRUTH).max() < 1e-5
    again = tn.load(solution.save(tmp_path / "cosine"))
    assert again.basis.spaces[0].activation is cosine
    np.testing.assert_array_equal(again(POINTS), solution(POINTS))


def test_an_activation_travels_to_workers_that_do_not_know_it(cosine):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        solution = tn.solve(POISSON, space=space(cosine), engine=client)
    assert np.abs(solution(POINTS) - TRUTH).max() < 1e-5


@dataclass(frozen=True)
class Normal(Solver):
    """The normal equations: half of the digits, but one definition."""

    def solve(self, triangle, right):
        shift = 1e-14 * np.trace(triangle.T @ triangle) * np.eye(len(triangle))
        return Coefficients(
            np.linalg.solve(triangle.T @ triangle + shift, triangle.T @ right), None, "normal equations"
        )


def test_a_solver_needs_no_registration(tmp_path):
    solution = tn.solve(POISSON, neurons=60, solver=Normal())
    assert np.abs(solution(POINTS) - TRUTH).max() < 1e-3
    assert tn.load(solution.save(tmp_path / "normal")).diagnostics.solver == "normal equations"


def test_a_strategy_is_known_to_problem_files(monkeypatch, tmp_path):
    monkeypatch.setitem(strategies.STRATEGIES, "careful", None)  # forgotten after the test

    @strategies.register
    @dataclass(frozen=True)
    class Careful:
        """Newton's iteration with two steps more than it asks for."""

        name: ClassVar[str] = "careful"
        lagged: ClassVar[bool] = False
        cascade: ClassVar[bool] = True

        def iterate(self, system, outcome, watch):
            Newton(tol=1e-13).iterate(system, outcome, watch)

    assert np.abs(tn.solve(CUBIC, neurons=100, strategy=Careful())(POINTS) - TRUTH).max() < 1e-6
    file = tmp_path / "cubic.toml"
    file.write_text(
        'coordinates = ["x", "y"]\nunknowns = ["u"]\ndomain = "Box(x=(0, 1), y=(0, 1))"\n'
        'equations = "laplacian(u) - u**3 = -(exp(x)*cos(y))**3"\nconditions = ["u = exp(x)*cos(y) on boundary"]\n'
        '[solve]\nneurons = 100\nstrategy = "careful"\n'
    )
    solution = tn.read_problem(file).solve()
    assert solution.status == "converged"
    assert np.abs(solution(POINTS) - TRUTH).max() < 1e-6
