"""PINNacle's Heat Nd, which is FastLSQ's HeatND: a ball of five coordinates, and time.

u_t = lap(u) / 5 - |x|^2 exp(|x|^2 / 2 + t) / 5 in the unit ball of five coordinates, 0 < t < 1; u_n = u and u at t = 0
from exp(|x|^2 / 2 + t), which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PINNacle, FastLSQ", {"PINNacle": 0.000119}
TOL, ACCURACY = 1e-4, 1e-3
places, t = sp.symbols("x1:6"), sp.Symbol("t")
u = tn.unknown("u", *places, t)
square = sum(c**2 for c in places)
exact = sp.exp(square / 2 + t)
domain = tn.Ball(center=(0,) * 5, radius=1) * tn.Interval(t=(0, 1))
lap = sum(sp.diff(u, c, 2) for c in places)
equation = sp.Eq(sp.diff(u, t), lap / 5 - square * exact / 5)
flux = tn.on("sides", sp.Eq(tn.normal_derivative(u), exact))
problem = tn.Problem(domain, [equation], [flux, tn.on("t=0", sp.Eq(u, exact.subs(t, 0)))])
