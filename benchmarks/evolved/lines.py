"""Evolutions on a line."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from scipy.fft import dct, idct
from scipy.integrate import solve_ivp
from scipy.special import erfc, ndtr

import transnet as tn

from .references import etdrk4, even_chebyshev, reference_on_circle
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
    """A packet that half passes a barrier, against sines between the walls."""
    psi = tn.unknown("psi", x, t, complex=True)
    barrier = 6 * exp(-4 * (x - 5) ** 2)
    problem = tn.Problem(
        strip(-15, 25, 3),
        [Eq(sp.I * diff(psi, t), -diff(psi, x, 2) / 2 + barrier * psi)],
        [tn.on("t=0", Eq(psi, exp(-(x**2) / 2 + 3 * sp.I * x))), tn.on("sides", Eq(psi, 0))],
    )
    nodes, weights = np.polynomial.legendre.leggauss(600)
    last = np.column_stack([5 + 20 * nodes, np.full(600, 3.0)])
    first = np.column_stack([5 + 20 * nodes, np.zeros(600)])

    def lost(solution: tn.Solution) -> float:
        norms = [weights @ np.abs(np.asarray(solution(p))) ** 2 for p in (last, first)]
        return float(abs(norms[0] / norms[1] - 1))

    return Evolved(problem, last, sines_at(5 + 20 * nodes, 3.0), 1e-8, lost, 1e-8, "norm changed by")


def sines_at(places: np.ndarray, end: float, modes: int = 600) -> np.ndarray:
    """The packet at the end in sines between the walls, whose matrix is diagonalised."""
    y, w = np.polynomial.legendre.leggauss(2 * modes)
    grid, w, k = 5 + 20 * y, 20 * w, np.arange(1, modes + 1) * np.pi / 40
    table = np.sin(np.outer(grid + 15, k)) / np.sqrt(20)
    energy = np.diag(k**2 / 2) + table.T @ ((w * 6 * np.exp(-4 * (grid - 5) ** 2))[:, None] * table)
    levels, modes_of = np.linalg.eigh(energy)
    start = modes_of.T @ (table.T @ (w * np.exp(-(grid**2) / 2 + 3j * grid)))
    return np.sin(np.outer(places + 15, k)) / np.sqrt(20) @ (modes_of @ (np.exp(-1j * levels * end) * start))


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

    The reference is in cosines, so many that the kink that the start has at the walls for them is below 1e-10.
    """
    d, n = 1e-4, 2048
    problem = tn.Problem(
        strip(-1, 1, 1),
        [Eq(diff(u, t), d * diff(u, x, 2) + 5 * (u - u**3))],
        [tn.on("t=0", Eq(u, x**2 * cos(pi * x))), tn.on("sides", Eq(diff(u, x), 0))],
    )
    nodes = -1 + 2 * (np.arange(n) + 0.5) / n
    rate = 5 - d * (np.pi * np.arange(n) / 2) ** 2
    last = etdrk4(dct(nodes**2 * np.cos(np.pi * nodes)), rate, lambda s: -5 * dct(idct(s) ** 3), 1.0, 1000)
    points = np.column_stack([nodes, np.ones(n)])[::4]
    return Evolved(problem, points, idct(last)[::4], 1e-5)


def cahn_hilliard() -> Evolved:
    """Until two layers have become one."""
    d = 1e-2**2 * 4
    problem = tn.Problem(
        strip(0, 1, 1.0),
        [Eq(diff(u, t), diff(-d * diff(u, x, 2) + u**3 - u, x, 2))],
        [tn.on("t=0", Eq(u, cos(2 * pi * x) / 10 + cos(3 * pi * x) / 5 + cos(5 * pi * x) / 10)),
         tn.on("sides", Eq(diff(u, x), 0), Eq(diff(u, x, 3), 0))],
    )  # fmt: skip
    nodes, spread = even_chebyshev(256, 0.0, 1.0)
    start = np.cos(2 * np.pi * nodes) / 10 + np.cos(3 * np.pi * nodes) / 5 + np.cos(5 * np.pi * nodes) / 10
    found = solve_ivp(lambda s, z: spread @ (-d * (spread @ z) + z**3 - z), (0, 1.0), start, "Radau", rtol=1e-10,
                      atol=1e-12, jac=lambda s, z: spread @ (-d * spread + np.diag(3 * z**2 - 1)))  # fmt: skip
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


def ks_32pi(end: float = 150) -> Evolved:
    return kuramoto(32 * pi, end, cos(x / 16) * (1 + sin(x / 16)), 384, 40000, 1e-4)


def heat_value_jump() -> Evolved:
    problem = tn.Problem(
        strip(0, 1, 0.1),
        [Eq(diff(u, t), diff(u, x, 2))],
        [tn.on("t=0", Eq(u, 0)), tn.on("x=0", Eq(u, 1)), tn.on("x=1", Eq(u, 0))],
    )

    def exact(points: np.ndarray) -> np.ndarray:
        s, root = points[:, 0], 2 * np.sqrt(points[:, 1])
        return sum(erfc((2 * n + s) / root) - erfc((2 * n + 2 - s) / root) for n in range(4))

    points = along(0, 1, 0.1)
    return Evolved(problem, points, exact(points), 1e-6, at_all_times(exact, 0.1), 1e-4, OVER_ALL)


OVER_ALL = "over all times"


def at_all_times(exact: Any, end: float) -> Any:
    """The relative error in L2 over space and all times; two in three points are of the first hundredth of them."""
    (y, v), (z, w) = np.polynomial.legendre.leggauss(80), np.polynomial.legendre.leggauss(40)
    parts = [(0.0, 1e-4), (1e-4, 1e-2), (1e-2, 1.0)]
    edges = [0.0, 1e-3, 1e-2, 0.1, 0.9, 0.99, 0.999, 1.0]
    x_ = np.concatenate([(a + b) / 2 + (b - a) / 2 * y for a, b in pairwise(edges)])
    wx = np.concatenate([(b - a) / 2 * v for a, b in pairwise(edges)])
    t_ = end * np.concatenate([(a + b) / 2 + (b - a) / 2 * z for a, b in parts])
    wt = np.concatenate([(b - a) / 2 * w for a, b in parts])
    points = np.stack([m.ravel() for m in np.meshgrid(x_, t_, indexing="ij")], axis=1)
    weights, truth = np.outer(wx, wt).ravel(), exact(points)

    def over(solution: tn.Solution) -> float:
        gap = np.asarray(solution(points)) - truth
        return float(np.sqrt(weights @ gap**2 / (weights @ truth**2)))

    return over


def heat_slope_jump() -> Evolved:
    """u_t = u_xx + 1 from 0 with u = 0 at both ends: values fit, first derivatives in time do not."""
    problem = tn.Problem(
        strip(0, 1, 0.1),
        [Eq(diff(u, t), diff(u, x, 2) + 1)],
        [tn.on("t=0", Eq(u, 0)), tn.on("sides", Eq(u, 0))],
    )

    def exact(points: np.ndarray) -> np.ndarray:
        s, end = points.T
        odd = [(2 * n + 1) * np.pi for n in range(200)]
        return s * (1 - s) / 2 - sum(4 / k**3 * np.sin(k * s) * np.exp(-(k**2) * end) for k in odd)

    points = along(0, 1, 0.1)
    return Evolved(problem, points, exact(points), 1e-6, at_all_times(exact, 0.1), 1e-4, OVER_ALL)


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
