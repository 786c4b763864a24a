"""Unknown coefficient fields of fewer coordinates than the solution, from measured values."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import UniquenessWarning

x, t = sp.symbols("x t")
u, a = tn.unknown("u", x, t), tn.unknown("a", x)
DOMAIN = tn.Box(x=(0, 1), t=(0, 1))
EXACT = 1 + sp.sin(3 * x) / 2
POINTS = DOMAIN.interior(100, "quasi", 3)
GRID = np.column_stack([np.linspace(0, 1, 30), np.full(30, 0.5)])


def diffusion(solution: sp.Expr, relative: float) -> tn.Problem:
    source = sp.diff(solution, t) - sp.diff(EXACT * sp.diff(solution, x), x)
    values = sp.lambdify((x, t), solution)(*POINTS.T)
    noise = relative * float(np.sqrt(np.mean(values**2)))
    measured = values + noise * np.random.default_rng(0).standard_normal(len(values))
    return tn.Problem(
        DOMAIN,
        [sp.Eq(sp.diff(u, t) - sp.diff(a * sp.diff(u, x), x), source)],
        [tn.on("boundary", sp.Eq(u, solution)), tn.data(u, POINTS, measured, noise=noise or None)],
    )


TELLING = sp.exp(-t) * (1 + 2 * x + sp.sin(2 * x)) + sp.exp(-4 * t) * sp.cos(2 * x) + x * (1 - x) * t**2


def error(solution: tn.Solution) -> float:
    exact = sp.lambdify(x, EXACT)(GRID[:, 0])
    return float(np.sqrt(np.mean((solution["a"](GRID) - exact) ** 2) / np.mean(exact**2)))


def test_a_field_from_exact_data() -> None:
    solution = tn.solve(diffusion(TELLING, 0.0))
    assert error(solution) < 1e-9
    assert np.ptp(solution["a"](x=0.3, t=np.linspace(0, 1, 5))) < 1e-12
    places = GRID[:, 0]
    assert np.array_equal(solution["a"](places), solution["a"](GRID))  # its own coordinate is enough
    assert np.array_equal(solution["a"](x=places[:, None]), solution["a"](GRID)[:, None])
    with pytest.warns(tn.errors.ExtrapolationWarning):
        solution["a"](x=2.0)


def test_a_field_from_noisy_data_with_its_uncertainty() -> None:
    solution = tn.solve(diffusion(TELLING, 0.01))
    band = solution["a"].standard_error(GRID)
    assert error(solution) < 0.02
    assert error(solution) < 3 * float(np.sqrt(np.mean(band**2)))
    assert "make the data most likely" in solution.report()


def test_a_field_that_the_data_do_not_determine_is_said_to_be() -> None:
    """A separable solution leaves a constant over u_x undetermined."""
    with pytest.warns(UniquenessWarning, match="does not determine a"):
        tn.solve(diffusion(sp.exp(-t) * (1 + 2 * x + sp.sin(2 * x)), 0.0))
