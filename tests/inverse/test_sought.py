"""What noisy data are to determine: as smooth as they allow, from any start, and said where it is not to be trusted."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, UniquenessWarning

x, t = sp.symbols("x t")
u, f, k, c = tn.unknown("u", x), tn.unknown("f", x), tn.unknown("k"), tn.unknown("c")
ROD = tn.Interval(x=(0, 1))
HILL = sp.sin(sp.pi * x) + x * (1 - x)
LINE = np.linspace(0, 1, 101)


def noisy(truth: sp.Expr, points: np.ndarray, level: float, seed: int = 0) -> np.ndarray:
    values = sp.lambdify(x, truth)(points)
    return values + level * np.random.default_rng(seed).standard_normal(len(points))


def source(points: np.ndarray, level: float, noise: float | None) -> tn.Problem:
    data = tn.data(u, points, noisy(HILL, points, level), noise=noise)
    return tn.Problem(ROD, [sp.Eq(-sp.diff(u, x, 2), f)], [tn.on("boundary", sp.Eq(u, 0)), data])


@pytest.mark.parametrize("noise", [0.01, None])
def test_the_source_of_a_linear_problem_is_smooth_and_its_band_holds(noise: float | None) -> None:
    solution = tn.solve(source(np.linspace(0.02, 0.98, 40), 0.01, noise))
    truth = sp.lambdify(x, -sp.diff(HILL, x, 2))(LINE)
    wrong, band = solution["f"](x=LINE) - truth, solution["f"].standard_error(x=LINE)
    assert np.linalg.norm(wrong) < 0.15 * np.linalg.norm(truth)
    assert np.linalg.norm(wrong) < 2 * np.linalg.norm(band)
    assert np.linalg.norm(band) < 0.15 * np.linalg.norm(truth)
    if noise is None:
        level = next(c.noise for c in solution.problem.conditions if isinstance(c, tn.problem.Data))
        assert 0.005 < level < 0.02
        assert "not stated, and estimated" in solution.report()


def test_few_data_leave_a_source_open() -> None:
    solution = tn.solve(source(np.array([0.3, 0.7]), 0.0, 0.01))
    truth = sp.lambdify(x, -sp.diff(HILL, x, 2))(LINE)
    wrong, band = solution["f"](x=LINE) - truth, solution["f"].standard_error(x=LINE)
    assert np.linalg.norm(wrong) < 3 * np.linalg.norm(band)
    with pytest.warns(UniquenessWarning, match="determine f"):
        tn.solve(source(np.array([0.5]), 0.0, 0.3))


WAVE = [
    tn.on("x=0", sp.Eq(tn.unknown("w", x, t), 0)),
    tn.on("x=1", sp.Eq(tn.unknown("w", x, t), 0)),
    tn.on(
        "t=0",
        sp.Eq(tn.unknown("w", x, t), sp.sin(sp.pi * x)),
        sp.Eq(sp.diff(tn.unknown("w", x, t), t), 0),
    ),
]


@pytest.mark.parametrize(("noise", "guess"), [(None, None), (0.02, None), (0.02, {"c": 0.0})])
def test_the_speed_of_a_wave_is_found_from_any_start(noise: float | None, guess: dict[str, float] | None) -> None:
    """The misfit has many minima, and at zero nothing depends on the square of the speed."""
    w = tn.unknown("w", x, t)
    domain = ROD * tn.Interval(t=(0, 2))
    points = domain.interior(20, "quasi", 3)
    values = np.sin(np.pi * points[:, 0]) * np.cos(1.3 * np.pi * points[:, 1])
    values = values + (noise or 0.0) * np.random.default_rng(0).standard_normal(20)
    equation = sp.Eq(sp.diff(w, t, 2), c**2 * sp.diff(w, x, 2))
    solution = tn.solve(tn.Problem(domain, [equation], [*WAVE, tn.data(w, points, values, noise=noise)]), guess=guess)
    error = abs(abs(float(solution["c"])) - 1.3)
    assert error < (1e-9 if noise is None else 3 * solution["c"].standard_error())


def decaying(extra: sp.Expr, values: np.ndarray, points: np.ndarray) -> tn.Problem:
    truth = sp.sin(2 * x) + sp.exp(x)
    right = -sp.diff(truth, x, 2) + sp.Rational(5, 2) * truth + extra
    conditions = [tn.on("boundary", sp.Eq(u, truth)), tn.data(u, points, values, noise=0.01)]
    return tn.Problem(ROD, [sp.Eq(-sp.diff(u, x, 2) + k * u, right)], conditions)


def test_data_that_do_not_fit_are_warned_of() -> None:
    points = np.linspace(0.1, 0.9, 17)
    values = noisy(sp.sin(2 * x) + sp.exp(x), points, 0.01)
    assert abs(float(tn.solve(decaying(sp.Integer(0), values, points))["k"]) - 2.5) < 0.05
    with pytest.warns(AccuracyWarning, match="fitted only to"):
        tn.solve(decaying(8 * sp.sin(9 * x), values, points))
    values[5] += 0.2
    with pytest.warns(AccuracyWarning, match=r"one value is far from .* at \(0\.35\)"):
        tn.solve(decaying(sp.Integer(0), values, points))
