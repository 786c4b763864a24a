"""DeepXDE's Helmholtz_Sound_hard_ABC_2d: a wave around a hard cylinder, in the whole plane.

lap(u) + 4 u = 0 outside the disk of radius pi / 4, u_n = 0 on it, u - exp(2 i x) outgoing. DeepXDE has u_n = 2 i u on
the sides of the square (-pi, pi)^2 instead, which absorbs only part of a wave, and compares with the solution of the
plane, so that no solution of its problem has its reference. Compared is the wave that is scattered, in that square.
"""

import numpy as np
import sympy as sp
from scipy.special import h1vp, hankel1, jvp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE (mended)", {}
TOL, ACCURACY, REFERENCE = 1e-10, 1e-9, "Bessel's series"
WAVES, RADIUS = 2.0, float(np.pi / 4)
x, y = sp.symbols("x y", real=True)
u = tn.unknown("u", x, y, complex=True)
incident = sp.exp(sp.I * WAVES * x)
domain = tn.Exterior(tn.Disk((0, 0), RADIUS), margin=3)
hard = tn.on("boundary", sp.Eq(tn.normal_derivative(u), 0))
problem = tn.Problem(domain, [sp.Eq(tn.laplacian(u) + WAVES**2 * u, 0)], [hard, tn.outgoing(u - incident, WAVES)])


def error(solution: tn.Solution) -> float:
    points = tn.Box(x=(-np.pi, np.pi), y=(-np.pi, np.pi)).interior(2000)
    points = points[np.hypot(*points.T) > RADIUS]
    r, angle = np.hypot(*points.T), np.arctan2(points[:, 1], points[:, 0])
    truth = sum(
        -(1j**n) * jvp(n, WAVES * RADIUS) / h1vp(n, WAVES * RADIUS) * hankel1(n, WAVES * r) * np.exp(1j * n * angle)
        for n in range(-40, 41)
    )
    found = solution(points).ravel() - np.exp(1j * WAVES * points[:, 0])
    return float(np.linalg.norm(found - truth) / np.linalg.norm(truth))
