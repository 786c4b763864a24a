"""Sine and cosine of arrays together, several times as fast as two NumPy calls.

NumPy has no vectorised sine of doubles on most machines (10 to 20 ns per element) while its arithmetic is vectorised
(0.2 ns). Where its tangent is vectorised, as with AVX-512 on Linux (1.4 ns), t = tan(z/2) is enough:

    sin z = 2 t / (1 + t^2),  cos z = (1 - t^2) / (1 + t^2).

Elsewhere, with r = z - 2 pi k in [-pi, pi], a convergent of the continued fraction

    tan x = x / (1 - x^2 / (3 - x^2 / (5 - ...)))

gives tan(r/4) as N/D to 1e-18 for |x| <= pi/4, and applying the double-angle formulas twice gives sin r and cos r. The
absolute error is a few units of rounding, in addition to that of z itself.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import polynomial as poly

TURN = 2.0 * np.pi
TURN_HIGH = np.floor(TURN * 2.0**30) / 2.0**30
"""The first 33 bits of 2 pi: its products with up to a million turns are exact."""
TURN_REST = (TURN - TURN_HIGH) + 2.4492935982947064e-16
"""The remainder; the last number is the difference between 2 pi and its double-precision value."""
CHUNK = 16_384
"""Elements that are processed at once, so that all steps find them in the cache."""


def tangent_convergent(steps: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Numerator and denominator, in x^2, of tan(x)/x cut after that many steps of its continued fraction."""
    above = [np.array([0.0]), np.array([1.0])]
    below = [np.array([1.0]), np.array([1.0])]
    for j in range(1, steps):
        for p in (above, below):
            p.append(poly.polysub((2 * j + 1) * p[-1], poly.polymul([0.0, 1.0], p[-2])))
    return tuple(above[-1]), tuple(below[-1])


_ABOVE, _BELOW = tangent_convergent(9)


def _horner(coefficients: tuple[float, ...], square: np.ndarray) -> np.ndarray:
    value = square * coefficients[-1]
    for c in coefficients[-2:0:-1]:
        value += c
        value *= square
    value += coefficients[0]
    return value


def _tangent_is_fast() -> bool:
    """Whether NumPy's tangent of doubles has a vectorised version for this processor."""
    try:
        known = np.lib.introspect.opt_func_info(func_name="^tan$", signature="float64")["tan"]
        return all(("V4" in kind["current"] or "AVX512" in kind["current"]) for kind in known.values())
    except (AttributeError, KeyError, TypeError, ValueError):  # an older NumPy
        return False


TANGENT = _tangent_is_fast()


def sincos(z: np.ndarray, cosine: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """sin z and cos z; z is overwritten. Without `cosine` the second result must not be used."""
    if not TANGENT:
        return by_convergents(z, cosine)
    other = np.empty(z.shape)
    if not z.flags.c_contiguous:
        _by_tangent(z, other)
        return z, other
    flat, beside = z.reshape(-1), other.reshape(-1)
    for start in range(0, z.size, CHUNK):
        _by_tangent(flat[start : start + CHUNK], beside[start : start + CHUNK])
    return z, other


def _by_tangent(z: np.ndarray, square: np.ndarray) -> None:
    """Compute sin z and cos z from z and a scratch array."""
    z *= 0.5
    np.tan(z, out=z)
    np.multiply(z, z, out=square)
    share = square + 1.0
    np.divide(1.0, share, out=share)
    np.subtract(1.0, square, out=square)
    square *= share
    z *= 2.0
    z *= share


def by_convergents(z: np.ndarray, cosine: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """The same if the tangent is slow."""
    turns = z * (1.0 / TURN)
    np.rint(turns, out=turns)
    part = turns * TURN_HIGH
    z -= part
    turns *= TURN_REST
    z -= turns
    z *= 0.25
    square = np.multiply(z, z, out=part)
    n, d = _horner(_ABOVE, square), _horner(_BELOW, square)
    n *= z
    # tan = n/d of the quarter angle; s and c are those of the half angle.
    nn, dd = np.multiply(n, n, out=square), np.multiply(d, d, out=turns)
    n *= d
    whole = np.add(nn, dd, out=d)
    np.divide(2.0, whole, out=whole)
    s = np.multiply(n, whole, out=n)
    whole *= 0.5
    c = np.subtract(dd, nn, out=dd)
    c *= whole
    sine = np.multiply(s, c, out=z)
    sine *= 2.0
    if not cosine:
        return sine, c
    total = np.add(c, s, out=nn)
    c -= s
    c *= total
    return sine, c
