"""FastLSQ's KdV: a soliton, solved for where FastLSQ fits its formula.

u_t + u u_x + u_xxx = 0 on (-2, 2), 0 < t < 0.1, with u at t = 0, u at both ends and u_x at the right one from
u = 90 / cosh(sqrt(30) / 2 (x - 30 t + 1))^2, which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-6, 1e-5
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = 90 / sp.cosh(sp.sqrt(30) / 2 * (x - 30 * t + 1)) ** 2
equation = sp.Eq(sp.diff(u, t) + u * sp.diff(u, x) + sp.diff(u, x, 3), 0)
values = [tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "x=-2", "x=2")]
slope = tn.on("x=2", sp.Eq(sp.diff(u, x), sp.diff(exact, x)))
problem = tn.Problem(tn.Interval(x=(-2, 2)) * tn.Interval(t=(0, 0.1)), [equation], [*values, slope])
