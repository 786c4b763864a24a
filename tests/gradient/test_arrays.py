"""Results as functions of torch tensors and JAX arrays: values and derivatives of a closed form."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, y, k, r = sp.symbols("x y k r")
u = tn.unknown("u", x, y)
problem = tn.Problem(tn.Disk(radius=r), [sp.Eq(-k * tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
RESULTS = [lambda s: s.integral(u), lambda s: s.evaluate(u, [[0.0, 0.0]], error=True)[0]]


def exact(k, r):
    return np.pi * r**4 / (8 * k), r**2 / (4 * k)


def test_torch_differentiates_through_a_solve():
    torch = pytest.importorskip("torch")
    f = tn.to_torch(problem, RESULTS, over=[k, r])
    ks = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    rs = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    found = f(ks, rs)
    assert np.allclose(found.detach().numpy(), np.stack(exact(np.array([1.0, 2.0]), 1.5), axis=1), rtol=1e-8)
    (found[0, 0] + 2 * found[1, 1]).backward()
    assert np.allclose(ks.grad.numpy(), [-np.pi * 1.5**4 / 8, -2 * 1.5**2 / 16], rtol=1e-8)
    assert abs(rs.grad.item() - (np.pi * 1.5**3 / 2 + 2 * 1.5 / 4)) < 1e-7
    alone = tn.to_torch(problem, RESULTS[0], parameters={r: 1.0})
    assert torch.autograd.gradcheck(alone, (torch.tensor(1.3, dtype=torch.float64, requires_grad=True),), atol=1e-5)


def test_torch_learns_a_coefficient():
    torch = pytest.importorskip("torch")
    f = tn.to_torch(problem, RESULTS[1], parameters={r: 1.0})
    logarithm = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([logarithm], line_search_fn="strong_wolfe", max_iter=30)

    def loss():
        optimiser.zero_grad()
        off = ((f(torch.exp(logarithm)) - 1 / 12) ** 2).sum() * 100
        off.backward()
        return off

    optimiser.step(loss)
    assert abs(torch.exp(logarithm).item() - 3) < 1e-3


def test_jax_differentiates_through_a_solve():
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    f = tn.to_jax(problem, RESULTS, over=[k, r])
    assert np.allclose(f(2.0, 1.5), exact(2.0, 1.5), rtol=1e-8)
    by_k, by_r = jax.jit(jax.grad(lambda k, r: f(k, r)[0], argnums=(0, 1)))(2.0, 1.5)
    assert np.allclose([by_k, by_r], [-np.pi * 1.5**4 / 32, np.pi * 1.5**3 / 4], rtol=1e-8)
    several = jax.vmap(lambda k: f(k, 1.5)[1])(np.array([1.0, 2.0]))
    assert np.allclose(several, exact(np.array([1.0, 2.0]), 1.5)[1], rtol=1e-8)


def test_every_parameter_has_a_place():
    pytest.importorskip("torch")
    with pytest.raises(ProblemError, match="each is an argument"):
        tn.to_torch(problem, RESULTS, over=[k])
    with pytest.raises(ProblemError, match="takes k, r"):
        tn.to_torch(problem, RESULTS)(1.0)
