"""FastLSQ's AllenCahn1D.

u_xx / 10 + u - u^3 = f on (0, 1), with f and the boundary values of u = sin(pi x).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-9, 1e-8
x = sp.Symbol("x")
u = tn.unknown("u", x)
exact = sp.sin(sp.pi * x)
domain = tn.Interval(x=(0, 1))


def left(w: sp.Expr) -> sp.Expr:
    return sp.diff(w, x, 2) / 10 + w - w**3


problem = tn.Problem(domain, [sp.Eq(left(u), left(exact))], [tn.on("boundary", sp.Eq(u, exact))])
