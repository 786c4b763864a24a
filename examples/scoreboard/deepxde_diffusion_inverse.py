"""DeepXDE's diffusion_1d_inverse: a diffusivity from ten values at the end.

u_t = c u_xx - exp(-t) (1 - pi^2) sin(pi x) on (-1, 1), 0 < t < 1; u = sin(pi x) at t = 0, u = 0 at both ends. Wanted is
c from the values of exp(-t) sin(pi x) at ten points where t = 1; it is 1.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "DeepXDE", {}, True
TOL, ACCURACY, REFERENCE = 1e-9, 1e-8, "the c that the values were made with; the error is that of c"
x, t = sp.symbols("x t")
u, c = tn.unknown("u", x, t), tn.unknown("c")
wave = sp.exp(-t) * sp.sin(sp.pi * x)
places = np.column_stack([np.linspace(-1, 1, 10), np.ones(10)])
known = tn.data(u, places, np.exp(-1) * np.sin(np.pi * places[:, 0]))
equation = sp.Eq(sp.diff(u, t), c * sp.diff(u, x, 2) - (1 - sp.pi**2) * wave)
start = tn.on("t=0", sp.Eq(u, sp.sin(sp.pi * x)))
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, [equation], [start, tn.on("sides", u), known])


def error(solution: tn.Solution) -> float:
    return abs(float(solution["c"]) - 1)
