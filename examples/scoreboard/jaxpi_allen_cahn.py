"""jaxpi's Allen-Cahn equation: fronts between two phases.

u_t = 1e-4 u_xx + 5 u - 5 u^3 on (-1, 1), 0 < t < 1, periodic; u = x^2 cos(pi x) at t = 0. The periodic start has a kink
in its slope at the ends, where u_x = +-2: as written the initial state is not smooth.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "jaxpi", {"jaxpi": 5.37e-5}, True
TOL, ACCURACY = 1e-6, 1e-4
x, t = sp.symbols("x t")
u = tn.unknown("u", x, t)
domain = tn.Interval(x=(-1, 1)) * tn.Interval(t=(0, 1))
equation = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) / 10000 + 5 * u - 5 * u**3)
problem = tn.Problem(domain, [equation], [tn.on("t=0", sp.Eq(u, x**2 * sp.cos(sp.pi * x))), tn.periodic(x)])
