"""DeepXDE's Poisson_multiscale_1d: a slow and a fast sine.

u'' = -4 pi^2 sin(2 pi x) - 250 pi^2 sin(50 pi x) on (0, 1), u = 0 at both ends; the solution is
sin(2 pi x) + sin(50 pi x) / 10.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "DeepXDE", {}
TOL, ACCURACY = 1e-10, 1e-9
x = sp.Symbol("x")
u = tn.unknown("u", x)
exact = sp.sin(2 * sp.pi * x) + sp.sin(50 * sp.pi * x) / 10
equation = sp.Eq(sp.diff(u, x, 2), sp.diff(exact, x, 2))
problem = tn.Problem(tn.Interval(x=(0, 1)), [equation], [tn.on("boundary", sp.Eq(u, 0))])
