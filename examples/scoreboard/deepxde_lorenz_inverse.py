"""DeepXDE's Lorenz_inverse: the three numbers of Lorenz' equations from values along a path.

x' = s (y - x), y' = x (r - z) - y, z' = x y - b z for 0 < t < 3; x = -8, y = 7, z = 27 at t = 0. Wanted are s, r and b
from the values at 25 times of the path with s = 10, r = 15, b = 8/3. The error is the largest of the three.
"""

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

import transnet as tn

BOARD, PUBLISHED, SLOW = "DeepXDE", {}, True
TOL, ACCURACY, REFERENCE = 1e-6, 1e-4, "the numbers that the values were made with"
t = sp.Symbol("t")
x, y, z = (tn.unknown(name, t) for name in "xyz")
s, r, b = (tn.unknown(name) for name in "srb")
TRUTH = {"s": 10.0, "r": 15.0, "b": 8 / 3}
times = np.linspace(0, 3, 25)
path = solve_ivp(
    lambda _, q: [10 * (q[1] - q[0]), q[0] * (15 - q[2]) - q[1], q[0] * q[1] - 8 / 3 * q[2]], (0, 3), [-8, 7, 27],
    "DOP853", times, rtol=1e-13, atol=1e-13,
).y  # fmt: skip
slopes = [s * (y - x), x * (r - z) - y, x * y - b * z]
equations = [sp.Eq(sp.diff(q, t), slope) for q, slope in zip((x, y, z), slopes, strict=True)]
start = tn.on("t=0", sp.Eq(x, -8), sp.Eq(y, 7), sp.Eq(z, 27))
known = [tn.data(q, times[:, None], values) for q, values in zip((x, y, z), path, strict=True)]
problem = tn.Problem(tn.Interval(t=(0, 3)), equations, [start, *known])


def error(solution: tn.Solution) -> float:
    return max(abs(float(solution[name]) / value - 1) for name, value in TRUTH.items())
