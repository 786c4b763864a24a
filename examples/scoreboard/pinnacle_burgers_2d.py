"""PINNacle's Burgers 2d-C, from another start.

u_t + u u_x + v u_y = lap(u) / 1000, v_t + u v_x + v v_y = lap(v) / 1000, periodic, 0 < t < 1. The benchmark draws its
start at random, sums of waves sin and cos(2 pi (i x + j y)), i, j < 4, on (0, 4)^2, and keeps it as a table; such sums
repeat themselves in each unit square, so that one is enough. Here u = sin(2 pi (x + y)) + cos(2 pi (2 x - y)) / 2, v =
cos(2 pi (x - y)) + sin(2 pi (x + 2 y)) / 2. The fronts are a thousandth as wide as the square.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, TOL, ACCURACY, SLOW = "PINNacle (another start)", {"PINNacle": 0.26}, 1e-2, 1e-2, True
x, y, t = sp.symbols("x y t")
u, v = (tn.unknown(name, x, y, t) for name in "uv")


def carried(w: sp.Expr) -> sp.Eq:
    transport = sp.diff(w, t) + u * sp.diff(w, x) + v * sp.diff(w, y)
    return sp.Eq(transport, (sp.diff(w, x, 2) + sp.diff(w, y, 2)) / 1000)


round_ = 2 * sp.pi
first = sp.sin(round_ * (x + y)) + sp.cos(round_ * (2 * x - y)) / 2
second = sp.cos(round_ * (x - y)) + sp.sin(round_ * (x + 2 * y)) / 2
start = tn.on("t=0", sp.Eq(u, first), sp.Eq(v, second))
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 1))
problem = tn.Problem(domain, [carried(u), carried(v)], [start, tn.periodic(x), tn.periodic(y)])
