"""MIT's waveguide: the guided mode of the slab with which the tutorial of Meep begins.

u'' + (2 pi 0.15)^2 eps u = b^2 u across a slab of width 1 with eps = 12 in vacuum, u = 0 at the distance of 8: the
largest b^2, for the lowest mode at the frequency 0.15 (in units of the speed of light over the width).
"""

import numpy as np
import sympy as sp
from scipy.optimize import brentq

import transnet as tn

BOARD, PUBLISHED = "finite elements", {}
TOL, ACCURACY, REFERENCE = 1e-9, 1e-8, "the root of k tan(k / 2) = sqrt(b^2 - w^2), k^2 = 12 w^2 - b^2, w = 2 pi 0.15"
FREQUENCY = 2 * np.pi * 0.15
y, square = sp.symbols("y square")
u = tn.unknown("u", y)
domain = tn.Pieces(below=tn.Interval(y=(-8, -0.5)), core=tn.Interval(y=(-0.5, 0.5)), above=tn.Interval(y=(0.5, 8)))
eps = tn.by_piece(below=1, core=12, above=1)
equation = sp.Eq(sp.diff(u, y, 2) + FREQUENCY**2 * eps * u, square * u)
problem = tn.Problem(domain, [equation], [tn.on("boundary", u)])


def solve() -> tn.Solution:
    return tn.eigenpairs(problem, square, count=1, near=8 * FREQUENCY**2, tol=TOL)[0]


def error(solution: tn.Solution) -> float:
    def gap(b: float) -> float:
        k = np.sqrt(12 * FREQUENCY**2 - b * b)
        return k * np.tan(k / 2) - np.sqrt(b * b - FREQUENCY**2)

    truth = brentq(gap, 2 * FREQUENCY, 3.46 * FREQUENCY, xtol=1e-15, rtol=1e-15) ** 2
    return abs(solution.parameters[square] / truth - 1)
