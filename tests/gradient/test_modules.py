"""Solutions as networks of torch, JAX and ONNX: the same values, and gradients that pass through."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import EstimateWarning, ProblemError

x, y = sp.symbols("x y")
u, v = tn.unknown("u", x, y), tn.unknown("v", x, y)
ring = tn.Disk(radius=1) - tn.Disk(radius=0.5)
RIGHT = sp.exp(x) * y
disk = tn.Disk(radius=1)
plain = tn.Problem(disk, [sp.Eq(tn.laplacian(u), -RIGHT)], [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))])
one = tn.Problem(ring, [sp.Eq(tn.laplacian(u), -RIGHT)], [tn.on("boundary", sp.Eq(u, sp.cos(3 * x)))])
two = tn.Problem(
    disk,
    [sp.Eq(tn.laplacian(u), v), sp.Eq(tn.laplacian(v), RIGHT)],
    [tn.on("boundary", sp.Eq(u, x)), tn.on("boundary", sp.Eq(v, y))],
)
SOLUTIONS = {
    "a network": (lambda: tn.solve(plain, neurons=300), 1e-11),
    "tanh": (lambda: tn.solve(plain, space=tn.FeatureSpace.uniform(2, 200, 2.0)), 1e-9),
    "two unknowns": (lambda: tn.solve(two, neurons=200), 1e-10),
    "functions that solve the equation": (lambda: tn.solve(one), 1e-5),
}
points = ring.interior(50, "quasi", 3)


@pytest.fixture(scope="module", params=SOLUTIONS)
def solved(request):
    make, accuracy = SOLUTIONS[request.param]
    return make(), accuracy


def test_torch_has_the_values_and_derivatives(solved):
    torch = pytest.importorskip("torch")
    solution, accuracy = solved
    module = solution.to_torch()
    assert isinstance(module, torch.nn.Module)
    at = torch.tensor(points, requires_grad=True)
    found = module(at)
    size = np.abs(solution(points)).max()
    assert np.abs(found.detach().numpy() - solution(points)).max() < accuracy * size
    first = found if found.ndim == 1 else found[:, 0]
    (slope,) = torch.autograd.grad(first.sum(), at)
    exact = solution.evaluate(sp.diff(u, x), points)
    assert np.abs(slope.numpy()[:, 0] - exact).max() < 1e3 * accuracy * np.abs(exact).max()
    assert any(p.requires_grad for p in module.parameters())
    again = solution.to_torch()
    again.load_state_dict(module.state_dict())


def test_jax_has_the_values_and_derivatives(solved):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    solution, accuracy = solved
    function = solution.to_jax()
    size = np.abs(solution(points)).max()
    assert np.abs(np.asarray(jax.jit(function)(points)) - solution(points)).max() < accuracy * size
    slope = jax.vmap(jax.grad(lambda p: function(p).reshape(-1)[0]))(points)
    exact = solution.evaluate(sp.diff(u, y), points)
    assert np.abs(np.asarray(slope)[:, 1] - exact).max() < 1e3 * accuracy * np.abs(exact).max()


def test_onnx_runs_elsewhere(solved, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnx.reference")
    solution, accuracy = solved
    path = solution.to_onnx(tmp_path / "u.onnx")
    (found,) = runtime.ReferenceEvaluator(str(path)).run(None, {"points": points})
    exact = np.reshape(solution(points), (len(points), -1))
    assert np.abs(found - exact).max() < accuracy * np.abs(exact).max()


def test_what_no_network_fits_is_told():
    pytest.importorskip("torch")
    corner = tn.Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
    solution = tn.solve(tn.Problem(corner, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))]))
    with pytest.warns(EstimateWarning, match="misses"):
        solution.to_torch()


def test_pieces_are_no_network():
    pytest.importorskip("torch")
    core = tn.Disk(radius=0.5)
    layers = tn.Problem(
        tn.Pieces(core=core, shell=disk - core), [tn.laplacian(u) + 1], [tn.on("boundary", sp.Eq(u, 0))]
    )
    with pytest.raises(ProblemError, match="not one network"):
        tn.solve(layers).to_torch()
