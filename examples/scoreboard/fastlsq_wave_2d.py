"""FastLSQ's Wave2D_MS: a standing wave that is faster along one axis.

u_tt = u_xx + 2 u_yy on the unit square, 0 < t < 4; u = 0 on the sides, u = sin(pi x) sin(pi y) and u_t = 0 at t = 0.
The wave oscillates like cos(sqrt(3) pi t). FastLSQ's figure is that of its program's description (900 features).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {"FastLSQ": 1e-3}
TOL, ACCURACY = 1e-8, 1e-7
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
exact = sp.sin(sp.pi * x) * sp.sin(sp.pi * y) * sp.cos(sp.sqrt(3) * sp.pi * t)
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 4))
rest = [tn.on("t=0", sp.Eq(u, exact.subs(t, 0))), tn.on("t=0", sp.Eq(sp.diff(u, t), 0)), tn.on("sides", sp.Eq(u, 0))]
problem = tn.Problem(domain, [sp.Eq(sp.diff(u, t, 2), sp.diff(u, x, 2) + 2 * sp.diff(u, y, 2))], rest)
