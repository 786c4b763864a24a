"""Boussinesq's problem: the displacement beside a force on an elastic half space.

mu lap(w) + (lambda + mu) grad(div(w)) = 0 for 1/2 < x < 3/2, -1/2 < y < 1/2, 0 < z < 1, E = 1, nu = 0.3. The surface
z = 0 is free; on the other faces w is that of a force on the surface at the origin, with r^2 = x^2 + y^2 + z^2: w_x =
(z / r^2 - (1 - 2 nu) / (r + z)) x / r, w_y alike, w_z = (2 (1 - nu) + z^2 / r^2) / r.
"""

import sympy as sp

import transnet as tn

BOARD, PUBLISHED = "finite elements", {}
TOL, ACCURACY = 2e-3, 2e-3
NU = sp.Rational(3, 10)
x, y, z = sp.symbols("x y z")
w = tn.vector("w", x, y, z)
r = sp.sqrt(x**2 + y**2 + z**2)
along = z / r**2 - (1 - 2 * NU) / (r + z)
known = sp.Matrix([along * x / r, along * y / r, (2 * (1 - NU) + z**2 / r**2) / r])
exact = known[0]
domain = tn.Box(x=(0.5, 1.5), y=(-0.5, 0.5), z=(0, 1))
body = tn.elasticity(w, E=1, nu=0.3)
moved = [sp.Eq(a, b) for a, b in zip(w, known, strict=True)]
conditions = [tn.on(face, *moved) for face in ("x=0.5", "x=1.5", "y=-0.5", "y=0.5", "z=1")]
problem = tn.Problem(domain, body.equations, [*conditions, tn.on("z=0", *body.traction)])
