"""PINNacle's Wave 2d-CG, with a smooth medium in place of its table and a start that fits its walls.

u_tt = a (u_xx + u_yy) on (-1, 1)^2, 0 < t < 5; u_n = 0 on the sides, u_t = 0 at t = 0. The benchmark's a is 1 or 12
in 256 x 256 random pixels; here a = exp(1.2 + 1.2 sin(3 x + 2 y) cos(2 x - 3 y)), which varies as much. Its start,
exp(-((x + 1/2)^2 + y^2) / 0.18), has slopes at the walls, where none is allowed; here its mirror images are added.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle (mended)", {"PINNacle": 0.794}, True, True
TOL, ACCURACY = 1e-3, 2e-3
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
a = sp.exp(1.2 + 1.2 * sp.sin(3 * x + 2 * y) * sp.cos(2 * x - 3 * y))
along = sum(sp.exp(-((x - c) ** 2) / 0.18) for c in (-0.5, -1.5, 2.5, 3.5, -4.5))
across = sum(sp.exp(-((y - c) ** 2) / 0.18) for c in (-4, -2, 0, 2, 4))
start = tn.on("t=0", sp.Eq(u, along * across), sp.diff(u, t))
walls = [tn.on(side, sp.diff(u, c)) for c in (x, y) for side in (f"{c}=-1", f"{c}=1")]
domain = tn.Box(x=(-1, 1), y=(-1, 1)) * tn.Interval(t=(0, 5))
equation = sp.Eq(sp.diff(u, t, 2), a * (sp.diff(u, x, 2) + sp.diff(u, y, 2)))
problem = tn.Problem(domain, [equation], [start, *walls])
