"""Particular solutions in waves: what the operator makes of the function that is found is the source."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from transnet.features.particular import WaveSum, particular_solution

x, y = sp.symbols("x y")
OPERATORS = {
    "Laplace": {(2, 0): 1.0, (0, 2): 1.0},
    "skew, carried": {(2, 0): 2.0, (1, 1): -0.7, (0, 2): 1.5, (1, 0): 0.4, (0, 0): -3.0},
    "biharmonic": {(4, 0): 1.0, (2, 2): 2.0, (0, 4): 1.0},
}
SOURCES = {
    "a number": sp.Integer(3),
    "a polynomial": x**3 * y**2 - 4 * x + 1,
    "one that is harmonic": sp.exp(x) * sp.sin(y),
    "nested": sp.exp(sp.sin(3 * x) + y),
    "a root": sp.sqrt(sp.Rational(5, 2) + x) * sp.cos(y**2),
    "a hump": sp.exp(-20 * ((x - 0.3) ** 2 + y**2)),
    "waves": sp.cos(20 * x - 9 * y),
}
BOX = np.array([[-2.0, 0.5], [1.0, 1.5]])
POINTS = BOX[0] + np.ptp(BOX, axis=0) * np.random.default_rng(0).random((60, 2))


def solved(source: sp.Expr, operator: dict[tuple[int, int], float]) -> tuple[WaveSum | str, np.ndarray]:
    function = sp.lambdify((x, y), source)
    values = lambda at: np.broadcast_to(function(*at.T), len(at))  # noqa: E731
    return particular_solution(values, operator, BOX, POINTS[:30]), values(POINTS)


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=OPERATORS)
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_the_operator_takes_it_to_the_source(source, operator):
    found, wanted = solved(source, operator)
    assert isinstance(found, WaveSum)
    made = sum(c * found.derivative(POINTS, index) for index, c in operator.items())
    assert np.abs(made - wanted).max() < 1e-11 * np.abs(wanted).max()


@pytest.mark.parametrize("source", [sp.Abs(x), sp.sqrt(x + 2), 1 / (x**2 + (y - 1) ** 2), sp.cos(200 * x)])
def test_a_source_that_is_not_smooth_on_the_box_is_refused_with_the_reason(source):
    found, _ = solved(source, OPERATORS["Laplace"])
    assert isinstance(found, str)
    assert "not smooth" in found


def test_a_wave_that_the_operator_nearly_annihilates_is_refused():
    k = np.pi / 4  # the slowest wave on a box of half length one
    resonant = {(2, 0): 1.5**2, (0, 2): 0.5**2, (0, 0): 2 * k**2}
    found, _ = solved(sp.exp(x), resonant)
    assert isinstance(found, str)
    assert "annihilates" in found


numbers = st.floats(-3.0, 3.0).map(lambda v: round(v, 3))


@settings(deadline=None, max_examples=20)
@given(p=st.integers(0, 3), q=st.integers(0, 3), a=numbers, b=numbers, i=st.integers(0, 1), j=st.integers(0, 1))
def test_derivatives_are_those_of_sympy(p, q, a, b, i, j):
    source = x**p * y**q * sp.exp(a * x) * sp.sin(b * y + 1)
    found, _ = solved(source, {(0, 0): 1.0})
    assert isinstance(found, WaveSum)
    exact = sp.lambdify((x, y), sp.diff(source, x, i, y, j) if i or j else source)(*POINTS.T)
    values = np.abs(sp.lambdify((x, y), source)(*POINTS.T))
    assert np.abs(found.derivative(POINTS, (i, j)) - exact).max() < 1e-8 * (1.0 + np.abs(exact).max() + values.max())
