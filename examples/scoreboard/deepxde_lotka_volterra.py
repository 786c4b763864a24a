"""DeepXDE's Lotka_Volterra: hares and lynxes, as two ordinary equations.

r' = 20 r (2 - 8 p), p' = 20 p (4 r - 1.06) on (0, 1), r = 1/2, p = 3/40 at t = 0: four and a half oscillations with
peaks. The error is that of r.
"""

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY, REFERENCE = 1e-8, 1e-7, "Runge and Kutta's method of order 8 with a tolerance of 1e-13 (SciPy)"
t = sp.Symbol("t")
r, p = tn.unknown("r", t), tn.unknown("p", t)
equations = [sp.Eq(sp.diff(r, t), 20 * r * (2 - 8 * p)), sp.Eq(sp.diff(p, t), 20 * p * (4 * r - 1.06))]
start = tn.on("t=0", sp.Eq(r, sp.Rational(1, 2)), sp.Eq(p, sp.Rational(3, 40)))
problem = tn.Problem(tn.Interval(t=(0, 1)), equations, [start])


def error(solution: tn.Solution) -> float:
    times = np.linspace(0, 1, 501)
    truth = solve_ivp(
        lambda _, s: [20 * s[0] * (2 - 8 * s[1]), 20 * s[1] * (4 * s[0] - 1.06)], (0, 1), [0.5, 0.075], "DOP853", times,
        rtol=1e-13, atol=1e-14,
    ).y[0]  # fmt: skip
    return float(np.linalg.norm(solution["r"](times) - truth) / np.linalg.norm(truth))
