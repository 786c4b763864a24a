"""Exponentials that SymPy takes apart into factors that no float holds."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from transnet.rows.exponentials import EXPONENTIALS, gathered

x = sp.Symbol("x")
CASES = {
    "a float taken apart": (sp.exp((x - 1) / 0.001), lambda t: np.exp(1000 * (t - 1))),
    "in a sum": ((x - sp.exp((x - 1) / 0.001)) * x, lambda t: (t - np.exp(1000 * (t - 1))) * t),
    "a quotient": ((1 - sp.exp(x / 0.001)) / (1 - sp.exp(1 / 0.001)), lambda t: np.exp(1000 * (t - 1))),
    "whole numbers": (sp.sinh(1000 * x) / sp.sinh(1000), lambda t: np.exp(1000 * (t - 1))),
    "factors": (sp.exp(2000 * x) * sp.exp(-1000 * x - 1000), lambda t: np.exp(1000 * (t - 1))),
    "nothing to do": (x * sp.exp(-x), lambda t: t * np.exp(-t)),
}


@pytest.mark.parametrize("case", CASES)
def test_values_are_those_of_the_formula(case: str) -> None:
    expression, true = CASES[case]
    points = np.linspace(0.5, 1.0, 11)
    found = sp.lambdify([x], gathered(expression), modules=[EXPONENTIALS, "numpy"])(points)
    assert np.allclose(found, true(points), rtol=1e-11)
