"""PINNacle's Poisson Nd, which is FastLSQ's PoissonND: five coordinates.

lap(u) + (pi/2)^2 sum_i sin(pi x_i / 2) = 0 in the unit cube of five coordinates, u = sum_i sin(pi x_i / 2) on its
boundary, which is the solution.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PINNacle, FastLSQ", {"PINNacle": 0.000458}
TOL, ACCURACY = 1e-8, 1e-7
places = sp.symbols("x1:6")
u = tn.unknown("u", *places)
exact = sum(sp.sin(sp.pi * c / 2) for c in places)
domain = tn.Box(**{c.name: (0, 1) for c in places})
equation = sp.Eq(tn.laplacian(u), -(sp.pi**2) / 4 * exact)
problem = tn.Problem(domain, [equation], [tn.on("boundary", sp.Eq(u, exact))])
