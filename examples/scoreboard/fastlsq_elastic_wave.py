"""FastLSQ's ElasticWave2D: pressure waves in an elastic square.

u_tt = 4 u_xx + u_yy + 3 v_xy, v_tt = 4 v_yy + v_xx + 3 u_xy on the unit square, 0 < t < 2; u and v on the sides, at
t = 0, and at rest there, from u = pi cos(pi x) sin(pi y) cos(w t), v = pi sin(pi x) cos(pi y) cos(w t), w = sqrt(8) pi,
which is the solution. The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-6, 1e-5
x, y, t = sp.symbols("x y t")
u, v = tn.unknown("u", x, y, t), tn.unknown("v", x, y, t)
potential = sp.sin(sp.pi * x) * sp.sin(sp.pi * y) * sp.cos(sp.sqrt(8) * sp.pi * t)
exact, other = sp.diff(potential, x), sp.diff(potential, y)


def motion(w: sp.Expr, along: sp.Symbol, across: sp.Symbol, partner: sp.Expr) -> sp.Eq:
    forces = 4 * sp.diff(w, along, 2) + sp.diff(w, across, 2) + 3 * sp.diff(partner, x, y)
    return sp.Eq(sp.diff(w, t, 2), forces)


given = [tn.on(part, sp.Eq(w, f)) for part in ("sides", "t=0") for w, f in ((u, exact), (v, other))]
rest = [tn.on("t=0", sp.Eq(sp.diff(w, t), 0)) for w in (u, v)]
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 2))
problem = tn.Problem(domain, [motion(u, x, y, v), motion(v, y, x, u)], [*given, *rest])
