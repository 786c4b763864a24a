"""Systems of ordinary differential equations; their ends by Taylor series of forty digits and by Radau's method."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

import transnet as tn

from .stated import Eq, Evolved, diff, t

a, b, c = (tn.unknown(n, t) for n in "abc")


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
