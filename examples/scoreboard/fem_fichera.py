"""The Fichera corner: the singularity where a cube is cut out of a cube.

-lap(u) = 1 on (-1, 1)^3 without (0, 1)^3, u = 0 on the boundary. The derivatives are unbounded along the three edges
that meet in the corner, and at the corner.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED, KEPT = "finite elements", {}, True
TOL, ACCURACY = 1e-3, 2e-3
x, y, z = sp.symbols("x y z")
u = tn.unknown("u", x, y, z)
domain = tn.Box(x=(-1, 1), y=(-1, 1), z=(-1, 1)) - tn.Box(x=(0, 1), y=(0, 1), z=(0, 1))
problem = tn.Problem(domain, [sp.Eq(-tn.laplacian(u), 1)], [tn.on("boundary", sp.Eq(u, 0))])
