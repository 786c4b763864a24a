"""PDENNEval's Poisson PL, which is DeepXDE's Poisson_Lshape: a load on an L-shape.

-(u_xx + u_yy) = 1 on (-1, 1)^2 without [0, 1]^2, u = 0 on the boundary; the gradient is infinite in the corner.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "PDENNEval, DeepXDE", {"PDENNEval": 0.0189}, True
TOL, ACCURACY = 1e-8, 1e-7
x, y = sp.symbols("x y")
u = tn.unknown("u", x, y)
domain = tn.Polygon([(0, 0), (0, 1), (-1, 1), (-1, -1), (1, -1), (1, 0)])
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
