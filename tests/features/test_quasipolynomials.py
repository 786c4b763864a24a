"""Undetermined coefficients: what the operator makes of the function that is found is the source."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from transnet.features.quasipolynomials import HIGHEST, solved

x, y, k = sp.symbols("x y k")
LAPLACE = {(2, 0): 1.0, (0, 2): 1.0}
SKEW = {(2, 0): 2.0, (1, 1): -0.7, (0, 2): 1.5, (1, 0): 0.4, (0, 0): 3.0}
POINTS = np.random.default_rng(0).uniform(-1.0, 1.0, (40, 2))
SOURCES = {
    "a number": sp.Integer(3),
    "a polynomial": x**3 * y**2 - 4 * x + 1,
    "an exponential": sp.exp(x - 2 * y) * y,
    "one that is harmonic": x * sp.exp(x) * sp.sin(y),
    "waves": sp.sin(2 * sp.pi * x) * sp.cos(3 * y - 1) ** 2,
    "hyperbolic": sp.sinh(x) * sp.cosh(y) * (x - y) ** 3,
    "a parameter": k**2 * sp.cos(k * x + 1),
}


@pytest.mark.parametrize("operator", [LAPLACE, SKEW], ids=["laplace", "skew"])
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_the_operator_takes_it_to_the_source(source, operator):
    found = solved(source, (x, y), operator, {k: 2.5})
    assert found is not None
    made = sum(c * found.derivative(POINTS, index) for index, c in operator.items())
    wanted = np.broadcast_to(sp.lambdify((x, y), source.subs(k, 2.5))(*POINTS.T), len(POINTS))
    assert np.abs(made - wanted).max() < 1e-12 * max(np.abs(wanted).max(), 1.0)


@pytest.mark.parametrize(
    "source", [sp.log(x), sp.exp(-(x**2)), 1 / (2 + x), x ** (HIGHEST + 1), sp.Abs(x), sp.sqrt(x + 2)]
)
def test_other_formulas_are_left_to_features(source):
    assert solved(source, (x, y), LAPLACE, {}) is None


numbers = st.floats(-2.0, 2.0).map(lambda v: round(v, 3))


@settings(deadline=None, max_examples=20)
@given(p=st.integers(0, 3), q=st.integers(0, 3), a=numbers, b=numbers, i=st.integers(0, 3), j=st.integers(0, 2))
def test_derivatives_are_those_of_sympy(p, q, a, b, i, j):
    source = x**p * y**q * sp.exp(a * x) * sp.sin(b * y + 1)
    found = solved(source, (x, y), {(0, 0): 1.0}, {})
    assert found is not None
    exact = sp.lambdify((x, y), sp.diff(source, x, i, y, j) if i or j else source)(*POINTS.T)
    assert np.abs(found.derivative(POINTS, (i, j)) - exact).max() < 1e-11 * (1.0 + np.abs(exact).max())
