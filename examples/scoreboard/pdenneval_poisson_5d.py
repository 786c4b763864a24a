"""PDENNEval's Poisson PH: five coordinates.

-lap(u) = f in (-1, 1)^5, with f and the boundary values of u = m^2 + sin(m), m the mean of the coordinates. The
solution depends on one direction alone.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, SLOW = "PDENNEval", {"PDENNEval": 1.04e-05}, True
TOL, ACCURACY = 1e-8, 1e-7
places = sp.symbols("x1:6")
u = tn.unknown("u", *places)
mean = sum(places) / 5
exact = mean**2 + sp.sin(mean)
load = (sp.sin(mean) - 2) / 5
domain = tn.Box(**{str(c): (-1, 1) for c in places})
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, exact))])
