"""The shape that a number of neurons needs: laws fitted to tuned spaces, instead of a search.

About M^(1/d) neurons lie along each axis, so the width of each should shrink like M^(-1/d): shape ~ C(d) M^(1/d). The
constants make the error of the predicted space exceed that of the tuned one least, on average over 101 (tanh) and 28
(sin) tuned spaces in one to four dimensions, with correlation lengths from 0.12 to 2 and balls of radius 1 to 1.8 times
that of the box [-1, 1]^d. Larger balls want a smaller shape, but less so than in proportion to 1/R: the square root of
R fits better in one and two dimensions and no worse in three and four. The study is in the documentation, under
theory/tuning.
"""

from __future__ import annotations

import numpy as np

from transnet.calls import shown
from transnet.errors import TransnetError

TANH = (0.054, 0.062, 0.101, 0.147)
"""C(d) of tanh neurons, d = 1 to 4."""
SPECTRAL = (0.40, 0.33, 0.24, 0.24)
"""C(d) of sine neurons when the correlation length is not known."""
SPECTRAL_LENGTH = (0.38, 0.24, 0.32, 0.27)
"""C(d) of sine neurons for a correlation length of 1."""
LENGTH_EXPONENT = (0.2, 0.6, 0.65, 0.6)
"""q(d) of sine neurons: their scale grows like eta^(-q) as the correlation length eta falls."""


def tanh_shape(dimension: int, neurons: int, radius: float) -> float:
    """The shape C(d) M^(1/d) / sqrt(R) of tanh neurons in a ball of radius R around [-1, 1]^d.

    The root-mean-square error of such a space is 2.0 (1D), 1.8 (2D), 1.3 (3D) and 1.1 times (4D) that of the tuned one
    in the median.
    """
    _check(dimension, neurons)
    if not (np.isfinite(radius) and radius > 0):
        raise TransnetError(f"The radius of the ball must be a positive number, not {shown(radius)}.")
    return float(_constant(TANH, dimension) * neurons ** (1.0 / dimension) / np.sqrt(radius))


def spectral_scale(dimension: int, neurons: int, correlation_length: float | None = None) -> float:
    """The standard deviation of the weights of sine neurons on [-1, 1]^d: C(d) M^(1/d), or C(d) M^(1/d) / eta^q(d).

    The root-mean-square error of such a space is 2.6 (1D), 1.6 (2D), 1.2 (3D) and 1.1 times (4D) that of the tuned one,
    in the median; 1.7, 1.3, 1.0 and 1.0 if the correlation length eta of the solution is known.
    """
    _check(dimension, neurons)
    if correlation_length is None:
        return float(_constant(SPECTRAL, dimension) * neurons ** (1.0 / dimension))
    if not (np.isfinite(correlation_length) and correlation_length > 0):
        raise TransnetError(f"The correlation length must be a positive number, not {shown(correlation_length)}.")
    constant = _constant(SPECTRAL_LENGTH, dimension)
    exponent = _constant(LENGTH_EXPONENT, dimension)
    return float(constant * neurons ** (1.0 / dimension) / correlation_length**exponent)


def _constant(constants: tuple[float, ...], dimension: int) -> float:
    # Nothing was fitted beyond four dimensions, where few neurons lie along an axis and the error hardly depends on C.
    return constants[min(dimension, len(constants)) - 1]


def _check(dimension: int, neurons: int) -> None:
    if dimension < 1 or neurons < 1:
        raise TransnetError(f"A law needs at least one dimension and one neuron, not {dimension} and {neurons}.")
