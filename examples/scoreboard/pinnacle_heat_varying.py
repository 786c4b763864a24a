"""PINNacle's Heat 2d-VC, with a smooth coefficient in place of its table.

u_t = a (u_xx + u_yy) + 200 sin(pi x) sin(5 pi y) sin(pi t) on the unit square, 0 < t < 5; u = 0 at t = 0 and on the
sides. The benchmark's a is the exponential of a random field, a table of 256 x 256 pixels; here a = exp(sin(3 x + 2
y) + cos(5 x - 4 y) / 2), which varies as much.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "PINNacle (mended)", {"PINNacle": 0.212}, True
TOL, ACCURACY = 1e-7, 1e-5
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
a = sp.exp(sp.sin(3 * x + 2 * y) + sp.cos(5 * x - 4 * y) / 2)
source = 200 * sp.sin(sp.pi * x) * sp.sin(5 * sp.pi * y) * sp.sin(sp.pi * t)
equation = sp.Eq(sp.diff(u, t), a * (sp.diff(u, x, 2) + sp.diff(u, y, 2)) + source)
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 5))
problem = tn.Problem(domain, [equation], [tn.on("t=0", sp.Eq(u, 0)), tn.on("sides", sp.Eq(u, 0))])
