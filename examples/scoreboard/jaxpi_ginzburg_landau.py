"""jaxpi's Ginzburg-Landau equation: a vortex that winds up.

A_t = lap(A) / 250 + 10 A - 10 (1 + 1.5 i) |A|^2 A on (-1, 1)^2, 0 < t < 1, periodic; A = 10 (y + i x) exp(-25 (x^2 +
y^2)) at t = 0, A = u + i v, as in the program of its branch "pirate". The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "jaxpi", {}, True, True
TOL, ACCURACY = 1e-6, 1e-4
x, y, t = sp.symbols("x y t")
u, v = tn.unknown("u", x, y, t), tn.unknown("v", x, y, t)
domain = tn.Box(x=(-1, 1), y=(-1, 1)) * tn.Interval(t=(0, 1))
square = u**2 + v**2
spot = 10 * sp.exp(-25 * (x**2 + y**2))


def lap(w: sp.Expr) -> sp.Expr:
    return sp.diff(w, x, 2) + sp.diff(w, y, 2)


equations = [
    sp.Eq(sp.diff(u, t), lap(u) / 250 + 10 * (u - (u - 1.5 * v) * square)),
    sp.Eq(sp.diff(v, t), lap(v) / 250 + 10 * (v - (v + 1.5 * u) * square)),
]
starts = [tn.on("t=0", sp.Eq(u, y * spot)), tn.on("t=0", sp.Eq(v, x * spot))]
problem = tn.Problem(domain, equations, [*starts, tn.periodic(x), tn.periodic(y)])
