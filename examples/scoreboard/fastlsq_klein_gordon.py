"""FastLSQ's KleinGordon: a quadratic wave equation, solved for where FastLSQ fits its formula.

u_tt - u_xx + u^2 = f on (-1, 1), 0 < t < 1, with f, u at both ends and at t = 0, and u_t = 0 there, from u = sin(pi x)
cos(2 pi t), which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "FastLSQ", {}
TOL, ACCURACY = 1e-9, 1e-8
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = sp.sin(sp.pi * x) * sp.cos(2 * sp.pi * t)


def left(w: sp.Expr) -> sp.Expr:
    return sp.diff(w, t, 2) - sp.diff(w, x, 2) + w**2


domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))
values = [tn.on("t=0", sp.Eq(u, exact.subs(t, 0)), sp.diff(u, t)), tn.on("sides", sp.Eq(u, exact))]
problem = tn.Problem(domain, [sp.Eq(left(u), left(exact))], values)
