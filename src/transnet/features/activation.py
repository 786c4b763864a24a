"""Activations with closed-form derivatives of any order.

For a neuron s(w.y + b) the derivative of multi-index k is w^k s^(|k|)(w.y + b), so all that a differential operator
needs of an activation is s^(n)(z) for a few orders n. They come here from one evaluation of the transcendental
function: a polynomial in t = tanh z, sine and cosine, or a Hermite polynomial times a Gaussian.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import polynomial as poly

from transnet.calls import shown
from transnet.errors import TransnetError
from transnet.features.sincos import sincos

Derivatives = Callable[[np.ndarray, Sequence[int]], list[np.ndarray]]
LARGEST = 700.0
"""The exponential of a larger number overflows; tanh is one long before."""


@dataclass(frozen=True)
class Activation:
    """A function of one variable with its derivatives.

    Parameters
    ----------
    name : str
        Its name in files and reports.
    derivatives : callable
        `derivatives(z, orders)` returns s^(n)(z) for each n of `orders`; it may overwrite `z`.
    """

    name: str
    derivatives: Derivatives

    def __call__(self, z: np.ndarray) -> np.ndarray:
        return self.derivatives(np.array(z, dtype=float), (0,))[0]

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple:
        # Those of the library are known everywhere; one from outside is pickled with its function and registered on
        # arrival.
        return (activation, (self.name,)) if self in OWN else (_arrived, (self.name, self.derivatives))


@lru_cache(maxsize=64)
def tanh_polynomial(order: int) -> tuple[float, ...]:
    """Coefficients of P_n with tanh^(n) = P_n(tanh): P_0 = t and P_(n+1) = (1 - t^2) P_n'."""
    p = np.array([0.0, 1.0])
    for _ in range(order):
        p = poly.polymul([1.0, 0.0, -1.0], poly.polyder(p))
    return tuple(p)


@lru_cache(maxsize=64)
def hermite_polynomial(order: int) -> tuple[float, ...]:
    """Coefficients of H_n with (exp(-z^2/2))^(n) = H_n(z) exp(-z^2/2): H_(n+1) = H_n' - z H_n."""
    p = np.array([1.0])
    for _ in range(order):
        p = poly.polysub(np.atleast_1d(poly.polyder(p)), poly.polymul([0.0, 1.0], p))
    return tuple(p)


def horner_of_parity(coefficients: tuple[float, ...], t: np.ndarray, square: np.ndarray) -> np.ndarray:
    """An even or odd polynomial in t by Horner's rule in t^2: half of the multiplications."""
    odd = (len(coefficients) - 1) % 2
    half = coefficients[odd::2]
    value = np.full_like(t, half[-1])
    for c in reversed(half[:-1]):
        value *= square
        value += c
    if odd:
        value *= t
    return value


def _tanh(z: np.ndarray, orders: Sequence[int]) -> list[np.ndarray]:
    # tanh z = 1 - 2 / (1 + exp 2z): NumPy's exp is vectorised and about three times as fast as its tanh, and the
    # absolute error stays at one rounding.
    t = z
    t *= 2.0
    np.minimum(t, LARGEST, out=t)
    np.exp(t, out=t)
    t += 1.0
    np.divide(-2.0, t, out=t)
    t += 1.0
    square = t * t if any(n > 0 for n in orders) else t
    return [t if n == 0 else horner_of_parity(tanh_polynomial(n), t, square) for n in orders]


def _sin(z: np.ndarray, orders: Sequence[int]) -> list[np.ndarray]:
    sine, cosine = sincos(z, cosine=any(n % 2 for n in orders))
    quarter = {0: lambda: sine, 1: lambda: cosine, 2: lambda: -sine, 3: lambda: -cosine}
    return [quarter[n % 4]() for n in orders]


def _gauss(z: np.ndarray, orders: Sequence[int]) -> list[np.ndarray]:
    square = z * z
    bell = np.exp(-0.5 * square)
    return [bell if n == 0 else horner_of_parity(hermite_polynomial(n), z, square) * bell for n in orders]


tanh = Activation("tanh", _tanh)
sin = Activation("sin", _sin)
gauss = Activation("gauss", _gauss)
OWN = (tanh, sin, gauss)
ACTIVATIONS = {a.name: a for a in OWN}
"""Activations by name, as in spaces and files."""


def register(made: Activation) -> Activation:
    """Make an activation known by its name, so that spaces and files can use it."""
    ACTIVATIONS[made.name] = made
    return made


def _arrived(name: str, derivatives: Derivatives) -> Activation:
    return register(Activation(name, derivatives))


def activation(which: str | Activation) -> Activation:
    """The activation of that name; an `Activation` is passed through."""
    if isinstance(which, Activation):
        return which
    if not isinstance(which, str) or which not in ACTIVATIONS:
        raise TransnetError(f"There is no activation {shown(which)}. Choose one of: {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[which]
