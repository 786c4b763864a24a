"""FastLSQ's Helmholtz2D.

u_xx + u_yy + 100 u = f on the unit square, with f and the boundary values of u = sin(10 x) sin(10 y).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-9, 1e-8
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
exact = sp.sin(10 * x) * sp.sin(10 * y)
domain = tn.Box(x=(0, 1), y=(0, 1))


def left(w: sp.Expr) -> sp.Expr:
    return sp.diff(w, x, 2) + sp.diff(w, y, 2) + 100 * w


problem = tn.Problem(domain, [sp.Eq(left(u), left(exact))], [tn.on("boundary", sp.Eq(u, exact))])
