"""FastLSQ's Maxwell2D_TM: the electric field of a cavity with conducting walls.

u_tt = u_xx + u_yy on the unit square, 0 < t < 1; u = 0 on the walls, u = sin(pi x) sin(pi y) and u_t = 0 at t = 0. The
field oscillates like cos(sqrt(2) pi t).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-8, 1e-7
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
exact = sp.sin(sp.pi * x) * sp.sin(sp.pi * y) * sp.cos(sp.sqrt(2) * sp.pi * t)
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 1))
rest = [tn.on("t=0", sp.Eq(u, exact.subs(t, 0))), tn.on("t=0", sp.Eq(sp.diff(u, t), 0))]
problem = tn.Problem(domain, [sp.Eq(sp.diff(u, t, 2), tn.laplacian(u, x, y))], [*rest, tn.on("sides", sp.Eq(u, 0))])
