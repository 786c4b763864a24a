"""DeepXDE's Klein_Gordon: a quadratic wave equation to t = 10.

u_tt = u_xx - u^2 - x cos(t) + x^2 cos(t)^2 on (-1, 1), 0 < t < 10, with u and u_t at t = 0 and u at both ends from
u = x cos(t), which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-9, 1e-8
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = x * sp.cos(t)
equation = sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) - u**2 - exact + exact**2)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 10))
values = [tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "sides")]
problem = tn.Problem(domain, [equation], [*values, tn.on("t=0", sp.Eq(sp.diff(u, t), 0))])
