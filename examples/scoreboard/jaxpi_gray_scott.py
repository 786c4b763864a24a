"""jaxpi's Gray-Scott equations: spots that divide.

u_t = 0.2 lap(u) + 40 (1 - u) - 1000 u v^2, v_t = 0.1 lap(v) - 100 v + 1000 u v^2 on (-1, 1)^2, periodic, 0 < t < 2; u
= 1 - exp(-10 ((x + 0.05)^2 + (y + 0.02)^2)), v = exp(-10 ((x - 0.05)^2 + (y - 0.02)^2)) at t = 0. The error is that
of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "jaxpi", {}, True, True
TOL, ACCURACY = 1e-3, 1e-2
x, y, t = sp.symbols("x y t")
u, v = (tn.unknown(name, x, y, t) for name in "uv")


def spread(w: sp.Expr) -> sp.Expr:
    return sp.diff(w, x, 2) + sp.diff(w, y, 2)


def spot(sign: int) -> sp.Expr:
    return sp.exp(-10 * ((x + sign * 0.05) ** 2 + (y + sign * 0.02) ** 2))


first = sp.Eq(sp.diff(u, t), 0.2 * spread(u) + 40 * (1 - u) - 1000 * u * v**2)
second = sp.Eq(sp.diff(v, t), 0.1 * spread(v) - 100 * v + 1000 * u * v**2)
start = tn.on("t=0", sp.Eq(u, 1 - spot(1)), sp.Eq(v, spot(-1)))
domain = tn.Box(x=(-1, 1), y=(-1, 1)) * tn.Interval(t=(0, 2))
problem = tn.Problem(domain, [first, second], [start, tn.periodic(x), tn.periodic(y)])
