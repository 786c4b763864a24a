"""FastLSQ's Sine-Gordon: a breather, solved for where FastLSQ fits its formula.

u_tt = u_xx - sin(u) on (-10, 10), 0 < t < 20, with u and u_t at t = 0 and u at both ends from
u = 4 atan(sqrt(3) sin(t / 2) / cosh(sqrt(3) x / 2)), which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-7, 1e-6
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = 4 * sp.atan(sp.sqrt(3) * sp.sin(t / 2) / sp.cosh(sp.sqrt(3) * x / 2))
equation = sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) - sp.sin(u))
domain = tn.Interval(x=(-10, 10)) * tn.Interval(t=(0, 20))
values = [tn.on(part, sp.Eq(u, exact)) for part in ("t=0", "sides")]
speed = tn.on("t=0", sp.Eq(sp.diff(u, t), sp.diff(exact, t).subs(t, 0)))
problem = tn.Problem(domain, [equation], [*values, speed])
