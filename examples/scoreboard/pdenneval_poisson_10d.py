"""PDENNEval's Poisson PH: ten coordinates.

-lap(u) = f in (-1, 1)^10, with f and the boundary values of u = m^2 + sin(m), m the mean of the coordinates. The
solution depends on one direction alone.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "PDENNEval", {"PDENNEval": 0.0546}, True
TOL, ACCURACY = 1e-6, 1e-5
places = sp.symbols("x1:11")
u = tn.unknown("u", *places)
mean = sum(places) / 10
exact = mean**2 + sp.sin(mean)
load = (sp.sin(mean) - 2) / 10
domain = tn.Box(**{str(c): (-1, 1) for c in places})
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, exact))])
