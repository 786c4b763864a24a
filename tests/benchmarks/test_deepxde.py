"""What DeepXDE is given to solve has the exact solution of the case."""

import os

import pytest

os.environ.setdefault("DDE_BACKEND", "pytorch")
torch = pytest.importorskip("torch")
pytest.importorskip("deepxde")
import numpy as np  # noqa: E402
import sympy as sp  # noqa: E402

from peers.deepxde_cases import CASES, dde, statement  # noqa: E402
from transnet.paper.cases import case  # noqa: E402

NAMES = {"sin": torch.sin, "cos": torch.cos, "exp": torch.exp, "sqrt": lambda v: v**0.5}


def largest_errors(name, perturbation=0.0):
    """Of each residual and each condition, for the exact solution with a perturbation."""
    what, stated = case(name), statement(name)
    points = torch.tensor(stated.data.train_x, dtype=torch.float64, requires_grad=True)
    columns = [
        sp.lambdify(what.problem.coordinates, what.exact[u], modules=[NAMES, "math"])(*points.T)
        for u in what.problem.names
    ]
    bump = torch.sum(points**3, dim=1)
    outputs = torch.stack([c + perturbation * bump for c in columns], 1)
    dde.grad.clear()
    losses = stated.data.losses(None, outputs, lambda _, error: torch.max(torch.abs(error)), points, None)
    dde.grad.clear()
    return stated, np.array([float(loss.detach()) for loss in losses])


@pytest.mark.parametrize("name", CASES)
def test_the_exact_solution_satisfies_the_statement_and_nothing_near_it_does(name):
    stated, errors = largest_errors(name)
    assert len(errors) == len(stated.weights)
    assert errors.max() < 1e-12
    assert min(stated.data.num_bcs) > 20
    _, perturbed = largest_errors(name, 0.1)
    # Every single residual and condition sees a change, except u_t = 0, which t^3 satisfies at t = 0.
    assert (perturbed > 1e-3).sum() >= len(perturbed) - (name == "C9")


@pytest.mark.parametrize("name", ["C2", "C4"])
def test_points_lie_in_the_domain(name):
    points = statement(name).data.train_x
    radius = np.linalg.norm(points, axis=1)
    assert radius.max() < 1 + 1e-9
    assert radius.min() >= (0.5 - 1e-9 if name == "C4" else 0)


def test_a_short_training_lowers_the_error_and_counts_its_steps():
    from parts.deepxde import trained

    what, stated = case("C9"), statement("C9")
    model, spent, steps = trained(stated, scale=0.01)
    assert spent > 0
    assert 1 <= steps <= 40
    assert what.errors_of(model.predict(what.test_points)).relative_l2 < 1.5
