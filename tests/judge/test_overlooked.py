"""Terms that are large only for a few values of the unknown: seen, or told."""

import numpy as np
import pytest
import sympy as sp

import transnet as tn

x = sp.Symbol("x")
u = tn.unknown("u", x)


def between(equation):
    return tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("x=0", sp.Eq(u, 0)), tn.on("x=1", sp.Eq(u, 1))])


def needle(value, place, width):
    return sp.exp(-(((value - place) / width) ** 2))


@pytest.mark.parametrize("place", [0.3051, 0.62])
def test_a_needle_that_the_solution_passes_through_is_told(place):
    # u = x satisfies the equation everywhere but at one place; the true slope changes there by about one.
    with pytest.warns(tn.errors.AccuracyWarning, match=f"near x = {place}"):
        solution = tn.solve(between(sp.Eq(sp.diff(u, x, 2), 600 * needle(u, place, 1e-3))))
    assert np.isnan(solution.error)


def test_a_needle_that_is_balanced_is_not():
    exact = x + sp.sin(sp.pi * x) / 10
    balance = sp.diff(exact, x, 2) - 2 * needle(exact, 0.6, 0.01)
    solution = tn.solve(between(sp.Eq(sp.diff(u, x, 2) - 2 * needle(u, 0.6, 0.01), balance)))
    assert abs(solution(0.4) - float(exact.subs(x, 0.4))) < 1e-9
    assert solution.error < 1e-9
