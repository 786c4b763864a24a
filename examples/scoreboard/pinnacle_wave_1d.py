"""PINNacle's Wave 1d-C, which is FastLSQ's Wave1D: two standing waves.

u_tt = 4 u_xx on (0, 1), 0 < t < 1; u = sin(pi x) + sin(4 pi x) / 2 and u_t = 0 at t = 0, u = 0 at both ends. The waves
oscillate like cos(2 pi t) and cos(8 pi t).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PINNacle, FastLSQ", {"PINNacle": 0.0979}
TOL, ACCURACY = 1e-10, 1e-9
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
pi = sp.pi
exact = sp.sin(pi * x) * sp.cos(2 * pi * t) + sp.sin(4 * pi * x) * sp.cos(8 * pi * t) / 2
domain = tn.Interval(x=(0, 1)) * tn.Interval(t=(0, 1))
rest = [tn.on("t=0", sp.Eq(u, exact.subs(t, 0))), tn.on("t=0", sp.Eq(sp.diff(u, t), 0))]
problem = tn.Problem(domain, [sp.Eq(sp.diff(u, t, 2), 4 * sp.diff(u, x, 2))], [*rest, tn.on("sides", sp.Eq(u, 0))])
