"""PINN: the loss is the one of the problem, its gradient is right, training reduces it, any problem goes."""

import sys

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.engines import shortage as memory

torch = pytest.importorskip("torch")
from transnet.paper.baselines.network import Loss, Weights, tanh_derivative  # noqa: E402

x, t = sp.symbols("x t")
u, v = tn.unknown("u", x, t), tn.unknown("v", x, t)


def everything() -> tn.Problem:
    """A nonlinear system with conditions of every kind."""
    rng = np.random.default_rng(5)
    return tn.Problem(
        tn.Interval(x=(0, 2)) * tn.Interval(t=(1, 2)),
        [
            sp.Eq(sp.diff(u, t) + tn.lagged(u) * sp.diff(u, x), sp.exp(v) * sp.diff(u, x, 2) + x),
            sp.Eq(sp.diff(v, t), u**2 + sp.diff(v, x, 2)),
        ],
        [
            tn.on("t=1", sp.Eq(u, sp.sin(sp.pi * x)), sp.Eq(v, 0)),
            tn.periodic(x),
            tn.mean(u * v, 0.1),
            tn.data(u, rng.random((5, 2)) + np.array([0, 1]), rng.random(5)),
        ],
    )


@pytest.mark.parametrize("order", range(6))
def test_derivatives_of_tanh(order):
    z = torch.linspace(-2, 2, 9, dtype=torch.float64, requires_grad=True)
    t = torch.tanh(z)
    expected = t
    for _ in range(order):
        (expected,) = torch.autograd.grad(expected.sum(), z, create_graph=True)
    assert torch.allclose(tanh_derivative(order, t, t * t), expected, atol=1e-12)


def test_loss_is_the_mean_square_of_the_residuals_of_every_block():
    solution = tn.PINN(7, adam_steps=2, lbfgs_steps=0).solve(everything())
    spaces, k = solution.basis.spaces[0], len(solution.names)
    coefficients = [solution.coefficients[solution.basis.slice_of(j)] for j in range(k)]
    weights = Weights(
        torch.from_numpy(spaces.weights), torch.from_numpy(spaces.biases),
        torch.from_numpy(np.stack([c[1:] for c in coefficients])),
        torch.from_numpy(np.array([c[0] for c in coefficients])),
    )  # fmt: skip
    blocks = solution.blocks
    ours = [np.mean(b.residual(b.state(solution.basis, solution.coefficients)) ** 2) for b in blocks]
    loss = Loss(blocks, [1.0] * len(blocks), solution.basis.placement, ())
    assert len(blocks) >= 7
    assert np.isclose(float(loss(weights)), sum(ours), rtol=1e-10)


def test_gradient_agrees_with_differences():
    solution = tn.PINN(5, adam_steps=1, lbfgs_steps=0).solve(everything())
    loss = Loss(solution.blocks, [1.0] * len(solution.blocks), solution.basis.placement, ())
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(s) for s in ((5, 2), (5,), (2, 5), (2,))]
    steps = [rng.standard_normal(a.shape) for a in arrays]
    weights = Weights(*(torch.from_numpy(a.copy()).requires_grad_() for a in arrays))
    loss(weights).backward()
    slope = sum(float((w.grad * torch.from_numpy(s)).sum()) for w, s in zip(weights.all(), steps, strict=True))

    def along(h: float) -> float:
        moved = (torch.from_numpy(a + h * s) for a, s in zip(arrays, steps, strict=True))
        return float(loss(Weights(*moved)))

    assert np.isclose(slope, (along(1e-5) - along(-1e-5)) / 2e-5, rtol=1e-6)


def test_training_approaches_the_solution():
    w = tn.unknown("w", x)
    condition = tn.on("boundary", sp.Eq(w, sp.sin(2 * x) / 4))
    problem = tn.Problem(tn.Interval(x=(-1, 1)), [sp.Eq(sp.diff(w, x, 2), -sp.sin(2 * x))], [condition])
    losses = []
    method = tn.PINN(12, adam_steps=150, lbfgs_steps=8, progress=lambda i, n, loss: losses.append((i, n, loss)))
    first, last = method.stages(problem)
    points = np.linspace(-1, 1, 50)[:, None]
    errors = [np.abs(s(points) - np.sin(2 * points[:, 0]) / 4).max() for s in (first, last)]
    assert errors[1] < 1e-3 < errors[0]
    assert losses[-1][:2] == (158, 158)
    assert losses[-1][2] < 1e-4 * losses[0][2]
    assert last.diagnostics.solver == "Adam + L-BFGS"
    assert np.isfinite(last.evaluate(sp.diff(w, x), points)).all()


def test_same_seed_same_network():
    a, b = (tn.PINN(6, adam_steps=5, lbfgs_steps=0, seed=3).solve(everything()).coefficients for _ in range(2))
    assert np.array_equal(a, b)


def test_without_torch_the_fix_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(tn.errors.MissingExtraError, match=r"pip install 'transnet-pde\[pinn\]'"):
        tn.PINN(5).solve(everything())


def test_a_width_that_does_not_fit_is_refused_before_training(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 10_000_000)
    with pytest.raises(tn.errors.TransnetError, match=r"Training 5000 neurons .* GB"):
        tn.PINN(5000, points=tn.Points(interior=1000)).solve(everything())


def test_bad_numbers_are_refused():
    with pytest.raises(tn.errors.ProblemError, match="at least one neuron"):
        tn.PINN(0)
    with pytest.raises(tn.errors.ProblemError, match="negative"):
        tn.PINN(5, adam_steps=-1)
