"""References in Fourier series: an exponential integrator, and cosines for walls without a slope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def etdrk4(
    start: np.ndarray, rate: np.ndarray, rest: Callable[[np.ndarray], np.ndarray], end: float, steps: int
) -> Any:
    """Exponential time differencing of fourth order (Kassam and Trefethen) for Fourier coefficients."""
    h = end / steps
    # The whole circle: for waves the rates are imaginary, and half of it would do for real ones only.
    z = h * rate[..., None] + np.exp(2j * np.pi * (np.arange(1, 33) - 0.5) / 32)
    e, half = np.exp(h * rate), np.exp(h * rate / 2)

    def mean(values: np.ndarray) -> np.ndarray:
        found = h * values.mean(axis=-1)
        return found if np.iscomplexobj(rate) else found.real

    q = mean((np.exp(z / 2) - 1) / z)
    f1 = mean((-4 - z + np.exp(z) * (4 - 3 * z + z**2)) / z**3)
    f2 = mean((2 + z + np.exp(z) * (-2 + z)) / z**3)
    f3 = mean((-4 - 3 * z - z**2 + np.exp(z) * (4 - z)) / z**3)
    s = start
    for _ in range(steps):
        n0 = rest(s)
        s1 = half * s + q * n0
        n1 = rest(s1)
        s2 = half * s + q * n1
        n2 = rest(s2)
        n3 = rest(half * s1 + q * (2 * n2 - n0))
        s = e * s + f1 * n0 + 2 * f2 * (n1 + n2) + f3 * n3
    return s


def fourier_values(spectrum: np.ndarray, length: float, low: float, places: np.ndarray) -> np.ndarray:
    """A real series of rfft coefficients at places."""
    n = 2 * (len(spectrum) - 1)
    k = 2 * np.pi / length * np.arange(len(spectrum))
    weights = np.where((np.arange(len(spectrum)) == 0) | (np.arange(len(spectrum)) == n // 2), 1.0, 2.0) / n
    return (np.exp(1j * np.outer(places - low, k)) * (weights * spectrum)).sum(axis=1).real


def reference_on_circle(
    low: float, high: float, n: int, start: Any, rate: Any, rest: Any, end: float, steps: int
) -> Callable[[np.ndarray], np.ndarray]:
    """The end of s_t = rate(k) s + rest on a circle, as a function."""
    length = high - low
    grid = low + length * np.arange(n) / n
    k = 2 * np.pi / length * np.arange(n // 2 + 1)
    spectrum = etdrk4(np.fft.rfft(start(grid)), rate(k), lambda s: rest(s, k), end, steps)
    return lambda places: fourier_values(spectrum, length, low, places)


def even_chebyshev(n: int, low: float = -1.0, high: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Cosines with no slope at both ends, at the midpoints: the points and the second derivative."""
    j = np.arange(n)
    places = (j + 0.5) / n
    table = np.cos(np.pi * np.outer(places, j))
    inverse = 2.0 / n * table.T
    inverse[0] /= 2
    rate = -((np.pi * j / (high - low)) ** 2)
    return low + (high - low) * places, table @ (rate[:, None] * inverse)


def chebyshev(n: int, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Points from low to high and the matrix of the first derivative."""
    theta = np.pi * np.arange(n + 1) / n
    y = -np.cos(theta)
    c = np.where((np.arange(n + 1) % n) == 0, 2.0, 1.0) * (-1.0) ** np.arange(n + 1)
    gap = y[:, None] - y[None] + np.eye(n + 1)
    d = np.outer(c, 1 / c) / gap
    d -= np.diag(d.sum(axis=1))
    return low + (y + 1) / 2 * (high - low), d * 2 / (high - low)


def interpolated(nodes: np.ndarray, values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Barycentric interpolation at Chebyshev's points."""
    w = (-1.0) ** np.arange(len(nodes))
    w[[0, -1]] /= 2
    gap = places[:, None] - nodes
    hit = np.abs(gap) < 1e-14
    kernel = w / np.where(hit, 1.0, gap)
    out = kernel @ values / kernel.sum(axis=1)
    rows, columns = np.nonzero(hit)
    out[rows] = values[columns]
    return out
