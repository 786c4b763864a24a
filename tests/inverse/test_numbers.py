"""Unknown numbers: coefficients found from measured values, with their standard errors."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import ProblemError

x, t = sp.symbols("x t")
u, c = tn.unknown("u", x), tn.unknown("c")
SENSORS = np.linspace(0.1, 0.9, 5)


def rod(values: np.ndarray, noise: float | None = None) -> tn.Problem:
    """-c u'' = 3 pi^2 sin(pi x), whose solution for c = 3 is sin(pi x)."""
    return tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(-c * sp.diff(u, x, 2), 3 * sp.pi**2 * sp.sin(sp.pi * x))],
        [tn.on("boundary", sp.Eq(u, 0)), tn.data(u, SENSORS, values, noise=noise)],
    )


def test_exact_data_give_a_coefficient_to_ten_digits() -> None:
    solution = tn.solve(rod(np.sin(np.pi * SENSORS)))
    assert float(solution["c"]) == pytest.approx(3, rel=1e-10)
    assert solution.evaluate(c, [[0.2], [0.7]]) == pytest.approx([3, 3])
    assert solution["c"].standard_error() < 1e-10
    assert "started from the data" in solution.report()
    assert "c                 3 with the standard error" in solution.report()


def test_a_guess_is_given_by_name() -> None:
    solution = tn.solve(rod(np.sin(np.pi * SENSORS)), guess={"c": 4.0})
    assert float(solution["c"]) == pytest.approx(3, rel=1e-10)


def test_noise_leads_to_least_squares_and_its_standard_error() -> None:
    """The estimate is that of least squares with the exact model, so two standard errors hold as often as they say."""
    model = np.sin(np.pi * SENSORS)
    for seed in range(4):
        values = model + 0.01 * np.random.default_rng(seed).standard_normal(5)
        solution = tn.solve(rod(values, 0.01))
        expected = 3 * (model @ model) / (model @ values)
        error = 3 * 0.01 / np.sqrt(model @ model)
        assert solution["c"].standard_error() == pytest.approx(error, rel=0.1)
        assert abs(float(solution["c"]) - expected) < 1e-2 * error
        assert solution.error >= 0.9 * solution["c"].standard_error() / 3


def test_a_coefficient_of_a_condition() -> None:
    """The heat transfer at the end of a rod: u' = -h u there, u = 1 - x / 2 with h = 1."""
    h = tn.unknown("h")
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.diff(u, x, 2)],
        [
            tn.on("x=0", sp.Eq(u, 1)),
            tn.on("x=1", sp.Eq(sp.diff(u, x), -h * u)),
            tn.data(u, np.array([0.5]), np.array([0.75])),
        ],
    )
    assert float(tn.solve(problem)["h"]) == pytest.approx(1, rel=1e-9)


def test_numbers_are_saved(tmp_path) -> None:
    solution = tn.solve(rod(np.sin(np.pi * SENSORS), 0.01))
    again = tn.load(solution.save(tmp_path / "rod"))
    assert float(again["c"]) == float(solution["c"])
    assert again["c"].standard_error() == pytest.approx(solution["c"].standard_error())
    assert again.problem.conditions[1].noise == 0.01


def test_too_few_equations_are_refused_and_a_function_is_no_number() -> None:
    a = tn.unknown("a", x)
    with pytest.raises(ProblemError, match="data that determine a coefficient"):
        tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(-a * sp.diff(u, x, 2), 1)], [tn.on("boundary", sp.Eq(u, 0))])
    with pytest.raises(ProblemError, match="noise is the standard deviation"):
        tn.data(u, SENSORS, SENSORS, noise=-1)
    solution = tn.solve(rod(np.sin(np.pi * SENSORS)), neurons=30)
    with pytest.raises(TypeError, match="a function, not a number"):
        float(solution["u"])


def test_noise_in_a_linear_problem_is_no_reason_to_warn() -> None:
    """The strength of a source, to some per cent: a warning that the network is too small would fail this test."""
    x = sp.Symbol("x")
    u, q, level = tn.unknown("u", x), tn.unknown("q"), tn.unknown("level")
    places = np.linspace(0.1, 0.9, 15)
    values = places - places**2 + 0.5 * places + 0.01 * np.random.default_rng(0).standard_normal(15)
    conditions = [tn.on("x=0", sp.Eq(u, 0)), tn.on("x=1", sp.Eq(u, level)), tn.data(u, places, values, noise=0.01)]
    solution = tn.solve(tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(-sp.diff(u, x, 2), q)], conditions))
    assert abs(float(solution["q"]) - 2) < 3 * float(solution["q"].standard_error())
    assert solution.error > 1e-3
