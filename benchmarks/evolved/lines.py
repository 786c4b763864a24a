"""Evolutions on a line."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.special import erfc, ndtr

import transnet as tn

from .references import even_chebyshev, reference_on_circle
from .stated import Eq, Evolved, closed, cos, diff, exp, pi, sin, t, x

u = tn.unknown("u", x, t)


def strip(low: float, high: float, end: float) -> Any:
    return tn.Interval(x=(low, high)) * tn.Interval(t=(0, end))


def along(low: float, high: float, end: float, count: int = 501) -> np.ndarray:
    return np.column_stack([np.linspace(low, high, count), np.full(count, float(end))])


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
