"""The exponents of singular functions where sectors of several materials meet.

Around such a point solutions are sums of r^lambda s(theta). In a sector of the stiffness k the angular part is a cosine
and a sine of lambda theta, and (s, k s') is continuous from one sector to the next. Going through a sector of the angle
omega multiplies it by

    (  cos(lambda omega)               sin(lambda omega) / (lambda k) )
    ( -lambda k sin(lambda omega)      cos(lambda omega)              ) ,

and the product M of these matrices gives the exponents: around a full circle those with trace M = 2; between two edges
on the boundary those for which one entry of M vanishes, which one depends on whether values or fluxes are stated there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from transnet.lazy import optimize
from transnet.tolerances import PRECISION, ROUNDED, SAME

STEP = 0.004
"""The spacing of the samples between which roots are searched for."""
ENTRIES = {("value", "value"): (0, 1), ("value", "flux"): (1, 1), ("flux", "value"): (0, 0), ("flux", "flux"): (1, 0)}
"""The entry of M that vanishes, by the kinds of condition on the first and on the last edge."""


def exponents_of(
    stiffness: Sequence[float], angles: Sequence[float], ends: tuple[str, str] | None, degree: float
) -> list[float]:
    """The exponents up to a degree, growing; double ones once.

    Parameters
    ----------
    stiffness, angles : sequences of float
        k and omega of the sectors, anticlockwise.
    ends : (str, str) or None
        The kind of condition on the first and last edge, "value" or "flux"; None if the sectors form a full circle.
    """
    samples = np.arange(STEP, degree + 2 * STEP, STEP)
    if ends is None:
        values = 2.0 - np.trace(_through(stiffness, angles, samples), axis1=1, axis2=2)
        found = _roots(
            lambda at: 2.0 - float(np.trace(_through(stiffness, angles, np.array([at]))[0])), samples, values
        )
    else:
        i, j = ENTRIES[ends]
        # Divided so that all entries are of the size of one.
        unit = float(np.exp(np.mean(np.log(stiffness))))
        values = _through(stiffness, angles, samples)[:, i, j] * (samples * unit) ** (j - i)
        found = _roots(
            lambda at: float(_through(stiffness, angles, np.array([at]))[0, i, j] * (at * unit) ** (j - i)),
            samples,
            values,
        )
    return [alpha for alpha in found if alpha <= degree]


def _through(stiffness: Sequence[float], angles: Sequence[float], exponents: np.ndarray) -> np.ndarray:
    """M for each exponent: (n, 2, 2)."""
    product = np.tile(np.eye(2), (len(exponents), 1, 1))
    for k, omega in zip(stiffness, angles, strict=True):
        c, s = np.cos(exponents * omega), np.sin(exponents * omega)
        sector = np.stack([np.stack([c, s / (exponents * k)], -1), np.stack([-exponents * k * s, c], -1)], -2)
        product = sector @ product
    return product


def _roots(function: Callable[[float], float], samples: np.ndarray, values: np.ndarray) -> list[float]:
    """Roots between samples, those that only touch zero too."""
    found = [
        float(optimize.brentq(function, samples[k], samples[k + 1], xtol=PRECISION))
        for k in np.flatnonzero(np.sign(values[1:]) * np.sign(values[:-1]) < 0)
    ]
    size = np.abs(values)
    dips = np.flatnonzero((size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:])) + 1
    for k in dips:
        sign = np.sign(values[k]) or 1.0
        if np.any(np.sign(values[k - 1 : k + 2]) * sign < 0):
            continue
        low, high = samples[k - 1], samples[k + 1]
        least = optimize.minimize_scalar(
            lambda at, s=sign: s * function(at), bounds=(low, high), options={"xatol": ROUNDED}
        )
        if least.fun < -SAME:  # two roots between two samples
            found += [
                float(optimize.brentq(function, a, b, xtol=PRECISION)) for a, b in ((low, least.x), (least.x, high))
            ]
        elif least.fun < SAME:
            found.append(float(least.x))
    return sorted(found)
