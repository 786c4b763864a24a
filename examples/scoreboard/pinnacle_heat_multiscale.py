"""PINNacle's Heat 2d-MS: diffusion 250,000 times faster along one axis than along the other.

u_t = u_xx / (500 pi)^2 + u_yy / pi^2 on the unit square, 0 < t < 5; u = sin(20 pi x) sin(pi y) at t = 0, u = 0 on the
sides. The solution decays like exp(-(1 + 1/625) t).
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PINNacle", {"PINNacle": 0.0173}
TOL, ACCURACY = 1e-8, 1e-6
x, y, t = sp.symbols("x y t")
u = tn.unknown("u", x, y, t)
start = sp.sin(20 * sp.pi * x) * sp.sin(sp.pi * y)
exact = start * sp.exp(-(1 + sp.Rational(1, 625)) * t)
domain = tn.Box(x=(0, 1), y=(0, 1)) * tn.Interval(t=(0, 5))
equation = sp.Eq(sp.diff(u, t), sp.diff(u, x, 2) / (500 * sp.pi) ** 2 + sp.diff(u, y, 2) / sp.pi**2)
problem = tn.Problem(domain, [equation], [tn.on("t=0", sp.Eq(u, start)), tn.on("sides", sp.Eq(u, 0))])
