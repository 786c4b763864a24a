"""Random features: drawn as PyTorch draws them, solved like the paper's TransNet."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.engines import shortage as memory
from transnet.paper.baselines.random_features import random_space, torch_linear
from transnet.paper.recipe import published_shape, published_space

x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
EXACT = sp.exp(x) * sp.sin(2 * y)


def linear_problem() -> tn.Problem:
    return tn.Problem(
        tn.Box(x=(0, 1), y=(0, 2)),
        [sp.Eq(tn.laplacian(u), tn.laplacian(EXACT, x, y))],
        [tn.on("boundary", sp.Eq(u, EXACT))],
    )


def nonlinear_problem(mark: bool) -> tn.Problem:
    held = tn.lagged(u) if mark else u
    source = EXACT * sp.diff(EXACT, x) - tn.laplacian(EXACT, x, y)
    return tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)),
        [sp.Eq(held * sp.diff(u, x) - tn.laplacian(u), source)],
        [tn.on("boundary", sp.Eq(u, EXACT))],
    )


def relative_error(solution: tn.Solution) -> float:
    points = solution.problem.domain.interior(500, "random", 3)
    exact = sp.lambdify((x, y), EXACT, "numpy")(*points.T)
    return float(np.linalg.norm(solution(points) - exact) / np.linalg.norm(exact))


def test_draws_like_a_torch_linear_layer():
    weights, biases = torch_linear(4, 20_000, np.random.default_rng(0))
    for values in (weights, biases):
        assert np.abs(values).max() <= 0.5
        assert np.isclose(values.var(), 0.5**2 / 3, rtol=0.03)


def test_torch_itself_has_the_same_law():
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(3, 20_000)
    ours, _ = torch_linear(3, 20_000, np.random.default_rng(0))
    theirs = layer.weight.detach().numpy()
    assert np.isclose(ours.std(), theirs.std(), rtol=0.02)
    assert np.isclose(np.abs(ours).max(), np.abs(theirs).max(), rtol=0.01)


def test_space_is_reproducible_and_differs_between_seeds():
    assert np.array_equal(random_space(2, 30, 1).weights, random_space(2, 30, 1).weights)
    assert not np.array_equal(random_space(2, 30, 1).weights, random_space(2, 30, 2).weights)


@pytest.mark.parametrize("method", [tn.RandomFeatures(150), tn.Published(150)])
def test_solves_a_linear_problem(method):
    solution = method.solve(linear_problem())
    assert relative_error(solution) < 1e-4
    assert 0 < solution.rank <= 151
    assert solution.diagnostics.residuals[0].weight == 1.0


@pytest.mark.parametrize("mark", [True, False])
def test_solves_a_nonlinear_problem_with_and_without_marks(mark):
    assert relative_error(tn.RandomFeatures(120).solve(nonlinear_problem(mark))) < 1e-5


def test_rows_of_conditions_get_their_weight():
    solution = tn.Published(80, condition_weight=10.0).solve(linear_problem())
    assert [r.weight for r in solution.diagnostics.residuals] == [1.0, 10.0]


def test_published_space_follows_the_recipe():
    assert [published_shape(2, m) for m in (100, 300, 400, 600, 700, 1000)] == [1, 1, 1.5, 1.5, 2, 2]
    assert [published_shape(3, m) for m in (1000, 2000, 3000)] == [1, 1, 1.5]
    space = published_space(3, 4000, seed=1)
    assert np.allclose(space.shapes, 1.5)
    assert space.offsets.min() >= 0
    assert 1.79 < space.offsets.max() <= 1.8


def test_a_matrix_that_does_not_fit_is_refused_before_it_is_made(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1_000_000)
    with pytest.raises(tn.errors.TransnetError, match=r"GB of memory.*fewer neurons"):
        tn.RandomFeatures(500).solve(linear_problem())


def test_available_memory_is_plausible():
    assert 10**7 < memory.available_memory() < 10**14
