"""jaxpi's Kuramoto-Sivashinsky equation.

u_t + 5 u u_x + u_xx / 2 + 0.005 u_xxxx = 0 on (-1, 1), 0 < t < 1, periodic; u = -sin(pi x) at t = 0, as in its program.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "jaxpi", {"jaxpi": 1.61e-1}, True
TOL, ACCURACY = 1e-5, 1e-4
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))
terms = 5 * u * sp.diff(u, x), sp.diff(u, x, 2) / 2, sp.diff(u, x, 4) / 200
problem = tn.Problem(
    domain=domain,
    equations=[sp.Eq(sp.diff(u, t) + sum(terms), 0)],
    conditions=[tn.on("t=0", sp.Eq(u, -sp.sin(sp.pi * x))), tn.periodic(x)],
)
