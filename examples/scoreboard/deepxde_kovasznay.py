"""DeepXDE's Kovasznay_flow, which is FastLSQ's: the laminar flow behind a grid at Re = 20.

Navier-Stokes equations on (-1/2, 1) x (-1/2, 3/2), with u, v on the boundary and p at x = 1 from Kovasznay's solution
u = 1 - exp(l x) cos(2 pi y), v = l exp(l x) sin(2 pi y) / (2 pi), p = (1 - exp(2 l x)) / 2,
l = 10 - sqrt(100 + 4 pi^2). FastLSQ fits its formula; here the equations are solved. The error is that of u.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE, FastLSQ", {}
TOL, ACCURACY = 1e-8, 1e-7
x, y = sp.symbols("x y")
u, v, p = (tn.unknown(name, x, y) for name in "uvp")
rate = 10 - sp.sqrt(100 + 4 * sp.pi**2)
exact = 1 - sp.exp(rate * x) * sp.cos(2 * sp.pi * y)
across, pressure = rate * sp.exp(rate * x) * sp.sin(2 * sp.pi * y) / (2 * sp.pi), (1 - sp.exp(2 * rate * x)) / 2


def momentum(w: sp.Expr, along: sp.Symbol) -> sp.Eq:
    return sp.Eq(u * sp.diff(w, x) + v * sp.diff(w, y) + sp.diff(p, along), tn.laplacian(w) / 20)


half = sp.Rational(1, 2)
domain = tn.Box(x=(-half, 1), y=(-half, 3 * half))
given = [tn.on("boundary", sp.Eq(u, exact)), tn.on("boundary", sp.Eq(v, across)), tn.on("x=1", sp.Eq(p, pressure))]
problem = tn.Problem(domain, [momentum(u, x), momentum(v, y), sp.Eq(sp.diff(u, x) + sp.diff(v, y), 0)], given)
