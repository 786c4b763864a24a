"""Networks of several hidden layers: derivatives against high precision and differences, and a space like any other."""

from __future__ import annotations

from pathlib import Path

import mpmath
import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.features.evaluate import evaluate, write_rows
from transnet.features.layers import deep_derivatives, directions

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
SQUARE = tn.Box(x=(0, 1), y=(0, 1))


def poisson() -> tuple[tn.Problem, sp.Expr]:
    exact = sp.sin(3 * x + 1) * sp.exp(y / 2)
    right = tn.laplacian(exact, x, y)
    return tn.Problem(SQUARE, [sp.Eq(tn.laplacian(u), right)], [tn.on("boundary", sp.Eq(u, exact))]), exact


@pytest.mark.parametrize("activation", ["tanh", "sin", "gauss"])
@pytest.mark.parametrize("layers", [2, 3])
def test_derivatives_up_to_the_fourth_against_high_precision(activation: str, layers: int) -> None:
    space = tn.FeatureSpace.deep(2, 3, layers, width=4, activation=activation, seed=1)
    every = (*space.inner, _last(space))
    point = np.array([[0.3, -0.2]])
    functions = {"tanh": mpmath.tanh, "sin": mpmath.sin, "gauss": lambda z: mpmath.exp(-z * z / 2)}

    def output(neuron: int, a: mpmath.mpf, b: mpmath.mpf) -> mpmath.mpf:
        values = [a, b]
        for layer in every:
            values = [
                functions[activation](sum(w * v for w, v in zip(row, values, strict=True)) + c)
                for row, c in zip(layer.weights.tolist(), layer.biases.tolist(), strict=True)
            ]
        return values[neuron]

    indices = [(0, 0), (1, 0), (0, 2), (1, 1), (2, 1), (4, 0), (2, 2), (1, 3)]
    found = deep_derivatives(every, point, indices)
    with mpmath.workdps(40):
        for index in indices:
            for neuron in range(2):
                truth = mpmath.diff(lambda a, b, m=neuron: output(m, a, b), tuple(point[0]), index)
                assert found[index][0, neuron] == pytest.approx(float(truth), rel=1e-9, abs=1e-9)


def _last(space: tn.FeatureSpace) -> object:
    from transnet.features.layers import Layer

    return Layer(space.weights, space.biases, space.activation)


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_directions_give_mixed_derivatives_of_polynomials(dimension: int) -> None:
    rng = np.random.default_rng(0)
    for order in range(1, 5):
        index = tuple(rng.multinomial(order, np.full(dimension, 1 / dimension)))
        # D^k of the monomial y^k is k!; along v it is order! v^k t^order.
        total = sum(f * np.prod(np.array(v) ** np.array(index)) for v, f in directions(index))
        wanted = np.prod([float(sp.factorial(i)) for i in index]) / float(sp.factorial(order))
        assert total == pytest.approx(wanted)


def test_rows_and_sums_agree() -> None:
    space = tn.FeatureSpace.deep(2, 20, seed=3)
    points = np.random.default_rng(1).uniform(-1, 1, (600, 2))
    index, alpha = (1, 2), np.random.default_rng(2).standard_normal(space.size)
    rows = np.empty((space.size, len(points)))
    write_rows(space, points, [(rows, [(index, np.ones(len(points)))])])
    np.testing.assert_allclose(alpha @ rows, evaluate(space, alpha, points, [index])[0], rtol=1e-10, atol=1e-10)
    step = 1e-4
    ends = [evaluate(space, alpha, points + np.array([s * step, 0.0]), [(0, 2)])[0] for s in (1, -1)]
    np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), alpha @ rows, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_it_solves_like_any_other_space(layers: int, tmp_path: Path) -> None:
    problem, exact = poisson()
    space = tn.FeatureSpace.deep(2, 150, layers)
    solution = tn.solve(problem, space=space)
    points = SQUARE.interior(300, "quasi", 4)
    truth = sp.lambdify((x, y), exact, "numpy")(*points.T)
    error = np.linalg.norm(solution(points) - truth) / np.linalg.norm(truth)
    assert error < 1e-5
    assert error < 10 * solution.error
    again = tn.load(solution.save(tmp_path / "solution.npz"))
    np.testing.assert_allclose(again(points), solution(points), rtol=1e-13)
    stored = tn.FeatureSpace.load(space.save(tmp_path / "space.npz"))
    np.testing.assert_array_equal(stored(points), space(points))
    prepared = tn.prepare(problem, space=space)
    np.testing.assert_allclose(prepared.solve()(points), solution(points), rtol=1e-8, atol=1e-9)


def test_a_nonlinear_problem() -> None:
    exact = sp.exp(x - y)
    problem = tn.Problem(
        SQUARE,
        [sp.Eq(tn.laplacian(u) + u**2, tn.laplacian(exact, x, y) + exact**2)],
        [tn.on("boundary", sp.Eq(u, exact))],
    )
    solution = tn.solve(problem, space=tn.FeatureSpace.deep(2, 100))
    assert solution.status == "converged"
    assert np.abs(solution([(0.5, 0.5)]) - 1.0).max() < 1e-4


def test_signals_keep_their_size_from_layer_to_layer() -> None:
    space = tn.FeatureSpace.deep(2, 200, 4, gain=1.5)
    points = np.random.default_rng(0).uniform(-1, 1, (500, 2))
    for layer in space.inner:
        points = layer.taylor([points])[0]
        assert 0.1 < np.std(points) < 1.0
