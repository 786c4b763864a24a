"""Evolutions by Fourier series in space and an exponential Runge-Kutta method of fourth order in time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

CONTOUR = 32
"""Points on the contours by which the coefficients of an exponential integrator are averaged (Kassam, Trefethen)."""
TIMES = 4
"""Equidistant times at which a reference is kept."""
LINE, PLANE = 50, 8
"""Points of the grid along an axis at which it is kept, on lines and in the plane."""

Reference = tuple[np.ndarray, np.ndarray]


def etdrk4(linear: np.ndarray, nonlinear: Callable, state: np.ndarray, steps: int, end: float) -> list[np.ndarray]:
    """Coefficients at `TIMES` equidistant times, by Cox' and Matthews' method; `nonlinear` is of state and time."""
    h = end / steps
    sums = np.zeros((4, *linear.shape), dtype=complex)
    for angle in np.pi * (np.arange(1, CONTOUR + 1) - 0.5) / CONTOUR:
        z = h * linear + np.exp(1j * angle)
        sums[0] += (np.exp(z / 2) - 1) / z
        sums[1] += (-4 - z + np.exp(z) * (4 - 3 * z + z**2)) / z**3
        sums[2] += (2 + z + np.exp(z) * (-2 + z)) / z**3
        sums[3] += (-4 - 3 * z - z**2 + np.exp(z) * (4 - z)) / z**3
    half, f1, f2, f3 = h * sums.real / CONTOUR
    whole, part = np.exp(h * linear), np.exp(h * linear / 2)
    found = []
    for step in range(1, steps + 1):
        t = (step - 1) * h
        n = nonlinear(state, t)
        a = part * state + half * n
        na = nonlinear(a, t + h / 2)
        b = part * state + half * na
        nb = nonlinear(b, t + h / 2)
        nc = nonlinear(part * a + half * (2 * nb - n), t + h)
        state = whole * state + n * f1 + 2 * (na + nb) * f2 + nc * f3
        if step % (steps // TIMES) == 0:
            found.append(state)
    return found


def on_line(
    size: int, steps: int, low: float, high: float, start: Callable, linear: Callable, nonlinear: Callable
) -> Reference:
    """A periodic evolution of one coordinate up to t = 1: points (n, 2) and values there."""
    place = low + (high - low) * np.arange(size) / size
    wave = 2 * np.pi / (high - low) * np.fft.rfftfreq(size, 1 / size)
    kept = etdrk4(linear(wave), nonlinear(wave, size), np.fft.rfft(start(place)), steps, 1.0)
    thin = size // LINE
    points = [np.column_stack([place[::thin], np.full(len(place[::thin]), (k + 1) / TIMES)]) for k in range(TIMES)]
    return np.concatenate(points), np.concatenate([np.fft.irfft(s, size)[::thin] for s in kept])


def kept_in_plane(place: np.ndarray, values: list[np.ndarray], end: float, thin: int) -> Reference:
    """A few points of a grid at some times, and the values there."""
    some = place[thin // 2 :: thin]
    a, b = (c.ravel() for c in np.meshgrid(some, some, indexing="ij"))
    points = [np.column_stack([a, b, np.full(a.size, end * (k + 1) / len(values))]) for k in range(len(values))]
    return np.concatenate(points), np.concatenate([v[thin // 2 :: thin, thin // 2 :: thin].ravel() for v in values])


def in_plane(
    size: int, steps: int, half: float, end: float, starts: list[Callable], linear: list[Callable], source: Callable
) -> Reference:
    """A system on a torus (-half, half)^2: the values of its first unknown. `source` is of the unknowns' values."""
    place = half * (2 * np.arange(size) / size - 1)
    x, y = np.meshgrid(place, place, indexing="ij")
    waves = np.pi / half * np.fft.fftfreq(size, 1 / size), np.pi / half * np.fft.rfftfreq(size, 1 / size)
    square = waves[0][:, None] ** 2 + waves[1][None, :] ** 2

    def nonlinear(state: np.ndarray, t: float) -> np.ndarray:
        return np.stack([np.fft.rfft2(f) for f in source(*np.fft.irfft2(state, (size, size)))])

    state = np.stack([np.fft.rfft2(f(x, y)) for f in starts])
    found = etdrk4(np.stack([f(square) for f in linear]), nonlinear, state, steps, end)
    return kept_in_plane(place, [np.fft.irfft2(s[0], (size, size)) for s in found], end, size // PLANE)


def allen_cahn(size: int, steps: int) -> Reference:
    def cubic(wave: np.ndarray, n: int) -> Callable:
        return lambda s, t: np.fft.rfft(-5 * np.fft.irfft(s, n) ** 3)

    return on_line(size, steps, -1, 1, lambda x: x**2 * np.cos(np.pi * x), lambda k: 5 - 1e-4 * k**2, cubic)


def sivashinsky(factors: tuple, low: float, high: float, start: Callable, size: int, steps: int) -> Reference:
    """u_t + a u u_x + b u_xx + c u_xxxx = 0."""
    a, b, c = factors

    def transport(wave: np.ndarray, n: int) -> Callable:
        keep = wave < 2 / 3 * wave[-1]
        return lambda s, t: keep * (-0.5j * a * wave * np.fft.rfft(np.fft.irfft(s, n) ** 2))

    return on_line(size, steps, low, high, start, lambda k: b * k**2 - c * k**4, transport)


def sivashinsky_of_pinnacle(size: int, steps: int) -> Reference:
    factors = (100 / 16, 100 / 16**2, 100 / 16**4)
    return sivashinsky(factors, 0, 2 * np.pi, lambda x: np.cos(x) * (1 + np.sin(x)), size, steps)


def sivashinsky_of_jaxpi(size: int, steps: int) -> Reference:
    return sivashinsky((5, 0.5, 0.005), -1, 1, lambda x: -np.sin(np.pi * x), size, steps)


def ginzburg_landau(size: int, steps: int) -> Reference:
    def spot(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return 10 * np.exp(-25 * (x**2 + y**2))

    def cubic(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        square = 10 * (u**2 + v**2)
        return -square * (u - 1.5 * v), -square * (v + 1.5 * u)

    starts = [lambda x, y: y * spot(x, y), lambda x, y: x * spot(x, y)]
    return in_plane(size, steps, 1, 1, starts, [lambda k2: 10 - k2 / 250] * 2, cubic)


def gray_scott(sharp: float, scale: float, first: float, second: float, end: float, size: int, steps: int) -> Reference:
    """u_t = first lap(u) + scale (0.04 (1 - u) - u v^2), v_t = second lap(v) + scale (u v^2 - 0.1 v)."""

    def spot(sign: int) -> Callable:
        return lambda x, y: np.exp(-sharp * ((x + sign * 0.05) ** 2 + (y + sign * 0.02) ** 2))

    def source(u: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        made = scale * u * v**2
        return 0.04 * scale - made, made

    starts = [lambda x, y: 1 - spot(1)(x, y), spot(-1)]
    linear = [lambda k2: -first * k2 - 0.04 * scale, lambda k2: -second * k2 - 0.1 * scale]
    return in_plane(size, steps, 1, end, starts, linear, source)


def gray_scott_of_pinnacle(size: int, steps: int) -> Reference:
    return gray_scott(80, 1, 1e-5, 5e-6, 200, size, steps)


def gray_scott_of_jaxpi(size: int, steps: int) -> Reference:
    return gray_scott(10, 1000, 0.2, 0.1, 2, size, steps)


def heat_long(size: int, steps: int) -> Reference:
    """A source sin(u^2) on a square whose sides are at zero: odd around them, and so a torus of twice the length."""
    place = 2 * np.arange(size) / size
    x, y = np.meshgrid(place, place, indexing="ij")
    waves = np.pi * np.fft.fftfreq(size, 1 / size), np.pi * np.fft.rfftfreq(size, 1 / size)
    square = waves[0][:, None] ** 2 + waves[1][None, :] ** 2
    shape = np.sin(4 * np.pi * x) * np.sin(2 * np.pi * y)

    def source(state: np.ndarray, t: float) -> np.ndarray:
        u = np.fft.irfft2(state, (size, size))
        return np.fft.rfft2(5 * (1 + 2 * np.sin(np.pi * t / 4)) * np.sin(u**2) * shape)

    start = np.fft.rfft2(np.sin(4 * np.pi * x) * np.sin(3 * np.pi * y))
    found = etdrk4(-square / 1000, source, start, steps, 100.0)
    quarter = [np.fft.irfft2(s, (size, size))[: size // 2, : size // 2] for s in found]
    return kept_in_plane(place[: size // 2], quarter, 100.0, size // (2 * PLANE))
