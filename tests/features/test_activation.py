"""Activations against arbitrary-precision derivatives."""

from __future__ import annotations

import pickle

import mpmath
import numpy as np
import pytest

from transnet.features.activation import ACTIVATIONS, activation

PRECISE = {
    "tanh": mpmath.tanh,
    "sin": mpmath.sin,
    "gauss": lambda z: mpmath.exp(-z * z / 2),
}
POINTS = np.array([-4.7, -1.3, -0.2, 0.0, 1e-8, 0.6, 2.1, 5.5])


@pytest.mark.parametrize("order", range(7))
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_derivatives_to_order_six(name: str, order: int) -> None:
    with mpmath.workdps(60):
        exact = np.array([float(mpmath.diff(PRECISE[name], mpmath.mpf(float(z)), order)) for z in POINTS])
    found = activation(name).derivatives(POINTS.copy(), (order,))[0]
    # Rounding of t = tanh z is multiplied by the coefficients of the polynomial, which grow like n!.
    np.testing.assert_allclose(found, exact, rtol=0, atol=3e-15 * max(np.abs(exact).max(), 1) * 4**order)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_several_orders_at_once_are_the_same_as_one_by_one(name: str) -> None:
    s = activation(name)
    orders = (0, 1, 2, 3, 4)
    together = s.derivatives(POINTS.copy(), orders)
    for n, values in zip(orders, together, strict=True):
        np.testing.assert_array_equal(values, s.derivatives(POINTS.copy(), (n,))[0])


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_far_out_it_stays_finite(name: str) -> None:
    values = activation(name).derivatives(np.array([-1e4, -400.0, 400.0, 1e4]), (0, 1, 2, 4))
    assert np.isfinite(values).all()


def test_calling_leaves_its_argument_alone() -> None:
    z = POINTS.copy()
    np.testing.assert_allclose(activation("tanh")(z), np.tanh(POINTS), atol=1e-15)
    np.testing.assert_array_equal(z, POINTS)


def test_an_activation_survives_pickling_and_an_unknown_one_is_refused() -> None:
    assert pickle.loads(pickle.dumps(activation("sin"))) is activation("sin")
    with pytest.raises(ValueError, match=r"no activation 'relu'.*tanh, sin, gauss"):
        activation("relu")
