"""DeepXDE's wave_1d: a string that swings ten times.

u_tt = 100 u_xx on (0, 1), 0 < t < 1; u = sin(pi x) + sin(2 pi x) and u_t = 0 at t = 0, u = 0 at both ends. The waves
oscillate like cos(10 pi t) and cos(20 pi t).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-9, 1e-8
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = sum(sp.sin(k * sp.pi * x) * sp.cos(10 * k * sp.pi * t) for k in (1, 2))
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
rest = [tn.on("t=0", sp.Eq(u, exact.subs(t, 0))), tn.on("t=0", sp.Eq(sp.diff(u, t), 0)), tn.on("sides", sp.Eq(u, 0))]
problem = tn.Problem(domain, [sp.Eq(sp.diff(u, t, 2), 100 * sp.diff(u, x, 2))], rest)
