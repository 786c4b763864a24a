"""Evolutions with references: what slabs of time are measured on.

Each problem is a function that gives the statement, places of space at the last moment and the true values there. The
references are closed forms, Taylor series of thirty digits, or Fourier and an exponential integrator whose step was
halved until it changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.special import erfc, ndtr

import transnet as tn

x, y, t = sp.symbols("x y t")
pi, sin, cos, exp, diff, Eq = sp.pi, sp.sin, sp.cos, sp.exp, sp.diff, sp.Eq
u, v, w = (tn.unknown(n, x, t) for n in "uvw")
U, V, P = (tn.unknown(n, x, y, t) for n in "UVP")
a, b, c = (tn.unknown(n, t) for n in "abc")


@dataclass(frozen=True, eq=False)
class Evolved:
    """A problem, points (n, d) of space and time, the true values there (n,) or (n, unknowns), and the aim."""

    problem: tn.Problem
    points: np.ndarray
    truth: np.ndarray
    aim: float


def system(equations: dict[sp.Expr, sp.Expr], start: dict[sp.Expr, Any], end: float) -> tn.Problem:
    """A system of ordinary differential equations."""
    return tn.Problem(
        tn.Interval(t=(0, end)),
        [Eq(diff(f, t), g) for f, g in equations.items()],
        [tn.on("t=0", *(Eq(f, g) for f, g in start.items()))],
    )


def at_end(end: float, truth: Any, aim: float, problem: tn.Problem) -> Evolved:
    return Evolved(problem, np.array([[end]]), np.atleast_2d(np.asarray(truth, dtype=float)), aim)


def van_der_pol(mu: float, end: float) -> tn.Problem:
    return system({a: b, b: mu * (1 - a**2) * b - a}, {a: 2, b: 0}, end)


@cache
def stiff_end(mu: float, end: float) -> np.ndarray:
    found = solve_ivp(
        lambda s, z: [z[1], mu * (1 - z[0] ** 2) * z[1] - z[0]], (0, end), [2.0, 0.0], "Radau", rtol=1e-13, atol=1e-15,
        jac=lambda s, z: [[0, 1], [-2 * mu * z[0] * z[1] - 1, mu * (1 - z[0] ** 2)]],
    )  # fmt: skip
    return found.y[:, -1]


def stiff(mu: float, end: float) -> Callable[[], Evolved]:
    return lambda: at_end(end, stiff_end(mu, end), 0, van_der_pol(mu, end))


@cache
def lorenz_end(end: float) -> np.ndarray:
    """By Taylor series of degree 40 with 40 digits."""
    import mpmath as mp

    with mp.workdps(40):
        z = [mp.mpf(1), mp.mpf(1), mp.mpf(1)]
        steps, degree = int(40 * end), 30
        h = mp.mpf(end) / steps
        for _ in range(steps):
            p, q, r = [z[0]], [z[1]], [z[2]]
            for k in range(degree):
                pr = mp.fsum(p[i] * r[k - i] for i in range(k + 1))
                pq = mp.fsum(p[i] * q[k - i] for i in range(k + 1))
                new = (10 * (q[k] - p[k]), 28 * p[k] - pr - q[k], pq - mp.mpf(8) / 3 * r[k])
                for series, value in zip((p, q, r), new, strict=True):
                    series.append(value / (k + 1))
            z = [mp.fsum(s * h**k for k, s in enumerate(series)) for series in (p, q, r)]
        return np.array([float(s) for s in z])


def lorenz() -> Evolved:
    problem = system({a: 10 * (b - a), b: a * (28 - c) - b, c: a * b - sp.Rational(8, 3) * c}, {a: 1, b: 1, c: 1}, 20)
    return at_end(20, lorenz_end(20), 0, problem)


def robertson() -> Evolved:
    """The values at 4e5 by Radau's method with a relative tolerance of 1e-13."""
    problem = system(
        {a: -0.04 * a + 1e4 * b * c, b: 0.04 * a - 1e4 * b * c - 3e7 * b**2, c: 3e7 * b**2}, {a: 1, b: 0, c: 0}, 4e5
    )
    found = solve_ivp(
        lambda s, z: [-0.04 * z[0] + 1e4 * z[1] * z[2], 0.04 * z[0] - 1e4 * z[1] * z[2] - 3e7 * z[1] ** 2,
                      3e7 * z[1] ** 2], (0, 4e5), [1.0, 0.0, 0.0], "Radau", rtol=1e-13, atol=1e-18,
    )  # fmt: skip
    return at_end(4e5, found.y[:, -1], 0, problem)


def arenstorf() -> Evolved:
    """A periodic orbit of the restricted three-body problem."""
    mu, period = 0.012277471, 17.0652165601579625588917206249
    p, q = tn.unknown("p", t), tn.unknown("q", t)
    d1, d2 = ((p + mu) ** 2 + q**2) ** sp.Rational(3, 2), ((p - 1 + mu) ** 2 + q**2) ** sp.Rational(3, 2)
    problem = tn.Problem(
        tn.Interval(t=(0, period)),
        [
            Eq(diff(p, t, 2), p + 2 * diff(q, t) - (1 - mu) * (p + mu) / d1 - mu * (p - 1 + mu) / d2),
            Eq(diff(q, t, 2), q - 2 * diff(p, t) - (1 - mu) * q / d1 - mu * q / d2),
        ],
        [tn.on("t=0", Eq(p, 0.994), Eq(q, 0), Eq(diff(p, t), 0), Eq(diff(q, t), -2.00158510637908252240537862224))],
    )
    return at_end(period, [0.994, 0.0], 0, problem)


# -- lines -----------------------------------------------------------------------------------------------------------
def strip(low: float, high: float, end: float) -> Any:
    return tn.Interval(x=(low, high)) * tn.Interval(t=(0, end))


def along(low: float, high: float, end: float, count: int = 501) -> np.ndarray:
    return np.column_stack([np.linspace(low, high, count), np.full(count, float(end))])


def closed(problem: tn.Problem, exact: sp.Expr, points: np.ndarray, aim: float) -> Evolved:
    symbols = (x, t) if points.shape[1] == 2 else (x, y, t)
    return Evolved(problem, points, np.asarray(sp.lambdify(symbols, exact)(*points.T), dtype=float), aim)


def wave() -> Evolved:
    exact = sin(pi * x) * cos(pi * t) + sin(3 * pi * x) * sin(3 * pi * t) / 4
    problem = tn.Problem(
        strip(0, 1, 100),
        [Eq(diff(u, t, 2), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, exact.subs(t, 0)), Eq(diff(u, t), diff(exact, t).subs(t, 0))), tn.on("sides", Eq(u, 0))],
    )
    return closed(problem, exact, along(0, 1, 100), 1e-8)


def packet() -> Evolved:
    """The norm at the end, of a packet that half passes a barrier."""
    psi = tn.unknown("psi", x, t, complex=True)
    barrier = 6 * exp(-4 * (x - 5) ** 2)
    problem = tn.Problem(
        strip(-15, 25, 3),
        [Eq(sp.I * diff(psi, t), -diff(psi, x, 2) / 2 + barrier * psi)],
        [tn.on("t=0", Eq(psi, exp(-(x**2) / 2 + 3 * sp.I * x))), tn.on("sides", Eq(psi, 0))],
    )
    nodes, weights = np.polynomial.legendre.leggauss(600)
    points = np.column_stack([5 + 20 * nodes, np.full(600, 3.0)])
    return Evolved(problem, points, 20 * weights, 1e-8)


def burgers() -> Evolved:
    nu = 0.01 / np.pi
    problem = tn.Problem(
        strip(-1, 1, 1),
        [Eq(diff(u, t) + u * diff(u, x), nu * diff(u, x, 2))],
        [tn.on("t=0", Eq(u, -sin(pi * x))), tn.on("sides", Eq(u, 0))],
    )
    points = along(-1, 1, 1, 1001)
    z, weights = np.polynomial.hermite.hermgauss(250)
    at = points[:, :1] - np.sqrt(4 * nu) * z
    power = -np.cos(np.pi * at) / (2 * np.pi * nu)
    kernel = weights * np.exp(power - power.max(axis=1, keepdims=True))
    return Evolved(problem, points, -(kernel * np.sin(np.pi * at)).sum(axis=1) / kernel.sum(axis=1), 1e-6)


def solitons() -> Evolved:
    """Two solitons of the equation of Korteweg and de Vries that cross."""
    k, m = sp.Integer(1), sp.Rational(3, 5)
    first, second = 2 * k * (x + 7) - 8 * k**3 * t, 2 * m * (x + 2) - 8 * m**3 * t
    tau = 1 + exp(first) + exp(second) + ((k - m) / (k + m)) ** 2 * exp(first + second)
    exact = 2 * diff(sp.log(tau), x, 2)
    problem = tn.Problem(
        strip(-25, 30, 4),
        [Eq(diff(u, t) + 6 * u * diff(u, x) + diff(u, x, 3), 0)],
        [tn.on("t=0", Eq(u, exact.subs(t, 0))), tn.periodic(x)],
    )
    return closed(problem, exact, along(-20, 25, 4), 1e-8)


def breather() -> Evolved:
    omega = sp.Rational(4, 5)
    root = sp.sqrt(1 - omega**2)
    exact = 4 * sp.atan(root * cos(omega * t) / (omega * sp.cosh(root * x)))
    problem = tn.Problem(
        strip(-40, 40, 50),
        [Eq(diff(u, t, 2), diff(u, x, 2) - sin(u))],
        [tn.on("t=0", Eq(u, exact.subs(t, 0)), Eq(diff(u, t), 0)), tn.periodic(x)],
    )
    return closed(problem, exact, along(-39, 39, 50), 1e-7)


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


def allen_cahn() -> Evolved:
    """eps = 1e-2: two fronts, from the start of the field's benchmark, whose slope does not vanish at the ends.

    The reference, in cosines, has an error of about 3e-6 for that reason.
    """
    d = 1e-4
    problem = tn.Problem(
        strip(-1, 1, 1),
        [Eq(diff(u, t), d * diff(u, x, 2) + 5 * (u - u**3))],
        [tn.on("t=0", Eq(u, x**2 * cos(pi * x))), tn.on("sides", Eq(diff(u, x), 0))],
    )
    nodes, spread = even_chebyshev(400)

    def slope(s: float, z: np.ndarray) -> np.ndarray:
        return d * (spread @ z) + 5 * (z - z**3)

    found = solve_ivp(slope, (0, 1), nodes**2 * np.cos(np.pi * nodes), "Radau", rtol=1e-9, atol=1e-10,
                      jac=lambda s, z: d * spread + np.diag(5 - 15 * z**2))  # fmt: skip
    return Evolved(problem, np.column_stack([nodes, np.ones(len(nodes))]), found.y[:, -1], 1e-5)


def even_chebyshev(n: int, low: float = -1.0, high: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Cosines with no slope at both ends, at the midpoints: the points and the second derivative."""
    j = np.arange(n)
    places = (j + 0.5) / n
    table = np.cos(np.pi * np.outer(places, j))
    inverse = 2.0 / n * table.T
    inverse[0] /= 2
    rate = -((np.pi * j / (high - low)) ** 2)
    return low + (high - low) * places, table @ (rate[:, None] * inverse)


def cahn_hilliard() -> Evolved:
    """Until two layers have become one."""
    d = 1e-2**2 * 4
    problem = tn.Problem(
        strip(0, 1, 1.0),
        [Eq(diff(u, t), diff(-d * diff(u, x, 2) + u**3 - u, x, 2))],
        [tn.on("t=0", Eq(u, cos(2 * pi * x) / 10 + cos(3 * pi * x) / 5 + cos(5 * pi * x) / 10)),
         tn.on("sides", Eq(diff(u, x), 0), Eq(diff(u, x, 3), 0))],
    )  # fmt: skip
    nodes, spread = even_chebyshev(160, 0.0, 1.0)
    start = np.cos(2 * np.pi * nodes) / 10 + np.cos(3 * np.pi * nodes) / 5 + np.cos(5 * np.pi * nodes) / 10
    found = solve_ivp(lambda s, z: spread @ (-d * (spread @ z) + z**3 - z), (0, 1.0), start, "Radau", rtol=1e-9,
                      atol=1e-11, jac=lambda s, z: spread @ (-d * spread + np.diag(3 * z**2 - 1)))  # fmt: skip
    return Evolved(problem, np.column_stack([nodes, np.ones(len(nodes))]), found.y[:, -1], 1e-5)


def kuramoto(length: Any, end: float, start: sp.Expr, n: int, steps: int, aim: float) -> Evolved:
    problem = tn.Problem(
        strip(0, length, end),
        [Eq(diff(u, t) + u * diff(u, x) + diff(u, x, 2) + diff(u, x, 4), 0)],
        [tn.on("t=0", Eq(u, start)), tn.periodic(x)],
    )
    size = float(length)

    def rest(s: np.ndarray, k: np.ndarray) -> np.ndarray:
        out = -0.5j * k * np.fft.rfft(np.fft.irfft(s) ** 2)
        out[len(k) * 2 // 3 :] = 0
        return out

    value = reference_on_circle(0, size, n, sp.lambdify(x, start), lambda k: k**2 - k**4, rest, end, steps)
    points = along(0, size, end)
    return Evolved(problem, points, value(points[:, 0]), aim)


def ks_22() -> Evolved:
    return kuramoto(22, 100, cos(2 * pi * x / 22) + sin(4 * pi * x / 22) / 2, 96, 20000, 1e-5)


def ks_32pi(end: float = 50) -> Evolved:
    return kuramoto(32 * pi, end, cos(x / 16) * (1 + sin(x / 16)), 384, 20000, 1e-4)


def heat_value_jump() -> Evolved:
    problem = tn.Problem(
        strip(0, 1, 0.1),
        [Eq(diff(u, t), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, 0)), tn.on("x=0", Eq(u, 1)), tn.on("x=1", Eq(u, 0))],
    )
    points = along(0, 1, 0.1)
    root, s = 2 * np.sqrt(0.1), points[:, 0]
    exact = sum(erfc((2 * n + s) / root) - erfc((2 * n + 2 - s) / root) for n in range(4))
    return Evolved(problem, points, exact, 1e-6)


def heat_slope_jump() -> Evolved:
    """u_t = u_xx + 1 from 0 with u = 0 at both ends: values fit, first derivatives in time do not."""
    problem = tn.Problem(
        strip(0, 1, 0.1),
        [Eq(diff(u, t), diff(u, x, 2) + 1)],
        [tn.on("t=0", Eq(u, 0)), tn.on("sides", Eq(u, 0))],
    )
    points = along(0, 1, 0.1)
    s = points[:, 0]
    exact = s * (1 - s) / 2 - sum(
        4 / ((2 * n + 1) * np.pi) ** 3 * np.sin((2 * n + 1) * np.pi * s) * np.exp(-(((2 * n + 1) * np.pi) ** 2) * 0.1)
        for n in range(20)
    )
    return Evolved(problem, points, exact, 1e-6)


def call_option() -> Evolved:
    rate, sigma = 0.05, 0.2
    problem = tn.Problem(
        strip(0, 4, 1),
        [Eq(diff(u, t) + sigma**2 / 2 * x**2 * diff(u, x, 2) + rate * x * diff(u, x) - rate * u, 0)],
        [tn.on("t=1", Eq(u, sp.Max(x - 1, 0))), tn.on("x=0", Eq(u, 0)), tn.on("x=4", Eq(u, x - exp(rate * (t - 1))))],
    )
    places = np.linspace(0.02, 3.9, 300)
    d = (np.log(places) + rate + sigma**2 / 2) / sigma
    truth = places * ndtr(d) - np.exp(-rate) * ndtr(d - sigma)
    return Evolved(problem, np.column_stack([places, np.zeros(300)]), truth, 1e-6)


# -- boxes -----------------------------------------------------------------------------------------------------------
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


PROBLEMS: dict[str, Callable[[], Evolved]] = {
    "van der Pol 5": stiff(5, 20),
    "van der Pol 50": stiff(50, 100),
    "van der Pol 1000": stiff(1000, 2000),
    "Lorenz": lorenz,
    "Robertson": robertson,
    "Arenstorf": arenstorf,
    "wave": wave,
    "packet": packet,
    "Burgers": burgers,
    "KdV": solitons,
    "sine-Gordon": breather,
    "Allen-Cahn": allen_cahn,
    "Cahn-Hilliard": cahn_hilliard,
    "KS 22": ks_22,
    "KS 32 pi": ks_32pi,
    "heat, value jump": heat_value_jump,
    "heat, slope jump": heat_slope_jump,
    "call option": call_option,
    "wave 2D": wave_2d,
    "heat 2D": heat_2d,
    "Maxwell 2D": maxwell,
    "Taylor-Green": taylor_green,
}
ODES = tuple(PROBLEMS)[:6]
