"""FastLSQ's SteadyBurgers1D.

u u_x - u_xx / 10 = f on (0, 1), with f and the boundary values of u = sin(2 pi x).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-9, 1e-8
x = sp.Symbol("x")
u = tn.unknown("u", x)
exact = sp.sin(2 * sp.pi * x)
domain = tn.Interval(x=(0, 1))


def left(w: sp.Expr) -> sp.Expr:
    return w * sp.diff(w, x) - sp.diff(w, x, 2) / 10


problem = tn.Problem(domain, [sp.Eq(left(u), left(exact))], [tn.on("boundary", sp.Eq(u, exact))])
