"""PINNacle's Heat 2d-LT: a source that depends on the temperature, to t = 100.

u_t = 0.001 (u_xx + u_yy) + 5 sin(u^2) (1 + 2 sin(pi t / 4)) sin(4 pi x) sin(2 pi y) on the unit square, 0 < t < 100;
u = sin(4 pi x) sin(3 pi y) at t = 0, u = 0 on the sides.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, TOL, ACCURACY, SLOW = "PINNacle", {"PINNacle": 0.999}, 1e-3, 2e-3, True
KEPT = True
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
shape = (1 + 2 * sp.sin(sp.pi * t / 4)) * sp.sin(4 * sp.pi * x) * sp.sin(2 * sp.pi * y)
equation = sp.Eq(sp.diff(u, t), (sp.diff(u, x, 2) + sp.diff(u, y, 2)) / 1000 + 5 * sp.sin(u**2) * shape)
start = tn.on("t=0", sp.Eq(u, sp.sin(4 * sp.pi * x) * sp.sin(3 * sp.pi * y)))
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 100))
problem = tn.Problem(domain, [equation], [start, tn.on("sides", sp.Eq(u, 0))])
