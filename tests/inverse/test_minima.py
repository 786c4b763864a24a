"""Unknown numbers whose misfit has many minima: the others are looked for before a standard error is given."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import transnet as tn
from transnet.errors import AccuracyWarning, UniquenessWarning

t, x = sp.symbols("t x")
w, c = tn.unknown("w", t), tn.unknown("c")


def swinging(values: np.ndarray, times: np.ndarray, noise: float) -> tn.Problem:
    """w'' + c^2 w = 0 from rest at one."""
    return tn.Problem(
        tn.Interval(t=(0, 2)),
        [sp.Eq(sp.diff(w, t, 2) + c**2 * w, 0)],
        [tn.on("t=0", sp.Eq(w, 1), sp.Eq(sp.diff(w, t), 0)), tn.data(w, times[:, None], values, noise=noise)],
    )


@pytest.mark.parametrize("true", [9.3, 22.1])
def test_a_frequency_is_found_among_many_minima(true: float) -> None:
    rng = np.random.default_rng(int(true))
    times = np.sort(rng.uniform(0.02, 1.98, 60))
    values = np.cos(true * times) + 0.01 * rng.standard_normal(60)
    solution = tn.solve(swinging(values, times, 0.01))
    assert abs(abs(float(solution["c"])) - true) < 4 * solution["c"].standard_error() < 0.02 * true
    assert "looked for other fits of the data: c from" in solution.report()


def test_the_place_of_a_source_is_found_from_a_start_without_any_effect() -> None:
    """-u'' = a narrow load at c: a load far outside has no effect, so nothing leads an iteration back."""
    u, true, b = tn.unknown("u", x), 0.62, 0.05
    load = sp.exp(-(((x - c) / b) ** 2)) / b
    ends = tn.on("boundary", sp.Eq(u, 0))
    exact = tn.solve(tn.Problem(tn.Interval(x=(0, 1)), [sp.Eq(-sp.diff(u, x, 2), load.xreplace({c: true}))], [ends]))
    places = np.linspace(0.05, 0.95, 20)
    values = exact(places) + 0.002 * np.random.default_rng(1).standard_normal(20)
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(-sp.diff(u, x, 2), load)],
        [ends, tn.data(u, places[:, None], values, noise=0.002)],
    )
    solution = tn.solve(problem)
    assert abs(float(solution["c"]) - true) < 4 * solution["c"].standard_error()


def test_two_values_that_fit_are_told() -> None:
    """cos(c t) is measured at whole times only, where cos(c t) and cos((2 pi - c) t) are the same."""
    times = np.array([1.0, 1.0001, 0.9999, 2.0, 1.9999])
    rng = np.random.default_rng(0)
    values = np.cos(2.0 * times) + 0.02 * rng.standard_normal(5)
    with pytest.warns(UniquenessWarning, match="as well as c = "):
        solution = tn.solve(swinging(values, times, 0.02))
    assert np.isnan(solution.error)
    assert "unknown" in solution.report()


def test_a_standard_error_of_data_that_do_not_fit_is_unknown() -> None:
    times = np.linspace(0.1, 1.9, 30)
    with pytest.warns(AccuracyWarning, match="fitted only to"):
        solution = tn.solve(swinging(1.0 + times**2, times, 0.01))
    assert np.isnan(solution["c"].standard_error())
    assert np.isnan(solution.error)


def test_an_alias_at_even_samples_is_told_though_the_data_agree_exactly() -> None:
    """At multiples of h cos(c t) and cos((2 pi / h - c) t) are equal, and not in between."""
    times, rng = np.linspace(0.0, 2.0, 13), np.random.default_rng(1)
    values = np.cos(4.9 * times) + 0.01 * rng.standard_normal(13)
    with pytest.warns(UniquenessWarning, match="as well as c = "):
        solution = tn.solve(swinging(values, times, 0.01))
    assert "the equations are the same" not in solution.report()


def test_a_wave_number_is_found_beyond_resonances() -> None:
    """u'' + k^2 u = 0, u(0) = 0, u(1) = 1 has no solution at k = n pi."""
    u, k, true, rng = tn.unknown("u", x), tn.unknown("k"), 26.73, np.random.default_rng(2)
    places = np.sort(rng.uniform(0.0, 1.0, 40))
    values = np.sin(true * places) / np.sin(true)
    noise = 0.02 * float(np.abs(values).max())
    problem = tn.Problem(
        tn.Interval(x=(0, 1)),
        [sp.Eq(sp.diff(u, x, 2) + k**2 * u, 0)],
        [
            tn.on("x=0", sp.Eq(u, 0)),
            tn.on("x=1", sp.Eq(u, 1)),
            tn.data(u, places[:, None], values + noise * rng.standard_normal(40), noise=noise),
        ],
    )
    solution = tn.solve(problem)
    assert abs(abs(float(solution["k"])) - true) < 4 * solution["k"].standard_error() < 0.01 * true
