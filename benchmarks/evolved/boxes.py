"""Evolutions on boxes."""

from __future__ import annotations

import numpy as np
import sympy as sp

import transnet as tn

from .references import etdrk4
from .stated import Eq, Evolved, closed, cos, diff, exp, pi, sin, t, x, y

U, V, P = (tn.unknown(n, x, y, t) for n in "UVP")


def inside(low: float, high: float, end: float, count: int = 300) -> np.ndarray:
    places = np.random.default_rng(0).uniform(low, high, (count, 2))
    return np.column_stack([places, np.full(count, float(end))])


def wave_2d() -> Evolved:
    exact = (
        sin(pi * x) * sin(pi * y) * cos(sp.sqrt(3) * pi * t)
        + sin(2 * pi * x) * sin(pi * y) * cos(sp.sqrt(6) * pi * t) / 2
    )
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 100)),
        [Eq(diff(U, t, 2), diff(U, x, 2) + 2 * diff(U, y, 2))],
        [tn.on("t=0", Eq(U, exact.subs(t, 0)), Eq(diff(U, t), 0)), tn.on("sides", Eq(U, 0))],
    )
    return closed(problem, exact, inside(0, 1, 100), 1e-6)


def heat_2d() -> Evolved:
    exact = sin(pi * x) * sin(2 * pi * y) * sin(3 * t)
    source = diff(exact, t) - diff(exact, x, 2) - diff(exact, y, 2)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 100)),
        [Eq(diff(U, t), diff(U, x, 2) + diff(U, y, 2) + sp.simplify(source))],
        [tn.on("t=0", Eq(U, 0)), tn.on("sides", Eq(U, 0))],
    )
    return closed(problem, exact, inside(0, 1, 100), 1e-6)


def maxwell() -> Evolved:
    """A cavity with conducting walls: E_z, H_x, H_y."""
    omega = sp.sqrt(5) * pi
    e = sin(pi * x) * sin(2 * pi * y) * cos(omega * t)
    hx = -sp.integrate(diff(e, y), t)
    hy = sp.integrate(diff(e, x), t)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 10)),
        [Eq(diff(U, t), diff(P, x) - diff(V, y)), Eq(diff(V, t), -diff(U, y)), Eq(diff(P, t), diff(U, x))],
        [tn.on("t=0", Eq(U, e.subs(t, 0)), Eq(V, hx.subs(t, 0)), Eq(P, hy.subs(t, 0))), tn.on("sides", Eq(U, 0))],
    )
    points = inside(0, 1, 10)
    order = {u_.func.__name__: f for u_, f in zip((U, V, P), (e, hx, hy), strict=True)}
    truth = [sp.lambdify((x, y, t), order[str(n.func)])(*points.T) for n in problem.unknowns]
    return Evolved(problem, points, np.stack(truth, axis=1), 1e-6)


def taylor_green() -> Evolved:
    nu = sp.Rational(1, 50)
    decay = exp(-2 * nu * t)
    exact = (-cos(x) * sin(y) * decay, sin(x) * cos(y) * decay, -(cos(2 * x) + cos(2 * y)) / 4 * decay**2)
    problem = tn.Problem(
        tn.Box(x=(0, 2 * pi), y=(0, 2 * pi)) * tn.Interval(t=(0, 10)),
        [
            Eq(diff(U, t) + U * diff(U, x) + V * diff(U, y), -diff(P, x) + nu * (diff(U, x, 2) + diff(U, y, 2))),
            Eq(diff(V, t) + U * diff(V, x) + V * diff(V, y), -diff(P, y) + nu * (diff(V, x, 2) + diff(V, y, 2))),
            Eq(diff(U, x) + diff(V, y), 0),
        ],
        [tn.on("t=0", Eq(U, exact[0].subs(t, 0)), Eq(V, exact[1].subs(t, 0))), tn.periodic(x), tn.periodic(y)],
    )
    points = inside(0, 6.28, 10)
    truth = [sp.lambdify((x, y, t), f)(*points.T) for f in exact[:2]]
    return Evolved(problem, points, np.stack(truth, axis=1), 1e-6)


def waves_2d(n: int, length: float) -> tuple[np.ndarray, np.ndarray]:
    """Wave numbers of rfft2 on a square."""
    k = 2 * np.pi / length * np.fft.fftfreq(n, 1 / n)
    return np.meshgrid(k, k[: n // 2 + 1] * np.where(np.arange(n // 2 + 1) == n // 2, -1, 1), indexing="ij")


def series_2d(spectrum: np.ndarray, length: float, places: np.ndarray) -> np.ndarray:
    """A real series of rfft2 coefficients at places (n, 2)."""
    n = len(spectrum)
    k, m = waves_2d(n, length)
    twice = np.where((np.arange(n // 2 + 1) == 0) | (np.arange(n // 2 + 1) == n // 2), 1.0, 2.0) / n**2
    first = np.exp(1j * np.outer(places[:, 0], k[:, 0]))
    second = np.exp(1j * np.outer(places[:, 1], m[0]))
    return np.einsum("pk,km,pm->p", first, twice * spectrum, second).real


def shear_layer(nu: float = 0.005, end: float = 4.0) -> Evolved:
    """Two layers of shear on a periodic square that roll up, against the vorticity in waves."""
    length, delta = 2 * np.pi, 0.4
    u0 = sp.tanh(sin(y) / delta)
    v0 = sp.Rational(1, 20) * sin(x)
    problem = tn.Problem(
        tn.Box(x=(0, 2 * pi), y=(0, 2 * pi)) * tn.Interval(t=(0, end)),
        [
            Eq(diff(U, t) + U * diff(U, x) + V * diff(U, y), -diff(P, x) + nu * (diff(U, x, 2) + diff(U, y, 2))),
            Eq(diff(V, t) + U * diff(V, x) + V * diff(V, y), -diff(P, y) + nu * (diff(V, x, 2) + diff(V, y, 2))),
            Eq(diff(U, x) + diff(V, y), 0),
        ],
        [tn.on("t=0", Eq(U, u0), Eq(V, v0)), tn.periodic(x), tn.periodic(y)],
    )
    n = 192
    k, m = waves_2d(n, length)
    square = k**2 + m**2
    inverse = np.where(square > 0, 1 / np.where(square > 0, square, 1.0), 0.0)
    kept = (np.abs(k) < n / 3) & (np.abs(m) < n / 3)
    grid = length * np.arange(n) / n
    px, py = np.meshgrid(grid, grid, indexing="ij")
    start = [np.fft.rfft2(np.tanh(np.sin(py) / delta)), np.fft.rfft2(0.05 * np.sin(px))]
    # The mean of U is zero by symmetry, and stays.
    spin = 1j * k * start[1] - 1j * m * start[0]

    def rest(s: np.ndarray) -> np.ndarray:
        flow = [np.fft.irfft2(1j * m * inverse * s), np.fft.irfft2(-1j * k * inverse * s)]
        moved = flow[0] * np.fft.irfft2(1j * k * s) + flow[1] * np.fft.irfft2(1j * m * s)
        return -1.0 * kept * np.fft.rfft2(moved)

    last = etdrk4(spin * kept, -nu * square, rest, end, 800)
    points = inside(0, 6.28, end)
    truth = [series_2d(f * inverse * last, length, points[:, :2]) for f in (1j * m, -1j * k)]
    return Evolved(problem, points, np.stack(truth, axis=1), 1e-2)


def spots(end: float = 200.0) -> Evolved:
    """Gray and Scott's chemicals on a periodic square: spots that divide."""
    feed, kill, d = 0.04, 0.06, 2e-5
    seed = exp(-80 * (sin(pi * (x - 0.5)) ** 2 + sin(pi * (y - 0.5)) ** 2) / pi**2)
    problem = tn.Problem(
        tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, end)),
        [
            Eq(diff(U, t), 2 * d * (diff(U, x, 2) + diff(U, y, 2)) - U * V**2 + feed * (1 - U)),
            Eq(diff(V, t), d * (diff(V, x, 2) + diff(V, y, 2)) + U * V**2 - (feed + kill) * V),
        ],
        [tn.on("t=0", Eq(U, 1 - seed / 2), Eq(V, seed / 4)), tn.periodic(x), tn.periodic(y)],
    )
    n = 128
    k, m = waves_2d(n, 1.0)
    rate = np.stack([-2 * d * (k**2 + m**2) - feed, -d * (k**2 + m**2) - feed - kill])
    grid = np.arange(n) / n
    px, py = np.meshgrid(grid, grid, indexing="ij")
    bump = np.exp(-80 * (np.sin(np.pi * (px - 0.5)) ** 2 + np.sin(np.pi * (py - 0.5)) ** 2) / np.pi**2)

    def rest(s: np.ndarray) -> np.ndarray:
        a, b = np.fft.irfft2(s)
        made = a * b**2
        return np.fft.rfft2(np.stack([feed - made, made]))

    last = etdrk4(np.fft.rfft2(np.stack([1 - bump / 2, bump / 4])), rate, rest, end, 400)
    points = inside(0, 1, end)
    truth = [series_2d(s, 1.0, points[:, :2]) for s in last]
    return Evolved(problem, points, np.stack(truth, axis=1), 1e-2)
