"""PINNacle's Gray-Scott equations: two spots that react, with conditions where it states none.

u_t = 1e-5 lap(u) + 0.04 (1 - u) - u v^2, v_t = 5e-6 lap(v) - 0.1 v + u v^2 on (-1, 1)^2, 0 < t < 200; u = 1 - exp(-80
((x + 0.05)^2 + (y + 0.02)^2)), v = exp(-80 ((x - 0.05)^2 + (y - 0.02)^2)) at t = 0. The benchmark has nothing on the
sides; here both are periodic. The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "PINNacle (mended)", {"PINNacle": 0.0799}, True, True
TOL, ACCURACY = 1e-3, 1e-2
x, y, t = sp.symbols("x y t")
u, v = (tn.unknown(name, x, y, t) for name in "uv")


def spread(w: sp.Expr) -> sp.Expr:
    return sp.diff(w, x, 2) + sp.diff(w, y, 2)


def spot(sign: int) -> sp.Expr:
    return sp.exp(-80 * ((x + sign * 0.05) ** 2 + (y + sign * 0.02) ** 2))


first = sp.Eq(sp.diff(u, t), 1e-5 * spread(u) + 0.04 * (1 - u) - u * v**2)
second = sp.Eq(sp.diff(v, t), 5e-6 * spread(v) - 0.1 * v + u * v**2)
start = tn.on("t=0", sp.Eq(u, 1 - spot(1)), sp.Eq(v, spot(-1)))
domain = tn.Box(x=(-1, 1), y=(-1, 1)) * tn.Interval(t=(0, 200))
problem = tn.Problem(domain, [first, second], [start, tn.periodic(x), tn.periodic(y)])
