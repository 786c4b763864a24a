"""PINNacle's Burgers 1d-C: a front as thin as 1/200 of the interval.

u_t + u u_x = 0.01/pi u_xx on (-1, 1), 0 < t < 1; u = -sin(pi x) at t = 0, u = 0 at both ends. The reference is Cole's
and Hopf's integral with 200 nodes of Gauss and Hermite.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PINNacle", {"PINNacle": 0.0133}
TOL, ACCURACY = 1e-6, 1e-5
NU = 0.01 / np.pi
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))
equation = sp.Eq(sp.diff(u, t) + u * sp.diff(u, x), NU * sp.diff(u, x, 2))
problem = tn.Problem(domain, [equation], [tn.on("t=0", sp.Eq(u, -sp.sin(sp.pi * x))), tn.on("sides", sp.Eq(u, 0))])


def reference(points: np.ndarray) -> np.ndarray:
    """Cole's and Hopf's solution."""
    z, w = np.polynomial.hermite.hermgauss(200)
    y = points[:, :1] - np.sqrt(4 * NU * points[:, 1:]) * z
    power = -np.cos(np.pi * y) / (2 * np.pi * NU)
    weights = w * np.exp(power - power.max(axis=1, keepdims=True))
    return np.asarray(-(weights * np.sin(np.pi * y)).sum(axis=1) / weights.sum(axis=1))
