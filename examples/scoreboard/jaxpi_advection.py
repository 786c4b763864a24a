"""jaxpi's advection: a sine that runs sixteen times around a ring.

u_t + 100 u_x = 0 for x on a ring of length 2 pi, 0 < t < 1; u = sin(x) at t = 0. The solution is sin(x - 100 t).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "jaxpi", {"jaxpi": 6.88e-4}
TOL, ACCURACY = 1e-8, 1e-7
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
exact = sp.sin(x - 100 * t)
domain = tn.Interval(x=(0, 2 * sp.pi)) * tn.Interval(t=(0, 1))
equation = sp.Eq(sp.diff(u, t) + 100 * sp.diff(u, x), 0)
problem = tn.Problem(domain, [equation], [tn.on("t=0", sp.Eq(u, sp.sin(x))), tn.periodic(x)])
