"""jaxpi's Navier-Stokes flow in a torus, from another start.

w_t + u w_x + v w_y = lap(w) / 100, u = psi_y, v = -psi_x, lap(psi) = -w on (0, 2 pi)^2, periodic, 0 < t < 10. jaxpi
draws its start at random and keeps it as a table; here psi = cos(x) + cos(2 y) / 2 + sin(x + y) / 2 + cos(2 x - y) /
3 at t = 0, which mixes as well. Stated by velocity and pressure; the error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT, SLOW = "jaxpi (another start)", {"jaxpi": 0.353}, True, True
TOL, ACCURACY = 1e-4, 1e-3
x, y, t = sp.symbols("x y t")
u, v, p = (tn.unknown(name, x, y, t) for name in "uvp")
psi = sp.cos(x) + sp.cos(2 * y) / 2 + sp.sin(x + y) / 2 + sp.cos(2 * x - y) / 3
domain = tn.Box(x=(0, 2 * sp.pi), y=(0, 2 * sp.pi)) * tn.Interval(t=(0, 10))


def momentum(w: sp.Expr, c: sp.Symbol) -> sp.Eq:
    carried = sp.diff(w, t) + u * sp.diff(w, x) + v * sp.diff(w, y)
    return sp.Eq(carried, -sp.diff(p, c) + (sp.diff(w, x, 2) + sp.diff(w, y, 2)) / 100)


equations = [momentum(u, x), momentum(v, y), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)]
start = tn.on("t=0", sp.Eq(u, sp.diff(psi, y)), sp.Eq(v, -sp.diff(psi, x)))
problem = tn.Problem(domain, equations, [start, tn.periodic(x), tn.periodic(y)])
