"""DeepXDE's Klein_Gordon_inverse: a mass from fifty values of a wave.

u_tt - u_xx + m u = 0 on (-1, 1), 0 < t < 1; u = sin(pi x) and u_t = 0 at t = 0, u = 0 at both ends. Wanted are u and m
from 50 values of sin(pi x) cos(w t), w^2 = pi^2 + 4, at random points; m is 4. The error is that of u, of which DeepXDE
publishes a figure, and m is seen to be as good.
"""

import numpy as np
import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "DeepXDE", {"DeepXDE": 4.7e-4}, True
TOL, ACCURACY = 1e-9, 1e-8
x, t = sp.symbols("x t")
u, m = tn.unknown("u", x, t), tn.unknown("m")
exact = sp.sin(sp.pi * x) * sp.cos(sp.sqrt(sp.pi**2 + 4) * t)
drawn = np.random.default_rng(42)
places = np.column_stack([drawn.uniform(-1, 1, 50), drawn.uniform(0, 1, 50)])
known = tn.data(u, places, sp.lambdify((x, t), exact)(*places.T))
start = tn.on("t=0", sp.Eq(u, sp.sin(sp.pi * x)), sp.diff(u, t))
equation = sp.Eq(sp.diff(u, t, 2) - sp.diff(u, x, 2) + m * u, 0)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, [equation], [start, tn.on("sides", u), known])
