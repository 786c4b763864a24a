"""PDENNEval's Poisson PH: three coordinates.

-lap(u) = f in (-1, 1)^3, with f and the boundary values of u = m^2 + sin(m), m the mean of the coordinates. The
solution depends on one direction alone.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "PDENNEval", {"PDENNEval": 1.42e-08}
TOL, ACCURACY = 1e-10, 1e-9
places = sp.symbols("x1:4")
u = tn.unknown("u", *places)
mean = sum(places) / 3
exact = mean**2 + sp.sin(mean)
load = (sp.sin(mean) - 2) / 3
domain = tn.Box(**{str(c): (-1, 1) for c in places})
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), load)], [tn.on("boundary", sp.Eq(u, exact))])
